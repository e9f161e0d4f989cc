//! Parallel execution of a [`Program`]: each processor takes ranges of the outermost loop's coordinates. Results do not
//! depend on how many there are.

use super::arith::Arith;
use super::machine::Machine;
use super::operand::OperandTable;
use super::program::{Program, Step};
use super::tree::Tree;
use super::value::Value;
use samhw_compiler::diag::Diagnostic;
use samhw_system::stack;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Entries below which one processor does it.
const FEW: usize = 1 << 16;
/// Ranges per processor: those with little to do make up for those with much.
const RANGES: usize = 8;

/// The present coordinates of the result and their values, sorted by the program's key.
///
/// # Errors
///
/// More than `most` are stored.
pub(super) fn rows<V: Value>(
    program: &Program,
    arith: Arith,
    dims: &[u64],
    trees: &[Tree<V>],
    tables: &[OperandTable],
    most: usize,
) -> Result<Vec<(u128, V)>, Diagnostic> {
    let run = |part| Machine::new(program, arith, dims, trees, tables, most, part).result();
    let threads = thread::available_parallelism().map_or(1, |n| n.get());
    let ranges = ranges(program, dims, trees, threads);
    if ranges.len() < 2 {
        return run(None);
    }
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let n = next.fetch_add(1, Ordering::Relaxed);
            let Some(range) = ranges.get(n) else { return done };
            done.push((n, run(Some(range.clone()))));
        }
    };
    let mut parts: Vec<_> = stack::all(threads - 1, work).into_iter().flatten().collect();
    parts.sort_by_key(|(n, _)| *n);
    let mut rows = Vec::new();
    for (_, part) in parts {
        rows.extend(part?);
        if rows.len() > most {
            return Err(super::too_many("the result or a reduction", most));
        }
    }
    Ok(rows)
}

/// Ranges of the outermost loop's coordinates, in their order; none where the program does not begin
/// with a loop over the first variable of its key, or has little to do.
fn ranges<V>(program: &Program, dims: &[u64], trees: &[Tree<V>], threads: usize) -> Vec<Range<u64>> {
    let entries: usize = trees.iter().map(|t| t.values.len()).sum();
    let Step::Loop(outer) = &program.steps[program.start] else { return Vec::new() };
    let first = program.key.vars().next() == Some(outer.var);
    if threads < 2 || entries < FEW || !first || !outer.produced.is_empty() {
        return Vec::new();
    }
    let coordinates = outer.scanned.iter().filter_map(|&(slot, level)| trees[slot].levels.get(level)).map(|l| &l.crd);
    let Some(longest) = coordinates.max_by_key(|crd| crd.len()) else { return Vec::new() };
    let step = longest.len().div_ceil(RANGES * threads).max(1);
    let mut bounds: Vec<u64> = longest.iter().copied().step_by(step).skip(1).collect();
    bounds.push(dims[outer.var.0]);
    let starts = std::iter::once(0).chain(bounds.iter().copied());
    starts.zip(&bounds).map(|(start, &end)| start..end).collect()
}
