//! The dense scanner against its meaning, its Verilog against its model.

use super::{Child, ScannerDense};
use crate::every::forms::{Hosted, WIDTHS, item};
use crate::memories::memory::cases::{self, leaf};
use samhw_streams::{Beat, Leaf, Nest, Primitive};
use samhw_testing::bench::{Stall, run_model};
use samhw_testing::rtl::{check_rtl, usual_stalls};
use samhw_values::Rng;

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    let mut all = Vec::new();
    for [crd_w, ref_in_w, ref_w, stop_w] in WIDTHS {
        for child in CHILDREN {
            for tag_w in [0, 12] {
                all.push(item(ScannerDense { ref_in_w, ref_w, crd_w, stop_w, child, tag_w }));
            }
        }
    }
    all
}

const CHILDREN: [Child; 3] = [Child::Row, Child::Root, Child::Same];

fn scanner(child: Child) -> ScannerDense {
    ScannerDense { ref_in_w: 16, ref_w: 16, crd_w: 16, stop_w: 3, child, tag_w: 0 }
}

/// `level_scanner` of the spec for kinds dense and broadcast.
fn scan(x: &Nest<Leaf>, dim: u64, child: Child) -> Nest<Leaf> {
    cases::map(x, &|l| {
        let crds = if l.present { 0..dim } else { 0..0 };
        let name = |c| if child == Child::Same { l.p[0] } else { l.p[0] * dim + c };
        Nest::List(crds.map(|c| leaf(c, name(c))).collect())
    })
}

fn inputs(rng: &mut Rng, n: u8, child: Child) -> Vec<(Nest<Leaf>, u8)> {
    let refs = if child == Child::Root { 1 } else { 200 };
    (0..n).map(|k| (cases::random(rng, k % 4, refs), k % 4)).collect()
}

fn scan_all(inputs: &[(Nest<Leaf>, u8)], dim: u64, child: Child) -> Vec<Beat> {
    let outputs: Vec<_> = inputs.iter().map(|(x, d)| (scan(x, dim, child), d + 1)).collect();
    cases::runs(&outputs)
}

fn check(p: &ScannerDense, dim: u64, inputs: &[(Nest<Leaf>, u8)]) {
    let got = check_rtl(p, &[dim], &[cases::runs(inputs)], &Vec::new, &usual_stalls(dim));
    let expected = scan_all(inputs, dim, p.child);
    // The first stall is none at all: no bubble.
    cases::assert_no_bubble(&got[0].as_ref().unwrap().outputs[0], p.latency());
    for got in got {
        assert_eq!(got.unwrap().beats(0), expected, "dim {dim}");
    }
}

#[test]
fn scans_as_the_spec_says() {
    let mut rng = Rng::new(1);
    for child in CHILDREN {
        for dim in [0, 1, 2, 5] {
            let inputs = inputs(&mut rng, 100, child);
            check(&scanner(child), dim, &inputs);
        }
    }
}

#[test]
fn small_and_wide_configurations_agree_too() {
    let refs = Nest::List((0..8).map(|r| leaf(r, 0)).collect());
    for (ref_in_w, ref_w, crd_w) in [(3, 6, 3), (20, 32, 24), (3, 40, 10)] {
        let p = ScannerDense { ref_in_w, ref_w, crd_w, stop_w: 3, child: Child::Row, tag_w: 0 };
        for dim in [1, 7, 1 << 3] {
            check(&p, dim, &[(refs.clone(), 1), (refs.clone(), 1)]);
        }
    }
}

#[test]
fn passes_the_vectors() {
    let Some(vectors) = cases::vectors("level_scanner", &["crd", "ref"]) else { return };
    for (kind, child) in [("dense", Child::Row), ("broadcast", Child::Same)] {
        let mut found = 0;
        for dim in 0..=5u64 {
            let (mut inputs, mut expected) = (Vec::new(), Vec::new());
            for c in vectors.iter().filter(|c| {
                let level = &c.params["level"];
                level["kind"] == kind && level["dim"] == dim && level.get("slice").is_none()
            }) {
                inputs.push((c.input.clone(), c.depth));
                expected.extend(cases::bundle(&c.outputs[0], &c.outputs[1]));
                found += 1;
            }
            let feed = cases::runs(&inputs);
            for got in check_rtl(&scanner(child), &[dim], &[feed], &Vec::new, &usual_stalls(dim)) {
                assert_eq!(got.unwrap().beats(0), expected, "{kind} {dim}");
            }
        }
        assert!(found > 5, "{kind}");
    }
}

#[test]
fn a_fiber_takes_max_1_dim_cycles() {
    let x = Nest::List((0..50).map(|r| leaf(r, 0)).collect());
    for child in [Child::Row, Child::Same] {
        for dim in [0, 1, 2, 5, 64] {
            let p = scanner(child);
            let feed = cases::runs(&[(x.clone(), 1), (x.clone(), 1)]);
            let out = run_model(&p, &[dim], &[feed], &mut [], Stall::NONE).unwrap();
            assert_eq!(out.outputs[0].len() as u64, 2 * (50 * dim.max(1) + 1));
            cases::assert_no_bubble(&out.outputs[0], p.latency());
        }
    }
}

#[test]
fn the_largest_dimension_has_all_coordinates() {
    let p = ScannerDense { ref_in_w: 4, ref_w: 8, crd_w: 4, stop_w: 2, child: Child::Row, tag_w: 0 };
    check(&p, 16, &[(Nest::List(vec![leaf(0, 0), leaf(15, 0)]), 1)]);
}

#[test]
fn both_refuse_malformed_input() {
    for (child, beat) in
        [(Child::Row, Beat::data(7, 0)), (Child::Same, Beat::data(7, 0)), (Child::Root, Beat::data(1, 3))]
    {
        let got = check_rtl(&scanner(child), &[2], &[vec![beat]], &Vec::new, &usual_stalls(1));
        assert!(got.iter().all(Result::is_err));
    }
}

#[test]
fn hints_end_the_fiber_at_hand() {
    let (dim, tag_w) = (6, 3);
    let over = |fiber: u64| Beat::pair(0, (1 << tag_w) | (fiber % (1 << tag_w)), 0);
    let mut rng = Rng::new(4);
    for child in [Child::Row, Child::Same] {
        let p = ScannerDense { tag_w, ..scanner(child) };
        let inputs = inputs(&mut rng, 60, child);
        let refs = cases::runs(&inputs);
        // Of fibers at random, one after the other; some say nothing of use.
        let hints: Vec<Beat> = (0..refs.len() as u64).flat_map(|f| [over(f), Beat::pair(0, f % 8, 3)]).collect();
        let whole = scan_all(&inputs, dim, child);
        for got in check_rtl(&p, &[dim], &[refs.clone(), hints.clone()], &Vec::new, &usual_stalls(dim)) {
            let got = got.unwrap().beats(0);
            // Each fiber is a beginning of the whole one, with its end.
            let fibers = |beats: &[Beat]| -> Vec<Vec<Beat>> {
                beats.split_inclusive(|b| !b.is_leaf() || b.stop > 0).map(<[Beat]>::to_vec).collect()
            };
            let (got, whole) = (fibers(&got), fibers(&whole));
            assert_eq!(got.len(), whole.len());
            for (part, all) in got.iter().zip(&whole) {
                let (end, before) = part.split_last().unwrap();
                assert_eq!(before, &all[..before.len()]);
                assert_eq!(end.stop, all.last().unwrap().stop);
                assert_eq!(end.p, all[before.len()].p);
            }
        }
    }
}

#[test]
fn a_fiber_that_is_told_of_ends_with_the_next_coordinate() {
    let p = ScannerDense { tag_w: 3, ..scanner(Child::Row) };
    let x = Nest::List((0..3).map(|r| leaf(r, 0)).collect());
    let feed = [cases::runs(&[(x, 1)]), vec![Beat::pair(0, 8, 0)]];
    let out = run_model(&p, &[64], &feed, &mut [], Stall::NONE).unwrap();
    // The first fiber is told of before it begins to leave; the others are whole.
    assert!(out.outputs[0].len() < 2 * 64 + 8, "{}", out.outputs[0].len());
}
