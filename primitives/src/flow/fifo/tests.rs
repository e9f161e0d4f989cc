//! The FIFO against its Verilog, its capacity and its promise of one beat a cycle.

use super::Fifo;
use crate::every::forms::{Hosted, WIDTHS, item, pair};
use samhw_streams::{Beat, Field, Shape};
use samhw_testing::bench::{Stall, run_model};
use samhw_testing::rtl::{check_rtl, usual_stalls};
use samhw_values::Rng;

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    let mut all = Vec::new();
    for [crd_w, _, ref_w, stop_w] in WIDTHS {
        let shape = pair(stop_w, crd_w, ref_w);
        all.extend([2, 3, 16, 100].map(|depth| item(Fifo { shape: shape.clone(), depth })));
    }
    all
}

fn fifo(depth: u32) -> Fifo {
    Fifo { shape: Shape::Stream { stop_w: 3, fields: vec![Field::new("crd", 8), Field::new("ref", 8)] }, depth }
}

fn beats(n: usize) -> Vec<Beat> {
    let mut rng = Rng::new(5);
    (0..n).map(|_| Beat::pair(rng.below(8) as u8, rng.below(256), rng.below(256))).collect()
}

#[test]
fn keeps_order_in_model_and_verilog() {
    let plain = Fifo { shape: Shape::Plain { fields: vec![Field::new("addr", 8), Field::new("data", 8)] }, depth: 4 };
    let mut stalls = usual_stalls(1);
    // A sink slow enough to fill the deep ones.
    stalls.push(Stall::new(9, 0.2, 0.85));
    for p in [plain, fifo(2), fifo(3), fifo(64), fifo(100)] {
        let mut feed = beats(600);
        if let Shape::Plain { .. } = p.shape {
            feed.iter_mut().for_each(|b| b.stop = 0);
        }
        for outcome in check_rtl(&p, &[], std::slice::from_ref(&feed), &Vec::new, &stalls) {
            assert!(outcome.unwrap().beats(0) == feed, "{p:?}");
        }
    }
}

#[test]
fn one_beat_a_cycle_two_cycles_late() {
    for depth in [2, 3, 65] {
        let out = run_model(&fifo(depth), &[], &[beats(200)], &mut [], Stall::NONE).unwrap();
        assert!(out.outputs[0].iter().zip(0..).all(|(&(cycle, _), k)| cycle == k + 2), "depth {depth}");
    }
}

#[test]
fn holds_depth_beats_besides_the_output_register() {
    for depth in [2, 5, 16, 100] {
        let stuck = Stall::new(1, 0.0, 1.0);
        let out = run_model(&fifo(depth), &[], &[beats(300)], &mut [], stuck).unwrap();
        assert_eq!(out.inputs[0].len(), depth as usize + 1);
    }
}
