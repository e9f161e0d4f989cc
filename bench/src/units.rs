//! Size and clock of every unit of arithmetic that the documentation lists: the ALU with its buffers, placed and routed
//! alone on an ECP5. `samhw-bench units` takes some minutes; with a word behind it, only names that contain it;
//! with `cycles`, how long programs run.

mod cycles;

use crate::Verdict;
use crate::table::Table;
use anyhow::{Context, Result, anyhow};
use samhw_fpga::Failure;
use samhw_fpga::alone::{self, Item};
use samhw_primitives::arith::alu::{Alu, Operand};
use samhw_primitives::arith::convert::Convert;
use samhw_primitives::library;
use samhw_primitives::reduce::reducer_iterative::ReducerIterative;
use samhw_primitives::reduce::reducer_pipelined::ReducerPipelined;
use samhw_streams::Primitive;
use samhw_testing::bench::collatz;
use samhw_values::{Fun, Routine, Term, Type};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

const STOP_W: u32 = 3;

/// Functions and their types.
const FUNCTIONS: [(&str, &[Fun]); 12] = [
    (
        "f32",
        &[
            Fun::Add,
            Fun::Mul,
            Fun::Lt,
            Fun::Floor,
            Fun::Div,
            Fun::Sqrt,
            Fun::Exp,
            Fun::Log,
            Fun::Tanh,
            Fun::Sin,
            Fun::Cos,
            Fun::Atan,
        ],
    ),
    ("f16", &[Fun::Add, Fun::Mul, Fun::Div, Fun::Sqrt, Fun::Exp, Fun::Log, Fun::Tanh, Fun::Sin]),
    ("bf16", &[Fun::Add, Fun::Mul, Fun::Div, Fun::Exp, Fun::Sin]),
    ("f64", &[Fun::Add, Fun::Mul, Fun::Exp, Fun::Div, Fun::Sqrt]),
    ("i8", &[Fun::Div, Fun::PyMod, Fun::Sqrt]),
    ("i16", &[Fun::Div, Fun::Idiv, Fun::Mod, Fun::PyMod, Fun::Sqrt, Fun::Cube]),
    ("i32", &[Fun::Div, Fun::PyMod, Fun::Sqrt, Fun::Cube]),
    ("i64", &[Fun::Div, Fun::PyMod, Fun::Sqrt]),
    ("i16s", &[Fun::Ldexp, Fun::Cube]),
    ("fx16.8", &[Fun::Div, Fun::Recip, Fun::Idiv, Fun::Sqrt, Fun::Ldexp]),
    ("fx32.16", &[Fun::Div, Fun::Sqrt]),
    ("fx64.32", &[Fun::Div]),
];

/// Those of which the program, too, is measured.
const ITERATIVE: [(&str, Fun); 4] = [("i16", Fun::Div), ("i64", Fun::Div), ("f64", Fun::Div), ("f64", Fun::Sqrt)];

const CONVERSIONS: [(&str, &str); 9] = [
    ("i32", "i8s"),
    ("fx16.8", "fx8.4"),
    ("i32", "f32"),
    ("u64", "f32"),
    ("f32", "i32"),
    ("f32", "fx16.8"),
    ("f32", "bf16"),
    ("f16", "f32"),
    ("f64", "f32"),
];

/// Reducers with a program for an operator.
const FOLDS: [(&str, Fun); 6] = [
    ("i8", Fun::Gcd),
    ("i16", Fun::Gcd),
    ("i32", Fun::Gcd),
    ("i64", Fun::Gcd),
    ("i32", Fun::Lcm),
    ("fx16.8", Fun::Mul),
];

/// Rounds of `steps`.
const ROUNDS: u64 = 100;

/// How many steps Collatz' rule takes from x to 1, as a program: a loop of the user's.
fn steps(ty: Type) -> Option<Routine> {
    use Term::{Arg, Left, Literal, Loop};
    let rounds = Box::new(collatz([0, 1], ROUNDS));
    Routine::new("steps", 1, &[Arg(0), Literal(0), Loop(rounds), Left(2, 1)], ty)
}

fn item(name: String, primitive: &dyn Primitive) -> Item {
    let instance = primitive.instance();
    let parameters = instance.params.iter().map(|(n, v)| (n.to_string(), v.literal())).collect();
    Item { name, module: instance.module.into(), parameters, onyx: None }
}

/// What is measured.
fn units() -> Result<Vec<Item>> {
    let ty = |name: &str| Type::from_name(name).ok_or_else(|| anyhow!("no type {name}"));
    let mut all = Vec::new();
    for (name, functions) in FUNCTIONS {
        for &fun in functions {
            let operands = vec![Operand::Stream { fill: 0 }; fun.arity()];
            let alu = Alu::new(fun, operands, (1 << (1 << fun.arity())) - 2, ty(name)?, STOP_W)?;
            let ii = if alu.program().is_some() { "a program" } else { "II 1" };
            all.push(item(format!("{name} {}, {ii}, {} stages", fun.name(), alu.stages()), &alu));
            if ITERATIVE.contains(&(name, fun)) {
                all.push(item(format!("{name} {}, iterative", fun.name()), &alu.iterative()));
            }
        }
    }
    for (name, exponent) in [("i32", 10), ("fx16.8", 5 << 8)] {
        let operands = vec![Operand::Stream { fill: 0 }, Operand::Const(exponent)];
        let alu = Alu::new(Fun::Pow, operands, 2, ty(name)?, STOP_W)?;
        all.push(item(format!("{name} pow with the constant {exponent:#x}, {} stages", alu.stages()), &alu));
    }
    for name in ["u16", "u32"] {
        let routine = steps(ty(name)?).context("a routine")?;
        let alu = Alu::routine(Arc::new(routine), vec![Operand::Stream { fill: 0 }], 2, STOP_W)?;
        all.push(item(format!("{name} steps, a loop"), &alu));
    }
    // Programs have it; its defaults are those of f32.
    let parameters = BTreeMap::new();
    all.push(Item { name: "f32 multiply-add".into(), module: "samhw_float_fma".into(), parameters, onyx: None });
    if let Some(sum) = ReducerPipelined::new(Fun::Add, Type::F32, STOP_W) {
        all.push(item("f32 sum, pipelined reducer".into(), &sum));
    }
    for (name, fun) in FOLDS {
        let routine = Routine::library(fun, ty(name)?).context("a routine")?;
        let p = ReducerIterative::new(Arc::new(routine), STOP_W).context("two arguments")?;
        all.push(item(format!("{name} {}, iterative reducer", fun.name()), &p));
    }
    for (from, to) in CONVERSIONS {
        let p = Convert { from: ty(from)?, to: ty(to)?, fill: 0, emit: 2, stop_w: STOP_W };
        all.push(item(format!("{from} to {to}, {} stages", p.stages()), &p));
    }
    Ok(all)
}

/// Runs the benchmark.
pub fn run(only: &str) -> Result<Verdict> {
    if only == "cycles" {
        return cycles::run();
    }
    let mut table = Table::new(&["unit", "LUTs", "FF", "DP16KD", "MULT18", "MHz"]);
    for item in units()?.into_iter().filter(|item| item.name.contains(only)) {
        let files = library::closure([item.module.as_str()]);
        let files: Vec<_> = files.iter().map(|s| (format!("{}.v", s.name), s.text.to_string())).collect();
        let dir = std::env::temp_dir().join(format!("samhw-units-{}", std::process::id()));
        std::fs::create_dir_all(&dir).context("no folder to work in")?;
        let measured = alone::measure(&item, 0, &files, &dir, 1, &AtomicBool::new(false));
        std::fs::remove_dir_all(&dir)?;
        let name = item.name;
        let m = measured.map_err(|e| match e {
            Failure::Told(d, _) => anyhow!("{name}: {}", d.message),
            Failure::Cancelled => anyhow!("{name}: cancelled"),
        })?;
        let r = m.resources;
        let numbers = [r.luts, r.ffs, r.brams, r.dsps].map(|n| n.to_string());
        let line: Vec<String> = std::iter::once(name).chain(numbers).chain([format!("{:.0}", m.fmax_mhz())]).collect();
        eprintln!("{}", line.join("  "));
        table.row(line);
    }
    table.print();
    println!("LUTs: those of carry chains (2 each) and of distributed RAM (4) included");
    Ok(Verdict::Good)
}
