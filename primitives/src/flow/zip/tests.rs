//! The zip against its meaning, model and Verilog.

use super::Zip;
use crate::every::forms::{Hosted, WIDTHS, item};
use samhw_streams::Beat;
use samhw_testing::rtl::{check_rtl, usual_stalls};

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    WIDTHS.map(|[crd_w, _, ref_w, stop_w]| item(Zip { first_w: crd_w, second_w: ref_w, stop_w })).into()
}

#[test]
fn pairs_leaf_by_leaf() {
    let p = Zip { first_w: 8, second_w: 4, stop_w: 2 };
    let first = [Beat::data(0, 3), Beat::data(1, 5), Beat::nil(2, 1), Beat::DONE];
    let second = [Beat::data(0, 7), Beat::empty(1), Beat::nil(2, 1), Beat::DONE];
    let absent = Beat { p: [5, 0], ..Beat::empty(1) };
    let expected = [Beat::pair(0, 3, 7), absent, Beat::nil(2, 1), Beat::DONE].repeat(2);
    let feeds = [first.repeat(2), second.repeat(2)];
    for outcome in check_rtl(&p, &[], &feeds, &Vec::new, &usual_stalls(1)) {
        assert_eq!(outcome.unwrap().beats(0), expected);
    }
}
