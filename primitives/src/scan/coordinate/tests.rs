//! The coordinate against its meaning and its Verilog.

use super::Coordinate;
use crate::every::forms::{Hosted, WIDTHS, item};
use crate::memories::memory::cases::{self, leaf};
use samhw_streams::{Leaf, Nest, Primitive};
use samhw_testing::rtl::{check_rtl, usual_stalls};
use samhw_values::Rng;

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    let mut all = Vec::new();
    for [crd_w, _, ref_w, stop_w] in WIDTHS {
        all.extend(
            [(ref_w, crd_w), (stop_w, 20)].map(|(ref_w, crd_w)| item(Coordinate { ref_w, crd_w, stop_w, at: 1 })),
        );
    }
    all
}

#[test]
fn it_stands_at_every_leaf() {
    let mut rng = Rng::new(8);
    for p in
        [Coordinate { ref_w: 9, crd_w: 5, stop_w: 3, at: 21 }, Coordinate { ref_w: 3, crd_w: 20, stop_w: 3, at: 0 }]
    {
        let inputs: Vec<(Nest<Leaf>, u8)> = (0..80).map(|k| (cases::random(&mut rng, k % 4, 8), k % 4)).collect();
        let at = |x: &Nest<Leaf>| cases::map(x, &|_| leaf(p.at, 0));
        let want: Vec<(Nest<Leaf>, u8)> = inputs.iter().map(|(x, d)| (at(x), *d)).collect();
        let got = check_rtl(&p, &[], &[cases::runs(&inputs)], &Vec::new, &usual_stalls(p.at));
        cases::assert_no_bubble(&got[0].as_ref().unwrap().outputs[0], p.latency());
        for got in got {
            assert_eq!(got.unwrap().beats(0), cases::runs(&want));
        }
    }
}
