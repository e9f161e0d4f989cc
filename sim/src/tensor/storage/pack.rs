//! Packing of entries into level arrays. Entries are sorted in storage order once; then every level is one linear pass.

use samhw_compiler::diag::Diagnostic;
use samhw_compiler::levels::{self, LevelKind, StoredAs};

use super::{LevelData, Runs, Storage, wrong_order};
use crate::memory;
use crate::tensor::{Coo, MAX_POSITIONS, codes};

/// Bytes that a position of a dense level takes while it is packed.
const POSITION: u64 = 24;

/// Packs `coo` into `levels` (outermost first), where level l holds mode `mode_order[l]`. Positions at which
/// nothing is stored (below dense levels) get the value `fill`.
///
/// A compressed level holds exactly the coordinates below which something is stored. `CompressedNu` with the
/// singleton levels that follow it, up to the first `Singleton`, has one position per distinct tuple of their
/// coordinates; without a singleton below it is packed like `Compressed`. Any other singleton level needs
/// exactly one coordinate below each position above it.
pub fn pack(coo: &Coo, levels: &[LevelKind], mode_order: &[usize], fill: u64) -> Result<Storage, Diagnostic> {
    let order = coo.order();
    if levels.len() != order {
        return Err(wrong_order(levels.len(), mode_order, order));
    }
    let sorted = coo.permuted(mode_order).ok_or_else(|| wrong_order(levels.len(), mode_order, order))?;
    let mut packer = Packer { coo: &sorted, mode_order, starts: vec![0, sorted.len()] };
    let mut packed = Vec::with_capacity(order);
    let mut l = 0;
    while l < order {
        match levels[l].stored_as() {
            StoredAs::Dense => packed.push(packer.dense(l)?),
            StoredAs::Lists => packed.push(packer.compressed(l)),
            StoredAs::Runs => packed.push(packer.runs(l, levels[l].shares_positions())),
            StoredAs::Chain => {
                let last = l + levels::chain_below(levels, l);
                packed.extend(packer.chain(l, last));
                l = last;
            }
            StoredAs::Single => {
                let level = packer.singleton(l, &packed)?;
                packed.push(level);
            }
        }
        l += 1;
    }
    let value = |w: &[usize]| if w[0] < w[1] { sorted.values()[w[0]] } else { fill };
    let values = packer.starts.windows(2).map(value).collect();
    Ok(Storage { shape: sorted.shape().to_vec(), levels: packed, values })
}

/// State between levels: entries `starts[p]..starts[p + 1]` are those below position p of the last level done.
struct Packer<'a> {
    coo: &'a Coo,
    mode_order: &'a [usize],
    starts: Vec<usize>,
}

impl Packer<'_> {
    fn crd(&self, entry: usize, l: usize) -> u64 {
        self.coo.coord(entry)[l]
    }

    fn dense(&mut self, l: usize) -> Result<LevelData, Diagnostic> {
        let dim = self.coo.shape()[l];
        let positions = (self.starts.len() as u64 - 1).checked_mul(dim).filter(|&n| n <= MAX_POSITIONS);
        let Some(positions) = positions else {
            let message = format!("dense level {} would hold {} x {dim} positions", l + 1, self.starts.len() - 1);
            return Err(Diagnostic::new(codes::TOO_LARGE, message)
                .help(format!("at most {MAX_POSITIONS} are possible: use a compressed level, or smaller sizes")));
        };
        memory::fits(|| format!("dense level {}", l + 1), positions, POSITION)?;
        let mut starts = Vec::with_capacity(positions as usize + 1);
        starts.push(0);
        for fiber in self.starts.windows(2) {
            let mut entry = fiber[0];
            for c in 0..dim {
                while entry < fiber[1] && self.crd(entry, l) == c {
                    entry += 1;
                }
                starts.push(entry);
            }
        }
        self.starts = starts;
        Ok(LevelData::Dense { dim })
    }

    fn compressed(&mut self, l: usize) -> LevelData {
        let (seg, crds) = self.fibers(l, l);
        LevelData::Compressed { seg, crd: crds.into_iter().flatten().collect() }
    }

    /// Runs of coordinates; `shared`: of those below which one entry stands, all with the same value.
    fn runs(&mut self, l: usize, shared: bool) -> LevelData {
        let (seg, crds) = self.fibers(l, l);
        let entries = self.starts.windows(2).map(|w| self.coo.values()[w[0]]);
        let values: Option<Vec<u64>> = shared.then(|| entries.collect());
        let runs = Runs::new(&seg, &crds.concat(), values.as_deref());
        if shared {
            let mut at = 0;
            let first = runs.runs.iter().map(|run| {
                at += run.last - run.first + 1;
                self.starts[(at - (run.last - run.first + 1)) as usize]
            });
            self.starts = first.chain([self.coo.len()]).collect();
        }
        LevelData::Runs(runs)
    }

    /// `CompressedNu` at `first`, singletons up to `last`.
    fn chain(&mut self, first: usize, last: usize) -> Vec<LevelData> {
        let (seg, crds) = self.fibers(first, last);
        let mut crds = crds.into_iter();
        let nu = LevelData::CompressedNu { seg, crd: crds.next().unwrap_or_default() };
        std::iter::once(nu).chain(crds.map(|crd| LevelData::Singleton { crd })).collect()
    }

    /// Segments, and the coordinates of levels `first..=last`: one position per distinct tuple of them.
    fn fibers(&mut self, first: usize, last: usize) -> (Vec<u64>, Vec<Vec<u64>>) {
        let mut seg = Vec::with_capacity(self.starts.len());
        seg.push(0);
        let mut crds = vec![Vec::new(); last - first + 1];
        let mut starts = vec![0];
        for fiber in self.starts.windows(2) {
            let mut entry = fiber[0];
            while entry < fiber[1] {
                let tuple = &self.coo.coord(entry)[first..=last];
                crds.iter_mut().zip(tuple).for_each(|(crd, &c)| crd.push(c));
                // Number by number: a tuple has one or two, less than a call to compare slices is worth.
                let same = |entry| self.coo.coord(entry)[first..=last].iter().zip(tuple).all(|(a, b)| a == b);
                entry += 1;
                while entry < fiber[1] && same(entry) {
                    entry += 1;
                }
                starts.push(entry);
            }
            seg.push(starts.len() as u64 - 1);
        }
        self.starts = starts;
        (seg, crds)
    }

    /// A singleton level below unique positions: exactly one coordinate below each.
    fn singleton(&mut self, l: usize, above: &[LevelData]) -> Result<LevelData, Diagnostic> {
        let mut crd = Vec::with_capacity(self.starts.len() - 1);
        for (position, fiber) in self.starts.windows(2).enumerate() {
            if fiber[0] == fiber[1] {
                return Err(self.not_single(above, position, "none"));
            }
            let c = self.crd(fiber[0], l);
            if self.crd(fiber[1] - 1, l) != c {
                return Err(self.not_single(above, position, "several"));
            }
            crd.push(c);
        }
        Ok(LevelData::Singleton { crd })
    }

    /// Level `above.len()` has `found` coordinates below `position` of the levels above.
    fn not_single(&self, above: &[LevelData], mut position: usize, found: &str) -> Diagnostic {
        let mode = |l: usize| self.mode_order[l] + 1;
        let mut fiber = Vec::new();
        for (l, level) in above.iter().enumerate().rev() {
            let (c, parent) = level.up(position);
            fiber.push(format!("mode {} = {}", mode(l), c + 1));
            position = parent;
        }
        fiber.reverse();
        let l = above.len();
        let place = if l == 0 { "the root".into() } else { fiber.join(", ") };
        let message = format!(
            "singleton level {} (mode {}) needs exactly one coordinate below {place}, the data have {found} there",
            l + 1,
            mode(l),
        );
        let out = if l == 0 {
            "start with `compressed_nu` for COO, or use `compressed`"
        } else {
            "use `compressed` here, or `compressed_nu` for the level above (COO)"
        };
        Diagnostic::new(codes::LEVELS, message).help(out)
    }
}
