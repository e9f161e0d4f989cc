//! The reference executor, which defines a kernel's result.
//!
//! Interprets statements by loops over iteration lattices on fibertrees, in the manner of TACO
//! (Kjolstad et al., OOPSLA 2017; Henry et al., OOPSLA 2021 for lattices of any function). It
//! shares nothing with lowering and gives the same answer for every loop order. Semantics,
//! values and structure: `docs/decisions/0004-structure.md`.
//!
//! `plan` makes loop nests for a loop order, `order` chooses a cheap order where none is asked
//! for, `machine` runs the nests.

mod arith;
mod few;
mod fiber;
mod key;
mod lossy;
mod machine;
mod near;
mod operand;
mod order;
mod parallel;
mod plan;
mod program;
mod rounds;
mod scans;
mod storage;
#[cfg(test)]
mod tests;
mod total;
mod tree;
mod value;
mod workspace;

pub use near::Near;
pub use rounds::{EachRound, Rounds};

use crate::memory;
use crate::tensor::Coo;
use arith::Arith;
use key::Key;
use operand::{Held, OperandTable, operand_tree};
use plan::Fill;
use program::{Origin, Program};
use samhw_compiler::diag::Diagnostic;
use samhw_compiler::stmt::{Expr, ExprId, Kernel, Statement, TensorId, VarId};
use std::collections::BTreeMap;
use std::sync::Arc;
use total::Total;
use tree::Tree;
use value::Value;

/// Error code for missing data, or data that do not have the sizes of the run.
pub const MISMATCH: &str = "T100";
/// Error code for sizes that exceed the executor's limits.
pub const TOO_LARGE: &str = "T101";
/// Error code for a wrong number of arguments of a function.
pub const ARGUMENTS: &str = "E100";

/// Most coordinates that a result, an operand or a workspace may store.
pub(crate) const MOST_STORED: usize = 1 << 26;

/// The result of a statement.
#[derive(Debug, Clone, PartialEq)]
pub struct Output {
    /// Every coordinate that the result's format stores, with its value.
    pub stored: Coo,
    /// Raw value at all other coordinates: the declared fill, otherwise the right-hand side of fills at the run's
    /// dimensions.
    pub fill: u64,
    /// Bounds of the result over all orders, where the order of a reduction matters.
    pub bounds: Option<Bounds>,
}

/// Bounds of the results of a statement.
#[derive(Debug, Clone, PartialEq)]
pub struct Bounds {
    /// Coordinates that the result's format stores, with indices into `values`.
    pub places: Coo,
    /// The bounded values; the first one belongs to the fill.
    pub values: Arc<Vec<Near>>,
}

/// Executes every statement of `kernel` and returns the results by tensor.
///
/// `dims` holds the size of each variable's dimension, by [`VarId`]. `data` holds every operand
/// that no earlier statement writes; a tensor on both sides of a statement is read from there.
/// `order` names variables in loop order, outermost first; those it leaves out come after.
/// Without one each statement gets the order that looks cheapest on the data. The order
/// changes the time it takes and nothing else.
///
/// Errors: [`MISMATCH`], [`TOO_LARGE`], [`ARGUMENTS`].
pub fn execute(
    kernel: &Kernel,
    dims: &[u64],
    data: &BTreeMap<TensorId, Coo>,
    order: Option<&[VarId]>,
) -> Result<BTreeMap<TensorId, Output>, Diagnostic> {
    execute_within(kernel, dims, data, order, room(kernel))
}

fn room(kernel: &Kernel) -> usize {
    let modes = kernel.statements.iter().map(|s| s.indices.len()).max().unwrap_or(0);
    memory::room(MOST_STORED, memory::running(modes, bounded(kernel)))
}

/// Executes a program that may run in rounds, and returns the results and the rounds. `wanted`: as many as that,
/// whatever the scalar says that asks for another one. `each` sees the results of every round.
///
/// # Errors
///
/// As [`execute`], and those of `each`.
pub fn execute_rounds(
    kernel: &Kernel,
    dims: &[u64],
    data: &BTreeMap<TensorId, Coo>,
    wanted: Option<u64>,
    each: &mut EachRound<'_>,
) -> Result<(BTreeMap<TensorId, Output>, Option<Rounds>), Diagnostic> {
    let most = room(kernel);
    let mut held = hold(kernel, dims, data, most)?;
    let mut results = BTreeMap::new();
    for count in 1.. {
        round(kernel, dims, (&mut held, &mut results), None, most)?;
        each(&results)?;
        let Some(repeat) = &kernel.repeat else { break };
        let (again, rounds) = rounds::after(kernel, repeat, &results, count, wanted);
        if !again {
            return Ok((results, Some(rounds)));
        }
        rounds::carry(kernel, repeat, &mut held);
    }
    Ok((results, None))
}

/// Executes the first round as [`execute_rounds`] does, with at most `most` stored coordinates per tensor.
///
/// # Errors
///
/// As [`execute`].
pub fn execute_within(
    kernel: &Kernel,
    dims: &[u64],
    data: &BTreeMap<TensorId, Coo>,
    order: Option<&[VarId]>,
    most: usize,
) -> Result<BTreeMap<TensorId, Output>, Diagnostic> {
    let (mut held, mut results) = (hold(kernel, dims, data, most)?, BTreeMap::new());
    round(kernel, dims, (&mut held, &mut results), order, most)?;
    Ok(results)
}

/// The operands, to be read.
fn hold(
    kernel: &Kernel,
    dims: &[u64],
    data: &BTreeMap<TensorId, Coo>,
    most: usize,
) -> Result<BTreeMap<TensorId, Held>, Diagnostic> {
    if dims.len() != kernel.vars.len() {
        return Err(mismatch(format!("{} sizes for {} variables", dims.len(), kernel.vars.len())));
    }
    let mut held: BTreeMap<TensorId, Held> = BTreeMap::new();
    for (&t, coo) in data {
        let tensor = kernel.tensor(t);
        let fill = Fill::of(tensor.fill.unwrap_or(0), storage::is_dense(tensor));
        held.insert(t, Held::new(tensor, coo, fill, most)?);
    }
    Ok(held)
}

/// Runs every statement once.
fn round(
    kernel: &Kernel,
    dims: &[u64],
    (held, results): (&mut BTreeMap<TensorId, Held>, &mut BTreeMap<TensorId, Output>),
    order: Option<&[VarId]>,
    most: usize,
) -> Result<(), Diagnostic> {
    for statement in &kernel.statements {
        let (output, fill) = if bounded(kernel) {
            with_scans::<Near>(kernel, statement, dims, held, order, most)?
        } else {
            with_scans::<u64>(kernel, statement, dims, held, order, most)?
        };
        let stored = match &output.bounds {
            Some(bounds) => Held { stored: bounds.places.clone(), bounds: Some(bounds.values.clone()), fill },
            None => Held { stored: output.stored.clone(), bounds: None, fill },
        };
        held.insert(statement.result, stored);
        results.insert(statement.result, output);
    }
    Ok(())
}

/// Returns whether the order of some reduction matters. Then results are known within bounds, which takes
/// more memory.
pub(crate) fn bounded(kernel: &Kernel) -> bool {
    kernel.statements.iter().any(|s| order_matters(kernel, s, s.value))
}

fn order_matters(kernel: &Kernel, statement: &Statement, e: ExprId) -> bool {
    let own = match kernel.expr(e) {
        Expr::Reduce(op, ..) => op.fun().is_some_and(|op| {
            let ty = kernel.type_in(statement, e);
            Total::matters(op, ty) || lossy::can_lose(op, ty)
        }),
        _ => false,
    };
    own || kernel.expr(e).children().iter().any(|&a| order_matters(kernel, statement, a))
}

/// One statement, its scans first.
fn with_scans<V: Value>(
    kernel: &Kernel,
    statement: &Statement,
    dims: &[u64],
    held: &mut BTreeMap<TensorId, Held>,
    order: Option<&[VarId]>,
    most: usize,
) -> Result<(Output, Fill), Diagnostic> {
    let apart = scans::apart(kernel, statement);
    if let Some(apart) = &apart {
        apart.run::<V>(dims, held, most)?;
    }
    let kernel = apart.as_ref().map_or(kernel, |apart| &apart.kernel);
    operand::see(kernel, statement, held)?;
    operand::check(kernel, statement, dims, held)?;
    let made = run::<V>(kernel, statement, dims, held, order, most);
    if let Some(apart) = &apart {
        apart.forget(held);
    }
    made
}

/// One statement: its result, and the fill that later statements read.
fn run<V: Value>(
    kernel: &Kernel,
    statement: &Statement,
    dims: &[u64],
    held: &BTreeMap<TensorId, Held>,
    order: Option<&[VarId]>,
    most: usize,
) -> Result<(Output, Fill), Diagnostic> {
    let fills = |t: TensorId| held.get(&t).map_or(Fill::of(0, false), |h| h.fill);
    let variables = order::variables(kernel, statement);
    let program = match order {
        Some(order) => {
            let mut all: Vec<VarId> = order.iter().copied().filter(|v| variables.contains(v)).collect();
            let left_out: Vec<VarId> = variables.iter().copied().filter(|v| !all.contains(v)).collect();
            all.extend(left_out);
            plan::plan(kernel, statement, dims, &fills, &all)?
        }
        None => {
            let stored = |t: TensorId| held.get(&t).map_or(0, |h| h.stored.len());
            order::cheapest(variables, &statement.indices, dims, &stored, |o| {
                plan::plan(kernel, statement, dims, &fills, o)
            })?
        }
    };
    let mut trees = Vec::with_capacity(program.slots.len());
    for slot in &program.slots {
        trees.push(match &slot.origin {
            Origin::Access(t, indices) => match held.get(t) {
                Some(h) => operand_tree::<V>(h, indices, &slot.key, dims),
                None => Tree::default(),
            },
            Origin::Produced => Tree::default(),
        });
    }
    let tables: Vec<_> = program.reads.iter().map(|read| OperandTable::new(read, held)).collect::<Result<_, _>>()?;
    let mut rows = parallel::rows(&program, Arith::new(statement.ty), dims, &trees, &tables, most)?;
    let root = &program.nodes[program.root];
    let result = kernel.tensor(statement.result);
    let dense = storage::is_dense(result);
    // The one declared is that of what is not stored; something dense stores all that the expression is.
    let gap = result.fill.filter(|_| !dense).map_or(root.fill, Near::exact);
    let other = root.constant.is_some_and(|fill| !result.ty.same(fill, gap.raw));
    if other {
        // What the expression leaves out is not the result's fill.
        rows = filled_up(&rows, V::of(&root.fill), &program.key, dims, most)?;
    }
    if result.prune {
        // What may be the fill, in some order of a sum, stays: whoever compares must allow for it.
        let fill = result.fill.unwrap_or(gap.raw);
        rows.retain(|r| !r.1.near().is_surely(result.ty, fill));
    }
    let keys = rows.iter().map(|r| r.0);
    let (stored, bounds) = if V::is_bounded() {
        let mut values = vec![gap];
        values.extend(rows.iter().map(|r| r.1.near()));
        let present = present(statement, dims, &program, keys, (1..values.len() as u64).collect())?;
        let places = operand::with_filled(result, &present, 0, most)?;
        let stored = places.mapped(|place| values.get(place as usize).map_or(0, |v| v.raw));
        (stored, Some(Bounds { places, values: Arc::new(values) }))
    } else {
        let present = present(statement, dims, &program, keys, rows.iter().map(|r| r.1.near().raw).collect())?;
        (operand::with_filled(result, &present, gap.raw, most)?, None)
    };
    let everywhere = dense || !result.prune && (other || root.settled.is_none() && root.grows);
    let fill = match result.fill {
        Some(value) => Fill::of(value, everywhere),
        None => Fill { value: root.fill, constant: root.constant.is_some(), everywhere },
    };
    Ok((Output { stored, fill: gap.raw, bounds }, fill))
}

/// A row for each coordinate: that of `rows`, or `value`.
fn filled_up<V: Value>(
    rows: &[(u128, V)],
    value: V,
    key: &Key,
    dims: &[u64],
    most: usize,
) -> Result<Vec<(u128, V)>, Diagnostic> {
    let total = key.vars().try_fold(1u64, |n, v| n.checked_mul(dims[v.0])).filter(|&n| n <= most as u64);
    let total = total.ok_or_else(|| too_many("the result, which has another fill than its expression,", most))?;
    let vars: Vec<VarId> = key.vars().collect();
    let mut coords = vec![0; dims.len()];
    let mut rows = rows.iter().peekable();
    let row = |n: u64| {
        vars.iter().rev().fold(n, |n, v| {
            coords[v.0] = n % dims[v.0];
            n / dims[v.0]
        });
        let at = key.pack(&coords);
        (at, rows.next_if(|row| row.0 == at).map_or(value, |row| row.1))
    };
    Ok((0..total).map(row).collect())
}

/// The present rows in the result's index order, with these values.
fn present(
    statement: &Statement,
    dims: &[u64],
    program: &Program,
    keys: impl ExactSizeIterator<Item = u128>,
    values: Vec<u64>,
) -> Result<Coo, Diagnostic> {
    let shape: Vec<u64> = statement.indices.iter().map(|v| dims[v.0]).collect();
    let mut at = vec![0; dims.len()];
    let mut coords = Vec::with_capacity(keys.len() * shape.len());
    for key in keys {
        program.key.unpack(key, &mut at);
        coords.extend(statement.indices.iter().map(|v| at[v.0]));
    }
    Coo::new(shape, coords, values).map_err(|clash| mismatch(format!("result: {clash:?}")))
}

pub(crate) fn too_many(what: &str, most: usize) -> Diagnostic {
    let why = if most < MOST_STORED { ", for which there would be memory" } else { "" };
    Diagnostic::new(TOO_LARGE, format!("{what} stores more than {most} coordinates{why}"))
        .help("run on smaller dimensions, or store less: compressed levels, reductions over what is stored")
}

fn mismatch(message: String) -> Diagnostic {
    Diagnostic::new(MISMATCH, message).help("give every operand data of the sizes the kernel runs with")
}
