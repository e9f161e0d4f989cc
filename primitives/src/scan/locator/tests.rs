//! The locators against their meaning, the shared vectors and their Verilog.

use super::{LocatorBits, LocatorCompressed, LocatorDense};
use crate::every::forms::{Hosted, WIDTHS, item};
use samhw_streams::{Beat, Kind, Primitive, encode};
use samhw_testing::bench::{Memory, Stall, run_model};
use samhw_testing::nests::{N, fibers, leaf, leaves, map, nest, usual_lengths};
use samhw_testing::rtl::{check_rtl, usual_stalls};
use samhw_testing::vectors::{Vector, VectorCase, check_cases, vectors};
use samhw_values::Rng;

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    let mut all = Vec::new();
    for [crd_w, ref_in_w, ref_w, stop_w] in WIDTHS {
        let queue_log2 = stop_w;
        for width in [8, 64, 256] {
            all.push(item(LocatorBits { width, crd_w, ref_in_w, addr_w: ref_w, ref_w, stop_w, queue_log2 }));
        }
        all.push(item(LocatorDense { crd_w, ref_in_w, ref_w, stop_w }));
        all.push(item(LocatorCompressed { crd_w, ref_in_w, ref_w, stop_w }));
    }
    all
}

fn dense(ref_w: u32) -> LocatorDense {
    LocatorDense { crd_w: 8, ref_in_w: 16, ref_w, stop_w: 3 }
}

const COMPRESSED: LocatorCompressed = LocatorCompressed { crd_w: 8, ref_in_w: 6, ref_w: 10, stop_w: 3 };

/// Random streams crd and parent, and what `find` says of their leaves.
fn random(find: &dyn Fn(u64, u64) -> Option<u64>, parents: u64) -> ([Vec<Beat>; 2], Vec<Beat>) {
    let mut rng = Rng::new(31);
    let (mut feeds, mut want) = ([Vec::new(), Vec::new()], Vec::new());
    for run in 0..40 {
        let d = run % 4;
        let crd = nest(&mut rng, d, &mut |r| if r.happens(0.1) { N } else { leaf(r.below(40)) });
        let parent = map(&crd, &mut |_| if rng.happens(0.1) { N } else { leaf(rng.below(parents)) });
        let mut ps = leaves(&parent).into_iter();
        let found = map(&crd, &mut |c| match ps.next() {
            Some(p) if c.present && p.present => find(c.p[0], p.p[0]).map_or(N, leaf),
            _ => N,
        });
        for (feed, x) in feeds.iter_mut().zip([&crd, &parent]) {
            feed.extend(encode(x, d));
        }
        want.extend(encode(&found, d));
    }
    (feeds, want)
}

#[test]
fn dense_computes_positions() {
    for (ref_w, parents) in [(16, 1 << 10), (24, 1 << 16), (12, 1 << 16), (48, 1 << 16)] {
        for dim in [0, 33, 256] {
            let find = |c, p| (c < dim).then_some((p * dim + c) % (1 << ref_w));
            let (feeds, want) = random(&find, parents);
            for out in check_rtl(&dense(ref_w), &[dim], &feeds, &Vec::new, &usual_stalls(32)) {
                assert_eq!(out.unwrap().beats(0), want, "{ref_w} {dim}");
            }
        }
    }
}

#[test]
fn dense_takes_a_beat_per_cycle_with_the_latency_it_states() {
    for p in [dense(16), dense(32), dense(40)] {
        for lengths in usual_lengths(&mut Rng::new(33)) {
            let feed = fibers(&lengths).repeat(2);
            let out = run_model(&p, &[200], &[feed.clone(), feed.clone()], &mut [], Stall::NONE).unwrap();
            let first = u64::from(p.latency());
            assert!(out.outputs[0].iter().map(|x| x.0).eq(first..first + feed.len() as u64), "{p:?} {lengths:?}");
        }
    }
}

/// The memories of a compressed level.
fn memories(seg: &[u64], crd: &[u64], latency: u64) -> Vec<Memory<'static>> {
    let (seg, crd) = (seg.to_vec(), crd.to_vec());
    vec![
        Memory {
            request: 0,
            response: 2,
            latency,
            answer: Box::new(move |b| vec![Beat::pair(0, seg[b.p[0] as usize], seg[b.p[0] as usize + 1])]),
        },
        Memory {
            request: 1,
            response: 3,
            latency,
            answer: Box::new(move |b| {
                assert_eq!(b.p[1], 1, "one word a request");
                vec![Beat::data(0, crd[b.p[0] as usize])]
            }),
        },
    ]
}

fn search(seg: &[u64], crd: &[u64], c: u64, p: u64) -> Option<u64> {
    (seg[p as usize]..seg[p as usize + 1]).find(|&k| crd[k as usize] == c)
}

#[test]
fn compressed_finds_what_is_there() {
    let mut rng = Rng::new(34);
    let (mut seg, mut crd) = (vec![0], Vec::new());
    for parent in 0..20u64 {
        crd.extend((0..40).filter(|_| parent > 2 && rng.below(20) < parent));
        seg.push(crd.len() as u64);
    }
    let (feeds, want) = random(&|c, p| search(&seg, &crd, c, p), 20);
    let feeds = [feeds.to_vec(), vec![Vec::new(); 2]].concat();
    for latency in [1, 2, 9] {
        let mems = || memories(&seg, &crd, latency);
        for out in check_rtl(&COMPRESSED, &[], &feeds, &mems, &usual_stalls(35)) {
            assert_eq!(out.unwrap().beats(2), want);
        }
    }
}

/// Cycles per search for coordinate `c` in `fiber`, and from the first input to its result.
fn cycles(c: u64, fiber: &[u64]) -> (u64, u64) {
    let seg = [0, fiber.len() as u64];
    let stream = |x| vec![Beat::data(0, x), Beat::data(1, x), Beat::DONE];
    let feeds = [stream(c), stream(0), vec![], vec![]];
    let out = run_model(&COMPRESSED, &[], &feeds, &mut memories(&seg, fiber, 1), Stall::NONE).unwrap();
    let found = &out.outputs[2];
    (found[1].0 - found[0].0, found[0].0 - out.inputs[0][0])
}

#[test]
fn compressed_takes_the_cycles_it_states() {
    let round = 2;
    let fiber: Vec<u64> = (0..16).collect();
    for (c, probes) in [(8, 1), (4, 2), (0, 5)] {
        let search = round + 2 + probes * (round + 2);
        assert_eq!(cycles(c, &fiber), (search, search + 1), "{c}");
    }
    assert_eq!(cycles(0, &[]), (round + 3, round + 4));
    assert_eq!(cycles(8, &fiber).1, u64::from(COMPRESSED.latency()));
}

fn numbers(v: &Vector, name: &str) -> Vec<u64> {
    v.params["level"][name].as_array().unwrap().iter().map(|x| x.as_u64().unwrap()).collect()
}

fn of_kind(kind: &str) -> Vec<Vector> {
    let wanted = |v: &Vector| v.params["level"]["kind"] == kind && v.params["level"].get("slice").is_none();
    vectors("locator").into_iter().filter(wanted).collect()
}

/// `v`, with references that are `parents` higher above and `positions` below.
fn moved(v: &Vector, parents: u64, positions: u64) -> VectorCase {
    let up = |beats: Vec<Beat>, base: u64| -> Vec<Beat> {
        let one = |b: Beat| if b.kind == Kind::Data { Beat { p: [b.p[0] + base, 0], ..b } } else { b };
        beats.into_iter().map(one).collect()
    };
    let feeds = vec![v.input("crd", 8), up(v.input("parent", 8), parents)];
    VectorCase { line: v.line, feeds, wants: vec![up(v.output("found", 16), positions)] }
}

#[test]
fn dense_agrees_with_the_shared_vectors() {
    let vectors = of_kind("dense");
    for dim in 0..=5 {
        let of_dim = vectors.iter().filter(|v| v.params["level"]["dim"] == dim);
        check_cases(&dense(16), &[dim], &of_dim.map(|v| moved(v, 0, 0)).collect::<Vec<_>>());
    }
    assert!(vectors.iter().all(|v| v.params["level"]["dim"].as_u64().unwrap() <= 5));
}

#[test]
fn compressed_agrees_with_the_shared_vectors() {
    // The levels of all vectors lie one after the other, and so do the runs.
    let (mut seg, mut crd, mut want) = (Vec::new(), Vec::new(), Vec::new());
    let mut feeds = vec![Vec::new(); 4];
    for v in of_kind("compressed") {
        let positions = crd.len() as u64;
        let case = moved(&v, seg.len() as u64, positions);
        feeds.iter_mut().zip(case.feeds).for_each(|(all, f)| all.extend(f));
        want.extend(case.wants.concat());
        seg.extend(numbers(&v, "seg").into_iter().map(|s| s + positions));
        crd.extend(numbers(&v, "crd"));
    }
    let p = LocatorCompressed { ref_in_w: 8, ..COMPRESSED };
    for out in check_rtl(&p, &[], &feeds, &|| memories(&seg, &crd, 2), &usual_stalls(36)) {
        assert_eq!(out.unwrap().beats(2), want);
    }
}

#[test]
fn both_refuse_misaligned_streams() {
    for parent in [vec![Beat::DONE], vec![Beat::nil(1, 1), Beat::DONE]] {
        let crd = vec![Beat::data(1, 3), Beat::DONE];
        let got = check_rtl(&dense(16), &[9], &[crd.clone(), parent.clone()], &Vec::new, &usual_stalls(1));
        assert!(got.iter().all(Result::is_err));
        let feeds = [crd, parent, vec![], vec![]];
        let mems = || memories(&[0, 1, 1], &[3], 2);
        let got = check_rtl(&COMPRESSED, &[], &feeds, &mems, &usual_stalls(1));
        assert!(got.iter().all(Result::is_err));
    }
}

#[test]
fn bits_count_the_ones_below() {
    let mut rng = Rng::new(36);
    for width in [8, 64] {
        let count = 40u64.div_ceil(u64::from(width));
        let words: Vec<u64> = (0..20 * count).map(|_| (rng.bits() & rng.bits()) >> (64 - width)).collect();
        let ranks: Vec<u64> = words.iter().map(|_| rng.below(900)).collect();
        let find = |c: u64, p: u64| {
            let (at, bit) = ((p * count + c / u64::from(width)) as usize, c % u64::from(width));
            let below = (words[at] & ((1 << bit) - 1)).count_ones();
            (words[at] >> bit & 1 == 1).then(|| ranks[at] + u64::from(below))
        };
        let (feeds, want) = random(&find, 20);
        let feeds = [feeds.to_vec(), vec![Vec::new(); 2]].concat();
        // The product in one step, and in several.
        for (latency, addr_w) in [(1, 8), (2, 8), (9, 8), (2, 20), (9, 40)] {
            let p = LocatorBits { width, crd_w: 8, ref_in_w: 6, addr_w, ref_w: 10, stop_w: 3, queue_log2: 3 };
            let one = |request: usize, data: &[u64]| {
                let data = data.to_vec();
                let answer = Box::new(move |b: Beat| vec![Beat::data(0, data[b.p[0] as usize])]);
                Memory { request, response: request + 2, latency, answer }
            };
            let mems = || vec![one(0, &words), one(1, &ranks)];
            for out in check_rtl(&p, &[count], &feeds, &mems, &usual_stalls(37)) {
                assert_eq!(out.unwrap().beats(2), want);
            }
        }
    }
}

#[test]
fn bits_take_a_beat_per_cycle() {
    for (lengths, addr_w) in usual_lengths(&mut Rng::new(38)).into_iter().zip([12, 20].into_iter().cycle()) {
        let p = LocatorBits { width: 16, crd_w: 10, ref_in_w: 10, addr_w, ref_w: 12, stop_w: 3, queue_log2: 3 };
        let feed = fibers(&lengths).repeat(2);
        let one = |request: usize| {
            let answer = Box::new(move |_: Beat| vec![Beat::data(0, 0)]);
            Memory { request, response: request + 2, latency: 1, answer }
        };
        let feeds = [feed.clone(), feed.clone(), vec![], vec![]];
        let out = run_model(&p, &[0], &feeds, &mut [one(0), one(1)], Stall::NONE).unwrap();
        let times: Vec<u64> = out.outputs[2].iter().map(|x| x.0).collect();
        assert_eq!(times.last().unwrap() - times[0], feed.len() as u64 - 1, "{lengths:?}");
        if feed[0].is_leaf() {
            assert_eq!(times[0], u64::from(p.latency()), "{addr_w}");
        }
    }
}
