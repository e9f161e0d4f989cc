//! The dropper against its meaning, its Verilog, and its promise of one beat a cycle.

use super::{Dropper, Explicit, Inner};
use crate::every::forms::{Hosted, WIDTHS, item};
use samhw_streams::{Beat, Field, Kind, Leaf, Nest, encode};
use samhw_testing::bench::{Stall, run_model};
use samhw_testing::rtl::{check_rtl, usual_stalls};
use samhw_testing::vectors::{Vector, VectorCase, check_cases, vectors};
use samhw_values::Rng;

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    let mut all = Vec::new();
    for [crd_w, _, x_w, stop_w] in WIDTHS {
        // What holds an empty list's hole is no narrower than a stop; a list has two levels.
        let (crd_w, stop_w) = (crd_w.max(2), stop_w.max(2));
        let crd = Field::new("crd", crd_w);
        let second = Field::new("ref", x_w);
        for explicit in [None, Some(Explicit { value: 1, care: u64::MAX >> (64 - x_w) })] {
            all.push(item(Dropper { crd_w, inner: Inner::Value { field: second.clone(), explicit }, stop_w }));
        }
        for fields in [vec![crd.clone()], vec![crd, second]] {
            all.push(item(Dropper { crd_w, inner: Inner::List { fields }, stop_w }));
        }
    }
    all
}

fn items(x: &Nest<Leaf>) -> &[Nest<Leaf>] {
    match x {
        Nest::List(v) => v,
        Nest::Leaf(_) => panic!("a list was expected"),
    }
}

/// What a dropper means: the outer leaves and inner items that stay.
fn meaning(outer: &Nest<Leaf>, inner: &Nest<Leaf>, explicit: Option<Explicit>, h: u8) -> (Nest<Leaf>, Nest<Leaf>) {
    let dead = |x: &Nest<Leaf>| match x {
        Nest::List(v) => v.is_empty(),
        Nest::Leaf(l) => !l.present || explicit.is_some_and(|e| e.matches(l.p[0])),
    };
    let pairs = items(outer).iter().zip(items(inner));
    let (a, b) = match h {
        1 => pairs.filter(|(_, b)| !dead(b)).map(|(a, b)| (a.clone(), b.clone())).unzip(),
        _ => pairs.map(|(a, b)| meaning(a, b, explicit, h - 1)).unzip(),
    };
    (Nest::List(a), Nest::List(b))
}

fn value(rng: &mut Rng) -> Nest<Leaf> {
    let present = rng.happens(0.6);
    Nest::Leaf(Leaf { present, p: [if present { rng.below(4) } else { 0 }, 0] })
}

/// A list of coordinates, or of pairs whose second payload may be absent.
fn list(rng: &mut Rng, pairs: bool) -> Nest<Leaf> {
    let leaf = |rng: &mut Rng, c| {
        let present = !pairs || rng.happens(0.7);
        Nest::Leaf(Leaf { present, p: [c, if pairs && present { rng.below(200) } else { 0 }] })
    };
    let length = [0, 0, 1, 2, 5][rng.below(5) as usize];
    Nest::List((0..length).map(|c| leaf(rng, c)).collect())
}

/// Aligned outer and inner nested lists, outer of depth `h`.
fn operands(rng: &mut Rng, h: u8, item: &dyn Fn(&mut Rng) -> Nest<Leaf>) -> (Nest<Leaf>, Nest<Leaf>) {
    let children = (0..rng.below(6)).map(|c| match h {
        1 => (Nest::Leaf(Leaf { present: true, p: [10 + c, 0] }), item(rng)),
        _ => operands(rng, h - 1, item),
    });
    let (a, b) = children.unzip();
    (Nest::List(a), Nest::List(b))
}

fn values(explicit: Option<u64>) -> Dropper {
    dropping(explicit.map(|value| Explicit { value, care: 0x1ff }))
}

fn dropping(explicit: Option<Explicit>) -> Dropper {
    Dropper { crd_w: 8, inner: Inner::Value { field: Field::new("val", 9), explicit }, stop_w: 3 }
}

fn lists(pairs: bool) -> Dropper {
    let fields = [Field::new("crd", 7), Field::new("val", 8)];
    Dropper { crd_w: 8, inner: Inner::List { fields: fields[..1 + usize::from(pairs)].to_vec() }, stop_w: 3 }
}

/// Feeds of several runs, back to back, and what has to come out.
fn case(p: &Dropper, rng: &mut Rng, runs: usize) -> ([Vec<Beat>; 2], [Vec<Beat>; 2]) {
    let (mut feeds, mut expected) = ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()]);
    for _ in 0..runs {
        let d = 1 + rng.below(3) as u8;
        let (deeper, explicit, pairs) = match &p.inner {
            Inner::Value { explicit, .. } => (0, *explicit, false),
            Inner::List { fields } => (1, None, fields.len() > 1),
        };
        let item = |rng: &mut Rng| if deeper == 0 { value(rng) } else { list(rng, pairs) };
        let (o, i) = operands(rng, d, &item);
        let (a, b) = meaning(&o, &i, explicit, d);
        feeds[0].extend(encode(&o, d));
        feeds[1].extend(encode(&i, d + deeper));
        expected[0].extend(encode(&a, d));
        expected[1].extend(encode(&b, d + deeper));
    }
    (feeds, expected)
}

fn all_forms() -> [Dropper; 5] {
    let either = dropping(Some(Explicit { value: 3, care: 0x1fd }));
    [values(None), values(Some(3)), either, lists(false), lists(true)]
}

#[test]
fn model_means_what_it_says() {
    let mut rng = Rng::new(1);
    for round in 0..800 {
        let p = &all_forms()[round % 4];
        let (feeds, expected) = case(p, &mut rng, 3);
        let out = run_model(p, &[], &feeds, &mut [], usual_stalls(round as u64)[round % 5]).unwrap();
        for (k, e) in expected.iter().enumerate() {
            assert_eq!(&out.beats(k), e, "{p:?}, output {k}, {feeds:?}");
        }
    }
}

#[test]
fn agrees_with_the_shared_vectors() {
    let vectors = vectors("dropper");
    let case = |v: &Vector| {
        let feeds = vec![v.input("outer", 8), v.input("inner", 9)];
        VectorCase { line: v.line, feeds, wants: vec![v.output("outer", 8), v.output("inner", 9)] }
    };
    let mut checked = 0;
    for (p, deeper, explicit) in [(values(None), 0, None), (values(Some(0)), 0, Some(0)), (lists(false), 1, None)] {
        let of_form = vectors.iter().filter(|v| {
            v.param("inner_depth") - v.param("depth") == deeper && v.params["explicit"].as_i64() == explicit
        });
        let cases: Vec<VectorCase> = of_form.map(case).collect();
        check_cases(&p, &[], &cases);
        checked += cases.len();
    }
    assert_eq!(checked, vectors.len());
}

#[test]
fn verilog_moves_as_the_model() {
    let mut rng = Rng::new(2);
    for p in all_forms() {
        let (feeds, expected) = case(&p, &mut rng, 60);
        for outcome in check_rtl(&p, &[], &feeds, &Vec::new, &usual_stalls(3)) {
            let outcome = outcome.unwrap();
            assert_eq!([outcome.beats(0), outcome.beats(1)], expected, "{p:?}");
        }
    }
}

#[test]
fn one_beat_of_inner_a_cycle() {
    let mut rng = Rng::new(3);
    for p in all_forms() {
        let (feeds, _) = case(&p, &mut rng, 100);
        let out = run_model(&p, &[], &feeds, &mut [], Stall::NONE).unwrap();
        let steps = out.inputs[1].len() as u64;
        assert_eq!(out.inputs[1].last().unwrap() - out.inputs[1][0], steps - 1, "{p:?}");
        assert_eq!(out.outputs[1].last().unwrap().0, out.inputs[1].last().unwrap() + 3, "{p:?}");
    }
}

/// A slow reader of one output must not stop the other within an item.
#[test]
fn inner_flows_while_outer_waits() {
    let p = lists(false);
    let mut chans = vec![samhw_streams::Chan::reset(); 4];
    let mut model = samhw_streams::Primitive::model(&p, &[]);
    let outer = [Beat::data(0, 1), Beat::data(0, 2), Beat::data(1, 3)];
    let inner: Vec<Beat> = (0..30).map(|c| Beat::data(u8::from(c % 10 == 9), c % 10)).collect();
    let (mut next, mut seen) = ([0, 0], 0);
    for _ in 0..60 {
        for (k, feed) in [&outer[..], &inner[..]].into_iter().enumerate() {
            if !chans[k].valid && next[k] < feed.len() {
                (chans[k].valid, chans[k].beat) = (true, feed[next[k]]);
                next[k] += 1;
            }
        }
        (chans[2].ready, chans[3].ready) = (false, true);
        chans.iter_mut().for_each(samhw_streams::Chan::latch);
        chans[..2].iter_mut().filter(|c| c.fire).for_each(|c| c.valid = false);
        seen += usize::from(chans[3].fire);
        model.tick(&mut samhw_streams::Io::new(&mut chans, &[0, 1], &[2, 3])).unwrap();
    }
    // Leaf 1 is in outer's output, leaf 2 is held back: list 2 flows, but for its end.
    assert_eq!(seen, 19);
}

#[test]
fn model_and_verilog_refuse_misaligned_streams() {
    let pairs = [
        (values(None), [Beat::data(0, 1), Beat::data(1, 2)], [Beat::data(1, 1), Beat::DONE]),
        (values(None), [Beat { kind: Kind::Empty, ..Beat::data(0, 1) }, Beat::DONE], [Beat::data(0, 1), Beat::DONE]),
        (lists(false), [Beat::data(0, 1), Beat::data(1, 2)], [Beat::data(2, 1), Beat::DONE]),
        (lists(false), [Beat::nil(1, 1), Beat::DONE], [Beat::nil(1, 1), Beat::DONE]),
        (lists(false), [Beat::data(1, 1), Beat::DONE], [Beat::data(0, 1), Beat::nil(2, 1)]),
    ];
    for (p, outer, inner) in pairs {
        let outcomes = check_rtl(&p, &[], &[outer.to_vec(), inner.to_vec()], &Vec::new, &usual_stalls(1)[..2]);
        assert!(outcomes.iter().all(Result::is_err), "{p:?} {inner:?}");
    }
}
