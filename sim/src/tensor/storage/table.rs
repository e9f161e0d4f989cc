//! Tables of hash levels (R. Pagh, F. Rodler: "Cuckoo Hashing", 2004): each key in one of two slots.

use samhw_compiler::levels::Setting;
use samhw_primitives::scan::locator_hash::slot;
use samhw_values::Rng;

/// Multipliers that are tried before the table becomes larger. With as many slots in each way as
/// there are keys about four in five will do.
const TRIES: u32 = 64;

/// A hash table of two ways.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// Multiplier of the hash function.
    pub multiplier: u64,
    /// Number of the last slot of each way.
    pub last: u64,
    /// What each slot of each way holds: the number of a key.
    ways: [Vec<Option<usize>>; 2],
    keys: Vec<u64>,
}

impl Table {
    /// Builds the table of distinct keys.
    pub fn new(keys: Vec<u64>) -> Self {
        let mut slots = keys.len().max(1).next_power_of_two();
        let mut rng = Rng::new(keys.len() as u64);
        loop {
            for _ in 0..TRIES {
                let (multiplier, last) = (rng.bits(), slots as u64 - 1);
                if let Some(ways) = placed(&keys, multiplier, last) {
                    return Self { multiplier, last, ways, keys };
                }
            }
            slots *= 2;
        }
    }

    /// Builds the table of a level of lists with coordinates of `crd_w` bits.
    pub fn of(seg: &[u64], crd: &[u64], crd_w: u32) -> Self {
        let fibers = seg.windows(2).zip(0u64..);
        let key = |p: u64, position: u64| p << crd_w | crd[position as usize];
        Self::new(fibers.flat_map(|(fiber, p)| (fiber[0]..fiber[1]).map(move |at| key(p, at))).collect())
    }

    /// Returns the value of a setting for locators.
    pub fn setting(&self, setting: Setting) -> u64 {
        match setting {
            Setting::Multiplier => self.multiplier,
            Setting::LastSlot => self.last,
        }
    }

    /// Encodes the slots of a way as words: a key of `key_w` bits, its number in `ref_w` bits, and a 1.
    pub fn words(&self, way: usize, key_w: u32, ref_w: u32) -> Vec<u64> {
        let word = |n: &Option<usize>| n.map_or(0, |n| (1 << ref_w | n as u64) << key_w | self.keys[n]);
        self.ways[way].iter().map(word).collect()
    }
}

/// Where each key goes, if all find a slot: one without room takes that of another, which goes to
/// its slot of the other way.
fn placed(keys: &[u64], multiplier: u64, last: u64) -> Option<[Vec<Option<usize>>; 2]> {
    let empty = vec![None; last as usize + 1];
    let mut ways = [empty.clone(), empty];
    for key in 0..keys.len() {
        let (mut homeless, mut way) = (key, 0);
        // Keys that all find a slot move twice at most.
        let mut moves = 2 * (key + 1);
        loop {
            let at = slot(way as u32, keys[homeless], multiplier, last) as usize;
            let Some(other) = ways[way][at].replace(homeless) else { break };
            moves = moves.checked_sub(1)?;
            (homeless, way) = (other, 1 - way);
        }
    }
    Some(ways)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(keys: &[u64]) -> u64 {
        let table = Table::new(keys.to_vec());
        let held: Vec<usize> = table.ways.iter().flatten().filter_map(|n| *n).collect();
        assert_eq!(held.len(), keys.len());
        for (n, &key) in keys.iter().enumerate() {
            let home = |way: usize| table.ways[way][slot(way as u32, key, table.multiplier, table.last) as usize];
            assert!(home(0) == Some(n) || home(1) == Some(n), "{key}");
        }
        table.last + 1
    }

    #[test]
    fn every_key_has_a_slot_of_a_table_that_is_half_full() {
        let mut rng = Rng::new(9);
        for n in [0, 1, 2, 3, 4, 7, 8, 64, 255, 256, 1000, 1024, 5000] {
            let slots = (n as usize).max(1).next_power_of_two() as u64;
            assert_eq!(check(&(0..n).collect::<Vec<_>>()), slots, "in a row");
            assert_eq!(check(&(0..n).map(|k| k << 10 | k).collect::<Vec<_>>()), slots, "a diagonal");
            assert_eq!(check(&(0..n).map(|k| k * 48).collect::<Vec<_>>()), slots, "in steps");
            let random: std::collections::BTreeSet<u64> = (0..n).map(|_| rng.bits() >> 20).collect();
            check(&random.into_iter().collect::<Vec<_>>());
        }
    }

    #[test]
    fn words_hold_position_parent_and_coordinate() {
        let table = Table::of(&[0, 1, 3], &[5, 2, 7], 4);
        let words: Vec<u64> = (0..2).flat_map(|way| table.words(way, 6, 3)).filter(|w| *w != 0).collect();
        for (position, parent, crd) in [(0, 0, 5), (1, 1, 2), (2, 1, 7)] {
            let want = ((1 << 3 | position) << 2 | parent) << 4 | crd;
            assert!(words.contains(&want), "{want:b} {words:?}");
        }
    }
}
