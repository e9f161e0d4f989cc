//! The scanner of a part against its meaning, the spec's vectors and its Verilog.

use super::{Offsets, ScannerPart};
use crate::every::forms::{Hosted, WIDTHS, item};
use crate::memories::memory::cases::{self, leaf};
use crate::scan::scanner_dense::Child;
use samhw_streams::{Leaf, Nest, Primitive};
use samhw_testing::bench::{Stall, run_model};
use samhw_testing::rtl::{check_rtl, usual_stalls};
use samhw_values::Rng;

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    let mut all = Vec::new();
    for [crd_w, ref_in_w, ref_w, stop_w] in WIDTHS {
        let (dim_w, to_first, to_step) = (crd_w + 1, 0, 1);
        for child in [Child::Row, Child::Root, Child::Same] {
            for offsets in [steps(1, -1, 2), steps(0, 1, 1), steps(0, 1, 0), Offsets::Set(vec![1, 0])] {
                let part = ScannerPart { ref_in_w, ref_w, dim_w, crd_w, stop_w, child, offsets, to_first, to_step };
                all.push(item(part));
            }
        }
    }
    all
}

fn part(child: Child, offsets: Offsets, to: [u64; 2]) -> ScannerPart {
    let [to_first, to_step] = to;
    ScannerPart { ref_in_w: 12, ref_w: 14, dim_w: 5, crd_w: 6, stop_w: 3, child, offsets, to_first, to_step }
}

fn steps(first: u64, step: i64, count: u64) -> Offsets {
    Offsets::Steps { first, step, count }
}

fn samples() -> Vec<ScannerPart> {
    vec![
        part(Child::Row, steps(2, 3, 4), [0, 1]),
        part(Child::Row, steps(9, -4, 3), [5, 7]),
        part(Child::Row, Offsets::Set(vec![3, 3, 0, 9, 1]), [0, 1]),
        part(Child::Root, steps(1, 1, 1), [0, 1]),
        part(Child::Same, steps(0, 1, 3), [2, 20]),
        part(Child::Row, steps(0, 1, 0), [0, 1]),
        ScannerPart { ref_in_w: 20, ref_w: 24, ..part(Child::Row, steps(2, 3, 4), [0, 1]) },
        ScannerPart { ref_in_w: 20, ref_w: 40, ..part(Child::Row, Offsets::Set(vec![4, 0]), [0, 1]) },
    ]
}

fn scan(p: &ScannerPart, x: &Nest<Leaf>, dim: u64) -> Nest<Leaf> {
    cases::map(x, &|l| {
        let n = if l.present { p.offsets.count() } else { 0 };
        let child = |k| match p.child {
            Child::Same => l.p[0],
            Child::Root | Child::Row => l.p[0] * dim + p.offsets.at(k),
        };
        Nest::List((0..n).map(|k| leaf(p.to_first + k * p.to_step, child(k))).collect())
    })
}

#[test]
fn scans_what_is_selected() {
    let mut rng = Rng::new(3);
    for (seed, p) in (0..).zip(samples()) {
        let refs = if p.child == Child::Root { 1 } else { 200 };
        let inputs: Vec<(Nest<Leaf>, u8)> = (0..60).map(|k| (cases::random(&mut rng, k % 4, refs), k % 4)).collect();
        let outputs: Vec<(Nest<Leaf>, u8)> = inputs.iter().map(|(x, d)| (scan(&p, x, 10), d + 1)).collect();
        let got = check_rtl(&p, &[10], &[cases::runs(&inputs)], &Vec::new, &usual_stalls(seed));
        cases::assert_no_bubble(&got[0].as_ref().unwrap().outputs[0], p.latency());
        for got in got {
            assert_eq!(got.unwrap().beats(0), cases::runs(&outputs), "{p:?}");
        }
    }
}

#[test]
fn passes_the_vectors() {
    let Some(vectors) = cases::vectors("level_scanner", &["crd", "ref"]) else { return };
    let mut found = 0;
    for c in vectors.iter().filter(|c| c.params["level"]["kind"] == "dense") {
        let level = &c.params["level"];
        let Some(slice) = level["slice"].as_array() else { continue };
        let dim = level["dim"].as_u64().unwrap();
        let [lo, step] = [0, 2].map(|k| slice[k].as_u64().unwrap());
        let hi = slice[1].as_u64().unwrap_or(dim).min(dim);
        let p = part(Child::Row, steps(lo, step as i64, hi.saturating_sub(lo).div_ceil(step)), [0, 1]);
        let feed = cases::runs([&(c.input.clone(), c.depth)]);
        let out = run_model(&p, &[dim], &[feed], &mut [], Stall::NONE).unwrap();
        assert_eq!(out.beats(0), cases::bundle(&c.outputs[0], &c.outputs[1]), "{}", c.params);
        found += 1;
    }
    assert!(found > 5, "{found}");
}

#[test]
fn both_refuse_malformed_input() {
    use samhw_streams::Beat;
    for (p, beat) in samples()
        .into_iter()
        .zip([Beat::data(7, 0), Beat::data(7, 0)])
        .chain([(part(Child::Root, steps(1, 1, 1), [0, 1]), Beat::data(1, 3))])
    {
        let got = check_rtl(&p, &[10], &[vec![beat]], &Vec::new, &usual_stalls(1));
        assert!(got.iter().all(Result::is_err), "{p:?}");
    }
}
