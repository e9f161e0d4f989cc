//! Within against its meaning and its Verilog.

use super::Within;
use crate::every::forms::{Hosted, WIDTHS, item};
use samhw_streams::{Primitive, encode};
use samhw_testing::bench::{Stall, run_model};
use samhw_testing::nests::{N, fibers, leaf, map, nest, usual_lengths};
use samhw_testing::rtl::{check_rtl, usual_stalls};
use samhw_values::{Rng, mask};

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    let mut all = Vec::new();
    for [crd_w, ref_in_w, ref_w, stop_w] in WIDTHS {
        for (val_w, signed) in [(crd_w, true), (crd_w, false), (ref_w, true), (64, false)] {
            all.push(item(Within { val_w, signed, crd_w, out_w: ref_in_w, stop_w }));
        }
    }
    all
}

fn within(val_w: u32, signed: bool, crd_w: u32, out_w: u32) -> Within {
    Within { val_w, signed, crd_w, out_w, stop_w: 3 }
}

/// A number of `p.val_w` bits, often near an end of the level or of the numbers, and its bits.
fn number(p: &Within, dim: u64, rng: &mut Rng) -> (i128, u64) {
    let near = |rng: &mut Rng, x: u64| x.wrapping_add(rng.below(5)).wrapping_sub(2);
    let bits = match rng.below(4) {
        0 => near(rng, 0),
        1 => near(rng, dim),
        2 => near(rng, 1 << (p.val_w - 1)),
        _ => rng.bits() >> rng.below(64),
    };
    let bits = bits & mask(p.val_w);
    let negative = p.signed && bits >= 1 << (p.val_w - 1);
    (i128::from(bits) - if negative { 1 << p.val_w } else { 0 }, bits)
}

#[test]
fn what_is_no_coordinate_is_absent() {
    // As wide as the coordinates, wider, narrower; coordinates that are cut.
    let forms = [(8, true, 8, 8), (32, true, 6, 9), (5, true, 8, 12), (5, false, 8, 12), (64, false, 10, 10)];
    for (val_w, signed, crd_w, out_w) in forms.into_iter().chain([(64, true, 12, 4), (9, false, 8, 3)]) {
        let p = within(val_w, signed, crd_w, out_w);
        for dim in [0, 11, 1 << crd_w] {
            let mut rng = Rng::new(dim + u64::from(val_w));
            let (mut feed, mut want) = (Vec::new(), Vec::new());
            for run in 0..80 {
                let d = run % 4;
                let mut numbers = Vec::new();
                let x = nest(&mut rng, d, &mut |r| {
                    let (value, bits) = number(&p, dim, r);
                    let absent = r.happens(0.1);
                    numbers.push((!absent && (0..i128::from(dim)).contains(&value)).then_some(value));
                    if absent { N } else { leaf(bits) }
                });
                let mut numbers = numbers.into_iter();
                let y = map(&x, &mut |_| numbers.next().flatten().map_or(N, |v| leaf(v as u64 % (1 << out_w))));
                feed.extend(encode(&x, d));
                want.extend(encode(&y, d));
            }
            for out in check_rtl(&p, &[dim], &[feed], &Vec::new, &usual_stalls(dim)) {
                assert_eq!(out.unwrap().beats(0), want, "{p:?} {dim}");
            }
        }
    }
}

#[test]
fn takes_a_beat_per_cycle_with_the_latency_it_states() {
    let p = within(16, true, 8, 8);
    for lengths in usual_lengths(&mut Rng::new(41)) {
        let feed = fibers(&lengths).repeat(2);
        let out = run_model(&p, &[200], std::slice::from_ref(&feed), &mut [], Stall::NONE).unwrap();
        let first = u64::from(p.latency());
        assert!(out.outputs[0].iter().map(|x| x.0).eq(first..first + feed.len() as u64), "{lengths:?}");
    }
}
