//! The fork against its Verilog and its promises.

use super::Fork;
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
        all.extend(
            [(2, false), (3, true), (5, false)]
                .map(|(branches, ahead)| item(Fork { shape: shape.clone(), branches, ahead })),
        );
    }
    all.push(item(Fork { shape: Shape::Plain { fields: vec![Field::new("addr", 70)] }, branches: 3, ahead: false }));
    all
}

fn fork(branches: u32) -> Fork {
    let fields = vec![Field::new("crd", 8), Field::new("ref", 8)];
    Fork { shape: Shape::Stream { stop_w: 3, fields }, branches, ahead: false }
}

fn beats(n: usize) -> Vec<Beat> {
    let mut rng = Rng::new(5);
    (0..n).map(|_| Beat::pair(rng.below(8) as u8, rng.below(256), rng.below(256))).collect()
}

#[test]
fn every_branch_gets_every_beat() {
    for p in [
        fork(2),
        fork(5),
        Fork { shape: Shape::Plain { fields: vec![Field::new("addr", 70 - 8)] }, branches: 3, ahead: false },
    ] {
        let mut feed = beats(300);
        if let Shape::Plain { .. } = p.shape {
            feed.iter_mut().for_each(|b| (b.stop, b.p[1]) = (0, 0));
        }
        for outcome in check_rtl(&p, &[], std::slice::from_ref(&feed), &Vec::new, &usual_stalls(1)) {
            let outcome = outcome.unwrap();
            (0..p.branches as usize).for_each(|k| assert_eq!(outcome.beats(k), feed, "{p:?}"));
        }
    }
}

#[test]
fn one_beat_a_cycle_one_cycle_late() {
    let out = run_model(&fork(3), &[], &[beats(100)], &mut [], Stall::NONE).unwrap();
    for branch in &out.outputs {
        assert!(branch.iter().zip(0..).all(|(&(cycle, _), k)| cycle == k + 1));
    }
}

/// Branches are independent up to one beat: with one branch stuck the other still gets the
/// beat that the stuck one was offered.
#[test]
fn a_branch_takes_its_copy_at_once() {
    let mut chans = vec![samhw_streams::Chan::reset(); 3];
    let mut model = samhw_streams::Primitive::model(&fork(2), &[]);
    let mut taken = 0;
    for _ in 0..10 {
        (chans[0].valid, chans[0].beat) = (true, Beat::data(0, 1));
        (chans[1].ready, chans[2].ready) = (true, false);
        chans.iter_mut().for_each(samhw_streams::Chan::latch);
        taken += usize::from(chans[1].fire);
        model.tick(&mut samhw_streams::Io::new(&mut chans, &[0], &[1, 2])).unwrap();
    }
    assert_eq!(taken, 1);
}

/// With one branch stuck the others still get all beats that the fork takes: each one cycle later.
#[test]
fn branches_ahead_have_what_was_taken() {
    let p = Fork { ahead: true, ..fork(3) };
    let mut chans = vec![samhw_streams::Chan::reset(); 4];
    let mut model = samhw_streams::Primitive::model(&p, &[]);
    let (mut taken, mut given) = (Vec::new(), [Vec::new(), Vec::new()]);
    for cycle in 0..20 {
        (chans[0].valid, chans[0].beat) = (true, Beat::data(0, cycle));
        (chans[1].ready, chans[2].ready, chans[3].ready) = (cycle % 5 == 0, true, true);
        chans.iter_mut().for_each(samhw_streams::Chan::latch);
        for (k, given) in given.iter_mut().enumerate() {
            given.extend(chans[2 + k].fire.then_some(chans[2 + k].got));
        }
        assert_eq!((&given[0], &given[1]), (&taken, &taken), "what was taken in the cycles before has arrived");
        taken.extend(chans[0].fire.then_some(chans[0].got));
        model.tick(&mut samhw_streams::Io::new(&mut chans, &[0], &[1, 2, 3])).unwrap();
    }
    assert!(taken.len() > 4 && taken.len() < 9, "{taken:?}");
}

#[test]
fn a_branch_ahead_that_is_not_ready_is_a_fault() {
    let p = Fork { ahead: true, ..fork(2) };
    let mut chans = vec![samhw_streams::Chan::reset(); 3];
    let mut model = samhw_streams::Primitive::model(&p, &[]);
    let mut ended = Ok(true);
    for _ in 0..4 {
        (chans[0].valid, chans[1].ready, chans[2].ready) = (true, true, false);
        chans.iter_mut().for_each(samhw_streams::Chan::latch);
        ended = ended.and_then(|_| model.tick(&mut samhw_streams::Io::new(&mut chans, &[0], &[1, 2])));
    }
    assert!(ended.is_err());
}
