//! Cycles of a run of the programs of functions, and of the units that replace some of them.

use crate::Verdict;
use crate::table::Table;
use anyhow::{Context, Result, anyhow};
use samhw_values::{Fun, Power, Program, Rng, Routine, Term, Type, from_f64};

/// Random arguments of each function and type.
const RUNS: u64 = 20_000;
/// Whole parts of floats, and exponents, are below these.
const WHOLE: u64 = 2000;
const EXPONENT: u64 = 16;

const TYPES: [&str; 8] = ["u8", "i16", "i32", "i64", "i32s", "fx16.8", "fx64.32", "f32"];

/// Name, function, and whether it is computed alone, as its hardware does; otherwise in a loop.
const ROWS: [(&str, Fun, bool); 8] = [
    ("gcd, in a loop", Fun::Gcd, false),
    ("gcd alone", Fun::Gcd, true),
    ("lcm", Fun::Lcm, false),
    ("pow, in a loop", Fun::Pow, false),
    ("pow alone", Fun::Pow, true),
    ("sqrt", Fun::Sqrt, false),
    ("ldexp", Fun::Ldexp, false),
    ("div", Fun::Div, false),
];

/// An argument of a function.
fn argument(rng: &mut Rng, fun: Fun, ty: Type, place: usize) -> u64 {
    let is_exponent = place == 1 && matches!(fun, Fun::Pow | Fun::Ldexp);
    match (ty.is_float(), is_exponent) {
        (true, false) => from_f64(rng.below(WHOLE) as f64, ty),
        (true, true) => from_f64(rng.below(EXPONENT) as f64, ty),
        (false, true) => (rng.below(EXPONENT) << ty.fraction()) & ty.mask(),
        (false, false) => rng.bits() & ty.mask(),
    }
}

/// Mean and most cycles.
fn measured(fun: Fun, ty: Type, is_alone: bool) -> Result<String> {
    if is_alone && fun == Fun::Pow && Power::of(ty).is_some() {
        return Ok("a value a cycle".into());
    }
    let of: Vec<usize> = (0..fun.arity()).collect();
    let terms: Vec<Term> = of.iter().map(|&k| Term::Arg(k)).chain([Term::Apply(fun, of.clone())]).collect();
    let program = match is_alone {
        true => Program::of(fun, ty),
        false => Routine::new(fun.name(), fun.arity(), &terms, ty).map(|routine| routine.program),
    };
    let program = program.with_context(|| format!("{} of {ty} has no program", fun.name()))?;
    let mut rng = Rng::new(1);
    let (mut sum, mut most) = (0, 0);
    for _ in 0..RUNS {
        let args: Vec<u64> = (0..fun.arity()).map(|place| argument(&mut rng, fun, ty, place)).collect();
        let (_, cycles) = program.run(&args);
        sum += cycles;
        most = most.max(cycles);
    }
    Ok(format!("{}, {most}", (sum + RUNS / 2) / RUNS))
}

/// Prints the table.
pub fn run() -> Result<Verdict> {
    let heads: Vec<&str> = std::iter::once("cycles").chain(TYPES).collect();
    let mut table = Table::new(&heads);
    for (name, fun, is_alone) in ROWS {
        let mut row = vec![name.to_string()];
        for ty in TYPES {
            let ty = Type::from_name(ty).ok_or_else(|| anyhow!("no type {ty}"))?;
            row.push(measured(fun, ty, is_alone)?);
        }
        table.row(row);
    }
    table.print();
    println!("mean and most of {RUNS} random arguments; whole parts of f32 below {WHOLE}, exponents below {EXPONENT}");
    Ok(Verdict::Good)
}
