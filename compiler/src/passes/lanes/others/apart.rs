//! Lanes statement by statement: where not all statements of a program can have them, those have lanes that can.
//! The others have copies, whose parts come back in order, so that what they write is whole: copies of the index, or of
//! the closest around it that is one of the result. The rest does without, as what reads a list that the
//! compiler has stored.

use super::{LanesEntry, lowered, made, possible, rows};
use crate::facts;
use crate::passes::parallel;
use crate::schedule::{Copies, ScheduleScope};
use crate::stmt::{Kernel, Statement, VarId};
use toml::Spanned;

/// Most statements that are tried one by one: each is a lowering or two.
const MOST: usize = 16;

/// The kernel with these lanes in part of their statements, if any can have them, and what was given to them.
pub(super) fn give(
    kernel: &Kernel,
    (lanes, statements): (&LanesEntry, Vec<usize>),
    order: &[VarId],
) -> Option<(Kernel, String)> {
    let name = lanes.0.get_ref();
    let has = |n: &usize| !kernel.named_in(name, &[*n]).is_empty();
    let mine: Vec<usize> = statements.into_iter().filter(has).collect();
    if mine.len() > MOST {
        return None;
    }
    let mut given = mine.iter().fold(kernel.clone(), |kernel, &n| set_apart(kernel, n, lanes));
    let result = |n: &usize| kernel.tensor(kernel.statements[*n].result).name.as_str();
    let (mut laned, mut said) = (Vec::new(), Vec::new());
    for group in groups(kernel, &mine) {
        let fitting = |given: &Kernel, group: &[usize]| {
            let mut ways = [false, true].into_iter().map(|dealt| with_lanes(given.clone(), group, lanes, dealt));
            ways.find(|way| possible(way, lanes, order))
        };
        if let Some(all) = fitting(&given, &group) {
            (given, laned) = (all, [laned, group].concat());
            continue;
        }
        for n in group {
            if let Some(own) = fitting(&given, &[n]) {
                given = own;
                laned.push(n);
            } else if let Some((own, v)) = with_copies(&given, n, lanes, order) {
                given = own;
                said.push(format!("{} copies of {} in {}", number(lanes), kernel.var(v).name, result(&n)));
            } else if is_shaped(kernel, n) {
                said.push(format!("none in {}: shape operators make its coordinates, one a cycle", result(&n)));
            } else if reads_made(kernel, n) {
                said.push(format!("none in {}: it reads one entry a cycle of what lies on the chip", result(&n)));
            }
        }
    }
    if !laned.is_empty() {
        let names: Vec<&str> = laned.iter().map(result).collect();
        said.insert(0, format!("lanes of {name} in {}", names.join(", ")));
    }
    (!said.is_empty()).then(|| (given, said.join(", ")))
}

/// Whether statement `n` reads what the compiler has stored on the chip.
fn reads_made(kernel: &Kernel, n: usize) -> bool {
    kernel.reads(kernel.statements[n].value).into_iter().any(|(t, _)| kernel.temporaries.contains(&t))
}

/// Whether operands of statement `n`, or reads of what it writes, are parts of tensors, or reshaped.
fn is_shaped(kernel: &Kernel, n: usize) -> bool {
    let views = |s: &Statement| kernel.reads(s.value).into_iter().filter(|(t, _)| kernel.tensor(*t).view.is_some());
    let written = kernel.statements[n].result;
    views(&kernel.statements[n]).next().is_some()
        || kernel.statements.iter().any(|s| views(s).any(|(t, _)| kernel.base(t) == written))
}

/// Statements in groups, of which one reads on the chip what another has written.
fn groups(kernel: &Kernel, statements: &[usize]) -> Vec<Vec<usize>> {
    let reads = |n: usize, of: usize| {
        let result = kernel.statements[of].result;
        kernel.reads(kernel.statements[n].value).iter().any(|(t, _)| kernel.base(*t) == result)
            || kernel.statements[n].result == result
    };
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for &n in statements {
        let joins = |group: &Vec<usize>| group.iter().any(|&of| reads(n, of) || reads(of, n));
        let (joined, apart): (Vec<_>, Vec<_>) = groups.into_iter().partition(joins);
        groups = apart;
        groups.push(joined.into_iter().flatten().chain([n]).collect());
    }
    groups.sort();
    groups
}

/// Statement `n` with a schedule of its own, without these lanes.
fn set_apart(mut kernel: Kernel, n: usize, lanes: &LanesEntry) -> Kernel {
    let own = kernel.schedule_of(&kernel.statements[n]).clone();
    let schedule = kernel.schedule_mut(ScheduleScope::One(n));
    *schedule = own;
    schedule.lanes.retain(|known| known != lanes);
    kernel
}

/// These statements, which have schedules of their own, with these lanes, whose coordinates are dealt if asked for.
fn with_lanes(mut kernel: Kernel, group: &[usize], lanes: &LanesEntry, dealt: bool) -> Kernel {
    for &n in group {
        kernel.schedule_mut(ScheduleScope::One(n)).lanes.push(lanes.clone());
        if dealt {
            kernel.dealt.extend(kernel.named_in(lanes.0.get_ref(), &[n]));
        }
    }
    kernel
}

/// As many copies as there were lanes, or as are possible.
fn number(lanes: &LanesEntry) -> u64 {
    (*lanes.1.get_ref()).min(parallel::MAX_COPIES)
}

/// Statement `n` with as many copies as there were lanes, if it can have them, and of what: of the index, or of the
/// closest around it that is one of the result. Copies of an index that is summed come together in one reducer, which
/// takes no less time than before, and those of an innermost one have nothing to do.
fn with_copies(kernel: &Kernel, n: usize, lanes: &LanesEntry, order: &[VarId]) -> Option<(Kernel, VarId)> {
    let statement = &kernel.statements[n];
    let named = kernel.named_in(lanes.0.get_ref(), &[n]);
    let place = |v: &VarId| order.iter().position(|o| o == v);
    let below = |v: &VarId| facts::variables(kernel, statement).iter().any(|w| place(w) > place(v));
    let free = |v: &VarId| statement.indices.contains(v) && below(v);
    let mut around: Vec<VarId> = statement.indices.clone();
    around.retain(|v| named.iter().any(|inner| place(v) < place(inner)));
    around.sort_by_key(|v| std::cmp::Reverse(place(v)));
    let v = named.iter().copied().chain(rows(kernel, &named, &[n], order)).chain(around).find(free)?;
    let name = &kernel.var(v).name;
    let mut given = kernel.clone();
    let schedule = given.schedule_mut(ScheduleScope::One(n));
    if schedule.parallel.iter().any(|(known, _)| known.get_ref() == name) {
        return None;
    }
    let number = Spanned::new(lanes.1.span(), number(lanes));
    let copies = Copies { number, sharing: None, balance: None };
    schedule.parallel.push((Spanned::new(lanes.0.span(), name.clone()), copies));
    let mut lowered = lowered(&given, order).ok()?;
    // What is wrong with other lanes is said in its turn.
    let _ = made(&mut lowered, false);
    parallel::apply(&mut lowered).is_ok().then_some((given, v))
}
