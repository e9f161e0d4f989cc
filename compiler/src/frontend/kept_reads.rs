//! Reasons to keep a read at computed coordinates as it is, though it could be a read of a view.

use super::reader::Value;
use super::repeat;
use std::collections::HashSet;

/// The reasons to keep computed reads as they are.
#[derive(Debug, Default)]
pub(super) struct KeptReads {
    /// Operands that carry a result from round to round: they lie on the chip as a statement wrote them.
    pub carried: HashSet<String>,
    /// Indices in lanes and copies: these cut an operand where it is stored, which is not where a view
    /// shows it.
    pub cut: HashSet<String>,
}

impl KeptReads {
    /// Collects the reasons: what a file's section `[repeat]` carries, and lanes and copies in its schedules.
    pub fn of(repeat: Option<&repeat::Section>, schedule: Option<&Value<'_>>) -> Self {
        let carried = repeat.into_iter().flat_map(repeat::Section::carried).map(str::to_owned).collect();
        let all = schedule.and_then(|value| value.get_ref().as_table());
        let own = all.into_iter().flat_map(|t| t.values()).filter_map(|value| value.get_ref().as_table());
        let asked = own.chain(all).flat_map(|t| ["lanes", "parallel"].map(|key| t.get(key)));
        let asked = asked.flatten().filter_map(|value| value.get_ref().as_table());
        // Those of a half of a split index are named by that.
        let index = |name: &str| [name.to_owned(), name.trim_end_matches(['0', '1']).to_owned()];
        let cut = asked.flat_map(|t| t.keys()).flat_map(|key| index(key.get_ref())).collect();
        Self { carried, cut }
    }
}
