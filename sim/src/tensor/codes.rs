//! The stable codes of every diagnostic about tensor files and data.

/// A file cannot be opened or read.
pub const OPEN: &str = "T001";
/// The file's format is not supported.
pub const FORMAT: &str = "T002";
/// The file is empty.
pub const EMPTY: &str = "T003";
/// The file is not text where text was expected.
pub const NOT_TEXT: &str = "T004";
/// The banner, size line or header is wrong.
pub const HEADER: &str = "T005";
/// The file uses an unsupported feature, such as complex numbers.
pub const UNSUPPORTED: &str = "T006";
/// A line of data is malformed.
pub const LINE: &str = "T007";
/// A coordinate is outside the tensor.
pub const COORDINATE: &str = "T008";
/// A value does not fit the tensor's type.
pub const VALUE: &str = "T009";
/// A coordinate occurs twice.
pub const DUPLICATE: &str = "T010";
/// The number of entries is not the one announced.
pub const COUNT: &str = "T011";
/// The file's shape does not fit the tensor.
pub const SHAPE: &str = "T012";
/// The file contradicts itself, e.g. a diagonal entry in a skew-symmetric matrix.
pub const CONTRADICTION: &str = "T013";
/// A compressed file is damaged or cut.
pub const DAMAGED: &str = "T014";
/// A file cannot be written.
pub const WRITE: &str = "T020";
/// The file format cannot express the tensor.
pub const INEXPRESSIBLE: &str = "T021";
/// The triangles of a symmetric tensor differ.
pub const TRIANGLES: &str = "T022";
/// A generator's parameters are wrong.
pub const GENERATOR: &str = "T030";
/// The tensor would be too large to hold.
pub const TOO_LARGE: &str = "T031";
/// The tensor or the run needs more memory than is available.
pub const MEMORY: &str = "T032";
/// The data do not suit the level formats.
pub const LEVELS: &str = "T040";
/// Stored arrays (of a result) are inconsistent.
pub const ARRAYS: &str = "T041";
