//! Names of a schedule: k stands for k0, for the innermost of its loops, or for all of them.

use super::{Split, SplitIndex};
use crate::schedule::Schedule;
use toml::Spanned;

impl Split {
    /// `order` may name k0 and k1, or k for all of them.
    pub(super) fn order_names(&mut self) {
        let parts: Vec<(String, Vec<String>)> = self.indices.iter().map(|index| self.part_names(index)).collect();
        let own = self.kernel.statements.iter_mut().filter_map(|s| s.own.order.as_mut()).map(Spanned::get_mut);
        for order in self.kernel.order.iter_mut().chain(own) {
            let all = |name: String| match parts.iter().find(|(whole, _)| *whole == name) {
                Some((_, parts)) => parts.clone(),
                None => vec![name],
            };
            *order = std::mem::take(order).into_iter().flat_map(all).collect();
        }
    }

    /// The name of a split index, and those of its loops.
    fn part_names(&self, index: &SplitIndex) -> (String, Vec<String>) {
        let parts: Vec<String> = index.vars.iter().map(|v| self.kernel.var(*v).name.clone()).collect();
        (self.asked(index.outer()).0, parts)
    }

    /// Renames split indices in the schedule: copies are made of the largest tiles, lanes go along
    /// the smallest, and all loops skip, or are wide.
    pub(super) fn schedule_names(&mut self) {
        for scope in self.kernel.schedules().into_iter().map(|(scope, ..)| scope).collect::<Vec<_>>() {
            let schedule = std::mem::take(self.kernel.schedule_mut(scope));
            *self.kernel.schedule_mut(scope) = self.parted(schedule);
        }
    }

    fn parted(&self, mut schedule: Schedule) -> Schedule {
        let known: Vec<(String, Vec<String>)> = self.indices.iter().map(|index| self.part_names(index)).collect();
        // The loops that a name stands for: one, if it is not that of a split index.
        let parts = |name: &Spanned<String>| -> Vec<Spanned<String>> {
            match known.iter().find(|(whole, _)| whole == name.get_ref()) {
                Some((_, parts)) => parts.iter().map(|part| Spanned::new(name.span(), part.clone())).collect(),
                None => vec![name.clone()],
            }
        };
        for (name, _) in &mut schedule.parallel {
            *name = parts(name).swap_remove(0);
        }
        for (name, _) in &mut schedule.lanes {
            *name = parts(name).pop().unwrap_or_else(|| name.clone());
        }
        schedule.skip = schedule.skip.map(|names| names.iter().flat_map(parts).collect());
        let all = |(name, wide): &(Spanned<String>, Spanned<u64>)| {
            parts(name).into_iter().map(|part| (part, wide.clone())).collect::<Vec<_>>()
        };
        schedule.wide = schedule.wide.map(|wide| wide.iter().flat_map(all).collect());
        schedule
    }
}
