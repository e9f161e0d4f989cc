//! What a program must know of a level whose arrays it reads.

use serde::{Deserialize, Serialize};

/// The form of a level's arrays in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "rule", rename_all = "snake_case")]
pub enum ReadAs {
    /// No arrays: every coordinate exists.
    Dense,
    /// Segments, and the coordinates of each fiber.
    Lists,
    /// As lists, with a coordinate for each tuple of it and those of the singletons that follow.
    Chain,
    /// The one coordinate of each position above.
    Single,
    /// Words of bits, and the position of the lowest one of each word.
    Words {
        /// Width of a word.
        bits: u32,
    },
    /// Segments, and words with the first and the last coordinate and the position of the first.
    Blocks {
        /// Width of a coordinate.
        bits: u32,
    },
    /// Segments, and words with the first and the last coordinate, which share a position.
    Runs {
        /// Width of a coordinate.
        bits: u32,
    },
}
