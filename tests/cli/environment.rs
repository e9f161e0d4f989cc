//! What surrounds the program: missing tools, closed and full outputs, odd names, permissions.

use crate::support::{Folder, Ran, SPMV};
use std::fs;
use std::process::{Command, Stdio};

#[test]
fn missing_tool_is_status_3() {
    let folder = Folder::new();
    folder.write("spmv.toml", SPMV);
    let kernel = folder.path().join("spmv.toml");
    let tools = folder.path().join("tools");
    let without_tools = |command: &mut Command| {
        for name in ["PATH", "SAMHW_TOOLS", "HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "SAMHW_CACHE"] {
            command.env(name, folder.path().join("nowhere"));
        }
        // The folders above this one may have a private environment.
        Ran::of(command.env_remove("CXX").current_dir("/").output().unwrap())
    };
    let run = [kernel.as_os_str()];
    let ran = without_tools(folder.samhw(&["run", "--engine", "verilator"]).args(run));
    ran.failed(3, "R001");
    assert!(ran.err.contains("samhw tools install"), "{ran:?}");
    let ran = without_tools(folder.samhw(&["tools", "install", "sim", "--dir"]).arg(&tools));
    assert!(ran.status == 3 && ran.err.contains("error[R002]") && ran.out.is_empty(), "{ran:?}");
    // Everything else works without them.
    assert_eq!(without_tools(folder.samhw(&["run"]).args(run)).status, 0);
    assert_eq!(without_tools(folder.samhw(&["gen", "-o"]).arg(folder.path().join("v")).args(run)).status, 0);
    let listed = without_tools(&mut folder.samhw(&["tools"]));
    assert!(listed.status == 0 && listed.out.contains("missing"), "{listed:?}");
}

#[test]
fn reader_that_stops_is_no_fault() {
    let folder = Folder::new();
    folder.write("spmv.toml", SPMV);
    let commands: [&[&str]; 6] = [
        &["run", "spmv.toml"],
        &["run", "spmv.toml", "--json", "--out", "y=y.mtx"],
        &["run", "--json-schema"],
        &["graph", "spmv.toml", "--format", "svg"],
        &["gen", "spmv.toml"],
        &["tools"],
    ];
    for args in commands {
        let mut child = folder.samhw(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let ran = Ran::of(child.wait_with_output().unwrap());
        assert!(ran.status == 0 && ran.err.is_empty(), "{args:?}: {ran:?}");
    }
    assert!(folder.read("y.mtx").starts_with("%%MatrixMarket"));
    let mut child = folder.samhw(&["run", "nosuch.toml"]).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stderr.take());
    assert_eq!(child.wait().unwrap().code(), Some(2));
}

#[cfg(target_os = "linux")]
#[test]
fn full_disk() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new();
    folder.write("spmv.toml", SPMV);
    symlink("/dev/full", folder.path().join("y.mtx")).unwrap();
    folder.run(&["run", "spmv.toml", "--out", "y=y.mtx"]).failed(2, "T020");
    for args in [&["run", "spmv.toml"][..], &["graph", "spmv.toml"], &["run", "spmv.toml", "--json"]] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        Ran::of(folder.samhw(args).stdout(full).output().unwrap()).failed(2, "R026");
    }
    // Nobody can make a folder there.
    folder.run(&["gen", "spmv.toml", "-o", "/proc/nosuch"]).failed(2, "R025");
    folder.run(&["run", "spmv.toml", "--out", "y=/proc/y.mtx"]).failed(2, "T020");
}

#[cfg(unix)]
#[test]
fn no_permission() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    folder.write("spmv.toml", SPMV).write("A.mtx", "").write("locked.toml", SPMV);
    for name in ["A.mtx", "locked.toml"] {
        fs::set_permissions(folder.path().join(name), fs::Permissions::from_mode(0o000)).unwrap();
    }
    if fs::read(folder.path().join("A.mtx")).is_ok() {
        println!("skipped: this user may read everything");
        return;
    }
    folder.run(&["run", "spmv.toml", "--tensor", "A=A.mtx"]).failed(2, "T001");
    folder.run(&["run", "locked.toml"]).failed(2, "K000");
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_are_not_utf8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new();
    let odd = OsStr::from_bytes(b"odd-\xff");
    fs::create_dir(folder.path().join(odd)).unwrap();
    // Data are found beside the kernel file, whatever the folder is called.
    let kernel = folder.path().join(odd).join("spmv.toml");
    fs::write(&kernel, SPMV.replace("x = { random = { density = 0.9, seed = 2 } }", "x = \"x.tns\"")).unwrap();
    fs::write(folder.path().join(odd).join("x.tns"), "1 5\n").unwrap();
    assert_eq!(folder.run(&["run".as_ref(), kernel.as_os_str()]).status, 0);
    let out = folder.path().join(OsStr::from_bytes(b"out-\xff"));
    assert_eq!(folder.run(&["gen".as_ref(), kernel.as_os_str(), "-o".as_ref(), out.as_os_str()]).status, 0);
    assert!(out.join("spmv.json").is_file());
    // In NAME=FILE they are refused.
    let option = OsStr::from_bytes(b"A=\xff.mtx");
    let ran = folder.run(&["run".as_ref(), kernel.as_os_str(), "--tensor".as_ref(), option]);
    assert!(ran.status == 2 && ran.err.contains("UTF-8"), "{ran:?}");
}

#[test]
fn arguments_that_make_no_sense_are_status_2() {
    let folder = Folder::new();
    folder.write("spmv.toml", SPMV);
    let commands: [&[&str]; 8] = [
        &[],
        &["nosuch"],
        &["run"],
        &["run", "spmv.toml", "--engine", "nosuch"],
        &["run", "spmv.toml", "--convert", "nosuch"],
        &["run", "spmv.toml", "spmv.toml"],
        &["graph", "spmv.toml", "--format", "png"],
        &["gen", "spmv.toml", "-o"],
    ];
    for args in commands {
        let ran = folder.run(args);
        assert!(ran.status == 2 && ran.out.is_empty() && ran.err.contains("--help"), "{args:?}: {ran:?}");
    }
}
