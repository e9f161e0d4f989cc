//! The hash locator against its meaning and its Verilog.

use super::LocatorHash;
use crate::every::forms::{Hosted, WIDTHS, item};
use samhw_streams::{Beat, Primitive, encode};
use samhw_testing::bench::{Memory, Stall, run_model};
use samhw_testing::nests::{N, fibers, leaf, leaves, map, nest, usual_lengths};
use samhw_testing::rtl::{check_rtl, usual_stalls};
use samhw_values::Rng;
use std::collections::BTreeMap;

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    WIDTHS
        .map(|[crd_w, ref_in_w, ref_w, stop_w]| {
            item(LocatorHash { crd_w, ref_in_w, addr_w: ref_w, ref_w, stop_w, queue_log2: stop_w })
        })
        .into()
}

const HASH: LocatorHash = LocatorHash { crd_w: 8, ref_in_w: 6, addr_w: 7, ref_w: 10, stop_w: 3, queue_log2: 3 };

/// The slot of a key as the page of the primitive says it, bit by bit.
fn number(p: &LocatorHash, way: usize, (crd, parent): (u64, u64), multiplier: u64, last: u64) -> u64 {
    let key = u128::from(parent) << p.crd_w | u128::from(crd);
    let twice = u128::from(multiplier) << 64 | u128::from(multiplier);
    let mut slot = 0;
    for i in 0..p.addr_w as usize {
        let ones = (0..64 - 32).filter(|b| key >> b & twice >> (32 * way + i + b) & 1 == 1).count();
        slot |= (ones as u64 % 2) << i;
    }
    slot & last
}

/// A table of both ways, and where what it holds lies.
struct Table {
    ways: [Vec<u64>; 2],
    held: BTreeMap<(u64, u64), u64>,
}

/// Puts keys where there is room; those without room are not in it.
fn table(p: &LocatorHash, multiplier: u64, last: u64, keys: &[(u64, u64)], rng: &mut Rng) -> Table {
    let empty = vec![0; last as usize + 1];
    let mut out = Table { ways: [empty.clone(), empty], held: BTreeMap::new() };
    for &(crd, parent) in keys {
        let free = |way: &usize| out.ways[*way][number(p, *way, (crd, parent), multiplier, last) as usize] == 0;
        let first = usize::from(rng.chance(50));
        if let (Some(way), false) = ([first, 1 - first].into_iter().find(free), out.held.contains_key(&(crd, parent))) {
            let position = rng.below(1 << p.ref_w);
            let word = ((1 << p.ref_w | position) << p.ref_in_w | parent) << p.crd_w | crd;
            out.ways[way][number(p, way, (crd, parent), multiplier, last) as usize] = word;
            out.held.insert((crd, parent), position);
        }
    }
    out
}

fn memories(table: &Table, latency: u64) -> Vec<Memory<'static>> {
    let one = |way: usize| {
        let data = table.ways[way].clone();
        let answer = Box::new(move |b: Beat| vec![Beat::data(0, data[b.p[0] as usize])]);
        Memory { request: way, response: way + 2, latency, answer }
    };
    vec![one(0), one(1)]
}

#[test]
fn it_finds_what_is_there() {
    let mut rng = Rng::new(41);
    for (addr_w, last) in [(7, 127), (7, 31), (10, 0), (3, 7)] {
        let p = LocatorHash { addr_w, ..HASH };
        let keys: Vec<(u64, u64)> = (0..200).map(|_| (rng.below(20), rng.below(8))).collect();
        let multiplier = rng.bits();
        let table = table(&p, multiplier, last, &keys, &mut rng);
        let (mut feeds, mut want) = (vec![Vec::new(); 4], Vec::new());
        for run in 0..40 {
            let d = run % 4;
            let crd = nest(&mut rng, d, &mut |r| if r.chance(10) { N } else { leaf(r.below(20)) });
            let parent = map(&crd, &mut |_| if rng.chance(10) { N } else { leaf(rng.below(8)) });
            let mut ps = leaves(&parent).into_iter();
            let found = map(&crd, &mut |c| match ps.next() {
                Some(q) if c.present && q.present => table.held.get(&(c.p[0], q.p[0])).map_or(N, |&at| leaf(at)),
                _ => N,
            });
            for (feed, x) in feeds.iter_mut().zip([&crd, &parent]) {
                feed.extend(encode(x, d));
            }
            want.extend(encode(&found, d));
        }
        for latency in [1, 2, 9] {
            let mems = || memories(&table, latency);
            for out in check_rtl(&p, &[multiplier, last], &feeds, &mems, &usual_stalls(42)) {
                assert_eq!(out.unwrap().beats(2), want, "{addr_w} {last} {latency}");
            }
        }
    }
}

#[test]
fn keys_of_many_bits_choose_their_slots_by_all_of_them() {
    let p = LocatorHash { crd_w: 20, ref_in_w: 12, addr_w: 9, ref_w: 20, ..HASH };
    let mut rng = Rng::new(43);
    let keys: Vec<(u64, u64)> = (0..300).map(|_| (rng.below(1 << 20), rng.below(1 << 12))).collect();
    let multiplier = rng.bits();
    let table = table(&p, multiplier, 511, &keys, &mut rng);
    let stream = |of: &dyn Fn(&(u64, u64)) -> u64| {
        let beats = keys.iter().enumerate().map(|(k, key)| Beat::data(u8::from(k + 1 == keys.len()), of(key)));
        beats.chain([Beat::DONE]).collect::<Vec<_>>()
    };
    let feeds = [stream(&|key| key.0), stream(&|key| key.1), vec![], vec![]];
    for out in check_rtl(&p, &[multiplier, 511], &feeds, &|| memories(&table, 1), &usual_stalls(44)) {
        let found = out.unwrap().beats(2);
        for (key, beat) in keys.iter().zip(found) {
            assert_eq!(beat.kind == samhw_streams::Kind::Data, table.held.contains_key(key), "{key:?}");
            assert!(table.held.get(key).is_none_or(|&at| at == beat.p[0]), "{key:?}");
        }
    }
}

#[test]
fn it_takes_a_beat_per_cycle() {
    for lengths in usual_lengths(&mut Rng::new(45)) {
        let feed = fibers(&lengths).repeat(2);
        let feeds = [feed.clone(), feed.clone(), vec![], vec![]];
        let empty = Table { ways: [vec![0; 128], vec![0; 128]], held: BTreeMap::new() };
        let p = LocatorHash { ref_in_w: 8, ..HASH };
        let out = run_model(&p, &[7, 127], &feeds, &mut memories(&empty, 1), Stall::NONE).unwrap();
        let times: Vec<u64> = out.outputs[2].iter().map(|x| x.0).collect();
        assert_eq!(times.last().unwrap() - times[0], feed.len() as u64 - 1, "{lengths:?}");
        if feed[0].is_leaf() {
            assert_eq!(times[0], u64::from(p.latency()));
        }
    }
}

#[test]
fn it_refuses_misaligned_streams() {
    let empty = Table { ways: [vec![0; 128], vec![0; 128]], held: BTreeMap::new() };
    for parent in [vec![Beat::DONE], vec![Beat::nil(1, 1), Beat::DONE]] {
        let feeds = [vec![Beat::data(1, 3), Beat::DONE], parent, vec![], vec![]];
        let got = check_rtl(&HASH, &[7, 127], &feeds, &|| memories(&empty, 2), &usual_stalls(1));
        assert!(got.iter().all(Result::is_err));
    }
}
