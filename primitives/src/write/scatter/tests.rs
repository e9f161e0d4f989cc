//! The scatter writer against its meaning and its Verilog.

use super::Scatter;
use crate::every::forms::{Hosted, WIDTHS, item};
use crate::memories::memory_fold::FoldOrder;
use crate::write::value_writer::FINISHED;
use samhw_streams::{Beat, Leaf, Nest, encode};
use samhw_testing::bench::{self, Memory, Stall};
use samhw_testing::nests::{N, leaf, leaves, map, nest};
use samhw_testing::rtl::{check_rtl, usual_stalls};
use samhw_values::Rng;

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    WIDTHS.map(|[crd_w, _, ref_w, stop_w]| item(Scatter { val_w: crd_w, addr_w: ref_w, stop_w })).into()
}

const WRITER: Scatter = Scatter { val_w: 16, addr_w: 8, stop_w: 3 };
const FILL: u64 = 0xF11;

fn value(r: &mut Rng) -> Leaf {
    if r.happens(0.25) { N } else { leaf(r.bits() & 0xFFFF) }
}

/// A memory that says so when it has all of a run.
fn settles<'a>() -> Vec<Memory<'a>> {
    let end = FoldOrder::End.code(WRITER.addr_w);
    let answer = Box::new(move |b: Beat| if b.p[0] == end { vec![Beat::data(0, 1)] } else { vec![] });
    vec![bench::Memory { request: 0, response: 2, latency: 5, answer }]
}

fn positions(rng: &mut Rng, x: &Nest<Leaf>, chunk: u64) -> Nest<Leaf> {
    map(x, &mut |_| leaf(rng.below(chunk)))
}

/// What a run writes below `capacity`.
fn writes(x: &Nest<Leaf>, at: &Nest<Leaf>, capacity: u64) -> Vec<Beat> {
    let order = |o: FoldOrder, data| Beat::pair(0, o.code(WRITER.addr_w), data);
    let values = leaves(x).into_iter().zip(leaves(at));
    let there = values.filter(|(v, p)| v.present && p.p[0] < capacity);
    let folds = there.map(|(v, p)| order(FoldOrder::Fold(p.p[0]), v.p[0]));
    [order(FoldOrder::Begin, FILL)].into_iter().chain(folds).chain([order(FoldOrder::End, 0)]).collect()
}

#[test]
fn writes_what_is_there_where_it_belongs() {
    let mut rng = Rng::new(31);
    for (capacity, chunk) in [(200, 200), (40, 200)] {
        let (mut val, mut pos, mut want) = (vec![], vec![], vec![]);
        for run in 0..60 {
            let d = run % 4;
            let x = nest(&mut rng, d, &mut value);
            let at = positions(&mut rng, &x, chunk);
            val.extend(encode(&x, d));
            pos.extend(encode(&at, d));
            want.extend(writes(&x, &at, capacity));
        }
        for out in check_rtl(&WRITER, &[capacity, FILL, chunk], &[val, pos, vec![]], &settles, &usual_stalls(32)) {
            let out = out.unwrap();
            assert_eq!(out.beats(0), want);
            assert_eq!(out.beats(1), vec![FINISHED; 60]);
            assert_eq!(out.status, [chunk, u64::from(chunk > capacity)]);
        }
    }
}

#[test]
fn takes_a_leaf_a_cycle() {
    for n in [0, 1, 2, 5, 64] {
        let list = Nest::List(vec![Nest::List((0..n).map(|k| Nest::Leaf(leaf(k))).collect()); 20]);
        let feed = encode(&list, 2);
        let beats = feed.len() as u64;
        let out = &check_rtl(&WRITER, &[100, 0, 100], &[feed.clone(), feed, vec![]], &settles, &[Stall::NONE])[0];
        assert_eq!(out.as_ref().unwrap().inputs[0].last(), Some(&beats), "lists of {n}");
    }
}

#[test]
fn refuses_positions_outside_and_streams_that_differ() {
    let one = |p: u64| Nest::List(vec![Nest::Leaf(leaf(p))]);
    let two = Nest::List(vec![Nest::Leaf(leaf(1)), Nest::Leaf(leaf(2))]);
    let absent = Nest::List(vec![Nest::Leaf(N)]);
    for at in [one(100), two, absent] {
        let feeds = [encode(&one(3), 1), encode(&at, 1), vec![]];
        let got = check_rtl(&WRITER, &[200, 0, 100], &feeds, &settles, &usual_stalls(33));
        assert!(got.iter().all(Result::is_err), "{at:?}");
    }
}
