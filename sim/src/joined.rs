//! Results in parts as one: what the parts hold, in the format of the whole.
//!
//! The fibers of all parts are merged level by level, so the whole has exactly the coordinates that
//! some part has, and those that its dense levels add.

use crate::tensor::{LevelData, Runs, Storage};
use samhw_compiler::diag::Diagnostic;
use samhw_compiler::levels::{LevelKind, ReadAs};
use samhw_compiler::netlist::InParts;
use std::collections::BTreeMap;
use std::ops::Range;

/// A part: its arrays, and first coordinate and stride of each level in the whole.
pub struct Piece {
    /// The arrays, which [`crate::tensor::unpack`] accepts.
    pub storage: Storage,
    /// First coordinate and stride by level.
    pub at: Vec<(u64, u64)>,
}

/// Positions below a coordinate of a part: several where the coordinates of the next level follow.
type Below = (usize, Range<u64>);

/// Joins the parts of a result called `name`, of this shape by level; `fill` is what no part has.
///
/// # Errors
///
/// Two parts that have a value at one coordinate.
pub fn join(
    name: &str,
    levels: &[LevelKind],
    shape: Vec<u64>,
    parts: &[Piece],
    fill: u64,
) -> Result<Storage, Diagnostic> {
    let data = |l: usize| match levels[l].read_as(0) {
        ReadAs::Dense => LevelData::Dense { dim: shape[l] },
        ReadAs::Single => LevelData::Singleton { crd: vec![] },
        ReadAs::Chain => LevelData::CompressedNu { seg: vec![0], crd: vec![] },
        ReadAs::Lists | ReadAs::Words { .. } | ReadAs::Blocks { .. } | ReadAs::Runs { .. } => {
            LevelData::Compressed { seg: vec![0], crd: vec![] }
        }
    };
    let out = Storage { levels: (0..levels.len()).map(data).collect(), values: vec![], shape };
    let at = vec![0; levels.len()];
    let mut joiner = Joiner { name, chains: InParts::chains(levels), parts, fill, out, at };
    let roots: Vec<Below> = (0..parts.len()).map(|p| (p, 0..1)).collect();
    joiner.level(0, &roots)?;
    Ok(in_runs(joiner.out, levels))
}

struct Joiner<'a> {
    name: &'a str,
    chains: Vec<(usize, usize)>,
    parts: &'a [Piece],
    fill: u64,
    out: Storage,
    /// The coordinates above.
    at: Vec<u64>,
}

impl Joiner<'_> {
    /// Adds the fiber of level `l` that parts have below these positions.
    fn level(&mut self, l: usize, parts: &[Below]) -> Result<(), Diagnostic> {
        let Some(&size) = self.out.shape.get(l) else { return self.value(parts) };
        let mut below: BTreeMap<u64, Vec<Below>> = BTreeMap::new();
        for (p, span) in parts {
            let (start, stride) = self.parts[*p].at[l];
            for (c, child) in entries(&self.parts[*p].storage.levels[l], span) {
                let c = start + c * stride;
                if c < size {
                    below.entry(c).or_default().push((*p, child));
                }
            }
        }
        if let LevelData::Dense { dim } = self.out.levels[l] {
            return (0..dim).try_for_each(|c| self.level(l + 1, below.get(&c).map_or(&[], |b| b)));
        }
        let (first, last) = self.chains[l];
        for (c, parts) in below {
            self.at[l] = c;
            if l == last {
                self.entry(first, last);
            }
            self.level(l + 1, &parts)?;
        }
        if let (LevelData::Compressed { seg, crd } | LevelData::CompressedNu { seg, crd }, true) =
            (&mut self.out.levels[l], l == first)
        {
            seg.push(crd.len() as u64);
        }
        Ok(())
    }

    /// Adds the coordinates of a chain.
    fn entry(&mut self, first: usize, last: usize) {
        for (level, &c) in self.out.levels[first..=last].iter_mut().zip(&self.at[first..=last]) {
            if let LevelData::Compressed { crd, .. }
            | LevelData::CompressedNu { crd, .. }
            | LevelData::Singleton { crd } = level
            {
                crd.push(c);
            }
        }
    }

    fn value(&mut self, parts: &[Below]) -> Result<(), Diagnostic> {
        let [] = parts else {
            let [(p, span)] = parts else {
                let message = format!("two parts of {} have a value at {:?}", self.name, self.at);
                return Err(Diagnostic::new("R011", message).help(
                    "this is a fault of samhw, not of your kernel: please report it with the kernel file and its data",
                ));
            };
            self.out.values.push(self.parts[*p].storage.values[span.start as usize]);
            return Ok(());
        };
        self.out.values.push(self.fill);
        Ok(())
    }
}

/// Coordinates below some positions, with theirs.
fn entries(level: &LevelData, above: &Range<u64>) -> Vec<(u64, Range<u64>)> {
    let one = |p: u64| p..p + 1;
    let fiber = |seg: &[u64]| seg[above.start as usize]..seg[above.start as usize + 1];
    match level {
        LevelData::Dense { dim } => (0..*dim).map(|c| (c, one(above.start * dim + c))).collect(),
        LevelData::Compressed { seg, crd } => fiber(seg).map(|p| (crd[p as usize], one(p))).collect(),
        LevelData::Runs(runs) => runs.below(above.start as usize).map(|(c, p)| (c, one(p))).collect(),
        LevelData::CompressedNu { seg, crd } => grouped(crd, &fiber(seg)),
        LevelData::Singleton { crd } => grouped(crd, above),
    }
}

/// Coordinates of neighbours that are the same, once each.
fn grouped(crd: &[u64], span: &Range<u64>) -> Vec<(u64, Range<u64>)> {
    let mut out: Vec<(u64, Range<u64>)> = Vec::new();
    for p in span.clone() {
        match out.last_mut() {
            Some((c, group)) if *c == crd[p as usize] => group.end = p + 1,
            _ => out.push((crd[p as usize], p..p + 1)),
        }
    }
    out
}

/// Gives levels of blocks and runs, which have been joined as lists, their words.
fn in_runs(mut storage: Storage, levels: &[LevelKind]) -> Storage {
    for (level, kind) in storage.levels.iter_mut().zip(levels).filter(|(_, kind)| kind.in_runs()) {
        let LevelData::Compressed { seg, crd } = level else { continue };
        let shared = kind.shares_positions();
        let runs = Runs::new(seg, crd, shared.then_some(&storage.values[..]));
        if shared {
            let mut at = 0;
            let firsts = runs.runs.iter().map(|run| {
                let first = at;
                at += (run.last - run.first + 1) as usize;
                storage.values[first]
            });
            storage.values = firsts.collect();
        }
        *level = LevelData::Runs(runs);
    }
    storage
}
