//! The built `samhw` as a user runs it.

use super::clock::{children_seconds, median};
use anyhow::{Context, Result};
use std::io::Read;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Instant;

/// The command line.
pub struct Cli {
    binary: PathBuf,
}

/// What one call did.
pub struct Watched {
    /// It ended well.
    pub success: bool,
    /// What it printed.
    pub output: String,
    /// Seconds from start to end.
    pub wall: f64,
    /// Most bytes it had in memory, where the system tells.
    pub peak: Option<u64>,
}

/// What calls took.
pub struct Taken {
    /// Seconds from start to end.
    pub wall: f64,
    /// Seconds on processors, where the system tells: what an idle machine with one would need.
    pub processors: Option<f64>,
}

impl Cli {
    /// The one built beside this program.
    pub fn beside() -> Option<Self> {
        let binary = std::env::current_exe().ok()?.with_file_name(format!("samhw{}", std::env::consts::EXE_SUFFIX));
        binary.is_file().then_some(Self { binary })
    }
    /// Median of `runs` calls with the arguments that `args` gives before each; the first
    /// line of what it says where it fails.
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

    /// Runs it once with these arguments, watching how much memory it has.
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

/// A folder for one benchmark's files, removed when dropped.
pub struct Folder {
    /// The folder.
    pub path: PathBuf,
}

impl Folder {
    /// A new one.
    pub fn new() -> Result<Self> {
        let path = std::env::temp_dir().join(format!("samhw-bench-{}", std::process::id()));
        std::fs::create_dir_all(&path).with_context(|| path.display().to_string())?;
        Ok(Self { path })
    }
    /// Forgets all compiled designs.
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
