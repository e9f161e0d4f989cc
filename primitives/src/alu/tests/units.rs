//! Every unit against `Fun::apply`, one value per cycle: all functions of a family stand side by
//! side in one module, fed with the same random words; the pipeline stands still at random.

use super::side_by_side::{Bench, Unit};
use crate::alu::plan::{self, Plan, Source, plan};
use crate::bench::Rng;
use crate::bench_rtl::{cache, files, tool};
use crate::value::{Fun, Type};
use samhw_rtlsim as rtl;
use std::collections::VecDeque;

/// A function, a type, and how it is computed.
struct Item {
    fun: Fun,
    ty: Type,
    plan: Plan,
}

/// Functions that take a value per cycle.
fn pipelined(ty: Type) -> impl Iterator<Item = (Fun, Plan)> {
    Fun::ALL.iter().filter_map(move |&f| Some((f, plan(f, ty).filter(|p| p.unit != plan::Unit::Program)?)))
}

fn items(types: &[Type]) -> Vec<Item> {
    let of = |&ty: &Type| pipelined(ty).map(move |(fun, plan)| Item { fun, ty, plan });
    types.iter().flat_map(of).collect()
}

/// The units of `items`, fed from inputs `a`, `b`, `c` with the number of the type.
fn bench(types: &[Type], items: &[Item]) -> Option<Bench> {
    let inputs = types.iter().enumerate().flat_map(|(t, ty)| ["a", "b", "c"].map(|n| (format!("{n}{t}"), ty.bits())));
    let unit = |i: &Item| {
        let t = types.iter().position(|t| *t == i.ty).unwrap();
        let arg = |n: usize| match i.plan.args.get(n) {
            Some(Source::Arg(a)) => format!("{}{t}", ["a", "b", "c"][*a]),
            Some(Source::Value(v)) => format!("{}'h{v:x}", i.ty.bits()),
            None => format!("a{t}"),
        };
        Unit {
            module: i.plan.unit.module(),
            params: i.plan.params.clone(),
            depth: i.plan.depth,
            args: ["a", "b", "c"].into_iter().zip([0, 1, 2].map(arg)).collect(),
            bits: i.ty.bits(),
        }
    };
    Bench::new(&inputs.collect::<Vec<_>>(), &items.iter().map(unit).collect::<Vec<_>>())
}

/// A word that is often special for the type, or near another.
fn word(ty: Type, rng: &mut Rng) -> u64 {
    let small = rng.below(2 * u64::from(ty.bits()) + 4).wrapping_sub(4);
    let raw = match rng.below(6) {
        0 => small,
        1 => [ty.least(), ty.greatest(), ty.one(), 0][rng.below(4) as usize].wrapping_add(rng.below(3)).wrapping_sub(1),
        2 => small << ty.fraction(),
        3 => rng.bits() >> rng.below(64),
        _ => rng.bits(),
    };
    raw & ty.mask()
}

/// Runs `cycles` cycles of every function of `types`.
fn check(types: &[Type], cycles: u64, word: fn(Type, &mut Rng) -> u64) {
    let items = items(types);
    let Some(Bench { mut sim, en, inputs, outputs }) = bench(types, &items) else { return };
    let seed = std::env::var("SAMHW_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(1);
    println!("seed {seed}");
    let mut rng = Rng::new(seed);
    // What is on its way: per type, the latest first.
    let deepest = items.iter().map(|i| i.plan.depth).max().unwrap_or(0) as usize;
    let mut sent: Vec<VecDeque<[u64; 3]>> = vec![VecDeque::new(); types.len()];
    for _ in 0..cycles {
        let go = rng.chance(0.8);
        sim.set(en, go.into());
        for ((ty, ports), sent) in types.iter().zip(inputs.chunks(3)).zip(&mut sent) {
            let values = [0; 3].map(|_| word(*ty, &mut rng));
            ports.iter().zip(values).for_each(|(p, v)| sim.set(*p, v));
            sent.push_front(values);
        }
        // The last step is combinational: what came DEPTH steps ago is there now.
        sim.eval().unwrap();
        for (i, y) in items.iter().zip(&outputs) {
            let t = types.iter().position(|t| *t == i.ty).unwrap();
            let Some(from) = sent[t].get(i.plan.depth as usize) else { continue };
            let (got, want) = (sim.get(*y), i.fun.apply(&from[..i.fun.arity()], i.ty));
            assert_eq!(got, want, "{:?} of {} at {from:x?}: {got:x}, not {want:x}", i.fun, i.ty);
        }
        for sent in &mut sent {
            match go {
                true => sent.truncate(deepest),
                false => _ = sent.pop_front(),
            }
        }
        sim.clock().unwrap();
    }
}

#[test]
fn functions_of_words() {
    let names = ["i8", "u8", "i32", "u32", "i64", "u48", "i16s", "u16s", "i64s", "fx16.8", "ufx12.12", "fx8.7", "bool"];
    check(&names.map(|n| Type::accumulator_from_name(n).unwrap()), 4000, word);
}

/// A float that is often special, or near another.
pub(super) fn float(ty: Type, rng: &mut Rng) -> u64 {
    let Type::Float { exp, man } = ty else { return 0 };
    let (one, inf, least, fraction) = (ty.one(), ty.infinity(), 1u64 << man, (1u64 << man) - 1);
    let sign = if rng.chance(0.5) { ty.sign_bit() } else { 0 };
    let raw = rng.bits();
    let near = |field: u64| (field & ((1 << exp) - 1)) << man | raw & fraction;
    let bias = one >> man;
    sign | match rng.below(8) {
        0 => [0, 1, least - 1, least, least + 1, inf - 1, inf, inf + 1, ty.nan(), one][rng.below(10) as usize],
        1 => one + rng.below(5) * least / 2 + rng.below(3) - 1,
        2 => near(rng.below(3)),
        3 => near(bias - 4 + rng.below(8)),
        4 => near(bias + rng.below(u64::from(man) + 3)) & !(fraction >> rng.below(u64::from(man))),
        5 => near(bias / 2 + rng.below(u64::from(man))),
        _ => raw & !ty.sign_bit() & ty.mask(),
    }
}

#[test]
fn functions_of_floats() {
    check(&[Type::F64, Type::F32, Type::F16, Type::BF16], 20_000, float);
}

/// `samhw_float_fma` against the host, value by value.
#[test]
fn multiply_add_rounds_once() {
    type Host = fn(u64, u64, u64) -> u64;
    let host: [(Type, Host); 2] = [
        (Type::F64, |a, b, c| f64::from_bits(a).mul_add(f64::from_bits(b), f64::from_bits(c)).to_bits()),
        (Type::F32, |a, b, c| {
            let [a, b, c] = [a, b, c].map(|x| f32::from_bits(x as u32));
            a.mul_add(b, c).to_bits().into()
        }),
    ];
    let mut rng = Rng::new(4);
    for (ty, host) in host {
        let Some(Plan { params, .. }) = plan(Fun::Mul, ty) else { panic!("floats have products") };
        let mut design = rtl::Design::new("samhw_float_op", files("samhw_float_op"));
        design.params = crate::bench_rtl::literals(&params[1..]);
        design.params.push(("OP".into(), "30".into()));
        let [a, b, c] = ["a", "b", "c"].map(|n| design.port(n, ty.bits(), rtl::Dir::In));
        let (y, en) = (design.port("y", ty.bits(), rtl::Dir::Out), design.port("en", 1, rtl::Dir::In));
        let Some(tools) = tool("fma", rtl::Toolchain::find()) else { return };
        let Some(library) = tool("fma", rtl::build(&tools, &design, &cache())) else { return };
        let mut sim = library.instance(1);
        sim.set(en, 1);
        let depth = if ty == Type::F64 { 13 } else { 11 };
        let mut due = VecDeque::new();
        for _ in 0..60_000 {
            let mut args = [0; 3].map(|_| float(ty, &mut rng));
            if rng.chance(0.3) {
                // What nearly cancels.
                args[2] = ty.canonical(host(args[0], args[1], 0)) ^ ty.sign_bit() ^ rng.below(3);
            }
            [a, b, c].iter().zip(args).for_each(|(p, v)| sim.set(*p, v));
            sim.eval().unwrap();
            due.push_back(args);
            if due.len() > depth {
                let Some([x, y1, z]) = due.pop_front() else { continue };
                assert_eq!(sim.get(y), ty.canonical(host(x, y1, z)), "{ty} {x:x} * {y1:x} + {z:x}");
            }
            sim.clock().unwrap();
        }
    }
}
