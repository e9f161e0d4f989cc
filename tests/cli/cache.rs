//! The folder of compiled designs, with the tools as they are installed.

use crate::support::{Folder, Ran, SPMV};
use crate::waves::same_transfers;
use std::fs;
use std::path::PathBuf;

/// The Verilator engine in a folder of its own; none, with a printed line, where a tool is missing.
fn verilator(folder: &Folder, kernel: &str, more: &[&str]) -> Option<Ran> {
    let mut command = folder.samhw(&["run", kernel, "--engine", "verilator"]);
    let ran = Ran::of(command.args(more).env("SAMHW_CACHE", "cache").env("XDG_CACHE_HOME", ".").output().unwrap());
    if ran.err.starts_with("error[R001]") {
        assert!(std::env::var_os("SAMHW_REQUIRE_TOOLS").is_none(), "{ran:?}");
        eprintln!("skipped: {}", ran.err);
        return None;
    }
    assert!(ran.status != 0 || ran.out.contains("matches  the reference"), "{ran:?}");
    Some(ran)
}

/// Files of this name in the entries of the cache.
fn files(folder: &Folder, name: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder.path().join("cache")).unwrap().flatten();
    entries.map(|e| e.path().join(name)).filter(|p| p.is_file()).collect()
}

fn cut(path: &PathBuf, length: u64) {
    fs::OpenOptions::new().write(true).open(path).unwrap().set_len(length).unwrap();
}

#[test]
fn what_is_damaged_is_made_again_and_told() {
    let folder = Folder::new();
    folder.write("spmv.toml", SPMV);
    // The folder is a relative one.
    let Some(first) = verilator(&folder, "spmv.toml", &[]) else { return };
    assert_eq!((first.status, first.err.as_str()), (0, ""));
    let library = files(&folder, "library.so").remove(0);
    cut(&library, 4096);
    let checked =
        |folder: &Folder| Ran::of(folder.samhw(&["cache", "check"]).env("SAMHW_CACHE", "cache").output().unwrap());
    let ran = checked(&folder);
    assert!(ran.status == 1 && ran.err.contains("library.so has 4096 bytes"), "{ran:?}");
    // What is common to all designs, too: the smallest of it, which is compiled again soonest.
    let objects = files(&folder, "unit.o");
    cut(objects.iter().min_by_key(|o| fs::metadata(o).unwrap().len()).unwrap(), 0);
    let ran = verilator(&folder, "spmv.toml", &[]).unwrap();
    assert!(ran.status == 0 && ran.err.contains("is damaged and is made again: library.so has 4096 bytes"), "{ran:?}");
    assert!(ran.err.contains("unit.o has 0 bytes"), "{ran:?}");
    assert_eq!(checked(&folder).status, 0);
    // A waveform has its name when it is complete. On a disk without room it has none, and that is
    // told as what it is.
    let ran = verilator(&folder, "spmv.toml", &["--wave", "w.vcd"]).unwrap();
    assert!(ran.status == 0 && folder.read("w.vcd").contains("$enddefinitions"), "{ran:?}");
    let ran = verilator(&folder, "spmv.toml", &["--wave", "v.fst"]).unwrap();
    assert_eq!(ran.status, 0, "{ran:?}");
    same_transfers(&folder);
    for name in ["n.fst", "n.gtkw", "v.fst"] {
        fs::remove_file(folder.path().join(name)).unwrap();
    }
    fs::write(folder.path().join("w.vcd"), "old").unwrap();
    let args = ["-c", "ulimit -f 8; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_samhw")];
    let mut limited = std::process::Command::new("sh");
    limited.args(args).args(["run", "spmv.toml", "--engine", "verilator", "--wave", "w.vcd"]);
    let ran = Ran::of(limited.env("SAMHW_CACHE", "cache").current_dir(folder.path()).output().unwrap());
    ran.failed(2, "T020");
    assert!(ran.err.contains("w.vcd") && folder.read("w.vcd") == "old", "{ran:?}");
    verilator(&folder, "spmv.toml", &["--wave", "nowhere/w.vcd"]).unwrap().failed(2, "T020");
    let names = || -> Vec<String> {
        let all = fs::read_dir(folder.path()).unwrap().flatten();
        let mut all: Vec<String> = all.map(|e| e.file_name().into_string().unwrap()).collect();
        all.sort();
        all
    };
    assert_eq!(names(), ["cache", "spmv.toml", "w.vcd"]);
    fs::write(folder.path().join("cache/mine"), "").unwrap();
    let cache = |args: &[&str]| Ran::of(folder.samhw(args).env("SAMHW_CACHE", "cache").output().unwrap());
    let listed = cache(&["cache"]);
    assert!(listed.status == 0 && listed.out.contains("spmv_ram") && listed.out.contains("the runtime's shim"));
    assert!(cache(&["cache", "clear", "--older", "1"]).out.contains("removed 0 entries"));
    assert_eq!(cache(&["cache", "clear"]).status, 0);
    assert_eq!(fs::read_dir(folder.path().join("cache")).unwrap().count(), 1);
}
