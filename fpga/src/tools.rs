//! The search for the programs of the flow, and cancellable runs of them.

use crate::steps::Tool;
use samhw_compiler::diag::Diagnostic;
use samhw_rtlsim::executable;
use samhw_system::{End, Running};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;

/// Oldest versions known to work, of programs that are not the pinned wheels.
const OLDEST: [(&str, [u32; 2]); 2] = [("yosys", [0, 38]), ("nextpnr", [0, 7])];

/// A program on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// Path of the program.
    pub path: PathBuf,
    /// Version as the program prints it.
    pub version: String,
}

/// Finds the first suitable program for `tool`: in a private environment, otherwise on PATH.
pub fn find(tool: Tool) -> Result<Program, Diagnostic> {
    let mut reasons = Vec::new();
    for name in tool.programs {
        let Some(path) = executable(name) else { continue };
        let mut asked = Command::new(&path);
        asked.arg("--version");
        let text = match samhw_system::output(asked, &format!("{} --version", path.display())) {
            Ok(ran) => match ran.end.words(&ran.text) {
                None => ran.text,
                Some(_) if tool.variable == "PACK" && matches!(ran.end, End::Badly(_)) => ran.text,
                Some(how) => {
                    reasons.push(format!("{} does not start: {}, {how}", path.display(), last_line(&ran.text)));
                    continue;
                }
            },
            Err(e) => {
                reasons.push(format!("{} does not start: {e}", path.display()));
                continue;
            }
        };
        let line = text.lines().find(|l| l.chars().any(|c| c.is_ascii_digit())).unwrap_or_default().trim().to_string();
        let oldest = OLDEST.iter().find(|(n, _)| name.starts_with(n)).map(|(_, v)| *v);
        match (oldest, version(&line)) {
            (Some(least), Some(found)) if found < least => {
                let [a, b] = least;
                reasons.push(format!("{} is {}.{}, {a}.{b} or later is needed", path.display(), found[0], found[1]));
            }
            _ => return Ok(Program { path, version: line }),
        }
    }
    let remedy = "run `samhw tools install`";
    Err(if reasons.is_empty() {
        Diagnostic::new("R001", format!("{} was not found in a private environment or on PATH", tool.name)).help(remedy)
    } else {
        let d = Diagnostic::new("R002", format!("no {} that works", tool.name));
        reasons.into_iter().fold(d, Diagnostic::help).help(remedy)
    })
}

/// The first `N.M` in a line.
fn version(line: &str) -> Option<[u32; 2]> {
    line.split(|c: char| !(c.is_ascii_digit() || c == '.')).find_map(|word| {
        let mut parts = word.split('.').map(str::parse::<u32>);
        Some([parts.next()?.ok()?, parts.next()?.ok()?])
    })
}

fn last_line(text: &str) -> &str {
    text.lines().rev().find(|l| !l.trim().is_empty()).unwrap_or("it said nothing")
}

/// The end of a program's run.
#[derive(Debug)]
pub enum Ended {
    /// The program succeeded.
    Well,
    /// The program failed: exit status or signal, and output.
    Failed(String, String),
    /// The program was stopped because `cancel` was set.
    Cancelled,
}

/// Runs `program` in folder `dir`. What it prints goes to file `log` there; `watch` sees the tail
/// of it now and then.
pub fn run(
    program: &Path,
    args: &[String],
    dir: &Path,
    log: &str,
    cancel: &AtomicBool,
    watch: &mut dyn FnMut(&str),
) -> std::io::Result<Ended> {
    let path = dir.join(log);
    let out = File::create(&path)?;
    let err = out.try_clone()?;
    let mut command = Command::new(program);
    command.args(args).current_dir(dir).stdin(Stdio::null()).stdout(out).stderr(err);
    let running = Running::start(&mut command, &program.display().to_string())?;
    let mut seen = File::open(&path)?;
    let mut fresh = Vec::new();
    let end = running.wait(Some(cancel), &mut || {
        fresh.clear();
        // What cannot be read in this moment is not shown; it is read again when the program has failed.
        let _ = seen.read_to_end(&mut fresh);
        let text = String::from_utf8_lossy(&fresh);
        if let Some(line) = text.lines().rev().find(|l| !l.trim().is_empty()) {
            watch(line.trim());
        }
    })?;
    let text = || std::fs::read(&path).map(|b| String::from_utf8_lossy(&b).into_owned()).unwrap_or_default();
    Ok(match &end {
        End::Well => Ended::Well,
        End::Cancelled => Ended::Cancelled,
        End::Badly(_) | End::Late(_) => {
            let text = text();
            Ended::Failed(end.words(&text).unwrap_or_default(), text)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_found_in_what_tools_say() {
        assert_eq!(version("Yosys 0.70 (git sha1 28ba3cb92)"), Some([0, 70]));
        assert_eq!(
            version("\"nextpnr-ecp5\" -- Next Generation Place and Route (Version nextpnr-0.11.1)"),
            Some([0, 11])
        );
        assert_eq!(version("Yosys 0.9 (git"), Some([0, 9]));
        assert_eq!(version("no number"), None);
    }

    #[test]
    fn a_program_is_stopped_when_it_is_cancelled() {
        let dir = std::env::temp_dir();
        let cancel = AtomicBool::new(true);
        let log = format!("samhw-sleep-{}", std::process::id());
        let ended = run(Path::new("sleep"), &["60".into()], &dir, &log, &cancel, &mut |_| ()).unwrap();
        assert!(matches!(ended, Ended::Cancelled));
        let _ = std::fs::remove_file(dir.join(log));
    }
}
