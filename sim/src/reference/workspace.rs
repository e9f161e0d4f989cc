//! Workspaces of reductions: a log of (key, value) pairs that is sorted and folded as it grows.

use super::arith::Arith;
use super::value::Value;
use samhw_compiler::stmt::Operator;

/// One coordinate's accumulated value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry<V> {
    /// Packed coordinates.
    pub(super) key: u128,
    /// Folded value.
    pub(super) value: V,
    /// Number of values that went in.
    pub(super) count: u64,
}

/// A sparse workspace. Neighbouring pushes of one key fold at once, so a scalar or an
/// already ordered result never grows beyond its distinct keys.
#[derive(Debug, Default)]
pub(super) struct Workspace<V> {
    op: Option<Operator>,
    entries: Vec<Entry<V>>,
    /// Fold when this many entries have gathered.
    limit: usize,
}

/// Smallest log worth folding before the end.
const LIMIT: usize = 1 << 16;

impl<V: Value> Workspace<V> {
    /// Empties it for a reduction with `op`; `None`: every key comes once.
    pub(super) fn reset(&mut self, op: Option<Operator>) {
        self.op = op;
        self.entries.clear();
        self.limit = LIMIT;
    }
    /// Accumulates `value` at `key`.
    pub(super) fn push(&mut self, arith: Arith, key: u128, value: V) {
        if let (Some(op), Some(last)) = (self.op, self.entries.last_mut())
            && last.key == key
        {
            last.value = V::combine(arith, op, last.value, value);
            last.count += 1;
            return;
        }
        if self.entries.len() >= self.limit {
            self.fold(arith);
            self.limit = LIMIT.max(2 * self.entries.len());
        }
        self.entries.push(Entry { key, value, count: 1 });
    }
    /// The entries, sorted, one per key.
    pub(super) fn finish(&mut self, arith: Arith) -> &mut [Entry<V>] {
        self.fold(arith);
        &mut self.entries
    }
    /// Returns whether it holds more distinct keys than `most`. Where values are folded this is noticed late,
    /// when it holds twice as many.
    pub(super) fn overflows(&self, most: usize) -> bool {
        (self.op.is_none() && self.entries.len() > most) || self.limit > LIMIT.max(2 * most)
    }
    fn fold(&mut self, arith: Arith) {
        self.entries.sort_unstable_by_key(|e| e.key);
        if let Some(op) = self.op {
            self.entries.dedup_by(|e, kept| {
                let same = e.key == kept.key;
                if same {
                    kept.value = V::combine(arith, op, kept.value, e.value);
                    kept.count += e.count;
                }
                same
            });
        }
    }
}
