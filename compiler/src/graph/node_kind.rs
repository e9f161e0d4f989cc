//! Families of nodes.

use std::fmt;

/// The family of primitives of a node, as shown by `samhw graph`. Which one of it the hardware has, such as
/// `scanner_wide` or `reducer_vector`, the netlist decides; reports and the manifest have that name, which is the
/// primitive's folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum NodeKind {
    /// Emits the coordinates of a level.
    Scanner,
    /// Emits the root position, above every first level.
    Root,
    /// Stores a level or values, or packs the words to store.
    Writer,
    /// Repeats a leaf for each coordinate.
    Repeater,
    /// Joins the coordinates of several operands.
    Joiner,
    /// Locates coordinates and returns their positions.
    Locator,
    /// Checks whether a computed coordinate is within its dimension.
    Within,
    /// Filters coordinates between bounds.
    Between,
    /// Turns each coordinate into a list of its own.
    Single,
    /// Reads values at positions.
    Array,
    /// Selects a part of a level.
    Slice,
    /// Emits one coordinate.
    Coordinate,
    /// Computes a function of values.
    Alu,
    /// Folds lists.
    Reducer,
    /// Combines two coordinates into one key.
    Collapse,
    /// Divides a key into two coordinates.
    Divide,
    /// Computes lengths of intervals.
    Length,
    /// Gives the first coordinates of intervals.
    First,
    /// Folds all values up to each coordinate.
    Prefix,
    /// Sends hints to scanners when the result is decided.
    EarlyExit,
    /// Combines two streams into one.
    Zip,
    /// Drops empty lists.
    Dropper,
    /// Distributes items to copies.
    Parallelizer,
    /// Adds partial sums at the borders of lanes.
    Stitch,
    /// Merges the items of copies in order.
    Serializer,
}

impl NodeKind {
    /// Returns the name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Scanner => "scanner",
            Self::Root => "root",
            Self::Writer => "writer",
            Self::Repeater => "repeater",
            Self::Joiner => "joiner",
            Self::Locator => "locator",
            Self::Within => "within",
            Self::Between => "between",
            Self::Single => "single",
            Self::Array => "array",
            Self::Slice => "slice",
            Self::Coordinate => "coordinate",
            Self::Alu => "alu",
            Self::Reducer => "reducer",
            Self::Collapse => "collapse",
            Self::Divide => "divide",
            Self::Length => "length",
            Self::First => "first",
            Self::Prefix => "prefix",
            Self::EarlyExit => "early_exit",
            Self::Zip => "zip",
            Self::Dropper => "dropper",
            Self::Parallelizer => "parallelizer",
            Self::Stitch => "stitch",
            Self::Serializer => "serializer",
        }
    }
}

impl fmt::Display for NodeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
