//! The built `samhw`, run as a user runs it.

use super::clock::{children_seconds, median};
use anyhow::{Context, Result};
use std::io::Read;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Instant;

/// The built command line program.
pub struct Cli {
    binary: PathBuf,
}

/// The observation of one call.
pub struct Watched {
    /// Whether the program succeeded.
    pub success: bool,
    /// Output of the program.
    pub output: String,
    /// Seconds from start to end.
    pub wall: f64,
    /// Largest memory use in bytes, if the system reports it.
    pub peak: Option<u64>,
}

/// The time of several calls.
pub struct Taken {
    /// Seconds from start to end.
    pub wall: f64,
    /// Processor seconds, if the system reports them: the time on an idle machine with one processor.
    pub processors: Option<f64>,
}

impl Cli {
    /// Returns the program built next to this one.
    pub fn beside() -> Option<Self> {
        let binary = std::env::current_exe().ok()?.with_file_name(format!("samhw{}", std::env::consts::EXE_SUFFIX));
        binary.is_file().then_some(Self { binary })
    }
    /// Returns the median of `runs` calls with the arguments that `args` returns before each; an error has the first
    /// line of a failed call's output.
    pub fn median(
        &self,
        runs: usize,
        mut args: impl FnMut() -> Result<Vec<String>>,
        place: &Folder,
    ) -> Result<std::result::Result<Taken, String>> {
        let (mut wall, mut processors) = (Vec::new(), Vec::new());
        for _ in 0..runs {
            let args = args()?;
            let (begin, before) = (Instant::now(), children_seconds());
            let done = Command::new(&self.binary)
                .args(args)
                .env("SAMHW_CACHE", place.path.join("cache"))
                .output()
                .with_context(|| self.binary.display().to_string())?;
            wall.push(begin.elapsed().as_secs_f64());
            processors.extend(children_seconds().zip(before).map(|(now, then)| now - then));
            if !done.status.success() {
                let text = String::from_utf8_lossy(&done.stderr);
                return Ok(Err(text.lines().next().unwrap_or("it failed without a word").to_string()));
            }
        }
        Ok(Ok(Taken { wall: median(wall), processors: (!processors.is_empty()).then(|| median(processors)) }))
    }

    /// Runs the program once with these arguments and observes its memory use.
    pub fn watched(&self, args: &[&str]) -> Result<Watched> {
        let begin = Instant::now();
        let mut child = Command::new(&self.binary)
            .args(args)
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| self.binary.display().to_string())?;
        let status = format!("/proc/{}/status", child.id());
        let mut peak = None;
        let exit = loop {
            if let Some(exit) = child.try_wait()? {
                break exit;
            }
            peak = resident(&status).or(peak);
            std::thread::sleep(std::time::Duration::from_millis(20));
        };
        let wall = begin.elapsed().as_secs_f64();
        let mut output = String::new();
        if let Some(mut out) = child.stdout.take() {
            out.read_to_string(&mut output)?;
        }
        Ok(Watched { success: exit.success(), output, wall, peak })
    }
}

/// Most bytes that a process has had in memory (Linux).
fn resident(status: &str) -> Option<u64> {
    let text = std::fs::read_to_string(status).ok()?;
    let line = text.lines().find_map(|l| l.strip_prefix("VmHWM:"))?;
    Some(line.trim().trim_end_matches(" kB").parse::<u64>().ok()? << 10)
}

/// A folder for the files of one benchmark, removed when dropped.
pub struct Folder {
    /// Path of the folder.
    pub path: PathBuf,
}

impl Folder {
    /// Creates a folder.
    pub fn new() -> Result<Self> {
        let path = std::env::temp_dir().join(format!("samhw-bench-{}", std::process::id()));
        std::fs::create_dir_all(&path).with_context(|| path.display().to_string())?;
        Ok(Self { path })
    }
    /// Removes all compiled designs.
    pub fn empty_cache(&self) -> Result<()> {
        let cache = self.path.join("cache");
        if cache.exists() {
            std::fs::remove_dir_all(&cache).with_context(|| cache.display().to_string())?;
        }
        Ok(())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A folder that cannot be removed is only waste.
        let _ = std::fs::remove_dir_all(&self.path);
    }
}
