//! The barrier against its Verilog and its promises.

use super::Barrier;
use crate::every::forms::{Hosted, item};
use samhw_streams::Beat;
use samhw_testing::rtl::{check_rtl, usual_stalls};

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    vec![item(Barrier { inputs: 1 }), item(Barrier { inputs: 3 })]
}

#[test]
fn one_token_when_all_have_come() {
    for inputs in [1, 3] {
        let p = Barrier { inputs };
        let feeds: Vec<Vec<Beat>> = (0..inputs).map(|k| vec![Beat::data(0, u64::from(k) % 2); 40]).collect();
        for outcome in check_rtl(&p, &[], &feeds, &Vec::new, &usual_stalls(1)) {
            let outcome = outcome.unwrap();
            assert_eq!(outcome.beats(0), [Beat::default(); 40]);
            for (k, &(cycle, _)) in outcome.outputs[0].iter().enumerate() {
                let last = outcome.inputs.iter().map(|i| i[k]).max().unwrap();
                assert!(cycle > last, "token {k} came before its inputs");
            }
        }
    }
}

#[test]
fn waits_for_the_input_that_is_late() {
    let feeds = [vec![Beat::default(); 3], vec![Beat::default(); 2]];
    let outcomes = check_rtl(&Barrier { inputs: 2 }, &[], &feeds, &Vec::new, &usual_stalls(2));
    assert!(outcomes.iter().all(|o| o.as_ref().unwrap().outputs[0].len() == 2));
}
