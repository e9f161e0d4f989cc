//! Where extreme values come first, against the meaning and the Verilog.

use super::PrefixFirst;
use crate::every::forms::{Hosted, item};
use samhw_streams::{Beat, Leaf, Nest, Primitive, encode};
use samhw_testing::bench::{Stall, run_model};
use samhw_testing::nests::{fibers, leaf, map, nest, usual_lengths};
use samhw_testing::rtl::{check_rtl, usual_stalls};
use samhw_values::{Fun, Rng, Type, mask};

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    let mut all = Vec::new();
    for (n, ty) in ["i16", "u8", "f32", "bool", "fx16.8"].into_iter().enumerate() {
        let (ty, crd_w) = (Type::accumulator_from_name(ty).unwrap(), [1, 9, 12][n % 3]);
        let in_w = if n % 2 == 0 { crd_w.max(3) } else { 2 * crd_w };
        all.push(item(PrefixFirst { greatest: n % 2 == 1, ty, crd_w, in_w, stop_w: 3 }));
    }
    all
}

/// The meaning, as numpy has it: the first place of the extreme value, NaN being extreme.
fn first(values: &[(u64, u64)], p: &PrefixFirst) -> u64 {
    let nan = |v: u64| p.ty.is_float() && Fun::Eq.apply(&[v, v], p.ty) == 0;
    if let Some(found) = values.iter().find(|(_, v)| nan(*v)) {
        return found.0;
    }
    let op = if p.greatest { Fun::Max } else { Fun::Min };
    let extreme = values.iter().map(|x| x.1).reduce(|a, b| op.apply(&[a, b], p.ty)).unwrap();
    values.iter().find(|(_, v)| Fun::Eq.apply(&[*v, extreme], p.ty) != 0).unwrap().0
}

fn meaning(x: &Nest<Leaf>, crds: &mut impl Iterator<Item = u64>, p: &PrefixFirst) -> Nest<Leaf> {
    let Nest::List(v) = x else { return x.clone() };
    let mut values = Vec::new();
    let each = |c: &Nest<Leaf>| match c {
        Nest::List(_) => meaning(c, crds, p),
        Nest::Leaf(l) => {
            values.push((crds.next().unwrap(), l.p[0]));
            Nest::Leaf(leaf(first(&values, p)))
        }
    };
    Nest::List(v.iter().map(each).collect())
}

#[test]
fn finds_the_first_of_random_lists() {
    for (n, name) in ["i16", "u8", "f16", "bool", "fx8.4", "f32"].into_iter().enumerate() {
        let ty = Type::accumulator_from_name(name).unwrap();
        let (crd_w, in_w) = if n % 2 == 0 { (6, 6) } else { (6, 12) };
        let p = PrefixFirst { greatest: n % 3 == 1, ty, crd_w, in_w, stop_w: 3 };
        let (mut crd, mut val, mut want) = (Vec::new(), Vec::new(), Vec::new());
        let mut rng = Rng::new(7 + n as u64);
        for run in 0..80 {
            let d = 1 + run % 3;
            // Few values, so that equal ones come; of floats also NaN and both zeros.
            let few = [0, ty.one(), ty.sign_bit() & ty.mask(), ty.mask(), ty.least(), ty.greatest()];
            let mut value =
                |r: &mut Rng| leaf(if r.happens(0.7) { few[r.below(6) as usize] } else { r.bits() & ty.mask() });
            let x = nest(&mut rng, d, &mut value);
            let mut crds = Vec::new();
            let c = map(&x, &mut |_| {
                crds.push(rng.bits() & mask(crd_w));
                leaf(crds[crds.len() - 1] | (rng.bits() & mask(in_w - crd_w)) << crd_w)
            });
            crd.extend(encode(&c, d));
            val.extend(encode(&x, d));
            want.extend(encode(&meaning(&x, &mut crds.into_iter(), &p), d));
        }
        for out in check_rtl(&p, &[], &[crd, val], &Vec::new, &usual_stalls(3)) {
            assert_eq!(out.unwrap().beats(0), want, "{p:?}");
        }
    }
}

#[test]
fn takes_a_beat_per_cycle() {
    let p = PrefixFirst { greatest: false, ty: Type::int(16, true), crd_w: 16, in_w: 16, stop_w: 3 };
    for lengths in usual_lengths(&mut Rng::new(4)) {
        let feed = fibers(&lengths).repeat(2);
        let out = run_model(&p, &[], &[feed.clone(), feed.clone()], &mut [], Stall::NONE).unwrap();
        let first = u64::from(p.latency());
        assert!(out.outputs[0].iter().map(|x| x.0).eq(first..first + feed.len() as u64), "{lengths:?}");
    }
}

#[test]
fn malformed_input_is_refused() {
    let p = PrefixFirst { greatest: false, ty: Type::int(16, true), crd_w: 16, in_w: 16, stop_w: 3 };
    for (c, v) in [(Beat::data(1, 0), Beat::data(0, 0)), (Beat::data(0, 0), Beat::empty(0))] {
        assert!(run_model(&p, &[], &[vec![c], vec![v]], &mut [], Stall::NONE).is_err());
    }
}
