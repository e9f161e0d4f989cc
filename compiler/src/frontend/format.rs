//! Names of levels and of usual formats.

use super::foreign;
use super::reader::{Reader, Value, list};
use crate::stmt::LevelKind;

/// Level kinds that a later version has.
const LATER_LEVELS: [&str; 1] = ["broadcast"];

/// Level kinds of other tools that say how values are stored there. Here the same values are held in another way.
const STAND_INS: [(&str, LevelKind); 10] = [
    ("bytemap", LevelKind::Compressed),
    ("hash", LevelKind::Compressed),
    ("hashed", LevelKind::Compressed),
    ("point", LevelKind::Compressed),
    ("rle", LevelKind::Run),
    ("vbl", LevelKind::Block),
    ("band", LevelKind::Block),
    ("interval", LevelKind::Block),
    ("dense_rle", LevelKind::Dense),
    ("bitvector64", LevelKind::Bitvector(64)),
];

/// A usual name for a list of levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Named {
    Dense,
    Csr,
    Csc,
    Dcsr,
    Dcsc,
    Coo,
    Csf,
}

impl Named {
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
            Self::Dense => LevelKind::Dense,
            Self::Csr | Self::Csc if level == 0 => LevelKind::Dense,
            Self::Coo if order > 1 && level == 0 => LevelKind::CompressedNu,
            Self::Coo if level > 0 && level + 1 < order => LevelKind::SingletonNu,
            Self::Coo if level > 0 => LevelKind::Singleton,
            Self::Csr | Self::Csc | Self::Dcsr | Self::Dcsc | Self::Coo | Self::Csf => LevelKind::Compressed,
        };
        (0..order).map(level).collect()
    }
}

/// The level kind that `value` names, or a report.
pub(super) fn level_kind(reader: &mut Reader, value: &Value<'_>) -> Option<LevelKind> {
    let name = reader.string(value, "a level")?;
    // TACO's spelling is understood, too.
    let short = name.strip_suffix("_nonunique").map(|kind| format!("{kind}_nu"));
    let kind = LevelKind::ALL.into_iter().find(|kind| kind.name() == short.as_deref().unwrap_or(name));
    let kind = kind.or_else(|| STAND_INS.iter().find(|(other, _)| *other == name).map(|(_, kind)| *kind));
    if kind.is_none() {
        let names = LevelKind::ALL.map(LevelKind::name);
        if LATER_LEVELS.contains(&name) {
            let help = format!("levels so far: {}", list(&names));
            reader.unsupported("K020", value.span(), &format!("level `{name}` is"), &help);
        } else {
            let names: Vec<&str> = names.into_iter().chain(STAND_INS.map(|(other, _)| other)).collect();
            let message = format!("unknown level `{name}`");
            reader.unknown_word("K006", value.span(), message, (name, foreign::level(name)), &names);
        }
    }
    kind
}
