//! A folder to work in and the program run in it.

#[cfg(unix)]
use rustix::process::Signal;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// An empty folder that goes when this goes.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let name = format!("{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> &Self {
        fs::write(self.0.join(name), content).unwrap();
        self
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap()
    }

    /// The program, to be run here.
    pub fn samhw<S: AsRef<OsStr>>(&self, args: &[S]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_samhw"));
        command.current_dir(&self.0).args(args).env("RUST_BACKTRACE", "0");
        command
    }

    /// Runs the program here.
    pub fn run<S: AsRef<OsStr>>(&self, args: &[S]) -> Ran {
        Ran::of(self.samhw(args).output().unwrap())
    }

    /// Runs it, and it must go well.
    pub fn fine<S: AsRef<OsStr>>(&self, args: &[S]) -> Ran {
        let ran = self.run(args);
        assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
        ran
    }

    /// Every file with its content, folders with `None`.
    pub fn content(&self) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
        let (mut out, mut folders) = (BTreeMap::new(), vec![self.0.clone()]);
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path.clone());
                    out.insert(path, None);
                } else {
                    out.insert(path.clone(), Some(fs::read(&path).unwrap_or_default()));
                }
            }
        }
        out
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Waits for something that takes a moment; what takes longer than a minute fails.
pub fn until(what: &str, happened: impl Fn() -> bool) {
    let begin = Instant::now();
    while !happened() {
        assert!(begin.elapsed() < Duration::from_secs(60), "waited too long for {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Those of `signals` that programs started here heed: whoever runs the tests may have had some
/// ignored, as `nohup` does.
#[cfg(unix)]
pub fn heard<const N: usize>(signals: [Signal; N]) -> impl Iterator<Item = Signal> {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|l| u64::from_str_radix(l.strip_prefix("SigIgn:")?.trim(), 16).ok());
    signals.into_iter().filter(move |s| ignored.unwrap_or(0) >> (s.as_raw() - 1) & 1 == 0)
}

/// How a run ended.
#[derive(Debug)]
pub struct Ran {
    /// Exit status, -1 after a signal.
    pub status: i32,
    pub out: String,
    pub err: String,
}

impl Ran {
    pub fn of(output: Output) -> Self {
        Self {
            status: output.status.code().unwrap_or(-1),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// It must have failed with this status and diagnostic, without output; a note may have said
    /// before how long it takes.
    pub fn failed(&self, status: i32, code: &str) {
        let first = self.err.find("error[").filter(|&at| at == 0 || self.err.starts_with("note: "));
        let told = first.is_some_and(|at| self.err[at..].starts_with(&format!("error[{code}]")));
        assert!(self.status == status && told && self.out.is_empty(), "expected {code}, got {self:?}");
    }
}

/// A kernel over matrix `A` and vector `x`, with generated data.
pub const SPMV: &str = r#"expr = "y(i) = A(i,j) * x(j)"

[dims]
i = 8
j = 6

[tensors.A]
format = "dcsr"
type = "i32"
[tensors.x]
levels = ["compressed"]
type = "i32"
[tensors.y]
levels = ["compressed"]
type = "i32"

[data]
A = { random = { density = 0.5, seed = 1 } }
x = { random = { density = 0.9, seed = 2 } }
"#;
