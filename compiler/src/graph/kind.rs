//! Names of the primitives.

use super::Op;

impl Op {
    /// Name of the primitive in reports; the same names as the primitives' folders.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Root => "root",
            Self::Scan(..) | Self::ScanGroup(..) | Self::Broadcast(_) => "scanner",
            Self::ScanPart(..) | Self::Unpack(_) => "scanner",
            Self::Slice(_) => "slice",
            Self::Constant(..) => "coordinate",
            Self::Repeat => "repeater",
            Self::Join { .. } => "joiner",
            Self::Locate(..) | Self::Place(..) => "locator",
            Self::Within(_) => "within",
            Self::Single => "single",
            Self::Array(_) | Self::Tiles(..) => "array",
            Self::Alu { .. } => "alu",
            Self::Reduce { .. } => "reducer",
            Self::Collapse(_) => "collapse",
            Self::Divide(_) => "divide",
            Self::Exit(_) => "early_exit",
            Self::Zip => "zip",
            Self::Drop { .. } => "dropper",
            Self::Pack(..) | Self::WriteLevel { .. } | Self::WriteValues { .. } => "writer",
            Self::Deal { .. } => "parallelizer",
            Self::Serialize { .. } => "serializer",
            Self::Stitch { .. } => "stitch",
        }
    }
}
