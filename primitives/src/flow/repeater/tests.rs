//! The repeater against its meaning.

use super::Repeater;
use crate::every::forms::{Hosted, WIDTHS, item};
use samhw_streams::Beat;
use samhw_testing::bench::{Stall, run_model};
use samhw_testing::rtl::{check_rtl, usual_stalls};
use samhw_testing::vectors::{Vector, VectorCase, check_cases, vectors};

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    WIDTHS.map(|[crd_w, _, ref_w, stop_w]| item(Repeater { ref_w, crd_w, stop_w })).into()
}

#[test]
fn repeats_each_leaf_over_its_list() {
    let p = Repeater { ref_w: 8, crd_w: 8, stop_w: 2 };
    let refs = vec![Beat::data(0, 5), Beat::data(0, 6), Beat::empty(1), Beat::DONE];
    let crds = vec![Beat::data(0, 1), Beat::data(1, 4), Beat::nil(1, 1), Beat::data(2, 3), Beat::DONE];
    for seed in 0..20 {
        let stall = Stall::new(seed, 0.3, 0.3);
        let out = run_model(&p, &[], &[refs.clone(), crds.clone()], &mut [], stall).unwrap();
        assert_eq!(out.beats(0), [Beat::data(0, 5), Beat::data(1, 5), Beat::nil(1, 1), Beat::empty(2), Beat::DONE]);
    }
}

#[test]
fn verilog_moves_as_the_model() {
    let p = Repeater { ref_w: 8, crd_w: 8, stop_w: 2 };
    let refs = [Beat::data(0, 5), Beat::data(0, 6), Beat::empty(1), Beat::DONE].repeat(20);
    let crds = [Beat::data(0, 1), Beat::data(1, 4), Beat::nil(1, 1), Beat::data(2, 3), Beat::DONE].repeat(20);
    for seed in 0..20 {
        check_rtl(&p, &[], &[refs.clone(), crds.clone()], &Vec::new, &usual_stalls(seed));
    }
}

#[test]
fn both_refuse_misaligned_streams() {
    let p = Repeater { ref_w: 8, crd_w: 8, stop_w: 2 };
    let feeds = [vec![Beat::DONE], vec![Beat::data(1, 4), Beat::DONE]];
    let got = check_rtl(&p, &[], &feeds, &Vec::new, &usual_stalls(1));
    assert!(got.iter().all(Result::is_err));
}

#[test]
fn agrees_with_the_shared_vectors() {
    let case = |v: &Vector| {
        let feeds = vec![v.input("ref", 8), v.input("crd", 8)];
        VectorCase { line: v.line, feeds, wants: vec![v.output("ref", 8)] }
    };
    let cases: Vec<VectorCase> = vectors("repeater").iter().map(case).collect();
    check_cases(&Repeater { ref_w: 8, crd_w: 8, stop_w: 3 }, &[], &cases);
}
