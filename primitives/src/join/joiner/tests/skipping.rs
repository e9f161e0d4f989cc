//! The joiner with skipping: results as without, hints that are sound, fibers that end early.

use super::{case, fiber, joiner, leaf, measure, random_tables};
use crate::join::joiner::{Joiner, TAG_W};
use samhw_streams::{Leaf, Nest, encode};
use samhw_testing::bench::{Stall, run_model};
use samhw_testing::rtl::{check_rtl, usual_stalls};
use samhw_values::Rng;

/// `j` with a hint for every operand that requires another.
fn skipping(j: Joiner) -> Joiner {
    let n = j.ref_w.len() as u32;
    let skips = (0..n).filter(|&k| j.required(k) != 0).fold(0, |s, k| s | 1 << k);
    Joiner { skips, ..j }
}

#[test]
fn required_is_what_an_operand_is_nothing_without() {
    let required = |j: Joiner| (0..j.ref_w.len() as u32).map(|k| j.required(k)).collect::<Vec<_>>();
    assert_eq!(required(joiner(2, Joiner::intersection(2))), [0b10, 0b01]);
    assert_eq!(required(joiner(2, Joiner::union(2))), [0, 0]);
    // Complement mask: where operand 0 is not, operand 1 does not matter.
    assert_eq!(required(joiner(2, vec![0b0010])), [0, 0b01]);
    assert_eq!(required(joiner(3, Joiner::intersection(3))), [0b110, 0b101, 0b011]);
    // (a | b) & c
    assert_eq!(required(joiner(3, Joiner::table(3, |p| p & 4 != 0 && p & 3 != 0))), [4, 4, 0]);
    // a & b | c & d: a next to c and d is passed on, unless the table says that it does not count there.
    let mut pairs = joiner(4, Joiner::table(4, |p| p & 3 == 3 || p & 12 == 12));
    assert_eq!(required(pairs.clone()), [0; 4]);
    pairs.keep = [3, 3, 12, 12].map(|with| Joiner::table(4, |p| p & with == with)).into();
    assert_eq!(required(pairs), [2, 1, 8, 4]);
}

#[test]
fn verilog_moves_as_the_model_and_results_stay() {
    let mut rng = Rng::new(12);
    let mut inner = joiner(2, Joiner::intersection(2));
    inner.used = 0b110;
    let mut mask = joiner(2, vec![0b0010]);
    mask.used = 0b011;
    let three = joiner(3, Joiner::intersection(3));
    let either = joiner(3, Joiner::table(3, |p| p & 4 != 0 && p & 3 != 0));
    let mut some = random_tables(&mut rng, 4);
    some.emit = Joiner::table(4, |p| p & 3 == 3 && p != 7);
    some.ref_w = vec![8, 11, 9, 8];
    for j in [inner, mask, three, either, some].map(skipping) {
        assert_ne!(j.skips, 0);
        let (feeds, expected) = case(&j, &mut rng, 40);
        let outcomes = check_rtl(&j, &[], &feeds, &Vec::new, &usual_stalls(3));
        let used = (0..expected.len()).filter(|&b| j.uses(b as u32));
        for (port, k) in used.enumerate() {
            outcomes.iter().for_each(|o| assert_eq!(o.as_ref().unwrap().beats(port), expected[k], "{j:?}"));
        }
    }
}

/// A hint names a fiber and a coordinate below which nothing of its operand can be emitted any more when it is
/// sent: what is emitted later, or meets that operand later, is not below.
#[test]
fn hints_are_sound_and_useful() {
    let mut rng = Rng::new(13);
    let (mut hints, mut overs) = (0, 0);
    for round in 0..60 {
        let n = 2 + round % 3;
        let j = skipping(joiner(n, Joiner::intersection(n as u32)));
        let fibers: Vec<Vec<Nest<Leaf>>> = (0..20).map(|_| (0..n).map(|_| fiber(&mut rng, 12, 60)).collect()).collect();
        let feeds: Vec<_> =
            (0..n).map(|k| encode(&Nest::List(fibers.iter().map(|f| f[k].clone()).collect()), 2)).collect();
        let out = run_model(&j, &[], &feeds, &mut [], Stall::new(round as u64, 0.3, 0.2)).unwrap();
        for k in 0..n {
            for h in out.beats(n + 1 + k) {
                let (f, over) = ((h.p[0] % (1 << TAG_W)) as usize, h.p[0] >> TAG_W == 1);
                let crds = |k: usize| match &fibers[f][k] {
                    Nest::List(v) => v.iter().map(|l| leaf(l).p[0]).collect::<Vec<_>>(),
                    Nest::Leaf(_) => vec![],
                };
                if over {
                    overs += 1;
                    assert!((0..n).any(|o| o != k && crds(o).last() < crds(k).last()));
                } else {
                    hints += 1;
                    assert!((0..n).any(|o| o != k && crds(o).contains(&h.p[1])), "some other operand is there");
                }
            }
        }
    }
    assert!(hints > 500 && overs > 100, "{hints} hints, {overs} ends");
}

#[test]
fn a_fiber_ends_with_the_operand_that_decides() {
    let list = |crds: &[u64]| Nest::List(crds.iter().map(|&c| Nest::Leaf(Leaf { present: true, p: [c, 1] })).collect());
    // What is left of the other operands, one last leaf each, goes in the step that ends the first.
    let fibers = vec![vec![list(&[5]), list(&[3, 9]), list(&[3, 9])]; 50];
    assert_eq!(measure(&skipping(joiner(3, Joiner::intersection(3))), &fibers).0, 50 * 2 + 3);
    assert_eq!(measure(&joiner(3, Joiner::intersection(3)), &fibers).0, 50 * 3 + 3);
    // Of two operands it does without skipping too.
    let fibers = vec![vec![list(&[5]), list(&[3, 9])]; 50];
    assert_eq!(measure(&skipping(joiner(2, Joiner::intersection(2))), &fibers).0, 50 * 2 + 3);
    assert_eq!(measure(&joiner(2, Joiner::intersection(2)), &fibers).0, 50 * 2 + 3);
    // Unions have nothing to skip, and take as long as before.
    let union = Joiner { skips: 1, ..joiner(2, Joiner::union(2)) };
    assert_eq!(measure(&union, &fibers).0, 50 * 3 + 2);
}
