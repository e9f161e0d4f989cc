//! Names of a schedule: k stands for k0, k1 or both.

use super::Split;
use crate::schedule::Schedule;
use toml::Spanned;

impl Split {
    /// `order` may name k0 and k1, or k for both.
    pub(super) fn order_names(&mut self) {
        let halves: Vec<(String, String)> =
            self.pairs.iter().map(|p| (self.kernel.var(p.0).name.clone(), self.kernel.var(p.1).name.clone())).collect();
        let own = self.kernel.statements.iter_mut().filter_map(|s| s.own.order.as_mut()).map(Spanned::get_mut);
        for order in self.kernel.order.iter_mut().chain(own) {
            let both = |name: String| match halves.iter().find(|(outer, _)| outer[..outer.len() - 1] == name) {
                Some((outer, inner)) => vec![outer.clone(), inner.clone()],
                None => vec![name],
            };
            *order = std::mem::take(order).into_iter().flat_map(both).collect();
        }
    }

    /// Renames split indices in the schedule: copies are made of tiles, lanes go along a tile, and both loops
    /// skip, or are wide.
    pub(super) fn schedule_names(&mut self) {
        for scope in self.kernel.schedules().into_iter().map(|(scope, ..)| scope).collect::<Vec<_>>() {
            let schedule = std::mem::take(self.kernel.schedule_mut(scope));
            *self.kernel.schedule_mut(scope) = self.halved(schedule);
        }
    }

    fn halved(&self, mut schedule: Schedule) -> Schedule {
        let half = |name: &Spanned<String>, inner: bool| {
            let pair = self.pairs.iter().find(|p| {
                let outer = &self.kernel.var(p.0).name;
                outer[..outer.len() - 1] == *name.get_ref()
            });
            pair.map(|p| Spanned::new(name.span(), self.kernel.var(if inner { p.1 } else { p.0 }).name.clone()))
        };
        let copied = schedule.parallel.iter_mut().map(|(name, _)| (name, false));
        for (name, inner) in copied.chain(schedule.lanes.iter_mut().map(|(name, _)| (name, true))) {
            *name = half(name, inner).unwrap_or_else(|| name.clone());
        }
        if let Some(names) = &mut schedule.skip {
            let both = |name: &Spanned<String>| match (half(name, false), half(name, true)) {
                (Some(outer), Some(inner)) => vec![outer, inner],
                _ => vec![name.clone()],
            };
            *names = names.iter().flat_map(both).collect();
        }
        let halves = |(name, wide): &(Spanned<String>, Spanned<u64>)| match (half(name, false), half(name, true)) {
            (Some(outer), Some(inner)) => vec![(outer, wide.clone()), (inner, wide.clone())],
            _ => vec![(name.clone(), wide.clone())],
        };
        schedule.wide = schedule.wide.map(|wide| wide.iter().flat_map(halves).collect());
        schedule
    }
}
