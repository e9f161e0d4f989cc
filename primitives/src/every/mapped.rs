//! The primitives' tests again, on what synthesis makes of their Verilog: each run is this program with `SAMHW_MAPPED`.

use samhw_rtlsim as rtl;
use samhw_testing::rtl::{cache, family, files, tool};
use std::process::Command;

/// What is run always. Others are run by hand: `SAMHW_MAPPED=ice40 ./test zip::tests`.
const ALWAYS: [(&str, &str); 1] = [("ecp5", "repeater::tests")];

/// Tests that do not drive Verilog, or ask for its assertions or its text.
const OTHERS: [&str; 5] = ["formal::", "every::", "library::", "verilog_is_small", "refuse"];

/// Runs the tests whose names contain `filter` on netlists of `family`.
fn run(family: &str, filter: &str) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.env("SAMHW_MAPPED", family).env_remove("SAMHW_FULL").args(["--test-threads", "2", filter]);
    command.args(OTHERS.iter().flat_map(|o| ["--skip", o]));
    let out = command.output().unwrap();
    let text = String::from_utf8_lossy(&out.stdout);
    assert!(out.status.success() && !text.contains(" 0 passed"), "{family}, {filter}:\n{text}");
}

#[test]
fn netlists_do_what_models_do() {
    // A child of the runs below, or yosys is not there.
    let tools = rtl::ecp5_cells(&rtl::Design::new("samhw_skid", files("samhw_skid")), &cache());
    if family().is_some() || tool("netlists", tools).is_none() {
        return;
    }
    ALWAYS.into_iter().for_each(|(f, filter)| run(f, filter));
}
