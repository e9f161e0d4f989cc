//! What a node is called in drawings.

use super::Op;

impl Op {
    /// What `samhw graph` calls the node: a family of primitives. Which one of it the hardware has,
    /// such as `scanner_wide` or `reducer_vector`, the netlist decides; reports and the manifest
    /// have that name, which is the primitive's folder.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Root => "root",
            Self::Scan(..) | Self::ScanGroup(..) | Self::Broadcast(_) | Self::ScanPart(..) | Self::Unpack(_) => {
                "scanner"
            }
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
