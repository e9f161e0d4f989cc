//! The wide joiner against the plain one, its Verilog against its model, and its promise of never more cycles.

mod hints;

use super::JoinerWide;
use crate::every::forms::{Hosted, WIDTHS, item};
use crate::join::joiner::Joiner;
use crate::scan::scanner_wide::Group;
use samhw_streams::Beat;
use samhw_testing::bench::{Stall, run_model};
use samhw_testing::rtl::{check_rtl, usual_stalls};
use samhw_testing::vectors::vectors;
use samhw_values::Rng;
use std::collections::BTreeSet;

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    let mut all = Vec::new();
    for [crd_w, _, ref_w, stop_w] in WIDTHS {
        for (wide_log2, used) in [(1, 0b111), (2, 0b110)] {
            let group = Group { crd_w: crd_w.min(16), wide_log2 };
            for skips in [0, 0b11, 0b10] {
                all.push(item(JoinerWide { group, ref_w: [ref_w, ref_w + 1], stop_w, used, skips }));
            }
        }
    }
    all
}

const CRD_W: u32 = 9;

fn joiner(wide_log2: u32) -> JoinerWide {
    JoinerWide { group: Group { crd_w: CRD_W, wide_log2 }, ref_w: [10, 12], stop_w: 3, used: 0b111, skips: 0 }
}

/// What it stands for.
fn plain(p: &JoinerWide) -> Joiner {
    let mut j = Joiner::new(Joiner::intersection(2), p.group.crd_w, &p.ref_w, p.stop_w);
    j.used = p.used;
    j
}

/// A stream of coordinates and positions in groups.
fn grouped(group: Group, beats: &[Beat]) -> Vec<Beat> {
    let mut out = Vec::new();
    let mut open: Vec<Beat> = Vec::new();
    for &b in beats {
        if !b.is_leaf() {
            out.push(b);
            continue;
        }
        open.push(b);
        if b.stop > 0 || open.len() == group.wide() {
            let crds: Vec<u64> = open.iter().map(|b| b.p[0]).collect();
            out.push(group.pack(b.stop, &crds, open[0].p[1]));
            open.clear();
        }
    }
    out
}

/// A fiber of both operands: sets of coordinates.
type Fibers = [BTreeSet<u64>; 2];

fn fibers(rng: &mut Rng) -> Fibers {
    let range = [3, 12, 40, 500][rng.below(4) as usize];
    let runs = rng.happens(0.3);
    [(); 2].map(|()| {
        let n = [0, 1, 2, 5, 9, range][rng.below(6) as usize];
        let from = rng.below(range);
        (0..n).map(|k| if runs { (from + k).min(511) } else { rng.below(range) }).collect()
    })
}

/// Lists of fibers as beats of both operands, with their positions: one after the other from somewhere on.
fn feeds(rng: &mut Rng, lists: &[Vec<Fibers>]) -> [Vec<Beat>; 2] {
    [0, 1].map(|k| {
        let mut out = Vec::new();
        for list in lists {
            if list.is_empty() {
                out.push(Beat::nil(2, 2));
            }
            for (n, f) in list.iter().enumerate() {
                let stop = if n + 1 == list.len() { 2 } else { 1 };
                let first = rng.below(400);
                if f[k].is_empty() {
                    out.push(Beat::nil(stop, 1));
                }
                for (at, &c) in f[k].iter().enumerate() {
                    out.push(Beat::pair(if at + 1 == f[k].len() { stop } else { 0 }, c, first + at as u64));
                }
            }
            out.push(Beat::DONE);
        }
        out
    })
}

fn lists(rng: &mut Rng, n: usize) -> Vec<Vec<Fibers>> {
    (0..n).map(|_| (0..rng.below(6)).map(|_| fibers(rng)).collect()).collect()
}

#[test]
fn gives_what_the_plain_joiner_gives() {
    let mut rng = Rng::new(1);
    for (wide_log2, used) in [(1, 0b111), (2, 0b111), (1, 0b110), (2, 0b011), (1, 0b100)] {
        let p = JoinerWide { used, ..joiner(wide_log2) };
        let feed = lists(&mut rng, 60);
        let feed = feeds(&mut rng, &feed);
        let wanted = run_model(&plain(&p), &[], &feed, &mut [], Stall::NONE).unwrap();
        let groups = feed.map(|f| grouped(p.group, &f));
        for got in check_rtl(&p, &[], &groups, &Vec::new, &usual_stalls(3)) {
            let got = got.unwrap();
            (0..used.count_ones() as usize).for_each(|k| assert_eq!(got.beats(k), wanted.beats(k), "{p:?}"));
        }
    }
}

#[test]
fn other_widths_move_as_the_model_too() {
    let mut rng = Rng::new(2);
    for (crd_w, wide_log2, ref_w, stop_w) in [(32, 1, [20, 20], 4), (16, 2, [3, 9], 2), (9, 3 - 1, [2, 2], 2)] {
        let p = JoinerWide { group: Group { crd_w, wide_log2 }, ref_w, stop_w, used: 0b111, skips: 0 };
        let feed = lists(&mut rng, 40);
        let feed = feeds(&mut rng, &feed).map(|f| {
            let narrow = |b: &Beat| if b.is_leaf() { Beat { p: [b.p[0], 0], ..*b } } else { *b };
            f.iter().map(narrow).collect::<Vec<_>>()
        });
        let groups = feed.clone().map(|f| grouped(p.group, &f));
        let crds = run_model(&plain(&p), &[], &feed, &mut [], Stall::NONE).unwrap();
        for got in check_rtl(&p, &[], &groups, &Vec::new, &usual_stalls(3)) {
            assert_eq!(got.unwrap().beats(0), crds.beats(0), "{p:?}");
        }
    }
}

/// The shared vectors' intersections of two, with positions in place of its references.
#[test]
fn passes_the_shared_vectors() {
    let all = vectors("joiner");
    let mut cases = 0;
    for v in all.iter().filter(|v| v.param("operands") == 2 && v.param("emit") == 8) {
        let numbered = |k: usize| {
            let crds = v.input(&format!("crd{k}"), CRD_W);
            (0..).zip(crds).map(|(n, b)| Beat { p: [b.p[0], if b.is_leaf() { n } else { 0 }], ..b }).collect::<Vec<_>>()
        };
        for p in [joiner(1), joiner(2)] {
            let feed = [numbered(0), numbered(1)];
            let wanted = run_model(&plain(&p), &[], &feed, &mut [], Stall::NONE).unwrap();
            assert_eq!(wanted.beats(0), v.output("crd", CRD_W), "line {}", v.line);
            let groups = feed.map(|f| grouped(p.group, &f));
            for stall in usual_stalls(v.line as u64) {
                let got = run_model(&p, &[], &groups, &mut [], stall).unwrap();
                (0..3).for_each(|k| assert_eq!(got.beats(k), wanted.beats(k), "line {}", v.line));
            }
        }
        cases += 1;
    }
    assert!(all.is_empty() || cases > 0);
}

/// Cycles until DONE has left.
fn cycles(out: &samhw_testing::bench::Outcome) -> u64 {
    let first = out.inputs.iter().map(|i| i[0]).min().unwrap();
    out.outputs[0].last().unwrap().0 - first
}

#[test]
fn takes_never_more_cycles_than_the_plain_joiner() {
    let mut rng = Rng::new(4);
    for round in 0..400 {
        let p = joiner(1 + round % 2);
        let lists = vec![(0..1 + rng.below(5)).map(|_| fibers(&mut rng)).collect()];
        let feed = feeds(&mut rng, &lists);
        let groups = feed.clone().map(|f| grouped(p.group, &f));
        let before = cycles(&run_model(&plain(&p), &[], &feed, &mut [], Stall::NONE).unwrap());
        let after = cycles(&run_model(&p, &[], &groups, &mut [], Stall::NONE).unwrap());
        assert!(after <= before, "{after} instead of {before} cycles of {lists:?}");
    }
}

#[test]
fn coordinates_that_meet_nothing_cost_a_fraction() {
    let mut rng = Rng::new(5);
    let range = |from: u64, step: u64| (0..200).map(|k| from + step * k).collect::<BTreeSet<u64>>();
    for (wide_log2, steps) in [(1, 200), (2, 100)] {
        let p = joiner(wide_log2);
        // Alternating; then one after the other, where whichever ends lets the other's groups go.
        for fibers in [[range(0, 2), range(1, 2)], [range(0, 1), range(200, 1)]] {
            let groups = feeds(&mut rng, &[vec![fibers]]).map(|f| grouped(p.group, &f));
            let out = run_model(&p, &[], &groups, &mut [], Stall::NONE).unwrap();
            assert!(cycles(&out) <= steps + 4, "{} cycles", cycles(&out));
        }
        // Where all meet, one leaves each cycle.
        let groups = feeds(&mut rng, &[vec![[range(0, 1), range(0, 1)]]]).map(|f| grouped(p.group, &f));
        let out = run_model(&p, &[], &groups, &mut [], Stall::NONE).unwrap();
        assert_eq!(cycles(&out), 200 + 3);
    }
}

#[test]
fn model_and_verilog_refuse_malformed_operands() {
    let p = joiner(1);
    let pack = |crds: &[u64], stop| p.group.pack(stop, crds, 3);
    let good = vec![pack(&[1, 2], 0), pack(&[5], 2), Beat::DONE];
    let bad = [
        vec![pack(&[2, 1], 0), pack(&[5], 2), Beat::DONE],
        vec![pack(&[4, 5], 0), pack(&[5], 2), Beat::DONE],
        vec![pack(&[1, 2], 0), pack(&[5], 1), Beat::DONE],
        vec![pack(&[1, 2], 0), Beat::nil(2, 1), Beat::DONE],
        vec![Beat::nil(2, 2), Beat::DONE],
        vec![Beat::DONE],
    ];
    for b in bad {
        for feeds in [[good.clone(), b.clone()], [b.clone(), good.clone()]] {
            let outcomes = check_rtl(&p, &[], &feeds, &Vec::new, &usual_stalls(1)[..2]);
            assert!(outcomes.iter().all(Result::is_err), "{b:?}");
        }
    }
}
