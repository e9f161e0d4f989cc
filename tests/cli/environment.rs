//! What surrounds the program: missing tools, closed and full outputs, odd names, permissions.

use crate::support::{Folder, Ran, SPMV, until};
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

#[cfg(unix)]
#[test]
fn commands_find_the_installed_tools() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    // A shell would take the quote for its own.
    let tools = folder.path().join("everyone's tools");
    let root = tools.join("lib/python3/site-packages/verilator");
    for d in [tools.join("bin"), root.join("bin")] {
        fs::create_dir_all(d).unwrap();
    }
    let greet = tools.join("bin/greet");
    fs::write(&greet, "#!/bin/sh\necho \"greeted $@ with $MAKEFLAGS\"\nexit 7\n").unwrap();
    fs::set_permissions(&greet, fs::Permissions::from_mode(0o755)).unwrap();
    let found = |command: &mut Command| Ran::of(command.env("SAMHW_TOOLS", &tools).output().unwrap());
    let flags = "CFG_CXXFLAGS_PCH_I=-include";

    let ran = found(folder.samhw(&["tools", "run", "--", "greet", "-a", "b"]).env("MAKEFLAGS", "-s"));
    assert_eq!((ran.status, ran.out.trim()), (7, format!("greeted -a b with -s {flags}").as_str()), "{ran:?}");
    let ran = found(folder.samhw(&["tools", "env"]).env_remove("MAKEFLAGS"));
    let root = root.to_str().unwrap().replace('\'', r"'\''");
    assert!(ran.out.contains(&format!("export VERILATOR_ROOT='{root}'\n")), "{ran:?}");
    assert!(ran.out.contains(&format!("export MAKEFLAGS='{flags}'\nexport PATH='{root}/bin:")), "{ran:?}");
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(format!("{}greet to you", ran.out)).current_dir(folder.path());
    assert_eq!(found(&mut shell).out.trim(), format!("greeted to you with {flags}"));

    found(&mut folder.samhw(&["tools", "run", "--", "nosuch"])).failed(3, "R002");
    let without = |args: &[&str]| {
        let mut command = folder.samhw(args);
        for name in ["SAMHW_TOOLS", "HOME", "XDG_DATA_HOME"] {
            command.env(name, folder.path().join("nowhere"));
        }
        Ran::of(command.current_dir("/").output().unwrap())
    };
    without(&["tools", "env"]).failed(3, "R001");
    without(&["tools", "run", "--", "greet"]).failed(3, "R001");
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
    folder.run(&["run", "spmv.toml", "--repeat", "2", "--out", "y=y.mtx"]).failed(2, "R020");
    folder.run(&["run", "spmv.toml", "spmv.toml", "--out", "y=y.mtx"]).failed(2, "R020");
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
    // Data are found next to the kernel file, whatever the folder is called.
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

/// One limit, whoever finds it.
#[test]
fn kernel_files_have_at_most_64_kib() {
    let folder = Folder::new();
    let of = |bytes: usize| format!("{SPMV}{}\n", "#".repeat(bytes - SPMV.len() - 1));
    folder.write("k.toml", of(65_536)).fine(&["run", "k.toml"]);
    for bytes in [65_537, 1 << 20, (1 << 20) + 1] {
        let ran = folder.write("k.toml", of(bytes)).run(&["run", "k.toml"]);
        ran.failed(2, "K017");
        assert!(ran.err.contains(&format!("at most 65536 bytes, this one has {bytes}")), "{ran:?}");
    }
}

#[test]
fn arguments_that_make_no_sense_are_status_2() {
    let folder = Folder::new();
    folder.write("spmv.toml", SPMV);
    let commands: [&[&str]; 7] = [
        &[],
        &["nosuch"],
        &["run"],
        &["run", "spmv.toml", "--engine", "nosuch"],
        &["run", "spmv.toml", "--convert", "nosuch"],
        &["graph", "spmv.toml", "--format", "png"],
        &["gen", "spmv.toml", "-o"],
    ];
    for args in commands {
        let ran = folder.run(args);
        assert!(ran.status == 2 && ran.out.is_empty() && ran.err.contains("--help"), "{args:?}: {ran:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn files_that_may_not_grow_are_told_and_leave_nothing() {
    let folder = Folder::new();
    folder.write(
        "copy.toml",
        "expr = \"X(i,j) = i + 2 * j\"\n[dims]\ni = 300\nj = 300\n[tensors.X]\nformat = \"dense\"\ntype = \"i32\"\n",
    );
    let limited = |args: &[&str]| {
        let mut command = Command::new("sh");
        command.args(["-c", "ulimit -f 8; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_samhw")]).args(args);
        Ran::of(command.current_dir(folder.path()).output().unwrap())
    };
    for name in ["X=x.mtx", "X=x.npy"] {
        let ran = limited(&["run", "copy.toml", "--out", name]);
        ran.failed(2, "T020");
        assert!(ran.err.contains("free some space"), "{ran:?}");
    }
    limited(&["gen", "copy.toml"]).failed(2, "R025");
    assert_eq!(folder.content().len(), 1, "something is left");
}

#[cfg(unix)]
#[test]
fn long_names_and_links_that_lead_to_nothing() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new();
    folder.write("spmv.toml", SPMV);
    let long = |n: usize| format!("{}.mtx", "n".repeat(n - 4));
    for length in [254, 255] {
        folder.fine(&["run", "spmv.toml", "--out", &format!("y={}", long(length))]);
        assert!(folder.path().join(long(length)).exists());
    }
    let ran = folder.run(&["run", "spmv.toml", "--out", &format!("y={}", long(256))]);
    ran.failed(2, "T020");
    assert!(ran.err.contains("choose a shorter name"), "{ran:?}");
    fs::create_dir(folder.path().join("there")).unwrap();
    symlink("there/y.mtx", folder.path().join("link.mtx")).unwrap();
    symlink("there/out", folder.path().join("out")).unwrap();
    symlink("nowhere/y.mtx", folder.path().join("lost.mtx")).unwrap();
    folder.fine(&["run", "spmv.toml", "--out", "y=link.mtx"]);
    folder.fine(&["gen", "spmv.toml", "-o", "out"]);
    assert!(folder.path().join("link.mtx").is_symlink() && folder.path().join("out").is_symlink());
    assert!(folder.read("there/y.mtx").starts_with("%%MatrixMarket"));
    assert!(folder.read("there/out/spmv_core.v").contains("module"));
    folder.run(&["run", "spmv.toml", "--out", "y=lost.mtx"]).failed(2, "T020");
}

/// Something that takes long.
#[cfg(target_os = "linux")]
const LONG: &str = "expr = \"C(i,j) = A(i,k) * B(k,j)\"\norder = [\"i\", \"j\", \"k\"]\n[dims]\ni = 600\nj = 600\nk = 600\n\
[tensors.A]\nformat = \"dense\"\ntype = \"i32\"\n[tensors.B]\nformat = \"dense\"\ntype = \"i32\"\n[tensors.C]\nformat = \"dense\"\ntype = \"i32\"\n\
[data]\nA = { random = { density = 1.0, seed = 1 } }\nB = { random = { density = 1.0, seed = 2 } }\n";

/// Waits until `child` has used some time.
#[cfg(target_os = "linux")]
fn at_work(child: &std::process::Child) {
    until("it to begin", || {
        let stat = fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap_or_default();
        stat.rsplit(") ").next().and_then(|s| s.split(' ').nth(11)?.parse::<u64>().ok()).is_none_or(|t| t > 10)
    });
}

#[cfg(target_os = "linux")]
#[test]
fn every_command_says_that_it_was_interrupted() {
    use rustix::process::{Pid, Signal, kill_process};
    let folder = Folder::new();
    folder.write("long.toml", LONG);
    let commands: [&[&str]; 3] = [
        &["run", "long.toml", "--out", "C=c.mtx"],
        &["explore", "long.toml", "-o", "found"],
        &["gen", "long.toml", "-o", "out", "--data"],
    ];
    for args in commands {
        for signal in crate::support::heard([Signal::INT, Signal::TERM, Signal::HUP, Signal::XCPU]) {
            if args[0] == "gen" {
                folder.write("long.toml", format!("{LONG}[hardware]\nmemory = \"axi\"\n"));
            }
            let mut child = folder.samhw(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
            at_work(&child);
            assert!(child.try_wait().unwrap().is_none(), "{args:?} has ended");
            kill_process(Pid::from_child(&child), signal).unwrap();
            let ran = Ran::of(child.wait_with_output().unwrap());
            // A run this long says first what takes it.
            let forecast = args[0] == "run" && ran.err.starts_with("note: this run takes about ");
            assert_eq!(ran.err.lines().count() == 1, !forecast, "{args:?}: {}", ran.err);
            let last = ran.err.lines().last();
            assert_eq!((ran.status, last, ran.out.as_str()), (130, Some("interrupted"), ""), "{args:?}");
            assert_eq!(folder.content().len(), 1, "{args:?} has left something");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn signals_that_are_ignored_stay_ignored() {
    use rustix::process::{Pid, Signal, kill_process};
    let folder = Folder::new();
    folder.write("long.toml", LONG);
    let mut command = Command::new("sh");
    // As `nohup` does, and the shell for its background jobs.
    command.args(["-c", "trap '' HUP INT QUIT; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_samhw"), "run", "long.toml"]);
    command.current_dir(folder.path()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    at_work(&child);
    for ignored in [Signal::HUP, Signal::INT, Signal::QUIT] {
        kill_process(Pid::from_child(&child), ignored).unwrap();
    }
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert!(child.try_wait().unwrap().is_none(), "it has ended");
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    assert_eq!(Ran::of(child.wait_with_output().unwrap()).status, 130);
}

/// The deepest kernels that are accepted, in every command that reads one, with hardly any stack of
/// the user's.
#[cfg(target_os = "linux")]
#[test]
fn a_small_stack_is_enough_for_every_kernel() {
    let folder = Folder::new();
    let head = "[dims]\ni = 4\n[tensors.x]\nlevels = [\"compressed\"]\ntype = \"i32\"\n[tensors.y]\nformat = \"dense\"\ntype = \"i32\"\n\
                [data]\nx = { random = { density = 0.5, seed = 1 } }\n";
    // An expression is at most 200 operators and parentheses deep.
    let nested = |open: &str, close: &str, depth| format!("{}x(i){}", open.repeat(depth), close.repeat(depth));
    let sum = nested("(1 + ", ")", 95);
    let deep = [sum, nested("-", "", 195), nested("abs(", ")", 195), nested("where(x(i) > 0, ", ", 1)", 190)];
    for (n, value) in deep.iter().enumerate() {
        folder.write("deep.toml", format!("expr = \"y(i) = {value}\"\n{head}"));
        // What comes after the frontend sees a graph that is as deep: once is enough.
        let commands: &[&str] = if n == 1 { &["graph", "run", "gen", "estimate"] } else { &["graph", "run"] };
        for name in commands {
            let mut command = Command::new("sh");
            command.args(["-c", "ulimit -s 128; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_samhw"), name, "deep.toml"]);
            let ran = Ran::of(command.current_dir(folder.path()).output().unwrap());
            assert_eq!(ran.status, 0, "{n} {name}: {}", ran.err);
        }
    }
}

/// Kernels as large as anyone writes them. The limit is one of processor time: whatever else the
/// machine does.
#[cfg(target_os = "linux")]
#[test]
fn graphs_of_hundreds_of_operands_take_a_moment() {
    let product = |n: usize| {
        let factors: Vec<String> = (0..n).map(|k| format!("a{k}(i)")).collect();
        let tensors: String =
            (0..n).map(|k| format!("a{k} = {{ levels = [\"compressed\"], type = \"i32\" }}\n")).collect();
        let result = "y = { format = \"dense\", type = \"i32\" }\n";
        format!("expr = \"y(i) = {}\"\n[dims]\ni = 9\n[tensors]\n{tensors}{result}", factors.join(" * "))
    };
    let chain = |n: usize, format: &str| {
        let factors: Vec<String> = (0..n).map(|k| format!("A{k}(i{k},i{})", k + 1)).collect();
        let dims: String = (0..=n).map(|k| format!("i{k} = 9\n")).collect();
        let tensors: String = (0..n).map(|k| format!("A{k} = {{ format = \"{format}\", type = \"i32\" }}\n")).collect();
        let result = "Y = { format = \"csr\", type = \"i32\" }\n";
        format!("expr = \"Y(i0,i{n}) = {}\"\n[dims]\n{dims}[tensors]\n{tensors}{result}", factors.join(" * "))
    };
    let folder = Folder::new();
    for (name, text) in [
        ("a product of 100 vectors", product(100)),
        ("a chain of 96 matrices", chain(96, "csr")),
        ("a chain of 200 matrices", chain(200, "dcsr")),
        ("a chain of 200 matrices in any order", chain(200, "dense")),
    ] {
        folder.write("large.toml", text);
        let mut command = Command::new("sh");
        // A second without optimisation takes many.
        command.args(["-c", "ulimit -t 12; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_samhw"), "graph", "large.toml"]);
        let ran = Ran::of(command.current_dir(folder.path()).output().unwrap());
        assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{name}");
        // What begins at the root is repeated once for all: a column of the square for each matrix, not two.
        let repeaters = ran.out.lines().filter(|l| l.contains(" repeater ") && l.contains(" -> ")).count();
        assert!(repeaters < 20_200, "{name}: {repeaters} repeaters");
    }
}
