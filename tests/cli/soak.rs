//! Commands that share folders and a cache, several at a time, under random signals and limits:
//! seconds, or minutes with SAMHW_FULL. Whatever happens to one, it ends with a status of its own,
//! and afterwards everything works as in a fresh folder.

use crate::support::{Folder, Ran, SPMV, heard};
use rustix::process::{Pid, Signal, kill_process};
use samhw_values::Rng;
use std::fs;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Commands that share their outputs; the last ones need tools.
const COMMANDS: [&[&str]; 7] = [
    &["run", "spmv.toml", "--out", "y=y.mtx"],
    &["gen", "spmv.toml", "-o", "out"],
    &["gen", "other.toml", "-o", "out"],
    &["gen", "axi.toml", "-o", "data", "--data"],
    &["explore", "spmv.toml", "-o", "found"],
    &["run", "spmv.toml", "--engine", "verilator"],
    &["run", "other.toml", "--engine", "verilator"],
];

/// Those that need no tools.
const PLAIN: usize = 5;

/// A command takes no longer than this, whatever happens.
const PATIENCE: Duration = Duration::from_secs(120);

/// What befalls a command.
#[derive(Debug, Clone, Copy)]
enum Fate {
    Peace,
    /// After so long.
    Signal(Signal, Duration),
    /// An option of the shell's `ulimit` and its value.
    Limit(&'static str, u64),
}

impl Fate {
    fn draw(rng: &mut Rng, signals: &[Signal]) -> Self {
        match rng.below(8) {
            0 | 1 => Self::Peace,
            2 => Self::Limit("-f", 1 + rng.below(200)),
            3 => Self::Limit("-n", 12 + rng.below(20)),
            4 => Self::Limit("-v", 500_000 + rng.below(500_000)),
            _ => {
                let signal = rng.pick(signals);
                Self::Signal(signal, Duration::from_micros(rng.below(400_000)))
            }
        }
    }
}

/// A folder with the kernels.
fn kernels() -> Folder {
    let folder = Folder::new();
    folder.write("spmv.toml", SPMV).write("other.toml", SPMV.replace('*', "+"));
    folder.write("axi.toml", format!("{SPMV}[hardware]\nmemory = \"axi\"\n"));
    folder
}

/// The command in this folder, under a limit.
fn command(folder: &Folder, args: &[&str], fate: Fate) -> Command {
    let mut command = folder.samhw(args);
    if let Fate::Limit(option, value) = fate {
        let mut shell = Command::new("sh");
        let script = format!("ulimit {option} {value}; exec \"$@\"");
        shell.args(["-c", &script, "sh", env!("CARGO_BIN_EXE_samhw")]).args(args).current_dir(folder.path());
        command = shell;
    }
    command.env("SAMHW_CACHE", "cache").stdin(Stdio::null());
    command
}

/// Runs a command to its end; its outputs are in files, so that a full pipe holds nobody.
fn suffer(folder: &Folder, args: &[&str], fate: Fate, number: u64) {
    let dir = folder.path().join("said");
    let paths = ["out", "err"].map(|name| dir.join(format!("{number}.{name}")));
    let [out, err] = paths.each_ref().map(|path| fs::File::create(path).unwrap());
    let mut child = command(folder, args, fate).stdout(out).stderr(err).spawn().unwrap();
    let begin = Instant::now();
    let mut pending = matches!(fate, Fate::Signal(..));
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if let Fate::Signal(signal, after) = fate
            && pending
            && begin.elapsed() >= after
        {
            kill_process(Pid::from_child(&child), signal).unwrap();
            pending = false;
        }
        assert!(begin.elapsed() < PATIENCE, "{args:?} under {fate:?} does not end");
        std::thread::sleep(Duration::from_millis(1));
    };
    let said = fs::read_to_string(&paths[1]).unwrap();
    let fine = match (fate, status.code()) {
        (Fate::Peace, code) => code == Some(0),
        (Fate::Signal(..), Some(code)) => [0, 130].contains(&code),
        // Before it was listening, or with a signal that nobody can catch.
        (Fate::Signal(..), None) => true,
        // What fits no memory at all ends as Rust ends it, and says so.
        (Fate::Limit("-v", _), None) => said.contains("memory allocation of "),
        (Fate::Limit(..), code) => code.is_some_and(|code| [0, 2, 3].contains(&code)),
    };
    assert!(fine && !said.contains("panicked"), "{args:?} under {fate:?}: {status}\n{said}");
    for path in paths {
        fs::remove_file(path).unwrap();
    }
}

/// Files and folders that are named as what is half done.
fn left(folder: &Folder) -> usize {
    let name = |path: &std::path::Path| path.file_name().unwrap().to_string_lossy().into_owned();
    let open = |name: String| (name.starts_with(".samhw-") && name.ends_with(".part")) || name.starts_with("tmp-");
    folder.content().keys().filter(|path| open(name(path))).count()
}

/// Processes that work in this folder.
fn working(folder: &Folder) -> Vec<String> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let here = |dir: &std::path::Path| fs::read_link(dir.join("cwd")).is_ok_and(|cwd| cwd.starts_with(folder.path()));
    let of = |dir: std::path::PathBuf| here(&dir).then(|| fs::read_to_string(dir.join("cmdline")).unwrap_or_default());
    entries.filter_map(|e| of(e.path())).filter(|line| !line.is_empty()).collect()
}

#[test]
fn a_soak_of_signals_limits_and_shared_folders() {
    let full = std::env::var_os("SAMHW_FULL").is_some();
    let seed = std::env::var("SAMHW_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(7);
    println!("SAMHW_SEED={seed}");
    let tools = full && samhw_rtlsim::Toolchain::find().is_ok();
    let commands = &COMMANDS[..if tools { COMMANDS.len() } else { PLAIN }];
    let (folder, fresh) = (kernels(), kernels());
    fs::create_dir(folder.path().join("said")).unwrap();
    let end = Instant::now() + Duration::from_secs(if full { 180 } else { 4 });
    let (killed, number) = (AtomicU64::new(0), AtomicU64::new(0));
    let signals: Vec<Signal> =
        heard([Signal::INT, Signal::TERM, Signal::HUP, Signal::QUIT, Signal::XCPU, Signal::KILL]).collect();
    std::thread::scope(|s| {
        for worker in 0..3 {
            let (folder, killed, number, signals) = (&folder, &killed, &number, &signals);
            s.spawn(move || {
                let mut rng = Rng::new(seed * 3 + worker);
                while Instant::now() < end {
                    let args = rng.pick(commands);
                    let fate = Fate::draw(&mut rng, signals);
                    killed.fetch_add(u64::from(matches!(fate, Fate::Signal(..))), Ordering::Relaxed);
                    suffer(folder, args, fate, number.fetch_add(1, Ordering::Relaxed));
                }
            });
        }
    });
    println!("{} commands", number.into_inner());
    fs::remove_dir(folder.path().join("said")).unwrap();
    // What was killed may take a moment to be gone.
    crate::support::until("programs to end", || working(&folder).is_empty());
    for args in commands {
        for place in [&fresh, &folder] {
            let ran = Ran::of(command(place, args, Fate::Peace).output().unwrap());
            assert_eq!(ran.status, 0, "{args:?} afterwards: {ran:?}");
        }
        for name in ["y.mtx", "out/spmv_core.v", "data/spmv_core.v"] {
            let of = |place: &Folder| fs::read(place.path().join(name)).ok();
            assert!(of(&fresh).is_none_or(|content| Some(content) == of(&folder)), "{name} after {args:?}");
        }
    }
    let checked = Ran::of(command(&folder, &["cache", "check"], Fate::Peace).output().unwrap());
    assert_eq!(checked.status, 0, "{checked:?}");
    assert!(left(&folder) as u64 <= killed.into_inner(), "more is left than was killed");
}
