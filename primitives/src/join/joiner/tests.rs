//! The joiner against its meaning, its Verilog, and its promise of one merge step a cycle.

use super::{Joiner, bit};
use crate::every::forms::{Hosted, WIDTHS, item};
use samhw_streams::{Beat, Leaf, Nest, Primitive, encode};
use samhw_testing::bench::{Stall, run_model};
use samhw_testing::rtl::{check_rtl, usual_stalls};
use samhw_testing::vectors::{Vector, VectorCase, bundle, check_cases, vectors};
use samhw_values::Rng;
use std::collections::BTreeSet;

mod skipping;

/// Intersections of some numbers of operands, as wide as what each of [`WIDTHS`] says.
pub(crate) fn intersections() -> Vec<(u32, Joiner)> {
    let of = |(n, [crd_w, _, ref_w, stop_w]): (u32, [u32; 4])| {
        (n, Joiner::new(Joiner::intersection(n), crd_w, &vec![ref_w; n as usize], stop_w))
    };
    [2, 2, 3, 7].into_iter().zip(WIDTHS).map(of).collect()
}

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    let mut all = Vec::new();
    for (n, [crd_w, _, ref_w, stop_w]) in [2, 3, 6, 7].into_iter().zip(WIDTHS) {
        for table in [Joiner::union(n), Joiner::intersection(n)] {
            all.push(item(Joiner::new(table, crd_w, &vec![ref_w; n as usize], stop_w)));
        }
    }
    for (n, plain) in intersections() {
        all.push(item(Joiner { skips: (1 << n) - 1, ..plain.clone() }));
        all.push(item(Joiner { skips: 0b10, emit: vec![0b10], ..plain }));
    }
    let mut rng = Rng::new(5);
    let mut random = |n: u32| (0..1 << (n - 6)).map(|_| rng.bits() & rng.bits()).collect::<Vec<u64>>();
    let mut most = Joiner::new(random(12), 4, &[4; 12], 3);
    most.keep = (0..12).map(|_| random(12)).collect();
    let mut some = most.clone();
    some.used = 0b1_0110_0000_0011;
    all.extend([item(most), item(some)]);
    all
}

fn items(x: &Nest<Leaf>) -> &[Nest<Leaf>] {
    match x {
        Nest::List(v) => v,
        Nest::Leaf(_) => panic!("a list was expected"),
    }
}

fn leaf(x: &Nest<Leaf>) -> Leaf {
    match x {
        Nest::Leaf(l) => *l,
        Nest::List(_) => panic!("a leaf was expected"),
    }
}

/// What a joiner means: (crd, refs) of the coordinates that are emitted, fiber by fiber.
fn meaning(j: &Joiner, x: &[&Nest<Leaf>], h: u8) -> Vec<Nest<Leaf>> {
    let n = x.len();
    let mut out: Vec<Vec<Nest<Leaf>>> = vec![Vec::new(); n + 1];
    if h > 1 {
        for i in 0..items(x[0]).len() {
            let children: Vec<&Nest<Leaf>> = x.iter().map(|y| &items(y)[i]).collect();
            out.iter_mut().zip(meaning(j, &children, h - 1)).for_each(|(o, c)| o.push(c));
        }
    } else {
        let fibers: Vec<Vec<Leaf>> = x.iter().map(|y| items(y).iter().map(leaf).collect()).collect();
        let crds: BTreeSet<u64> = fibers.iter().flatten().map(|l| l.p[0]).collect();
        for c in crds {
            let found: Vec<Option<Leaf>> = fibers.iter().map(|f| f.iter().find(|l| l.p[0] == c).copied()).collect();
            let p = found.iter().enumerate().fold(0, |p, (k, f)| p | u32::from(f.is_some()) << k);
            if bit(&j.emit, p) {
                out[0].push(Nest::Leaf(Leaf { present: true, p: [c, 0] }));
                for (k, f) in found.iter().enumerate() {
                    let passed = f.filter(|l| l.present && bit(&j.keep[k], p));
                    let absent = Leaf { present: false, p: [0, 0] };
                    out[k + 1].push(Nest::Leaf(passed.map_or(absent, |l| Leaf { present: true, p: [l.p[1], 0] })));
                }
            }
        }
    }
    out.into_iter().map(Nest::List).collect()
}

fn fiber(rng: &mut Rng, length: u64, range: u64) -> Nest<Leaf> {
    let crds: BTreeSet<u64> = (0..length).map(|_| rng.below(range)).collect();
    let pair = |c| {
        let present = rng.happens(0.9);
        Nest::Leaf(Leaf { present, p: [c, if present { rng.below(256) } else { 0 }] })
    };
    Nest::List(crds.into_iter().map(pair).collect())
}

/// One nested list per operand, equal above the fibers.
fn operands(rng: &mut Rng, n: usize, h: u8) -> Vec<Nest<Leaf>> {
    if h == 1 {
        let range = [3, 12, 40][rng.below(3) as usize];
        return (0..n)
            .map(|_| {
                let length = [0, 1, 2, range][rng.below(4) as usize];
                fiber(rng, length, range)
            })
            .collect();
    }
    let mut out = vec![Vec::new(); n];
    for _ in 0..rng.below(5) {
        out.iter_mut().zip(operands(rng, n, h - 1)).for_each(|(o, c)| o.push(c));
    }
    out.into_iter().map(Nest::List).collect()
}

fn joiner(n: usize, emit: Vec<u64>) -> Joiner {
    Joiner::new(emit, 8, &vec![8; n], 3)
}

fn random_tables(rng: &mut Rng, n: usize) -> Joiner {
    let words = 1usize << n.saturating_sub(6);
    let mut j = joiner(n, (0..words).map(|_| rng.bits() & rng.bits()).collect());
    if rng.happens(0.5) {
        j.keep = (0..n).map(|_| (0..words).map(|_| rng.bits()).collect()).collect();
    }
    j
}

/// Feeds of several runs, back to back, and what has to come out of each output.
fn case(j: &Joiner, rng: &mut Rng, runs: usize) -> (Vec<Vec<Beat>>, Vec<Vec<Beat>>) {
    let n = j.ref_w.len();
    let (mut feeds, mut expected) = (vec![Vec::new(); n], vec![Vec::new(); n + 1]);
    for _ in 0..runs {
        let d = 1 + rng.below(3) as u8;
        let x = operands(rng, n, d);
        let y = meaning(j, &x.iter().collect::<Vec<_>>(), d);
        feeds.iter_mut().zip(&x).for_each(|(f, x)| f.extend(encode(x, d)));
        expected.iter_mut().zip(&y).for_each(|(e, y)| e.extend(encode(y, d)));
    }
    (feeds, expected)
}

#[test]
fn model_means_what_the_tables_say() {
    let mut rng = Rng::new(1);
    for round in 0..600 {
        let n = if round % 20 == 0 { 12 } else { 2 + round % 6 };
        let j = random_tables(&mut rng, n);
        let (feeds, expected) = case(&j, &mut rng, 3);
        let stall = usual_stalls(round as u64)[round % 5];
        let out = run_model(&j, &[], &feeds, &mut [], stall).unwrap();
        for (k, e) in expected.iter().enumerate() {
            assert_eq!(&out.beats(k), e, "{j:?}, output {k}");
        }
    }
}

/// The joiner of a vector, and the vector's streams.
fn specified(v: &Vector) -> (Joiner, VectorCase) {
    let n = v.param("operands") as usize;
    let mut j = joiner(n, vec![v.param("emit") as u64]);
    if let Some(tables) = v.params["keep"].as_array() {
        j.keep = tables.iter().map(|t| vec![t.as_u64().unwrap()]).collect();
    }
    let feeds = (0..n).map(|k| bundle(&v.input(&format!("crd{k}"), 8), &v.input(&format!("ref{k}"), 8))).collect();
    let refs = (0..n).map(|k| v.output(&format!("ref{k}"), 8));
    (j, VectorCase { line: v.line, feeds, wants: std::iter::once(v.output("crd", 8)).chain(refs).collect() })
}

#[test]
fn model_passes_the_shared_vectors() {
    for (seed, v) in (0..).zip(vectors("joiner")) {
        let (j, case) = specified(&v);
        for stall in usual_stalls(seed) {
            let out = run_model(&j, &[], &case.feeds, &mut [], stall).unwrap();
            (0..case.wants.len()).for_each(|k| assert_eq!(out.beats(k), case.wants[k], "line {}", v.line));
        }
    }
}

/// Tables are parameters: those of several vectors (unions and intersections mostly), and the
/// first few others.
#[test]
fn verilog_passes_the_shared_vectors() {
    let mut groups: Vec<(Joiner, Vec<VectorCase>)> = Vec::new();
    for (j, case) in vectors("joiner").iter().map(specified) {
        match groups.iter_mut().find(|g| g.0 == j) {
            Some((_, cases)) => cases.push(case),
            None => groups.push((j, vec![case])),
        }
    }
    let (several, single): (Vec<_>, Vec<_>) = groups.into_iter().partition(|(_, cases)| cases.len() > 1);
    for (j, cases) in several.iter().chain(single.iter().take(4)) {
        check_cases(j, &[], cases);
    }
}

#[test]
fn verilog_moves_as_the_model() {
    let mut rng = Rng::new(2);
    let mut some = random_tables(&mut rng, 3);
    some.ref_w = vec![8, 11, 9];
    let mut inner = joiner(2, Joiner::intersection(2));
    inner.used = 0b110;
    let mut mask = joiner(2, vec![0b0010]);
    mask.used = 0b011;
    let mut narrow = joiner(6, vec![rng.bits()]);
    (narrow.crd_w, narrow.used) = (6, 0b100_0001);
    let wide = random_tables(&mut rng, 7);
    let mut most = random_tables(&mut rng, 12);
    most.used = 0b1_0110_0000_0011;
    for j in [joiner(2, Joiner::union(2)), inner, mask, some, narrow, wide, most] {
        let (feeds, expected) = case(&j, &mut rng, 40);
        let outcomes = check_rtl(&j, &[], &feeds, &Vec::new, &usual_stalls(3));
        let used = (0..expected.len()).filter(|&b| j.uses(b as u32));
        for (port, k) in used.enumerate() {
            outcomes.iter().for_each(|o| assert_eq!(o.as_ref().unwrap().beats(port), expected[k], "{j:?}"));
        }
    }
}

/// Cycles from the first output beat to DONE, and the merge steps the fibers take.
fn measure(j: &Joiner, fibers: &[Vec<Nest<Leaf>>]) -> (u64, u64) {
    let n = j.ref_w.len();
    let feeds: Vec<Vec<Beat>> =
        (0..n).map(|k| encode(&Nest::List(fibers.iter().map(|f| f[k].clone()).collect()), 2)).collect();
    let out = run_model(j, &[], &feeds, &mut [], Stall::NONE).unwrap();
    let first = out.inputs.iter().map(|i| i[0]).min().unwrap();
    let union = |f: &Vec<Nest<Leaf>>| {
        f.iter().flat_map(|x| items(x).iter().map(|l| leaf(l).p[0])).collect::<BTreeSet<_>>().len().max(1) as u64
    };
    (out.outputs[0].last().unwrap().0 - first, fibers.iter().map(union).sum())
}

#[test]
fn one_merge_step_a_cycle_whatever_the_fibers() {
    let mut rng = Rng::new(4);
    for length in [Some(0), Some(1), Some(2), Some(5), Some(64), None] {
        for n in 2..=4 {
            let fibers: Vec<Vec<Nest<Leaf>>> = (0..60)
                .map(|_| {
                    (0..n)
                        .map(|_| {
                            let length = length.unwrap_or([0, 1, 2, 5, 64][rng.below(5) as usize]);
                            fiber(&mut rng, length, 200)
                        })
                        .collect()
                })
                .collect();
            let union = joiner(n, Joiner::union(n as u32));
            let both = joiner(n, Joiner::intersection(n as u32));
            let (cycles, steps) = measure(&union, &fibers);
            // DONE takes a step of its own.
            assert_eq!(cycles, steps + u64::from(union.latency()), "union of {n}, length {length:?}");
            let (cycles, _) = measure(&both, &fibers);
            assert!(cycles <= steps + u64::from(both.latency()), "intersection of {n}, length {length:?}");
        }
    }
}

#[test]
fn drains_all_operands_at_once_when_nothing_can_be_emitted() {
    let list = |from: u64, len: u64| {
        Nest::List((from..from + len).map(|c| Nest::Leaf(Leaf { present: true, p: [c, 1] })).collect())
    };
    // Operand 2 is empty: the others, disjoint, go 20 steps together instead of 40.
    let fibers = [vec![list(0, 20), list(20, 20), Nest::List(Vec::new())]];
    assert_eq!(measure(&joiner(3, Joiner::intersection(3)), &fibers).0, 20 + 3);
    assert_eq!(measure(&joiner(3, Joiner::union(3)), &fibers).0, 40 + 3);
}

#[test]
fn model_and_verilog_refuse_malformed_operands() {
    let j = joiner(2, Joiner::union(2));
    let good = vec![Beat::pair(0, 1, 1), Beat::pair(2, 2, 2), Beat::DONE];
    let bad = [
        vec![Beat::pair(0, 2, 1), Beat::pair(2, 2, 2), Beat::DONE],
        vec![Beat::pair(0, 1, 1), Beat::pair(1, 2, 2), Beat::nil(2, 1), Beat::DONE],
        vec![Beat::pair(0, 1, 1), Beat::nil(2, 1), Beat::DONE],
        vec![Beat::nil(2, 2), Beat::DONE],
        vec![Beat::DONE],
    ];
    for b in bad {
        for feeds in [[good.clone(), b.clone()], [b.clone(), good.clone()]] {
            let outcomes = check_rtl(&j, &[], &feeds, &Vec::new, &usual_stalls(1)[..2]);
            assert!(outcomes.iter().all(Result::is_err), "{b:?}");
        }
    }
}

#[test]
fn alive_is_where_a_set_below_emits() {
    assert_eq!(joiner(2, Joiner::intersection(2)).alive(), [0b1001]);
    assert_eq!(joiner(2, Joiner::union(2)).alive(), [0b1111]);
    // Complement mask: operand 0 without operand 1.
    assert_eq!(joiner(2, vec![0b0010]).alive(), [0b1011]);
    assert_eq!(joiner(6, Joiner::intersection(6)).alive(), [1 << 63 | 1]);
    assert_eq!(joiner(7, Joiner::intersection(7)).alive(), [1, 1 << 63]);
    assert_eq!(joiner(12, Joiner::union(12)).alive(), [u64::MAX; 64]);
    // Operand 3 in any company.
    assert_eq!(joiner(7, Joiner::table(7, |p| p == 8)).alive(), Joiner::table(7, |p| p == 0 || p & 8 != 0));
}

#[test]
fn tables_print_with_a_digit_for_four_rows() {
    assert_eq!(joiner(3, vec![0b0110_0110]).describe(), "emit 0x66");
    assert_eq!(joiner(7, Joiner::table(7, |p| p == 64)).describe(), "emit 0x00000000000000010000000000000000");
    assert_eq!(joiner(7, Joiner::union(7)).describe(), "union");
}
