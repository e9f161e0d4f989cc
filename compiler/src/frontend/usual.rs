//! Usual formats: names for lists of levels.

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
    /// Every format, in the order in which help lists them.
    pub const ALL: [Self; 7] = [Self::Dense, Self::Csr, Self::Csc, Self::Dcsr, Self::Dcsc, Self::Coo, Self::Csf];

    /// Its name.
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

    /// The format with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// The order of tensors it is for, if only one.
    pub fn order(self) -> Option<usize> {
        match self {
            Self::Csr | Self::Csc | Self::Dcsr | Self::Dcsc => Some(2),
            Self::Dense | Self::Coo | Self::Csf => None,
        }
    }

    /// The same, without levels that a result which is read on the chip cannot have.
    pub fn plain(self) -> Self {
        if self == Self::Coo { Self::Csf } else { self }
    }

    /// Whether storage goes by columns.
    pub fn by_columns(self) -> bool {
        matches!(self, Self::Csc | Self::Dcsc)
    }

    /// Levels of a tensor of `order` modes.
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
