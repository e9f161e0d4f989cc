//! Schedules of anything at any index, and what is left of them where some of it is refused.

use samhw_compiler::diag::Diagnostic;
use samhw_compiler::frontend::Spanned;
use samhw_compiler::levels;
use samhw_compiler::schedule::{Balance, Copies, Schedule, Sharing};
use samhw_compiler::stmt::Kernel;
use samhw_sim::run::Problem;
use samhw_testing::kernels::Case;
use samhw_testing::verify::{legal_order, problem};
use samhw_values::Rng;
use std::collections::BTreeSet;

/// A case as a problem: its order made legal for what it stores.
pub fn planned(case: &Case) -> Result<Problem, Diagnostic> {
    problem(&case.kernel, &legal_order(&case.kernel, case.order.clone()), &case.dims, &case.data)
}

/// Sizes of tiles: of one level, or of two or three, of which each lies in the one before.
pub fn tile_sizes(rng: &mut Rng) -> Vec<u64> {
    let mut sizes = vec![1 + rng.below(4)];
    while sizes.len() < 3 && rng.chance(35) {
        sizes[0] = sizes[0].max(2);
        sizes.insert(0, sizes[0] * (2 + rng.below(2)));
    }
    sizes
}

/// A schedule of anything at any index and tensor.
pub fn anything(case: &mut Case, rng: &mut Rng) {
    // Sums of several terms have an index each, of one name.
    let names: BTreeSet<&str> = case.order.iter().map(|&v| case.kernel.var(v).name.as_str()).collect();
    let vars: Vec<String> = names.into_iter().map(String::from).collect();
    let tensors: Vec<String> = case.kernel.tensors.iter().map(|t| t.name.clone()).collect();
    let name = |n: &String| Spanned::new(0..0, n.clone());
    let mut some = |names: &[String], percent: u64| -> Vec<Spanned<String>> {
        names.iter().filter(|_| rng.chance(percent)).map(name).collect()
    };
    let schedule = Schedule {
        locate: Some(some(&tensors, 30)).filter(|l| !l.is_empty()),
        scatter: Some(some(&tensors[..1], 50)).filter(|l| !l.is_empty()),
        skip: Some(some(&vars, 50)).filter(|l| !l.is_empty()),
        ..Schedule::default()
    };
    let mut numbers = |percent: u64, of: &[u64]| -> Vec<(Spanned<String>, Spanned<u64>)> {
        let chosen: Vec<&String> = vars.iter().filter(|_| rng.chance(percent)).collect();
        chosen.into_iter().map(|v| (name(v), Spanned::new(0..0, rng.pick(of)))).collect()
    };
    let copied = numbers(20, &[2, 3, 4]);
    case.kernel.schedule = Schedule {
        lanes: numbers(20, &[2, 3]),
        bitvector: numbers(20, &[8, 16, 32, 64, 128, 256]),
        wide: Some(numbers(40, &[2, 4])).filter(|wide| !wide.is_empty()),
        ..schedule
    };
    let split: Vec<&String> = vars.iter().filter(|_| rng.chance(20)).collect();
    case.kernel.schedule.split = split.into_iter().map(|v| (name(v), tile_sizes(rng))).collect();
    // Copies of some share memories, some are balanced as is said.
    let (sharing, balance) =
        ([None, Some(Sharing::Shared), Some(Sharing::Banked)], [Balance::Elements, Balance::Fibers]);
    let mut copies = |number| Copies {
        number,
        sharing: rng.pick(&sharing),
        balance: rng.chance(60).then(|| Spanned::new(0..0, rng.pick(&balance))),
    };
    case.kernel.schedule.parallel = copied.into_iter().map(|(name, number)| (name, copies(number))).collect();
    let (statements, dense) = (&case.kernel.statements, rng.chance(50));
    for result in statements.iter().map(|s| s.result).filter(|_| dense) {
        let tensor = &mut case.kernel.tensors[result.0];
        tensor.levels.fill(levels::DENSE);
        tensor.prune = false;
    }
}

/// Leaves out of the schedule what a message refuses; false if it refuses none of it.
fn give_way(schedule: &mut Schedule, d: &Diagnostic) -> bool {
    let before = schedule.clone();
    match d.code {
        "S040" | "S041" => schedule.locate = None,
        "S043" => schedule.scatter = None,
        "S042" => schedule.split.clear(),
        "S012" => schedule.parallel.clear(),
        "S021" => schedule.parallel.iter_mut().for_each(|(_, copies)| copies.balance = None),
        "S031" => schedule.bitvector.clear(),
        "S013" | "S014" | "S015" | "S017" | "S018" | "S019" | "S020" => schedule.lanes.clear(),
        _ => {}
    }
    *schedule != before
}

/// What became of a case with a schedule.
pub enum Settled {
    /// A problem, and how many entries were refused and left out before.
    Runs(Box<Problem>, usize),
    /// Without any schedule it is refused, too.
    Refused,
}

/// Takes out of the case's schedule what is refused until the rest can be had. Every refusal must
/// help, and be of something that was asked for.
///
/// # Errors
///
/// A refusal that does not.
pub fn settle(case: &mut Case) -> Result<Settled, String> {
    let mut refused = 0;
    loop {
        match planned(case) {
            Ok(problem) => return Ok(Settled::Runs(Box::new(problem), refused)),
            Err(d) if d.help.is_empty() => return Err(format!("{d:?} tells no way out")),
            Err(d) => {
                if !give_way(&mut case.kernel.schedule, &d) {
                    let plain = Case { kernel: unscheduled(case), ..case.clone() };
                    return match planned(&plain) {
                        Err(_) => Ok(Settled::Refused),
                        Ok(_) => Err(format!("{d:?} refuses nothing that was asked for: {:?}", case.kernel.schedule)),
                    };
                }
                refused += 1;
            }
        }
    }
}

/// The kernel without any schedule.
pub fn unscheduled(case: &Case) -> Kernel {
    Kernel { schedule: Schedule::default(), ..case.kernel.clone() }
}

/// Whether both problems want the same results of `kernel`, as the files hold them.
///
/// # Errors
///
/// The result that differs.
pub fn same_results(kernel: &Kernel, plain: &Problem, scheduled: &Problem) -> Result<(), String> {
    for s in &kernel.statements {
        let [a, b] = [plain, scheduled].map(|p| p.expected(s.result));
        // Sums of floats may come in another order.
        if s.ty.is_int() && a.as_ref().ok() != b.as_ref().ok() {
            return Err(format!("without a schedule {a:?}, with it {b:?}"));
        }
    }
    Ok(())
}
