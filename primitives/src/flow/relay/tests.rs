//! The relay passes everything on, model and Verilog alike.

use super::Relay;
use crate::every::forms::{Hosted, WIDTHS, item, pair};
use samhw_streams::{Beat, Field, Shape};
use samhw_testing::rtl::{check_rtl, usual_stalls};

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    WIDTHS.map(|[crd_w, _, ref_w, stop_w]| item(Relay { shape: pair(stop_w, crd_w, ref_w) })).into()
}

#[test]
fn passes_beats_in_order() {
    let p = Relay { shape: Shape::Stream { stop_w: 2, fields: vec![Field::new("crd", 7)] } };
    let beats: Vec<Beat> = (0..100).map(|n| Beat::data((n % 3) as u8, n)).chain([Beat::DONE]).collect();
    for (k, outcome) in
        check_rtl(&p, &[], std::slice::from_ref(&beats), &Vec::new, &usual_stalls(1)).into_iter().enumerate()
    {
        let outcome = outcome.unwrap();
        assert_eq!(outcome.beats(0), beats);
        // Unstalled, every beat leaves one cycle after it came.
        if k == 0 {
            assert!(outcome.outputs[0].iter().zip(&outcome.inputs[0]).all(|((out, _), taken)| *out == taken + 1));
        }
    }
}
