//! Pages that are run as they stand: files and commands between backquotes, in the order of the
//! page.
//!
//! | block | what it is |
//! |---|---|
//! | ` ```toml k.toml ` | a file: the second word is its name in the folder of the page |
//! | ` ```sh ` | commands of the shell, which must succeed |
//! | ` ```console ` | commands after `$ `, each with what it prints; `..` is any lines, `[..]` any
//! text |
//! | ` ```console TOOL ` | the same, where this tool is there |

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A block between backquotes.
#[derive(Debug)]
pub struct Block {
    /// The words after the opening backquotes.
    pub info: String,
    /// The lines between them.
    pub text: String,
    /// The heading above it.
    pub section: String,
}

/// The blocks of a page.
pub fn blocks(page: &str) -> Vec<Block> {
    let (mut out, mut open, mut section) = (Vec::new(), None::<Block>, String::new());
    for line in page.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(info)) => {
                open = Some(Block { info: info.trim().into(), text: String::new(), section: section.clone() });
            }
            (Some(_), Some(_)) => out.extend(open.take()),
            (Some(block), None) => {
                block.text += line;
                block.text.push('\n');
            }
            (None, None) => {
                if line.starts_with('#') {
                    section = line.trim_start_matches('#').trim().into();
                }
            }
        }
    }
    assert!(open.is_none(), "a block of code is not closed: {open:?}");
    out
}

/// A page without its code: neither blocks nor what is between backquotes in a line.
pub fn prose(page: &str) -> String {
    let mut code = false;
    let mut out = String::new();
    for line in page.split_inclusive('\n') {
        if line.trim_start().starts_with("```") {
            code = !code;
        } else if !code {
            out += line;
        }
    }
    out.split('`').step_by(2).collect()
}

/// The commands of a `console` block, each with the lines that it prints.
pub fn commands(block: &Block) -> Vec<(String, Vec<String>)> {
    let mut out: Vec<(String, Vec<String>)> = Vec::new();
    for line in block.text.lines() {
        match (line.strip_prefix("$ "), out.last_mut()) {
            (Some(command), _) => out.push((command.into(), Vec::new())),
            (None, Some((command, printed))) if command.ends_with('\\') && printed.is_empty() => {
                *command += "\n";
                *command += line;
            }
            (None, Some((_, printed))) => printed.push(line.into()),
            (None, None) => panic!("a console block begins with a command: {line}"),
        }
    }
    out
}

/// Whether `line` is `pattern`, in which `[..]` is any text.
fn same_line(pattern: &str, line: &str) -> bool {
    let Some((before, after)) = pattern.split_once("[..]") else { return pattern == line };
    let Some(rest) = line.strip_prefix(before) else { return false };
    (0..=rest.len()).filter(|&at| rest.is_char_boundary(at)).any(|at| same_line(after, &rest[at..]))
}

/// Whether `lines` are those of `pattern`, in which a line `..` is any lines.
pub fn same(pattern: &[String], lines: &[&str]) -> bool {
    match pattern.split_first() {
        None => lines.is_empty(),
        Some((any, rest)) if any == ".." => (0..=lines.len()).any(|at| same(rest, &lines[at..])),
        Some((first, rest)) => lines.split_first().is_some_and(|(l, tail)| same_line(first, l) && same(rest, tail)),
    }
}

/// A folder in which a page is run.
pub struct Scratch(PathBuf);

impl Scratch {
    pub fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("page-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Runs a script: whether it went well, and what it printed.
    pub fn run(&self, script: &str) -> (bool, String) {
        let here = Path::new(env!("CARGO_BIN_EXE_samhw")).parent().unwrap().to_path_buf();
        let others = std::env::var_os("PATH").unwrap_or_default();
        let path: OsString = std::env::join_paths([here].into_iter().chain(std::env::split_paths(&others))).unwrap();
        let out = Command::new("sh")
            .args(["-e", "-c", &format!("exec 2>&1\n{script}")])
            .current_dir(&self.0)
            .env("PATH", path)
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&out.stdout).replace(&*self.0.to_string_lossy(), "[..]");
        (out.status.success(), text.lines().map(|line| format!("{}\n", line.trim_end())).collect())
    }

    /// Runs a block: what it printed, and what is wrong with it.
    pub fn block(&self, block: &Block) -> (String, Result<(), String>) {
        let (kind, name) = block.info.split_once(' ').unwrap_or((&block.info, ""));
        if name.contains('.') {
            fs::write(self.0.join(name), &block.text).unwrap();
            return (String::new(), Ok(()));
        }
        let mut all = String::new();
        match kind {
            "sh" => {
                let (fine, printed) = self.run(&block.text);
                let wrong = format!("fails:\n{}{printed}", block.text);
                (printed, if fine { Ok(()) } else { Err(wrong) })
            }
            "console" => {
                for (command, pattern) in commands(block) {
                    let (fine, printed) = self.run(&command);
                    all += &printed;
                    let lines: Vec<&str> = printed.lines().collect();
                    if !same(&pattern, &lines) {
                        return (
                            all,
                            Err(format!("`{command}` prints\n{printed}instead of\n{}\n", pattern.join("\n"))),
                        );
                    }
                    if !fine && !pattern.iter().any(|line| line.contains("error")) {
                        return (all, Err(format!("`{command}` fails")));
                    }
                }
                (all, Ok(()))
            }
            _ => (all, Ok(())),
        }
    }
}

/// Lines of a block of commands as they are recorded; what is longer is cut.
const RECORDED: usize = 14;

impl Scratch {
    /// A `console` block with what its commands print now.
    pub fn recorded(&self, block: &Block) -> String {
        let mut out = String::new();
        for (command, _) in commands(block) {
            let (_, printed) = self.run(&command);
            // How long it took is not recorded.
            let timeless = |line| if str::starts_with(line, "seconds ") { "seconds  [..]\n" } else { line };
            let cut: String = printed.split_inclusive('\n').take(RECORDED).map(timeless).collect();
            let more = if printed.lines().count() > RECORDED { "..\n" } else { "" };
            out += &format!("$ {command}\n{cut}{more}");
        }
        out
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn patterns_leave_out_what_they_say() {
    let pattern = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let lines = ["a 1.5 s", "b", "c"];
    assert!(same(&pattern("a [..] s\n..\nc"), &lines) && same(&pattern("a [..]\nb\nc\n.."), &lines));
    assert!(!same(&pattern("a [..] m\n..\nc"), &lines) && !same(&pattern("..\nb"), &lines));
}
