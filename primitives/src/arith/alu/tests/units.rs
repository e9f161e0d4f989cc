//! Every unit against `Fun::apply`, one value per cycle: all functions of a family stand side by
//! side in one module, fed with the same random words; the pipeline stands still at random.

use super::side_by_side::{Bench, Unit};
use crate::arith::alu::plan::{self, Plan, UnitArgument, plan};
use samhw_rtlsim as rtl;
use samhw_testing::drawn::drawn;
use samhw_testing::rtl::{cache, files, tool};
use samhw_values::{Fun, Rng, Type};
use std::collections::VecDeque;

/// A function of a type, its second argument if that is a constant, and how it is computed.
struct Item {
    fun: Fun,
    ty: Type,
    second: Option<u64>,
    plan: Plan,
}

impl Item {
    /// Its value on these arguments.
    fn apply(&self, args: &[u64; 3]) -> u64 {
        let [a, b, c] = *args;
        self.fun.apply(&[a, self.second.unwrap_or(b), c][..self.fun.arity()], self.ty)
    }
}

/// Exponents with bits in all places, as far as they fit; none, one, and what is no whole number.
fn exponents(ty: Type) -> Vec<u64> {
    let one = 1 << ty.fraction();
    let all = [0, 1, 3, 4, 6, 11, 301].map(|n: i128| n * one + one / 2);
    all.into_iter().filter(|n| *n <= ty.range().1).map(|n| ty.wrap(n)).collect()
}

/// Functions that take a value per cycle.
fn items(ty: Type) -> Vec<Item> {
    let item = |fun, second| {
        let plan = plan(fun, ty, second).filter(|p| p.unit != plan::Unit::Program)?;
        Some(Item { fun, ty, second, plan })
    };
    let powers = exponents(ty).into_iter().filter_map(|n| item(Fun::Pow, Some(n)));
    Fun::ALL.iter().filter_map(|&f| item(f, None)).chain(powers).collect()
}

/// The units of `items`, fed from inputs `a`, `b`, `c`.
fn bench(ty: Type, items: &[Item]) -> Option<Bench> {
    let names = ["a", "b", "c"];
    let unit = |i: &Item| {
        let arg = |n: usize| match (i.plan.args.get(n).copied(), i.second) {
            (Some(UnitArgument::Arg(1)), Some(v)) | (Some(UnitArgument::Value(v)), _) => {
                format!("{}'h{v:x}", ty.bits())
            }
            (Some(UnitArgument::Arg(a)), _) => names[a].to_string(),
            (None, _) => names[0].to_string(),
        };
        Unit {
            module: i.plan.unit.module(),
            params: i.plan.params.clone(),
            depth: i.plan.depth,
            args: names.into_iter().zip([0, 1, 2].map(arg)).collect(),
            bits: ty.bits(),
        }
    };
    Bench::new(&names.map(|n| (n.to_string(), ty.bits())), &items.iter().map(unit).collect::<Vec<_>>())
}

/// A word that is often special for the type, or near another.
fn word(ty: Type, rng: &mut Rng) -> u64 {
    let small = rng.below(2 * u64::from(ty.bits()) + 4).wrapping_sub(4);
    let raw = match rng.below(6) {
        0 => small,
        1 => [ty.least(), ty.greatest(), ty.one(), 0][rng.below(4) as usize].wrapping_add(rng.below(3)).wrapping_sub(1),
        2 => small.checked_shl(ty.fraction()).unwrap_or(0),
        3 => rng.bits() >> rng.below(64),
        _ => rng.bits(),
    };
    raw & ty.mask()
}

/// Runs `cycles` cycles of every function of `ty`, each with three words: those of the cycle.
fn check(ty: Type, cycles: u64, words: impl Fn(u64, &mut Rng) -> [u64; 3]) {
    let items = items(ty);
    let Some(Bench { mut sim, en, inputs, outputs }) = bench(ty, &items) else { return };
    let seed = std::env::var("SAMHW_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(1);
    println!("seed {seed}");
    let mut rng = Rng::new(seed);
    // What is on its way, the latest first.
    let deepest = items.iter().map(|i| i.plan.depth).max().unwrap_or(0) as usize;
    let mut sent: VecDeque<[u64; 3]> = VecDeque::new();
    for cycle in 0..cycles {
        let go = rng.happens(0.8);
        sim.set(en, go.into());
        let values = words(cycle, &mut rng);
        inputs.iter().zip(values).for_each(|(p, v)| sim.set(*p, v));
        sent.push_front(values);
        // The last step is combinational: what came DEPTH steps ago is there now.
        sim.eval().unwrap();
        for (i, y) in items.iter().zip(&outputs) {
            let Some(from) = sent.get(i.plan.depth as usize) else { continue };
            let (got, want) = (sim.get(*y), i.apply(from));
            assert_eq!(got, want, "{:?} of {ty} at {from:x?}, {:x?}: {got:x}, not {want:x}", i.fun, i.second);
        }
        match go {
            true => sent.truncate(deepest),
            false => _ = sent.pop_front(),
        }
        sim.clock().unwrap();
    }
}

/// ... of a third of the types, drawn, on random words.
fn check_words(names: &[&str]) {
    for ty in drawn(names, names.len().div_ceil(3)).into_iter().map(|n| Type::accumulator_from_name(n).unwrap()) {
        check(ty, 4000, |_, rng| [0; 3].map(|_| word(ty, rng)));
    }
}

#[test]
fn functions_of_words() {
    check_words(&["i8", "u8", "i32", "u32", "i64", "u48", "bool"]);
}

#[test]
fn functions_of_words_that_saturate() {
    check_words(&["i16s", "u16s", "i64s"]);
}

#[test]
fn functions_of_fixed_point() {
    check_words(&["fx16.8", "ufx12.12", "fx8.7", "ufx64.63", "fx64.32", "fx33.9"]);
}

/// Several times, since what comes while the pipeline stands still is lost.
#[test]
fn functions_of_all_pairs_of_few_bits() {
    for name in drawn(["i4", "u4", "i4s", "u4s", "fx4.2", "ufx4.4", "fx4.4", "fx2.1"], 3) {
        let ty = Type::accumulator_from_name(name).unwrap();
        check(ty, 8 << 8, |cycle, rng| [cycle, cycle >> 4, rng.bits()].map(|x| x & ty.mask()));
    }
}

/// A float that is often special, or near another.
pub(super) fn float(ty: Type, rng: &mut Rng) -> u64 {
    let Type::Float { exp, man } = ty else { return 0 };
    let (one, inf, least, fraction) = (ty.one(), ty.infinity(), 1u64 << man, (1u64 << man) - 1);
    let sign = if rng.happens(0.5) { ty.sign_bit() } else { 0 };
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
    for ty in drawn([Type::F64, Type::F32, Type::F16, Type::BF16], 1) {
        check(ty, 20_000, |_, rng| [0; 3].map(|_| float(ty, rng)));
    }
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
    for (ty, host) in drawn(host, 1) {
        let Some(Plan { params, .. }) = plan(Fun::Mul, ty, None) else { panic!("floats have products") };
        let mut design = rtl::Design::new("samhw_float_op", files("samhw_float_op"));
        design.params = samhw_testing::rtl::literals(&params[1..]);
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
            if rng.happens(0.3) {
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
