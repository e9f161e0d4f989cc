//! The value writer against its meaning, the shared vectors and its Verilog.

use super::{FINISHED, ValueWriter};
use crate::every::forms::{Hosted, WIDTHS, item};
use samhw_streams::{Beat, Leaf, Nest, encode};
use samhw_testing::bench::{Outcome, Stall, run_model};
use samhw_testing::nests::{N, fibers, items, leaf, leaves, map, nest, usual_lengths, words};
use samhw_testing::rtl::{check_rtl, field, usual_stalls};
use samhw_testing::vectors::{Vector, vectors};
use samhw_values::Rng;
use std::collections::BTreeSet;

/// How long chains of fields are where stops have `stop_w` bits, with and without empty lists.
pub(crate) fn chained(stop_w: u32) -> impl Iterator<Item = (u32, bool)> {
    (0..=stop_w.min(2)).flat_map(|chain| [(chain, false), (chain, true)])
}

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    let mut all = Vec::new();
    for [crd_w, _, ref_w, stop_w] in WIDTHS {
        for (chain, skip_empty) in chained(stop_w) {
            all.push(item(ValueWriter { val_w: crd_w, addr_w: ref_w, stop_w, chain, skip_empty }));
        }
    }
    all
}

const FILL: u64 = 0xF11;

fn writer(chain: u32) -> ValueWriter {
    ValueWriter { val_w: 16, addr_w: 12, stop_w: 3, chain, skip_empty: false }
}

fn value(r: &mut Rng) -> Leaf {
    if r.happens(0.25) { N } else { leaf(r.bits() & 0xFFFF) }
}

fn stored(l: &Leaf) -> u64 {
    if l.present { l.p[0] } else { FILL }
}

/// Every run wrote `want` (its words), then finished.
fn check_outcome(out: &Outcome, want: &[Vec<u64>]) {
    let all: Vec<Beat> = want.iter().flat_map(|run| words(run)).collect();
    assert_eq!(out.beats(0), all);
    assert_eq!(out.beats(1), vec![FINISHED; want.len()]);
    let mut end = 0;
    for (run, finished) in want.iter().zip(&out.outputs[1]) {
        end += run.len();
        assert!(end == 0 || out.outputs[0][end - 1].0 < finished.0, "finished before the last write had left");
    }
}

#[test]
fn appends_random_streams_as_its_meaning_says() {
    let mut rng = Rng::new(11);
    let (mut feed, mut want) = (Vec::new(), Vec::new());
    for run in 0..100 {
        let d = run % 4;
        let x = nest(&mut rng, d, &mut value);
        feed.extend(encode(&x, d));
        want.push(leaves(&x).iter().map(stored).collect());
    }
    for out in check_rtl(&writer(0), &[4095, FILL], &[feed], &Vec::new, &usual_stalls(12)) {
        check_outcome(&out.unwrap(), &want);
    }
}

#[test]
fn agrees_with_the_shared_vectors() {
    let vectors = vectors("value_writer");
    let fills: BTreeSet<i64> = vectors.iter().map(|v| v.param("fill")).collect();
    for fill in fills {
        let of_fill: Vec<&Vector> = vectors.iter().filter(|v| v.param("fill") == fill).collect();
        let feed = of_fill.iter().flat_map(|v| v.input("val", 16)).collect();
        let array = |v: &&Vector| v.array("vals").iter().map(|&x| field(x, 16)).collect();
        let want: Vec<Vec<u64>> = of_fill.iter().map(array).collect();
        for out in check_rtl(&writer(0), &[4095, field(fill, 16)], &[feed], &Vec::new, &usual_stalls(13)) {
            check_outcome(&out.unwrap(), &want);
        }
    }
}

/// Gives the leaves of each list of height `chain` of `x` increasing positions below `chunk`.
pub fn positions(rng: &mut Rng, x: &Nest<Leaf>, d: u8, chain: u8, chunk: u64) -> Nest<Leaf> {
    let mut all = Vec::new();
    for c in items(x, d, chain) {
        let n = leaves(c).len();
        let mut free: Vec<u64> = (0..chunk).collect();
        while free.len() > n {
            free.remove(rng.below(free.len() as u64) as usize);
        }
        all.extend(free);
    }
    let mut all = all.into_iter();
    map(x, &mut |_| leaf(all.next().expect("a position per leaf")))
}

/// A random stream whose lists of height `chain` have at most `chunk` leaves.
pub fn chunks(rng: &mut Rng, d: u8, chain: u8, chunk: u64) -> Nest<Leaf> {
    loop {
        let x = nest(rng, d, &mut value);
        if items(&x, d, chain).iter().all(|c| leaves(c).len() as u64 <= chunk) {
            return x;
        }
    }
}

fn scattered(vals: &Nest<Leaf>, pos: &Nest<Leaf>, d: u8, chunk: u64, w: &ValueWriter) -> Vec<u64> {
    let chain = w.chain as u8;
    let both = items(vals, d, chain).into_iter().zip(items(pos, d, chain));
    let written = both.filter(|(v, _)| !w.skip_empty || !leaves(v).is_empty());
    written
        .flat_map(|(v, p)| {
            let mut words = vec![FILL; chunk as usize];
            leaves(v).iter().zip(leaves(p)).for_each(|(v, p)| words[p.p[0] as usize] = stored(v));
            words
        })
        .collect()
}

#[test]
fn fills_every_position_of_every_chunk() {
    for (chain, chunk) in [(1, 7), (2, 9), (2, 1), (1, 0), (3, 20)] {
        for skip_empty in [false, true] {
            check_filling(&ValueWriter { skip_empty, ..writer(chain) }, chunk);
        }
    }
}

fn check_filling(w: &ValueWriter, chunk: u64) {
    let chain = w.chain as u8;
    let mut rng = Rng::new(13 + chunk);
    let (mut val, mut pos, mut want) = (Vec::new(), Vec::new(), Vec::new());
    for run in 0..60 {
        let d = chain + run % 3;
        let x = chunks(&mut rng, d, chain, chunk);
        let p = positions(&mut rng, &x, d, chain, chunk);
        val.extend(encode(&x, d));
        pos.extend(encode(&p, d));
        want.push(scattered(&x, &p, d, chunk, w));
    }
    for out in check_rtl(w, &[4095, FILL, chunk], &[val, pos], &Vec::new, &usual_stalls(14)) {
        check_outcome(&out.unwrap(), &want);
    }
}

#[test]
fn appends_a_beat_per_cycle_across_runs() {
    for lengths in usual_lengths(&mut Rng::new(15)) {
        let feed = fibers(&lengths).repeat(3);
        let out = run_model(&writer(0), &[4095, FILL], std::slice::from_ref(&feed), &mut [], Stall::NONE).unwrap();
        assert!(out.inputs[0].iter().copied().eq(0..feed.len() as u64), "{lengths:?}");
        assert_eq!(out.outputs[1].last().unwrap().0, feed.len() as u64 - 1 + 1);
    }
}

#[test]
fn places_a_word_per_cycle() {
    // Twelve chunks of ten positions, items at 2, 3 and 9, then at 0 only.
    let lists = (0..12).map(|k| if k % 2 == 0 { vec![2, 3, 9] } else { vec![0] });
    let x = Nest::List(lists.map(|l| Nest::List(l.into_iter().map(|p| Nest::Leaf(leaf(p))).collect())).collect());
    let feed = encode(&x, 2);
    let out = run_model(&writer(1), &[4095, FILL, 10], &[feed.clone(), feed], &mut [], Stall::NONE).unwrap();
    assert!(out.outputs[0].iter().map(|x| x.0).eq(2..122));
    assert_eq!(out.outputs[1][0].0, 122);
}

#[test]
fn a_skipped_chunk_takes_a_cycle() {
    // Only every fourth chunk of three positions has a value.
    let lists = (0..16).map(|k| Nest::List(if k % 4 == 3 { vec![Nest::Leaf(leaf(2))] } else { vec![] }));
    let feed = encode(&Nest::List(lists.collect()), 2);
    let p = ValueWriter { skip_empty: true, ..writer(1) };
    let out = run_model(&p, &[4095, FILL, 3], &[feed.clone(), feed], &mut [], Stall::NONE).unwrap();
    assert_eq!(out.beats(0), words(&[FILL, FILL, 2].repeat(4)));
    // Twelve skipped chunks, twelve words.
    assert_eq!(out.outputs[1][0].0, 24 + 2);
}

#[test]
fn drops_words_beyond_the_capacity_and_says_so() {
    let feed = fibers(&[3, 4]);
    for (capacity, overflow) in [(7, 0), (6, 1), (0, 1)] {
        for out in check_rtl(&writer(0), &[capacity, FILL], std::slice::from_ref(&feed), &Vec::new, &usual_stalls(2)) {
            let out = out.unwrap();
            assert_eq!(out.beats(0).len() as u64, capacity);
            assert_eq!(out.status, [7, overflow]);
            assert_eq!(out.beats(1), [FINISHED]);
        }
    }
    // The next run begins again.
    let feeds = [[fibers(&[9]), fibers(&[2])].concat()];
    for out in check_rtl(&writer(0), &[5, FILL], &feeds, &Vec::new, &usual_stalls(3)) {
        assert_eq!(out.unwrap().status, [2, 0]);
    }
}

#[test]
fn the_count_stays_at_its_largest_number() {
    let p = ValueWriter { val_w: 8, addr_w: 4, stop_w: 2, ..writer(0) };
    for out in check_rtl(&p, &[15, FILL], &[fibers(&[40])], &Vec::new, &[Stall::NONE]) {
        let out = out.unwrap();
        assert_eq!((out.beats(0).len(), out.status), (15, vec![15, 1]));
    }
}

#[test]
fn both_refuse_positions_that_do_not_fit() {
    let x = |ps: &[u64]| encode(&Nest::List(ps.iter().map(|&p| Nest::Leaf(leaf(p))).collect()), 1);
    for pos in [x(&[1, 1]), x(&[2, 1]), x(&[1, 3]), x(&[0, 1, 2]), vec![Beat::nil(1, 1), Beat::DONE]] {
        let feeds = [x(&[5, 6]), pos];
        let got = check_rtl(&writer(1), &[4095, FILL, 3], &feeds, &Vec::new, &usual_stalls(4));
        assert!(got.iter().all(Result::is_err), "{feeds:?}");
    }
}
