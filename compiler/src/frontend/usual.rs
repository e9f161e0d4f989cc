//! Usual formats, which are names for lists of levels.

use crate::levels::{self, LevelKind};

/// A usual name for a list of levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum UsualFormat {
    Dense,
    Csr,
    Csc,
    Dcsr,
    Dcsc,
    Coo,
    Csf,
}

impl UsualFormat {
    /// All formats, in the order in which help lists them.
    pub const ALL: [Self; 7] = [Self::Dense, Self::Csr, Self::Csc, Self::Dcsr, Self::Dcsc, Self::Coo, Self::Csf];

    /// Returns the format's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Dense => "dense",
            Self::Csr => "csr",
            Self::Csc => "csc",
            Self::Dcsr => "dcsr",
            Self::Dcsc => "dcsc",
            Self::Coo => "coo",
            Self::Csf => "csf",
        }
    }

    /// Finds the format with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// Returns the order of the tensors that the format requires, if it requires one.
    pub fn order(self) -> Option<usize> {
        match self {
            Self::Csr | Self::Csc | Self::Dcsr | Self::Dcsc => Some(2),
            Self::Dense | Self::Coo | Self::Csf => None,
        }
    }

    /// Returns this format without levels that are not possible for a result read on the chip.
    pub fn plain(self) -> Self {
        if self == Self::Coo { Self::Csf } else { self }
    }

    /// Returns whether the format stores columns first.
    pub fn by_columns(self) -> bool {
        matches!(self, Self::Csc | Self::Dcsc)
    }

    /// Returns the levels for a tensor of `order` modes.
    pub fn levels(self, order: usize) -> Vec<LevelKind> {
        let level = |level: usize| match self {
            Self::Dense => levels::DENSE,
            Self::Csr | Self::Csc if level == 0 => levels::DENSE,
            Self::Coo if order > 1 && level == 0 => levels::COMPRESSED_NU,
            Self::Coo if level > 0 && level + 1 < order => levels::SINGLETON_NU,
            Self::Coo if level > 0 => levels::SINGLETON,
            Self::Csr | Self::Csc | Self::Dcsr | Self::Dcsc | Self::Coo | Self::Csf => levels::COMPRESSED,
        };
        (0..order).map(level).collect()
    }
}
