//! Random accesses to the registers: those of `accesses.txt`, changed. Each is answered, with OKAY
//! where there is a register and SLVERR elsewhere; then the kernel can be reset, and its next run
//! is right. PROPTEST_CASES says how many.

use super::faults::TEXT;
use super::{Bench, build, options, problem, seed};
use samhw_compiler::emit::axi::Holds;
use samhw_sim::axi::{Fail, Placing, Settings};
use samhw_values::Rng;

/// Registers that every kernel has.
const COMMON: std::ops::RangeInclusive<u32> = 0..=0x30;
/// Byte addresses that there are.
const ADDRESSES: u32 = 1 << 12;

#[derive(Debug, Clone, Copy)]
enum Access {
    Write(u32, u32, u32),
    Read(u32),
    Pass(u32),
}

fn parse(text: &str) -> Access {
    let words: Vec<&str> = text.split_whitespace().collect();
    let number = |n: usize| u32::from_str_radix(words[n], 16).expect("a hexadecimal number");
    match words[0] {
        "w" => Access::Write(number(1), number(2), number(3)),
        "r" => Access::Read(number(1)),
        "c" => Access::Pass(number(1)),
        other => panic!("{other}: w, r or c"),
    }
}

fn seeds() -> Vec<Vec<Access>> {
    let lines = include_str!("accesses.txt").lines().filter(|l| !l.starts_with('#'));
    lines.map(|l| l.split(';').map(parse).collect()).collect()
}

/// The accesses of some seeds, some of them changed.
fn changed(seeds: &[Vec<Access>], own: u32, rng: &mut Rng) -> Vec<Access> {
    let mut out: Vec<Access> = Vec::new();
    for _ in 0..1 + rng.below(3) {
        out.extend(&seeds[rng.below(seeds.len() as u64) as usize]);
    }
    for _ in 0..rng.below(6) {
        let at = rng.below(out.len() as u64) as usize;
        let offset = match rng.below(3) {
            0 => rng.below(u64::from(ADDRESSES)) as u32,
            1 => rng.below(u64::from(*COMMON.end()) + 4) as u32,
            _ => 0x100 + rng.below(u64::from(own)) as u32,
        };
        let any = rng.bits() as u32;
        let value = rng.pick(&[0, 1, 2, 4, 0xffff_ffff, any]);
        let new = match rng.below(3) {
            0 => Access::Write(offset, value, rng.below(16) as u32),
            1 => Access::Read(offset),
            _ => Access::Pass(rng.below(200) as u32),
        };
        if rng.chance(50) {
            out[at] = new;
        } else {
            out.insert(at, new);
        }
    }
    out
}

#[test]
fn fuzz_the_registers() {
    let mut rng = Rng::new(seed());
    let p = problem(TEXT);
    let net = p.declared_netlist().expect("a netlist");
    // Without assertions: they would stop at sizes that are wrong.
    let Some(built) = build(&p, &net, &options(&p), false) else { return };
    let settings = Settings { latency: (1, 20), stall: 10, reorder: true, seed: rng.bits(), ..Settings::default() };
    let mut bench = Bench::new(&p, &net, &built, &settings, Placing::Anywhere(rng.bits()));
    let registers = bench.engine.axi().registers.clone();
    let end = registers.last().map_or(0x100, |r| r.offset + 4 * r.words);
    // Where arrays are stays: memory that is not given would be the test's fault.
    let places = |offset: u32| {
        let of = |h: &Holds| matches!(h, Holds::Base(_) | Holds::Words(_));
        registers.iter().any(|r| of(&r.holds) && (r.offset..r.offset + 4 * r.words).contains(&offset))
    };
    let there = |offset: u32| COMMON.contains(&offset) || (0x100..end).contains(&offset);
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(40);
    for case in 0..cases {
        bench.engine.at_random(rng.bits());
        let accesses = changed(&seeds(), end - 0x100, &mut rng);
        for (n, access) in accesses.iter().enumerate() {
            let at = |e: &dyn std::fmt::Debug| format!("case {case}, access {n} of {accesses:x?}: {e:?}");
            let (offset, answered) = match *access {
                Access::Pass(cycles) => {
                    for _ in 0..cycles {
                        bench.engine.clock().unwrap_or_else(|e| panic!("{}", at(&e)));
                    }
                    continue;
                }
                Access::Write(offset, value, strobe) if !places(offset & !3) => {
                    (offset, bench.engine.write_bytes(offset, value, strobe))
                }
                Access::Write(offset, ..) | Access::Read(offset) => (offset, bench.engine.read(offset).map(drop)),
            };
            match answered {
                Ok(()) => assert!(there(offset & !3), "{}", at(&"OKAY where there is no register")),
                Err(Fail::Bus(v)) if v.to_string().contains("answer 2") => {
                    assert!(!there(offset & !3), "{}", at(&v));
                }
                Err(e) => panic!("{}", at(&e)),
            }
        }
        bench.again(&format!("case {case}: {accesses:x?}"));
    }
}
