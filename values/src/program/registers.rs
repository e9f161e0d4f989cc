//! Register allocation: assigns a program's values to 64 registers, shared where lifetimes do not overlap.

use super::{Instr, Op};

/// An instruction with any number of registers. Jumps go to instruction `n`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line {
    pub op: Op,
    pub d: usize,
    /// a, b and c.
    pub of: [usize; 3],
    pub n: u16,
}

impl Line {
    /// The registers it reads.
    fn reads(&self) -> &[usize] {
        let count = match self.op {
            Op::Arg | Op::Const | Op::Rest | Op::Jump => 0,
            Op::Zeros | Op::JumpZero | Op::End => 1,
            Op::Select | Op::Div | Op::Fma | Op::Round | Op::RoundOwn => 3,
            _ => 2,
        };
        &self.of[..count]
    }
    /// The register it writes.
    fn writes(&self) -> Option<usize> {
        self.op.writes().then_some(self.d)
    }
    /// Does it have a number in the place of b and c?
    fn has_number(&self) -> bool {
        matches!(self.op, Op::Arg | Op::Const | Op::Jump | Op::JumpZero)
    }
}

/// A set of registers.
#[derive(Clone, PartialEq, Eq)]
struct Set(Vec<u64>);

impl Set {
    fn new(count: usize) -> Self {
        Self(vec![0; count.div_ceil(64)])
    }
    fn put(&mut self, k: usize) {
        self.0[k / 64] |= 1 << (k % 64);
    }
    fn remove(&mut self, k: usize) {
        self.0[k / 64] &= !(1 << (k % 64));
    }
    fn add(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a |= b);
    }
    fn all(&self) -> impl Iterator<Item = usize> + '_ {
        let ones = |word: u64| (0..64).filter(move |k| word >> k & 1 == 1);
        self.0.iter().enumerate().flat_map(move |(n, &word)| ones(word).map(move |k| 64 * n + k))
    }
}

/// The instructions, with registers of the 64 that there are; `None` if those are too few.
pub(super) fn assign(lines: &[Line], count: usize) -> Option<Vec<Instr>> {
    let apart = conflicts(lines, &read_after(lines, count), count);
    let mut place: Vec<Option<u8>> = vec![None; count];
    // In the order in which they are written first.
    for k in lines.iter().filter_map(Line::writes) {
        if place[k].is_some() {
            continue;
        }
        let taken = apart[k].all().filter_map(|other| place[other]).fold(0u64, |t, p| t | 1 << p);
        place[k] = Some((0..64).find(|p| taken >> p & 1 == 0)?);
    }
    let of = |k: usize| place[k].unwrap_or(0);
    Some(
        lines
            .iter()
            .map(|line| {
                let mut from = [0; 3];
                from.iter_mut().zip(line.reads()).for_each(|(f, &k)| *f = of(k));
                let [a, b, c] = from;
                let n = if line.has_number() { line.n } else { u16::from(b) << 6 | u16::from(c) };
                Instr { op: line.op, d: line.writes().map_or(0, of), a, n }
            })
            .collect(),
    )
}

/// For each instruction, the registers that are read after it before they are written.
fn read_after(lines: &[Line], count: usize) -> Vec<Set> {
    let mut after = vec![Set::new(count); lines.len()];
    let mut before = vec![Set::new(count); lines.len() + 1];
    loop {
        let mut changed = false;
        for (n, line) in lines.iter().enumerate().rev() {
            let mut live = match line.op {
                Op::End => Set::new(count),
                Op::Jump => before[usize::from(line.n)].clone(),
                _ => before[n + 1].clone(),
            };
            if line.op == Op::JumpZero {
                live.add(&before[usize::from(line.n)]);
            }
            after[n] = live.clone();
            line.writes().into_iter().for_each(|d| live.remove(d));
            line.reads().iter().for_each(|&k| live.put(k));
            if live != before[n] {
                before[n] = live;
                changed = true;
            }
        }
        if !changed {
            return after;
        }
    }
}

/// For each register those it cannot share with.
fn conflicts(lines: &[Line], after: &[Set], count: usize) -> Vec<Set> {
    let mut apart = vec![Set::new(count); count];
    for (line, after) in lines.iter().zip(after) {
        let Some(d) = line.writes() else { continue };
        apart[d].add(after);
        after.all().for_each(|k| apart[k].put(d));
    }
    apart.iter_mut().enumerate().for_each(|(k, set)| set.remove(k));
    apart
}
