//! The joiner of intervals against its meaning, its Verilog, and its promise of a step per piece.

use super::JoinerIntervals;
use crate::every::forms::{Hosted, item};
use crate::join::joiner::tests::intersections;
use crate::join::joiner::{Joiner, bit};
use samhw_streams::{Beat, Leaf, Nest, Primitive, encode};
use samhw_testing::bench::{Stall, run_model};
use samhw_testing::rtl::{check_rtl, usual_stalls};
use samhw_values::Rng;

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    let mut all = Vec::new();
    for (n, plain) in intersections() {
        for points in [0, 0b10] {
            let joiner = Joiner { crd_w: plain.crd_w.min(32), ..plain.clone() };
            all.push(item(JoinerIntervals { joiner: joiner.clone(), points, narrow: points != 0 }));
            all.push(item(JoinerIntervals {
                joiner: Joiner { emit: Joiner::union(n), ..joiner },
                points,
                narrow: false,
            }));
        }
    }
    all
}

/// An interval: first, last, and its position unless that is absent.
type Interval = (u64, u64, Option<u64>);

const CRD_W: u32 = 6;

fn leaf(present: bool, p: [u64; 2]) -> Nest<Leaf> {
    Nest::Leaf(Leaf { present, p: if present { p } else { [p[0], 0] } })
}

/// What the pieces of a fiber are, coordinate by coordinate: neighbours with the same leaves of the
/// same operands are one.
fn pieces(j: &JoinerIntervals, fibers: &[Vec<Interval>]) -> Vec<(u64, u64, Vec<Option<u64>>)> {
    let at = |f: &Vec<Interval>, c: u64| f.iter().position(|i| (i.0..=i.1).contains(&c));
    let mut out: Vec<(u64, u64, Vec<Option<u64>>)> = Vec::new();
    let mut before = None;
    for c in 0..1 << CRD_W {
        let found: Vec<Option<usize>> = fibers.iter().map(|f| at(f, c)).collect();
        let p = found.iter().enumerate().fold(0, |p, (k, i)| p | u32::from(i.is_some()) << k);
        let refs =
            |(k, i): (usize, &Option<usize>)| i.filter(|_| bit(&j.joiner.keep[k], p)).and_then(|i| fibers[k][i].2);
        let emitted = p != 0 && bit(&j.joiner.emit, p);
        match out.last_mut().filter(|_| before.as_ref() == Some(&found)) {
            Some(last) if emitted => last.1 = c,
            _ if emitted => out.push((c, c, found.iter().enumerate().map(refs).collect())),
            _ => {}
        }
        before = Some(found);
    }
    out
}

fn fiber(rng: &mut Rng, point: bool) -> Vec<Interval> {
    let (mut out, mut crd) = (Vec::new(), rng.below(6));
    let (gap, long) = ([1, 3, 12][rng.below(3) as usize], [1, 4, 30][rng.below(3) as usize]);
    for _ in 0..[0, 1, 3, 20][rng.below(4) as usize] {
        let last = crd + if point { 0 } else { rng.below(long) };
        if last >= 1 << CRD_W {
            break;
        }
        out.push((crd, last, rng.happens(0.9).then(|| rng.below(256))));
        crd = last + 1 + rng.below(gap);
    }
    out
}

/// Feeds of several runs of lists of fibers, and what has to come out of each output.
fn case(j: &JoinerIntervals, rng: &mut Rng) -> (Vec<Vec<Beat>>, Vec<Vec<Beat>>) {
    let n = j.joiner.ref_w.len();
    let (mut feeds, mut wants) = (vec![Vec::new(); n], vec![Vec::new(); n + 1]);
    for run in 0..6 {
        let d = 1 + (run % 2) as u8;
        let (mut ins, mut outs) = (vec![Vec::new(); n], vec![Vec::new(); n + 1]);
        for _ in 0..if d == 1 { 1 } else { rng.below(6) } {
            let fibers: Vec<Vec<Interval>> = (0..n).map(|k| fiber(rng, j.points >> k & 1 == 1)).collect();
            for (k, (into, f)) in ins.iter_mut().zip(&fibers).enumerate() {
                let word = |i: &Interval| if j.points >> k & 1 == 1 { i.0 } else { i.1 << CRD_W | i.0 };
                into.push(Nest::List(f.iter().map(|i| leaf(i.2.is_some(), [word(i), i.2.unwrap_or(0)])).collect()));
            }
            let made = pieces(j, &fibers);
            outs[0].push(Nest::List(
                made.iter().map(|(f, l, _)| leaf(true, [if j.narrow { 0 } else { l << CRD_W } | f, 0])).collect(),
            ));
            for k in 0..n {
                let of = |refs: &[Option<u64>]| leaf(refs[k].is_some(), [refs[k].unwrap_or(0), 0]);
                outs[k + 1].push(Nest::List(made.iter().map(|(.., refs)| of(refs)).collect()));
            }
        }
        let whole = |x: Vec<Nest<Leaf>>| if d == 1 { x.into_iter().next().unwrap() } else { Nest::List(x) };
        feeds.iter_mut().zip(ins).for_each(|(f, x)| f.extend(encode(&whole(x), d)));
        wants.iter_mut().zip(outs).for_each(|(w, x)| w.extend(encode(&whole(x), d)));
    }
    (feeds, wants)
}

fn intervals(n: u32, emit: Vec<u64>, points: u32) -> JoinerIntervals {
    JoinerIntervals { joiner: Joiner::new(emit, CRD_W, &vec![8; n as usize], 3), points, narrow: false }
}

/// Any tables: some of which have operands that must be there.
fn random(rng: &mut Rng, n: u32) -> JoinerIntervals {
    let must = rng.bits() as u32 & rng.bits() as u32 & ((1 << n) - 1);
    let table = rng.bits();
    let emit = Joiner::table(n, |p| p & must == must && table >> (p % 64) & 1 == 1);
    let mut j = intervals(n, emit, rng.bits() as u32 & rng.bits() as u32 & ((1 << n) - 1));
    if rng.happens(0.5) {
        j.joiner.keep = (0..n).map(|_| vec![rng.bits()]).collect();
    }
    j
}

#[test]
fn overlays_intervals_as_the_tables_say() {
    let mut rng = Rng::new(1);
    for round in 0..800 {
        let j = match round % 8 {
            0 => intervals(2, Joiner::union(2), round as u32 / 8 % 4),
            1 => intervals(2, Joiner::intersection(2), round as u32 / 8 % 4),
            n => random(&mut rng, n as u32 / 2 + 1),
        };
        let (feeds, wants) = case(&j, &mut rng);
        let out = run_model(&j, &[], &feeds, &mut [], usual_stalls(round)[round as usize % 5]).unwrap();
        for (k, want) in wants.iter().enumerate() {
            assert_eq!(&out.beats(k), want, "{j:?}, output {k}");
        }
    }
}

#[test]
fn verilog_moves_as_the_model() {
    let mut rng = Rng::new(2);
    let mut some = random(&mut rng, 3);
    some.joiner.ref_w = vec![8, 11, 9];
    let mut mask = intervals(2, vec![0b0010], 0b10);
    mask.joiner.used = 0b011;
    let both = |points| intervals(2, Joiner::intersection(2), points);
    let led = intervals(3, Joiner::table(3, |p| p & 4 == 4), 0b001);
    let narrow = JoinerIntervals { narrow: true, ..both(0b10) };
    for j in [intervals(2, Joiner::union(2), 0b01), both(0), both(0b10), narrow, some, mask, led, random(&mut rng, 4)] {
        let (feeds, wants) = case(&j, &mut rng);
        let outcomes = check_rtl(&j, &[], &feeds, &Vec::new, &usual_stalls(3));
        let used = (0..wants.len()).filter(|&b| j.joiner.uses(b as u32));
        for (port, k) in used.enumerate() {
            outcomes.iter().for_each(|o| assert_eq!(o.as_ref().unwrap().beats(port), wants[k], "{j:?}"));
        }
    }
}

#[test]
fn a_piece_takes_a_cycle() {
    let mut rng = Rng::new(4);
    for (n, all) in [(2, true), (3, true), (2, false), (3, false)] {
        let table = if all { Joiner::union(n) } else { Joiner::intersection(n) };
        let j = intervals(n, table, 0);
        let (mut lists, mut steps) = (vec![Vec::new(); n as usize], 0);
        for _ in 0..200 {
            let fibers: Vec<Vec<Interval>> = (0..n).map(|_| fiber(&mut rng, false)).collect();
            let leaves = fibers.iter().map(Vec::len).sum::<usize>();
            steps += if all { pieces(&j, &fibers).len() } else { leaves }.max(1) as u64;
            for (list, f) in lists.iter_mut().zip(&fibers) {
                let nest = f.iter().map(|i| leaf(true, [i.1 << CRD_W | i.0, 1]));
                list.push(Nest::List(nest.collect()));
            }
        }
        let feeds: Vec<Vec<Beat>> = lists.into_iter().map(|l| encode(&Nest::List(l), 2)).collect();
        let out = run_model(&j, &[], &feeds, &mut [], Stall::NONE).unwrap();
        let first = out.inputs.iter().map(|i| i[0]).min().unwrap();
        let cycles = out.outputs[0].last().unwrap().0 - first;
        let most = steps + u64::from(j.latency());
        assert!(if all { cycles == most } else { cycles <= most }, "{n} {all}: {cycles} of {most}");
    }
}

#[test]
fn model_and_verilog_refuse_malformed_operands() {
    let j = intervals(2, Joiner::union(2), 0);
    let word = |first: u64, last: u64| last << CRD_W | first;
    let good = vec![Beat::pair(0, word(1, 3), 1), Beat::pair(2, word(5, 5), 2), Beat::DONE];
    let bad = [
        // Overlaps, goes back, ends before it begins, ends a list that the other does not, is not aligned.
        vec![Beat::pair(0, word(1, 3), 1), Beat::pair(2, word(3, 4), 2), Beat::DONE],
        vec![Beat::pair(0, word(4, 5), 1), Beat::pair(2, word(1, 2), 2), Beat::DONE],
        vec![Beat::pair(2, word(4, 2), 1), Beat::DONE],
        vec![Beat::pair(0, word(1, 3), 1), Beat::pair(1, word(5, 5), 2), Beat::nil(2, 1), Beat::DONE],
        vec![Beat::nil(2, 2), Beat::DONE],
    ];
    for b in bad {
        for feeds in [[good.clone(), b.clone()], [b.clone(), good.clone()]] {
            let outcomes = check_rtl(&j, &[], &feeds, &Vec::new, &usual_stalls(1)[..2]);
            assert!(outcomes.iter().all(Result::is_err), "{b:?}");
        }
    }
}
