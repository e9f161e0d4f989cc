//! Random comparisons, masks and arithmetic of indices as texts, in statements of every type, with
//! tensors of others: the reference against exact numbers, and both engines. SAMHW_CASES and
//! SAMHW_SEED choose them.

use crate::engines::engines_agree_on;
use crate::exact::{At, Condition, QUARTERS, TENSORS, Whole, raw};
use crate::seeds;
use samhw_compiler::diag::Source;
use samhw_compiler::frontend::parse;
use samhw_compiler::passes::fifo::Depths;
use samhw_compiler::types::Type;
use samhw_sim::load::operands;
use samhw_sim::run::Problem;
use samhw_sim::tensor::{Coo, Loaded};
use samhw_testing::verify::{against_dense, netlist, run_twice};
use samhw_values::Rng;
use samhw_values::convert;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

const TYPES: [&str; 20] = [
    "bool", "u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64", "u8s", "i8s", "i16s", "fx8.2", "ufx8.2", "fx16.2",
    "fx8.8", "f64", "f32", "bf16", "f16",
];

/// What a statement gives.
#[derive(Debug, Clone)]
enum Gives {
    /// `mask(c, A(i,j))`
    Masked(Condition),
    /// `where(c, A(i,j), w)`
    Chosen(Condition, Whole),
    /// `w`
    Number(Whole),
    /// How many points there are.
    Count(Condition),
    /// Whether there is one.
    Any(Condition),
}

struct Drawn {
    text: String,
    gives: Gives,
    sizes: [u64; 2],
}

fn ty(name: &str) -> Type {
    Type::from_name(name).unwrap_or_else(|| panic!("{name} is a type"))
}

fn draw(seed: u64) -> Drawn {
    let rng = &mut Rng::new(seed);
    let sizes = [rng.pick(&[3, 20, 130, 300]), rng.pick(&[1, 4, 9])];
    let kind = rng.below(10);
    let own = match kind {
        6 | 7 => rng.pick(&["i32", "u16", "f32", "f64", "i64"]),
        _ => rng.pick(&TYPES),
    };
    let real = !(ty(own).is_int() || ty(own) == Type::Bool);
    let condition = |rng: &mut Rng| Condition::random(rng, 2, TENSORS.len(), !real);
    let counted = |rng: &mut Rng, divides: bool| {
        let whole = Whole::random(rng, 3, divides);
        if whole.counts() { whole } else { Whole::Two("+", Box::new(whole), Box::new(Whole::I)) }
    };
    let (gives, right) = match kind {
        0..4 => {
            let c = condition(rng);
            let right = format!("mask({c}, A(i,j))");
            (Gives::Masked(c), right)
        }
        4 | 5 => {
            let (c, w) = (condition(rng), counted(rng, !real));
            let right = format!("where({c}, A(i,j), {w})");
            (Gives::Chosen(c, w), right)
        }
        6 => {
            // By itself an index is its value, not its truth.
            let c = match condition(rng) {
                c @ Condition::Truth(_) => Condition::Not(Box::new(c)),
                c => c,
            };
            let right = format!("sum[i,j]({c})");
            (Gives::Count(c), right)
        }
        7 => {
            let c = condition(rng);
            let right = format!("any[i,j]({c})");
            (Gives::Any(c), right)
        }
        8 => {
            let w = counted(rng, !real);
            let right = w.to_string();
            (Gives::Number(w), right)
        }
        _ => {
            let w = counted(rng, true);
            let right = format!("{own}({w})");
            (Gives::Number(w), right)
        }
    };
    let left = if matches!(gives, Gives::Count(_) | Gives::Any(_)) { "Y" } else { "Y(i,j)" };
    let mut text = format!("name = \"k\"\nexpr = \"{left} = {right}\"\n[dims]\ni = {}\nj = {}\n", sizes[0], sizes[1]);
    let sparse = matches!(gives, Gives::Masked(_)) && rng.chance(50);
    let result = if left == "Y" {
        "[]"
    } else if sparse {
        "[\"compressed\", \"compressed\"]"
    } else {
        "[\"dense\", \"dense\"]"
    };
    text += &format!("[tensors.Y]\ntype = \"{own}\"\nlevels = {result}\n");
    for (access, of) in [("A(i,j)", own), (TENSORS[0], ""), (TENSORS[1], ""), (TENSORS[2], "")] {
        let (of, levels) = (if of.is_empty() { rng.pick(&TYPES) } else { of }, rng.pick(&["dense", "compressed"]));
        let fill = if access.starts_with('A') || rng.chance(75) { "0" } else { "1" };
        let fill = if of == "bool" && fill == "1" { "true" } else { fill };
        if right.contains(access) && !(of == "fx8.8" && fill == "1") {
            let levels = format!("{:?}", vec![levels; access.matches(['i', 'j']).count()]);
            text += &format!("[tensors.{}]\ntype = \"{of}\"\nlevels = {levels}\nfill = {fill}\n", &access[..1]);
        } else if right.contains(access) {
            let levels = format!("{:?}", vec![levels; access.matches(['i', 'j']).count()]);
            text += &format!("[tensors.{}]\ntype = \"{of}\"\nlevels = {levels}\n", &access[..1]);
        }
    }
    Drawn { text, gives, sizes }
}

/// A value of a type in quarters, often an end of its range.
fn quarters(ty: Type, rng: &mut Rng) -> i128 {
    let (least, most) = match ty {
        Type::Int { .. } | Type::Bool => (ty.range().0 * QUARTERS, ty.range().1 * QUARTERS),
        Type::Fixed { frac: 2, .. } => ty.range(),
        Type::Fixed { .. } => (-2, 1),
        Type::Float { .. } => (-64, 64),
    };
    let step = if ty.is_int() || ty == Type::Bool { QUARTERS } else { 1 };
    let value = match rng.below(10) {
        0 => least,
        1 => most,
        _ => (rng.below(25) as i128 - 12) * step,
    };
    value.clamp(least, most)
}

/// The value in a type that has it.
fn of_quarters(value: i128, ty: Type) -> u64 {
    let wide = Type::Fixed { bits: 64, frac: 2, signed: true };
    match ty {
        Type::Int { .. } | Type::Bool => ty.wrap(value / QUARTERS),
        _ => convert(wide.wrap(value), wide, ty),
    }
}

/// The problem, and the quarters of each tensor's values by coordinates, fills too.
type Made = (Problem, BTreeMap<String, (BTreeMap<Vec<u64>, i128>, i128, Type)>);

/// `None` where it is refused as it should be.
fn make(drawn: &Drawn, seed: u64) -> Result<Option<Made>, String> {
    let source = Source { path: PathBuf::from("k.toml"), text: drawn.text.clone() };
    let file = match parse(Arc::new(source)) {
        Ok(file) => file,
        // No type holds both operands; a number that a float does not reach; a constant that
        // nothing is divided by.
        Err(e) if e.iter().all(|d| matches!(d.code, "E014" | "E005" | "E023")) => return Ok(None),
        Err(e) => return Err(format!("{e:?}")),
    };
    let rng = &mut Rng::new(!seed);
    let (mut data, mut values) = (BTreeMap::new(), BTreeMap::new());
    for t in operands(&file.kernel) {
        let tensor = file.kernel.tensor(t);
        let mut coords = vec![vec![]];
        for &n in &tensor.shape {
            coords = coords.iter().flat_map(|c: &Vec<u64>| (0..n).map(move |x| [&c[..], &[x]].concat())).collect();
        }
        let density = rng.pick(&[20, 60, 100]);
        coords.retain(|_| rng.chance(density));
        let numbers: Vec<i128> = coords.iter().map(|_| quarters(tensor.ty, rng)).collect();
        let raws = numbers.iter().map(|&n| of_quarters(n, tensor.ty)).collect();
        let coo = Coo::new(tensor.shape.clone(), coords.concat(), raws).map_err(|e| format!("{e:?}"))?;
        data.insert(t, Loaded { coo, sized: true });
        let fill = if tensor.fill.is_some_and(|fill| fill != 0) { QUARTERS } else { 0 };
        values.insert(tensor.name.clone(), (coords.into_iter().zip(numbers).collect(), fill, tensor.ty));
    }
    let problem = Problem::new(&file, data).map_err(|e| format!("{e:?}"))?;
    Ok(Some((problem, values)))
}

/// What the statement gives at every point, row by row; `None` where numbers are too large for
/// these tests.
fn expected(drawn: &Drawn, (problem, values): &Made) -> Option<Vec<u64>> {
    let own = problem.lowered.kernel.statements[0].ty;
    let read = |name: &str, coord: &[u64]| {
        values.get(name).map_or(0, |(stored, fill, _)| stored.get(coord).copied().unwrap_or(*fill))
    };
    let points = (0..drawn.sizes[0]).flat_map(|i| (0..drawn.sizes[1]).map(move |j| (i, j)));
    let points: Vec<(At, u64)> = points
        .map(|(i, j)| {
            let tensors = vec![read("B", &[i, j]), read("c", &[i]), read("d", &[j])];
            (At { i: i.into(), j: j.into(), tensors }, of_quarters(read("A", &[i, j]), own))
        })
        .collect();
    if let Gives::Masked(c) | Gives::Chosen(c, _) | Gives::Count(c) | Gives::Any(c) = &drawn.gives {
        for by in c.moves() {
            moved(values.get("B")?.2, by, &points)?;
        }
    }
    let each = |(at, a): &(At, u64)| {
        Some(match &drawn.gives {
            Gives::Masked(c) => {
                if c.holds(at)? {
                    *a
                } else {
                    0
                }
            }
            Gives::Chosen(c, w) => {
                let other = raw(w.value(at)?, own);
                if c.holds(at)? { *a } else { other }
            }
            Gives::Number(w) => raw(w.value(at)?, own),
            Gives::Count(c) | Gives::Any(c) => u64::from(c.holds(at)?),
        })
    };
    let all = points.iter().map(each).collect::<Option<Vec<u64>>>()?;
    let total = all.iter().filter(|&&v| v == 1).count() as i128;
    Some(match drawn.gives {
        Gives::Count(_) => vec![raw(total, own)],
        Gives::Any(_) => vec![if total > 0 { own.one() } else { 0 }],
        _ => all,
    })
}

/// Is B, of type `ty`, moved by this whole number without wrapping or rounding in a type of its own
/// that holds the number?
fn moved(ty: Type, by: &Whole, points: &[(At, u64)]) -> Option<()> {
    let exact = match ty {
        Type::Int { bits, .. } => bits < 64,
        Type::Float { man, .. } => man >= 23,
        Type::Fixed { .. } | Type::Bool => false,
    };
    let values = points.iter().map(|(at, _)| by.value(at)).collect::<Option<Vec<i128>>>().filter(|_| exact)?;
    let (least, most) = if ty.is_float() { (-(1 << 20), 1 << 20) } else { ty.range() };
    let within = |n: i128| least <= n && n <= most;
    let held = !ty.is_float() && !values.iter().all(|&n| within(n));
    let sums = points.iter().zip(&values).all(|((at, _), n)| within(at.tensors[0] / QUARTERS + n));
    (held || sums).then_some(())
}

/// Runs a case; `Ok(false)`: refused, or with numbers that are too large.
fn run(seed: u64) -> Result<bool, String> {
    let drawn = draw(seed);
    let text = |e: String| format!("{}{e}", drawn.text);
    let Some(made) = make(&drawn, seed).map_err(text)? else { return Ok(false) };
    let Some(want) = expected(&drawn, &made) else { return Ok(false) };
    let p = made.0;
    let statement = &p.lowered.kernel.statements[0];
    let got = &p.reference[&statement.result];
    let coords: Vec<Vec<u64>> = match statement.indices[..] {
        [] => vec![vec![]],
        _ => (0..drawn.sizes[0]).flat_map(|i| (0..drawn.sizes[1]).map(move |j| vec![i, j])).collect(),
    };
    for (coord, want) in coords.iter().zip(want) {
        let value = got.stored.get(coord).unwrap_or(got.fill);
        if !statement.ty.same(value, want) {
            let (value, want) = (statement.ty.show(value), statement.ty.show(want));
            return Err(text(format!("{}\n{value} at {coord:?}, not {want}", p.lowered.kernel)));
        }
    }
    if let Some(e) = against_dense(&p) {
        return Err(text(e));
    }
    let net = netlist(&p, Depths::Auto).map_err(text)?.map_err(|d| text(format!("{d:?}")))?;
    run_twice(&p, &net).map_err(text)?;
    Ok(true)
}

#[test]
fn what_is_compared_and_counted_is_exact() {
    let (count, ran) = seeds::all(150, run);
    assert!(ran * 2 > count, "only {ran} of {count} cases ran");
}

/// Some of them on both engines, beat for beat: four, or forty with SAMHW_FULL.
#[test]
fn verilog_does_the_same() {
    let most = if std::env::var_os("SAMHW_FULL").is_some() { 40 } else { 4 };
    engines_agree_on(most, |seed| {
        let drawn = draw(seed);
        let made = make(&drawn, seed).ok()??;
        expected(&drawn, &made)?;
        let net = netlist(&made.0, Depths::Auto).ok()?.ok()?;
        Some((drawn.text, made.0, net))
    });
}
