//! Functions with NumPy's names give NumPy's values, through files: `numpy.py`, run by the tools' Python.

use crate::support::Folder;
use samhw_rtlsim::executable;
use std::path::Path;
use std::process::Command;

/// Runs the script; whether there is a NumPy to run it with.
fn agrees(more: &[&str]) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/numpy.py");
    let numpy =
        |python: &Path| Command::new(python).args(["-c", "import numpy"]).output().is_ok_and(|o| o.status.success());
    let Some(python) = executable("python").filter(|python| numpy(python)) else {
        println!("skipped: no Python with NumPy among the tools; `samhw tools install` installs one");
        return;
    };
    let folder = Folder::new();
    let ran = Command::new(python).arg(script).arg(env!("CARGO_BIN_EXE_samhw")).arg(folder.path()).args(more).output();
    let ran = ran.unwrap_or_else(|e| panic!("{e}"));
    let said = [ran.stdout, ran.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
    assert!(ran.status.success(), "{said}");
    print!("{said}");
}

#[test]
fn functions_with_names_of_numpy_are_those_of_numpy() {
    agrees(&[]);
}

#[test]
fn those_that_are_new_in_hardware_are_so_in_verilog() {
    if samhw_rtlsim::Toolchain::find().is_err() {
        println!("skipped: no Verilator");
        return;
    }
    agrees(&["verilator"]);
}
