//! Families of nodes.

use std::fmt;

/// What `samhw graph` calls a node: a family of primitives. Which one of it the hardware has, such as
/// `scanner_wide` or `reducer_vector`, the netlist decides; reports and the manifest have that name,
/// which is the primitive's folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum NodeKind {
    /// Gives coordinates.
    Scanner,
    /// The position above every first level.
    Root,
    /// Stores a level or values, or makes the words that are stored.
    Writer,
    /// Gives a leaf once per coordinate.
    Repeater,
    /// Lets coordinates of several operands meet.
    Joiner,
    /// Finds positions of coordinates.
    Locator,
    /// The first part of looking a computed coordinate up: whether it is inside.
    Within,
    /// Keeps the coordinates between bounds.
    Between,
    /// Makes a list of each coordinate.
    Single,
    /// Reads values.
    Array,
    /// Selects a part of a level.
    Slice,
    /// Gives one coordinate.
    Coordinate,
    /// Computes.
    Alu,
    /// Folds lists.
    Reducer,
    /// Two coordinates as one key.
    Collapse,
    /// A key as two coordinates.
    Divide,
    /// Lengths of intervals.
    Length,
    /// Folds up to each coordinate.
    Prefix,
    /// Tells scanners that no more is needed.
    EarlyExit,
    /// Two streams as one.
    Zip,
    /// Leaves empty lists out.
    Dropper,
    /// Deals items to copies.
    Parallelizer,
    /// Adds sums at the borders of lanes.
    Stitch,
    /// Puts items of copies in order.
    Serializer,
}

impl NodeKind {
    /// The name.
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
