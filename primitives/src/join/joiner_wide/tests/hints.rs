//! The wide joiner with hints: results as without, hints that are sound and as far as they can be.

use super::{Fibers, feeds, grouped, joiner, lists, plain};
use crate::join::joiner::TAG_W;
use crate::join::joiner_wide::JoinerWide;
use samhw_testing::bench::{Stall, run_model};
use samhw_testing::rtl::{check_rtl, usual_stalls};
use samhw_values::Rng;
use std::collections::BTreeSet;

#[test]
fn verilog_moves_as_the_model_and_results_stay() {
    let mut rng = Rng::new(21);
    for (wide_log2, used, skips) in [(1, 0b111, 0b11), (2, 0b111, 0b11), (2, 0b110, 0b10), (1, 0b001, 0b01)] {
        let p = JoinerWide { used, skips, ..joiner(wide_log2) };
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

/// A hint names a fiber and a coordinate below which nothing that its operand gives afterwards meets anything.
#[test]
fn hints_are_sound_whenever_groups_come() {
    let mut rng = Rng::new(22);
    let (mut hints, mut overs) = (0, 0);
    for round in 0..200 {
        let p = JoinerWide { skips: 0b11, ..joiner(1 + round % 2) };
        let fibers: Vec<Fibers> = (0..20).map(|_| super::fibers(&mut rng)).collect();
        let groups = feeds(&mut rng, std::slice::from_ref(&fibers)).map(|f| grouped(p.group, &f));
        let stall = Stall::new(u64::from(round), 0.1 * f64::from(round % 8), 0.3);
        let out = run_model(&p, &[], &groups, &mut [], stall).unwrap();
        for k in 0..2 {
            for (cycle, h) in &out.outputs[3 + k] {
                let (f, over) = ((h.p[0] % (1 << TAG_W)) as usize, h.p[0] >> TAG_W == 1);
                // DONE has a number, too.
                let Some(fiber) = fibers.get(f) else { continue };
                let (mut at, mut later) = (0, BTreeSet::new());
                for (beat, taken) in groups[k].iter().zip(&out.inputs[k]) {
                    if at == f && taken > cycle && beat.is_leaf() {
                        later.extend(p.group.unpack(beat).0);
                    }
                    at += usize::from(beat.stop > 0);
                }
                let met = later.iter().filter(|&c| fiber[1 - k].contains(c));
                let needed: Vec<_> = met.filter(|&&c| over || c < h.p[1]).collect();
                assert!(needed.is_empty(), "{h:?} at {cycle}: {needed:?} of {fiber:?} comes later");
                *if over { &mut overs } else { &mut hints } += 1;
            }
        }
    }
    assert!(hints > 3000 && overs > 1000, "{hints} hints, {overs} ends");
}

/// Of a group that waits every coordinate is reported as soon as the other operand has come beyond the one
/// before.
#[test]
fn each_coordinate_that_waits_is_told() {
    let mut rng = Rng::new(23);
    for wide_log2 in [1, 2] {
        let p = JoinerWide { skips: 0b11, ..joiner(wide_log2) };
        let sparse = BTreeSet::from([50, 150, 350, 450]);
        let fiber: Fibers = [(0..500).collect(), sparse.clone()];
        let groups = feeds(&mut rng, &[vec![fiber]]).map(|f| grouped(p.group, &f));
        let out = run_model(&p, &[], &groups, &mut [], Stall::NONE).unwrap();
        let told = |k: usize| out.outputs[3 + k].iter().filter(|(_, h)| h.p[0] == 0).map(|(c, h)| (*c, h.p[1]));
        let crds: BTreeSet<u64> = told(0).map(|t| t.1).collect();
        assert_eq!(crds, sparse);
        for (n, c) in sparse.iter().enumerate().skip(1) {
            let before = sparse.iter().nth(n - 1).unwrap();
            let reached = groups[0].iter().position(|b| p.group.unpack(b).0.last() >= Some(before)).unwrap();
            let cycle = told(0).find(|t| t.1 == *c).unwrap().0;
            assert!(cycle <= out.inputs[0][reached] + 4, "{c} is told in {cycle}");
        }
        // When one has ended the other is told.
        let over = out.outputs[3].iter().find(|(_, h)| h.p[0] == 1 << TAG_W).unwrap();
        let last = groups[0].iter().position(|b| p.group.unpack(b).0.last() >= Some(&450)).unwrap();
        assert!(over.0 <= out.inputs[0][last] + 3, "over in {}", over.0);
    }
}
