//! The root against its Verilog and its promises.

use super::Root;
use crate::every::forms::{Hosted, WIDTHS, item};
use samhw_streams::Beat;
use samhw_testing::rtl::{check_rtl, usual_stalls};

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    let mut all = Vec::new();
    for [_, _, ref_w, stop_w] in WIDTHS {
        all.extend([1, 3].map(|branches| item(Root { ref_w, stop_w, branches })));
    }
    all
}

#[test]
fn each_token_starts_a_run() {
    for branches in [1, 3] {
        let p = Root { ref_w: 4, stop_w: 2, branches };
        let tokens: Vec<Beat> = (0..50).map(|k| Beat::data(0, k % 2)).collect();
        let outcomes = check_rtl(&p, &[], &[tokens], &Vec::new, &usual_stalls(1));
        for outcome in &outcomes {
            for k in 0..branches as usize {
                assert_eq!(outcome.as_ref().unwrap().beats(k), [Beat::data(0, 0), Beat::DONE].repeat(50));
            }
        }
        // Two beats per token without a gap between runs.
        let cycles = outcomes[0].as_ref().unwrap().outputs[0].iter().map(|&(cycle, _)| cycle);
        assert!(cycles.eq(1..101));
    }
}
