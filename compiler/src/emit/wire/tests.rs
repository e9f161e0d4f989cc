//! What a consumer sees in Verilog is what [`Select::apply`] says it sees.

use super::view;
use crate::netlist::Select;
use proptest::prelude::*;
use samhw_hdl::{Expr, Signal};
use samhw_streams::{Beat, Field, Kind, Shape};
use samhw_values::mask;

const STOP_W: u32 = 3;

fn shape(widths: &[u32]) -> Shape {
    Shape::Stream { stop_w: STOP_W, fields: widths.iter().map(|&w| Field::new("x", w)).collect() }
}

/// Value and width of an expression over one signal.
fn value(e: &Expr, beat: u128) -> (u128, u32) {
    match e {
        Expr::Bits { low, width, .. } => (beat >> low & ((1 << width) - 1), *width),
        Expr::Literal(width, words) => (u128::from(words[0]), *width),
        Expr::Concat(parts) => parts.iter().fold((0, 0), |(v, w), p| {
            let (x, n) = value(p, beat);
            (v << n | x, w + n)
        }),
        Expr::Repeat(n, e) => {
            let (v, w) = value(e, beat);
            ((0..*n).fold(0, |all, _| all << w | v), n * w)
        }
        Expr::Choice(c, a, b) => {
            let (a, b) = (value(a, beat), value(b, beat));
            assert_eq!(a.1, b.1, "branches of one width");
            if value(c, beat).0 == 1 { a } else { b }
        }
        Expr::Binary(a, "&", b) => (value(a, beat).0 & value(b, beat).0, value(a, beat).1),
        other => panic!("not in a view: {other}"),
    }
}

fn packed(shape: &Shape, b: &Beat) -> u128 {
    let mut words = [0; 3];
    shape.pack(b, &mut words[..shape.words()]);
    u128::from(words[0]) | u128::from(words[1]) << 64
}

proptest! {
    #[test]
    fn view_is_select_then_resize(
        kind in 0..4usize, stop in 0..8u8, hole in 1..8u64, p in any::<[u64; 2]>(),
        from in prop::array::uniform2(STOP_W..50), to in prop::array::uniform2(STOP_W..50),
        pair in any::<bool>(), select in 0..3usize,
    ) {
        let kind = [Kind::Data, Kind::Empty, Kind::Nil, Kind::Done][kind];
        let select = if pair { [Select::All, Select::First, Select::Second][select] } else { Select::All };
        // Canonical beats: what a kind does not use is 0.
        let p = match kind {
            Kind::Data => [p[0] & mask(from[0]), p[1] & mask(from[1])],
            Kind::Empty => [p[0] & mask(from[0]), 0],
            Kind::Nil => [hole, 0],
            Kind::Done => [0, 0],
        };
        let source = shape(&from[..1 + usize::from(pair)]);
        let both = pair && select == Select::All;
        let target = shape(&to[..1 + usize::from(both)]);
        let beat = Beat::new(kind, stop, [p[0], if pair { p[1] } else { 0 }]);
        let bits = packed(&source, &beat);
        let signal = Signal::new("b", source.width());
        let seen = select.apply(beat);
        let seen = Beat { p: [seen.p[0] & mask(to[0]), seen.p[1] & if both { mask(to[1]) } else { 0 }], ..seen };
        let got = view(&signal, &source, select, &target).map_or((bits, source.width()), |e| value(&e, bits));
        prop_assert_eq!(got, (packed(&target, &seen), target.width()));
    }
}
