//! The joiner of bitvectors against its meaning, its Verilog against its model, and its cycles.

use super::JoinerBits;
use crate::every::forms::{Hosted, item};
use crate::join::joiner::tests::intersections;
use crate::join::joiner::{Joiner, bit};
use samhw_streams::{Beat, Leaf, Nest, Word, encode};
use samhw_testing::bench::{Stall, run_model};
use samhw_testing::rtl::{check_rtl, usual_stalls};
use samhw_testing::words::{put_words, random_word};
use samhw_values::Rng;

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    let mut all = Vec::new();
    for (_, plain) in intersections() {
        for width in [8, 64, 128] {
            all.extend([0, 12].map(|tag_w| item(JoinerBits { joiner: plain.clone(), width, tag_w })));
        }
    }
    all
}

/// Words and ranks of one fiber per operand.
type Fibers = Vec<Vec<(Word, u64)>>;

fn fibers(rng: &mut Rng, n: usize, width: u32) -> Fibers {
    let words = rng.below(4) + 1;
    (0..n).map(|_| (0..words).map(|_| (random_word(rng, width), rng.below(100))).collect()).collect()
}

/// (crd, refs) of a fiber.
fn meaning(p: &JoinerBits, f: &Fibers) -> Vec<(u64, Vec<Option<u64>>)> {
    let mut out = Vec::new();
    for w in 0..f[0].len() {
        for b in 0..u64::from(p.width) {
            let set = f.iter().enumerate().fold(0, |s, (k, x)| s | u32::from(x[w].0.bit(b)) << k);
            if set != 0 && bit(&p.joiner.emit, set) {
                let refs = f.iter().enumerate().map(|(k, x)| {
                    let there = set >> k & 1 == 1 && bit(&p.joiner.keep[k], set);
                    there.then(|| x[w].1 + (0..b).filter(|&c| x[w].0.bit(c)).count() as u64)
                });
                out.push((w as u64 * u64::from(p.width) + b, refs.collect()));
            }
        }
    }
    out
}

fn list(leaves: impl Iterator<Item = Option<[u64; 2]>>) -> Nest<Leaf> {
    Nest::List(leaves.map(|p| Nest::Leaf(Leaf { present: p.is_some(), p: p.unwrap_or_default() })).collect())
}

/// Feeds and wanted outputs for these fibers as one list of lists, with an empty one and a run without any between.
fn case(p: &JoinerBits, all: &[Fibers]) -> (Vec<Vec<Beat>>, Vec<Vec<Beat>>) {
    let n = p.joiner.ref_w.len();
    let words = |k: usize| {
        let mut feed = encode(&Nest::List(all.iter().map(|f| list(f[k].iter().map(|w| Some([0, w.1])))).collect()), 2);
        put_words(&mut feed, p.width, all.iter().flat_map(|f| f[k].iter().map(|w| w.0)));
        feed
    };
    let mut feeds: Vec<Vec<Beat>> = (0..n).map(words).collect();
    let joined: Vec<_> = all.iter().map(|f| meaning(p, f)).collect();
    let crds = joined.iter().map(|j| list(j.iter().map(|x| Some([x.0, 0])))).collect();
    let refs = |k: usize| joined.iter().map(|j| list(j.iter().map(|x| x.1[k].map(|r| [r, 0])))).collect();
    let mut wants = vec![encode(&Nest::List(crds), 2)];
    wants.extend((0..n).map(|k| encode(&Nest::List(refs(k)), 2)));
    let hollow = [Beat::nil(3, 3), Beat::DONE, Beat::nil(1, 1), Beat::nil(2, 1), Beat::DONE];
    feeds.iter_mut().chain(&mut wants).for_each(|f| f.extend(hollow));
    (feeds, wants)
}

fn joiner(n: usize, width: u32, emit: Vec<u64>) -> JoinerBits {
    JoinerBits { joiner: Joiner::new(emit, 12, &vec![9; n], 3), width, tag_w: 0 }
}

#[test]
fn joins_words_by_any_table() {
    let mut rng = Rng::new(1);
    let mut some = joiner(3, 16, vec![rng.bits()]);
    some.joiner.keep = (0..3).map(|_| vec![rng.bits()]).collect();
    let mut inner = joiner(2, 64, Joiner::intersection(2));
    inner.joiner.used = 0b110;
    let mut wide = joiner(3, 128, vec![rng.bits()]);
    wide.joiner.keep = (0..3).map(|_| vec![rng.bits()]).collect();
    let plain = [(2, 8, Joiner::union(2)), (2, 32, vec![0b0010]), (1, 64, vec![0b10]), (2, 256, Joiner::union(2))];
    for p in [some, inner, wide].into_iter().chain(plain.map(|(n, width, emit)| joiner(n, width, emit))) {
        let all: Vec<Fibers> = (0..40).map(|_| fibers(&mut rng, p.joiner.ref_w.len(), p.width)).collect();
        let (feeds, wants) = case(&p, &all);
        let used: Vec<usize> = (0..wants.len()).filter(|b| p.joiner.used >> b & 1 == 1).collect();
        for got in check_rtl(&p, &[], &feeds, &Vec::new, &usual_stalls(3)) {
            let got = got.unwrap();
            used.iter().enumerate().for_each(|(port, &b)| assert_eq!(got.beats(port), wants[b], "{p:?}"));
        }
    }
}

#[test]
fn a_word_costs_its_coordinates_and_at_least_one_cycle() {
    let mut rng = Rng::new(2);
    for (width, emit) in [(64, Joiner::intersection(2)), (32, Joiner::union(2)), (256, Joiner::intersection(2))] {
        let p = joiner(2, width, emit);
        let all: Vec<Fibers> = (0..60).map(|_| fibers(&mut rng, 2, p.width)).collect();
        let words = |f: &Fibers| {
            let one = |w: usize| vec![vec![f[0][w]], vec![f[1][w]]];
            (0..f[0].len()).map(|w| meaning(&p, &one(w)).len().max(1) as u64).sum::<u64>()
        };
        let steps: u64 = all.iter().map(words).sum();
        let (feeds, _) = case(&p, &all);
        let first_run: Vec<Vec<Beat>> = feeds
            .iter()
            .map(|f| f.iter().copied().take(1 + f.iter().position(|b| *b == Beat::DONE).unwrap()).collect())
            .collect();
        let out = run_model(&p, &[], &first_run, &mut [], Stall::NONE).unwrap();
        let first = out.inputs.iter().map(|i| i[0]).min().unwrap();
        assert_eq!(out.outputs[0].last().unwrap().0 - first, steps + 4);
    }
}

#[test]
fn refuses_operands_that_are_not_aligned() {
    let p = joiner(2, 8, Joiner::union(2));
    let good = vec![Beat::pair(0, 1, 0), Beat::pair(1, 1, 1), Beat::DONE];
    for bad in [vec![Beat::pair(1, 1, 0), Beat::DONE], vec![Beat::nil(1, 1), Beat::DONE]] {
        let got = check_rtl(&p, &[], &[good.clone(), bad], &Vec::new, &usual_stalls(1)[..2]);
        assert!(got.iter().all(Result::is_err));
    }
}

/// Three fibers of three words of two operands; of the second one it is told that it is over.
#[test]
fn a_fiber_that_is_told_of_has_a_coordinate_of_each_word_that_follows() {
    let p = JoinerBits { tag_w: 3, ..joiner(2, 64, Joiner::intersection(2)) };
    let mut ones = Word::default();
    (0..64).for_each(|b| ones.set(b));
    let all: Vec<Fibers> = (0..3).map(|_| vec![vec![(ones, 0), (ones, 64), (ones, 128)]; 2]).collect();
    let (mut feeds, whole) = case(&p, &all);
    // A hint of the last fiber comes too early, and one that does not say over means nothing.
    feeds.push([(1, 0), (1, 1), (0, 0), (1, 2)].map(|(over, f)| Beat::pair(0, over << 3 | f, 0)).to_vec());
    for got in check_rtl(&p, &[], &feeds, &Vec::new, &usual_stalls(4)) {
        let got = got.unwrap();
        let crds = got.beats(0);
        // Both operands have every coordinate, each at the position of its number.
        assert!((1..3).all(|port| {
            got.beats(port).iter().map(|b| (b.kind, b.stop, b.p[0])).eq(crds.iter().map(|b| (b.kind, b.stop, b.p[0])))
        }));
        let fibers: Vec<&[Beat]> = crds.split_inclusive(|b| b.stop > 0).take(3).collect();
        assert!(fibers.iter().all(|fiber| (0..3).all(|k| fiber.iter().any(|b| b.p[0] / 64 == k))));
        assert!(crds.len() < whole[0].len(), "no fiber was cut");
    }
}

/// Of a fiber that is told of the operands have other numbers of words; those around are whole.
#[test]
fn a_fiber_that_is_told_of_may_be_uneven() {
    let (mut rng, width) = (Rng::new(9), 16);
    for n in [2, 3] {
        let p = JoinerBits { tag_w: 3, ..joiner(n, width, Joiner::intersection(n as u32)) };
        let mut all: Vec<Fibers> = (0..3).map(|_| fibers(&mut rng, n, width)).collect();
        for (k, of) in all[1].iter_mut().enumerate() {
            *of = (0..2 + 3 * k).map(|_| (random_word(&mut rng, width), rng.below(100))).collect();
        }
        let words = |k: usize| {
            let list = |f: &Fibers| list(f[k].iter().map(|w| Some([0, w.1])));
            let mut feed = encode(&Nest::List(all.iter().map(list).collect()), 2);
            put_words(&mut feed, p.width, all.iter().flat_map(|f| f[k].iter().map(|w| w.0)));
            feed
        };
        let mut feeds: Vec<Vec<Beat>> = (0..n).map(words).collect();
        feeds.push((0..200).map(|_| Beat::pair(0, 1 << 3 | 1, 0)).collect());
        for got in check_rtl(&p, &[], &feeds, &Vec::new, &usual_stalls(9)) {
            let got = got.unwrap().beats(0);
            let lists: Vec<&[Beat]> = got.split_inclusive(|b| b.stop > 0).collect();
            assert_eq!(lists.len(), 4, "three fibers and the end: {lists:?}");
            for f in [0, 2] {
                let want: Vec<u64> = meaning(&p, &all[f]).into_iter().map(|(crd, _)| crd).collect();
                let leaves = lists[f].iter().filter(|b| b.is_leaf()).map(|b| b.p[0]);
                assert_eq!(leaves.collect::<Vec<_>>(), want);
            }
        }
    }
}
