//! The operator that reducers fold two values with.

/// An associative operator on raw bits of `val_w` bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Fold {
    /// Sum, wrapping.
    Add,
    /// The smaller.
    Min,
    /// The larger.
    Max,
}

impl Fold {
    /// Value of the module's parameter `OP`.
    pub const fn code(self) -> u32 {
        match self {
            Self::Add => 0,
            Self::Min => 1,
            Self::Max => 2,
        }
    }
    /// `a` (there before) with `b` (arriving), both `width` bits; `signed` matters to Min and Max.
    #[inline]
    pub fn apply(self, a: u64, b: u64, width: u32, signed: bool) -> u64 {
        // Moved to the top, values of any width compare as 64-bit ones do.
        let up = 64 - width;
        let flip = u64::from(signed) << 63;
        let less = ((b << up) ^ flip) < ((a << up) ^ flip);
        match self {
            Self::Add => (a.wrapping_add(b) << up) >> up,
            Self::Min if less => b,
            Self::Max if !less => b,
            Self::Min | Self::Max => a,
        }
    }
}
