//! The writer of bitvector levels against its meaning, the shared vectors and its Verilog, and its cycles.

use super::BitsWriter;
use crate::every::forms::{Hosted, WIDTHS, item};
use crate::write::value_writer::FINISHED;
use crate::write::value_writer::tests::chained;
use crate::write::value_writer::tests::positions;
use samhw_streams::{Beat, Leaf, Nest, Word, encode};
use samhw_testing::bench::{Outcome, Stall, run_model};
use samhw_testing::nests::{items, leaf, leaves, map, nest, words};
use samhw_testing::rtl::{check_rtl, usual_stalls};
use samhw_testing::vectors::vectors;
use samhw_values::Rng;

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    let mut all = Vec::new();
    for [crd_w, ref_in_w, ref_w, stop_w] in WIDTHS {
        for (chain, skip_empty) in chained(stop_w) {
            let width = if skip_empty { 8 } else { 64 << chain };
            all.push(item(BitsWriter { width, crd_w, ref_in_w, addr_w: ref_w, ref_w, stop_w, chain, skip_empty }));
        }
    }
    all
}

fn writer(width: u32, chain: u32) -> BitsWriter {
    BitsWriter { width, crd_w: 8, ref_in_w: 8, addr_w: 13, ref_w: 12, stop_w: 3, chain, skip_empty: false }
}

/// A random stream of depth `d` whose fibers are coordinates below `dim`.
fn coordinates(rng: &mut Rng, d: u8, dim: u64) -> Nest<Leaf> {
    if d > 1 {
        return Nest::List((0..rng.below(4)).map(|_| coordinates(rng, d - 1, dim)).collect());
    }
    let some = [0.0, 0.05, 0.3, 1.0][rng.below(4) as usize];
    Nest::List((0..dim).filter(|_| rng.happens(some)).map(|c| Nest::Leaf(leaf(c))).collect())
}

/// Words and ranks of a fiber, of `count` words.
fn packed(fiber: &[Leaf], count: u64, width: u64, rank: &mut u64) -> Vec<[Word; 2]> {
    let mut out = vec![[Word::default(); 2]; count as usize];
    for l in fiber {
        let [word, first] = &mut out[(l.p[0] / width) as usize];
        if word.ones() == 0 {
            *first = Word::from(*rank);
        }
        word.set(l.p[0] % width);
        *rank += 1;
    }
    out
}

fn check_outcome(out: &Outcome, width: u32, want: &[Vec<[Word; 2]>]) {
    for port in [0, 1] {
        let run = |r: &Vec<[Word; 2]>| -> Vec<Beat> {
            (0..).zip(r).map(|(at, w)| Beat::pair(0, at, w[port].payload([width, 64][port]))).collect()
        };
        assert_eq!(out.beats(port), want.iter().flat_map(run).collect::<Vec<_>>(), "{port}");
    }
    assert_eq!(out.beats(2), vec![FINISHED; want.len()]);
}

#[test]
fn packs_fibers_one_after_another() {
    let mut rng = Rng::new(81);
    for (width, dim) in [(8, 100), (64, 200), (16, 16), (32, 1), (8, 0), (128, 200), (256, 100)] {
        for skip_empty in [false, true] {
            let w = BitsWriter { skip_empty, ..writer(width, 0) };
            let count = u64::div_ceil(dim, u64::from(width));
            let (mut feed, mut want) = (Vec::new(), Vec::new());
            for run in 0..40 {
                let d = 1 + run % 3;
                let (x, mut rank) = (coordinates(&mut rng, d, dim), 0);
                feed.extend(encode(&x, d));
                let written = items(&x, d, 1).into_iter().map(leaves).filter(|f| !skip_empty || !f.is_empty());
                want.push(written.flat_map(|f| packed(&f, count, u64::from(width), &mut rank)).collect());
            }
            for out in check_rtl(&w, &[8191, count], &[feed], &Vec::new, &usual_stalls(82)) {
                check_outcome(&out.unwrap(), width, &want);
            }
        }
    }
}

#[test]
fn packs_fibers_at_their_places_in_chunks() {
    let mut rng = Rng::new(83);
    for (chain, parents, width, dim, skip_empty) in [
        (1u32, 7, 8, 20, false),
        (1, 7, 8, 20, true),
        (2, 12, 32, 60, false),
        (2, 5, 16, 16, true),
        (1, 3, 8, 0, false),
        (1, 3, 128, 200, false),
    ] {
        let w = BitsWriter { skip_empty, ..writer(width, chain) };
        let count = u64::div_ceil(dim, u64::from(width));
        let (mut crd, mut pos, mut want) = (Vec::new(), Vec::new(), Vec::new());
        for run in 0..40 {
            let d = chain as u8 + run % 2;
            let p = loop {
                let p = nest(&mut rng, d, &mut |_| leaf(0));
                if items(&p, d, chain as u8).iter().all(|c| leaves(c).len() as u64 <= parents) {
                    break positions(&mut rng, &p, d, chain as u8, parents);
                }
            };
            let x = samhw_testing::nests::extend(&p, &mut |_| coordinates(&mut rng, 1, dim));
            let (mut run_words, mut rank) = (Vec::new(), 0);
            let chunks = items(&p, d, chain as u8).into_iter().zip(items(&x, d + 1, chain as u8 + 1));
            for (p, x) in chunks.filter(|(_, x)| !skip_empty || !leaves(x).is_empty()) {
                let (p, x) = (leaves(p), items(x, chain as u8 + 1, 1));
                let fiber = |at: u64| p.iter().position(|l| l.p[0] == at).map_or(vec![], |k| leaves(x[k]));
                let all = (0..parents).flat_map(|at| packed(&fiber(at), count, u64::from(width), &mut rank));
                run_words.extend(all);
            }
            crd.extend(encode(&x, d + 1));
            pos.extend(encode(&map(&p, &mut |l| l), d));
            want.push(run_words);
        }
        for out in check_rtl(&w, &[8191, count * parents, count], &[crd, pos], &Vec::new, &usual_stalls(84)) {
            check_outcome(&out.unwrap(), width, &want);
        }
    }
}

#[test]
fn agrees_with_the_shared_vectors() {
    for width in [4, 8] {
        let of_width = |v: &samhw_testing::vectors::Vector| v.param("width") == i64::from(width);
        for v in vectors("bitvector_pack").into_iter().filter(of_width) {
            let count = (v.param("dim") as u64).div_ceil(u64::from(width));
            let want: Vec<u64> = v.output("words", 8).into_iter().filter(Beat::is_leaf).map(|b| b.p[0]).collect();
            let feeds = [v.input("crd", 8)];
            let out = run_model(&writer(width, 0), &[8191, count], &feeds, &mut [], Stall::NONE).unwrap();
            assert_eq!(out.beats(0), words(&want), "line {}", v.line);
        }
    }
}

#[test]
fn a_fiber_takes_as_long_as_its_words_or_coordinates() {
    for (coordinates, count) in [(vec![0, 9, 18, 27], 4), ((0..32).collect::<Vec<u64>>(), 4), (vec![31], 4)] {
        let fibers = 50;
        let list = |c: &[u64]| Nest::List(c.iter().map(|&c| Nest::Leaf(leaf(c))).collect());
        let feed = encode(&Nest::List(vec![list(&coordinates); fibers]), 2);
        let out = run_model(&writer(8, 0), &[8191, count], &[feed], &mut [], Stall::NONE).unwrap();
        let steps = fibers as u64 * count.max(coordinates.len() as u64);
        let taken = out.outputs[2][0].0;
        assert!(taken >= steps && taken <= steps + 8, "{taken} for {steps}");
    }
}

#[test]
fn says_if_words_do_not_fit_and_refuses_what_is_malformed() {
    let feed = [vec![Beat::data(1, 3), Beat::DONE]];
    let full = run_model(&writer(8, 0), &[1, 2], &feed, &mut [], Stall::NONE).unwrap();
    assert_eq!((full.beats(0).len(), &full.status[..]), (1, &[2, 1][..]));
    for bad in [vec![Beat::data(0, 9), Beat::data(1, 3)], vec![Beat::data(1, 30)]] {
        let got = check_rtl(&writer(8, 0), &[100, 2], &[bad], &Vec::new, &usual_stalls(1)[..2]);
        assert!(got.iter().all(Result::is_err));
    }
    let (crd, pos) = (vec![Beat::data(2, 3), Beat::DONE], vec![Beat::nil(1, 1), Beat::DONE]);
    let got = check_rtl(&writer(8, 1), &[100, 4, 2], &[crd, pos], &Vec::new, &usual_stalls(1)[..2]);
    assert!(got.iter().all(Result::is_err));
}
