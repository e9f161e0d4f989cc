//! Runs of programs: in process groups of their own, which end with this process, with a time limit and progress
//! messages.

use crate::{Scratch, ending, news};
use std::io::{self, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

/// Environment variable with the time limit of programs in seconds; 0 or unset means no limit.
pub const TOOL_SECONDS: &str = "SAMHW_TOOL_SECONDS";

/// Environment variable with the folder in which programs put temporary files.
const TEMPORARY: &str = "TMPDIR";

/// How the name of a program's own such folder begins.
const SCRATCH: &str = "samhw-tmp-";

/// Most bytes kept of what a program prints.
const MOST: usize = 1 << 24;

/// The longest time between two looks at a program.
const PERIOD: Duration = Duration::from_millis(20);

/// How long what a program printed is waited for after its end: another one that it has left behind
/// may hold the pipe.
const REST: Duration = Duration::from_secs(2);

/// The end of a program's run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// The program succeeded.
    Well,
    /// The program failed, with this exit status or signal.
    Badly(String),
    /// The program exceeded this limit in seconds and was ended.
    Late(u64),
    /// The program was ended because the work was cancelled.
    Cancelled,
}

impl End {
    /// Returns whether the program succeeded.
    pub fn well(&self) -> bool {
        *self == Self::Well
    }

    /// Describes a failure in words, with a remedy if one is known; `None` after success. `text` is what the program
    /// printed: compilers report there that a part of theirs was killed.
    pub fn words(&self, text: &str) -> Option<String> {
        let memory = "it was killed, usually because memory ran out: use smaller sizes or fewer jobs at a time";
        match self {
            Self::Well => None,
            Self::Badly(how) if how.contains("KILL") => Some(format!("{how}; {memory}")),
            Self::Badly(how) if text.contains("Killed") || text.contains("out of memory") => {
                Some(format!("{how}; {memory}"))
            }
            Self::Badly(how) => Some(how.clone()),
            Self::Late(seconds) => {
                Some(format!("it was ended after {seconds} seconds, the limit that {TOOL_SECONDS} sets"))
            }
            Self::Cancelled => Some("it was interrupted".into()),
        }
    }
}

/// The output of a program and the end of its run.
#[derive(Debug, Clone)]
pub struct Ran {
    /// Standard output and standard error, in order.
    pub text: String,
    /// The end of the run.
    pub end: End,
}

/// Runs a program without input; `what` describes it in messages.
pub fn output(mut command: Command, what: &str) -> io::Result<Ran> {
    let (mut read, write) = io::pipe()?;
    command.stdin(Stdio::null()).stdout(write.try_clone()?).stderr(write);
    let printed = Arc::<Mutex<Vec<u8>>>::default();
    let (done, all) = mpsc::channel::<()>();
    let kept = printed.clone();
    thread::Builder::new().spawn(move || {
        let mut chunk = [0; 1 << 13];
        while let Ok(n @ 1..) = read.read(&mut chunk) {
            let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            // The rest is dropped, so that nobody waits with a full pipe.
            let room = MOST.saturating_sub(kept.len()).min(n);
            kept.extend_from_slice(&chunk[..room]);
        }
        drop(done);
    })?;
    let running = Running::start(&mut command, what)?;
    // It holds the pipe open.
    drop(command);
    let end = running.wait(None, &mut || ())?;
    let _ = all.recv_timeout(REST);
    let text = String::from_utf8_lossy(&printed.lock().unwrap_or_else(PoisonError::into_inner)).into_owned();
    Ok(Ran { text, end })
}

/// A running program.
#[derive(Debug)]
pub struct Running {
    child: Child,
    guard: Option<Child>,
    what: String,
    begin: Instant,
    limit: Option<Duration>,
    /// Its temporary files: a program that is killed leaves them.
    _temporary: Option<Scratch>,
}

impl Running {
    /// Starts a program in a process group of its own, with a folder of its own for temporary files.
    pub fn start(command: &mut Command, what: &str) -> io::Result<Self> {
        let limit = tool_seconds()?;
        // Where none can be made, the program says whether it needs one.
        let temporary = Scratch::new(&std::env::temp_dir(), SCRATCH).ok();
        if let Some(temporary) = &temporary {
            command.env(TEMPORARY, temporary.path());
        }
        // An interruption between starting it and knowing it would leave it running.
        let mut open = ending::hold();
        let guard = guard();
        #[cfg(unix)]
        {
            let group = guard.as_ref().and_then(|g| i32::try_from(g.id()).ok()).unwrap_or(0);
            std::os::unix::process::CommandExt::process_group(command, group);
        }
        let started = command.spawn();
        if let Ok(child) = &started {
            open.add_group(guard.as_ref().map_or(child.id(), Child::id));
        }
        drop(open);
        let child = started?;
        Ok(Self { child, guard, what: what.into(), begin: Instant::now(), limit, _temporary: temporary })
    }

    /// Number of its group.
    fn group(&self) -> u32 {
        self.guard.as_ref().map_or(self.child.id(), Child::id)
    }

    /// Waits for the end of the program. It is ended when `cancel` or [`ending::cancelled`] is set, and at the limit;
    /// `look` is called now and then.
    pub fn wait(mut self, cancel: Option<&AtomicBool>, look: &mut dyn FnMut()) -> io::Result<End> {
        let mut pause = Duration::from_micros(500);
        loop {
            if let Some(status) = self.ended()? {
                return Ok(if is_cancelled(cancel) { End::Cancelled } else { how(status) });
            }
            let time = self.begin.elapsed();
            if is_cancelled(cancel) {
                self.end();
                return Ok(End::Cancelled);
            }
            if let Some(limit) = self.limit.filter(|l| time > *l) {
                self.end();
                return Ok(End::Late(limit.as_secs()));
            }
            news::waiting(&self.what, time);
            look();
            thread::sleep(pause);
            pause = (pause * 2).min(PERIOD);
        }
    }

    /// Its status, if it has ended. Whoever ends groups of processes does not see one whose number
    /// may be another's already.
    fn ended(&mut self) -> io::Result<Option<ExitStatus>> {
        let mut open = ending::hold();
        let status = self.child.try_wait()?;
        if status.is_some() {
            open.remove_group(self.group());
        }
        Ok(status)
    }

    fn end(&mut self) {
        let mut open = ending::hold();
        ending::end_group(self.group());
        // Where there are no groups, and if it is gone already, which is as good.
        let _ = self.child.kill();
        let _ = self.child.wait();
        open.remove_group(self.group());
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !matches!(self.ended(), Ok(Some(_))) {
            self.end();
        }
        news::done();
        if let Some(mut guard) = self.guard.take() {
            if let Some(mut told) = guard.stdin.take() {
                let _ = told.write_all(b"\n");
            }
            let _ = guard.wait();
        }
    }
}

fn is_cancelled(cancel: Option<&AtomicBool>) -> bool {
    cancel.is_some_and(|c| c.load(Ordering::Relaxed)) || ending::cancelled().load(Ordering::Relaxed)
}

/// A shell that leads a group of processes, and ends it when this process goes without a word, even
/// by a signal that nobody can catch. Without a shell there is none.
#[cfg(unix)]
fn guard() -> Option<Child> {
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", "read -r _ || kill -s KILL 0"]).current_dir("/");
    shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    std::os::unix::process::CommandExt::process_group(&mut shell, 0);
    shell.spawn().ok()
}

#[cfg(not(unix))]
fn guard() -> Option<Child> {
    None
}

/// Returns the time limit of programs from [`TOOL_SECONDS`].
pub fn tool_seconds() -> io::Result<Option<Duration>> {
    let Some(text) = std::env::var_os(TOOL_SECONDS).filter(|t| !t.is_empty()) else { return Ok(None) };
    match text.to_str().and_then(|t| t.trim().parse().ok()) {
        Some(0) => Ok(None),
        Some(seconds) => Ok(Some(Duration::from_secs(seconds))),
        None => {
            let what = format!("{TOOL_SECONDS} must be a whole number of seconds, and is {}", text.display());
            Err(io::Error::new(io::ErrorKind::InvalidInput, what))
        }
    }
}

fn how(status: ExitStatus) -> End {
    if status.success() {
        return End::Well;
    }
    #[cfg(unix)]
    if let Some(number) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return End::Badly(format!("it was ended by {}", signal(number)));
    }
    match status.code() {
        Some(code) => End::Badly(format!("it ended with status {code}")),
        None => End::Badly(status.to_string()),
    }
}

/// A signal by name, where it is one that programs are ended by.
#[cfg(unix)]
fn signal(number: i32) -> String {
    use rustix::process::Signal;
    let known = [
        (Signal::HUP, "HUP"),
        (Signal::INT, "INT"),
        (Signal::QUIT, "QUIT"),
        (Signal::ILL, "ILL"),
        (Signal::ABORT, "ABRT"),
        (Signal::BUS, "BUS"),
        (Signal::FPE, "FPE"),
        (Signal::KILL, "KILL"),
        (Signal::SEGV, "SEGV"),
        (Signal::PIPE, "PIPE"),
        (Signal::TERM, "TERM"),
        (Signal::XCPU, "XCPU: its limit of processor time"),
        (Signal::XFSZ, "XFSZ: the limit of the size of files"),
    ];
    let name = known.iter().find(|(s, _)| s.as_raw() == number).map(|(_, name)| *name);
    name.map_or_else(|| format!("signal {number}"), |name| format!("signal {number}, SIG{name}"))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn sh(script: &str) -> Command {
        let mut c = Command::new("sh");
        c.args(["-c", script]);
        c
    }

    #[test]
    fn what_is_printed_and_how_it_ended() {
        let ran = output(sh("echo out; echo err >&2; exit 3"), "sh").unwrap();
        assert_eq!((ran.text.as_str(), ran.end), ("out\nerr\n", End::Badly("it ended with status 3".into())));
        let ran = output(sh("kill -KILL $$"), "sh").unwrap();
        let said = ran.end.words("").unwrap();
        assert!(said.contains("signal 9, SIGKILL") && said.contains("memory"), "{said}");
        // As compilers report it of their own parts.
        let said =
            output(sh("exit 1"), "sh").unwrap().end.words("g++: fatal error: Killed signal terminated program cc1plus");
        assert!(said.unwrap().contains("memory"));
        assert!(output(sh("exit 0"), "sh").unwrap().end.well());
    }

    #[test]
    fn a_program_that_cannot_be_started_is_an_error() {
        assert!(output(Command::new("/nowhere/program"), "it").is_err());
    }

    #[test]
    fn a_program_that_leaves_another_behind_is_not_waited_for_twice() {
        let begin = Instant::now();
        let ran = output(sh("sleep 60 & echo done"), "sh").unwrap();
        assert!(ran.end.well() && ran.text == "done\n" && begin.elapsed() < Duration::from_secs(30));
    }

    #[test]
    fn a_group_is_ended_as_a_whole() {
        let file = std::env::temp_dir().join(format!("samhw-group-{}", std::process::id()));
        let cancel = AtomicBool::new(false);
        let script = format!("sleep 60 & echo $! > '{}'; wait", file.display());
        let running = Running::start(&mut sh(&script), "sleep").unwrap();
        let mut inner = String::new();
        let end = running.wait(Some(&cancel), &mut || {
            inner = std::fs::read_to_string(&file).unwrap_or_default();
            cancel.store(inner.ends_with('\n'), Ordering::Relaxed);
        });
        assert_eq!(end.unwrap(), End::Cancelled);
        std::fs::remove_file(file).unwrap();
        // What was killed may take a moment to be gone, or stay as an entry that nobody has asked for.
        let alive = || {
            let state = std::fs::read_to_string(format!("/proc/{}/stat", inner.trim())).unwrap_or_default();
            !state.is_empty() && !state.contains(") Z")
        };
        let begin = Instant::now();
        while alive() && begin.elapsed() < Duration::from_secs(10) {
            thread::sleep(PERIOD);
        }
        assert!(!alive(), "the inner program still runs");
    }
}
