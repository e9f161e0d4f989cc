//! Values against numpy's: `oracle.py` draws kernels, runs `samhw` on files as a user does, and
//! compares what it wrote; so does `fills.py`, with fills, infinities and NaN, `functions.py`, with
//! every function that has numpy's name, `shapes.py`, with nested shape operators, `fibers.py`,
//! with functions of fibers, and `models.py`, with the programs of `examples/models`. They share no
//! code and no idea of a value with samhw.
//!
//! `SAMHW_FULL` draws more; `SAMHW_SEED` begins elsewhere.

use std::process::Command;

/// Runs a script with its usual number of cases, and with many.
fn holds(script: &str, [usual, many]: [&str; 2]) {
    let Some(python) = samhw_rtlsim::executable("cocotb-config").map(|p| p.with_file_name("python")) else {
        assert!(
            std::env::var_os("SAMHW_REQUIRE_TOOLS").is_none(),
            "the tools' environment, which has numpy, is missing"
        );
        eprintln!("skipped: the tools' environment, which has numpy, is missing");
        return;
    };
    let cases = if std::env::var_os("SAMHW_FULL").is_some() { many } else { usual };
    let seed = std::env::var("SAMHW_SEED").unwrap_or_else(|_| "1".into());
    let script = format!("{}/tests/oracle/{script}", env!("CARGO_MANIFEST_DIR"));
    let out = Command::new(python)
        .args([&script, env!("CARGO_BIN_EXE_samhw"), "--cases", cases, "--seed", &seed])
        .output()
        .expect("the environment's Python");
    let said = String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr);
    println!("{said}");
    assert!(out.status.success(), "{said}");
}

#[test]
fn values_are_those_of_numpy() {
    holds("oracle.py", ["200", "5000"]);
}

#[test]
fn fills_are_those_of_numpy() {
    holds("fills.py", ["80", "2000"]);
}

#[test]
fn functions_with_names_of_numpy_are_those_of_numpy() {
    holds("functions.py", ["48", "20000"]);
}

#[test]
fn nested_shape_operators_are_those_of_numpy() {
    holds("shapes.py", ["200", "20000"]);
}

#[test]
fn functions_of_fibers_are_those_of_numpy() {
    holds("fibers.py", ["2", "500"]);
}

#[test]
fn models_give_what_numpy_gives() {
    holds("models.py", ["2", "200"]);
}
