//! Folders that commands write: one run's files, all of them, and what else was there.

use crate::support::{Folder, Ran, SPMV};
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::time::Duration;

const LIST: &str = ".written-by-samhw";

/// Content of the files in a folder by name, without the list of what was written.
fn content(folder: &Folder, name: &str) -> BTreeMap<String, Option<Vec<u8>>> {
    let dir = folder.path().join(name);
    let at = |path: &PathBuf| path.strip_prefix(&dir).ok().map(|p| p.to_str().unwrap().to_string());
    folder
        .content()
        .into_iter()
        .filter_map(|(p, c)| Some((at(&p)?, c)))
        .filter(|(n, _)| !n.is_empty() && n != LIST)
        .collect()
}

/// Two kernels of one name, which have other files.
fn kernels(folder: &Folder) {
    fs::create_dir(folder.path().join("more")).unwrap();
    folder.write("k.toml", SPMV).write("more/k.toml", SPMV.replace("A(i,j) * x(j)", "sum[j](max(A(i,j), x(j)) / 3)"));
    for (kernel, dir) in [("k.toml", "one"), ("more/k.toml", "two")] {
        folder.fine(&["gen", kernel, "-o", dir]);
    }
}

fn start(folder: &Folder, args: &[&str]) -> Child {
    folder.samhw(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

#[test]
fn two_into_one_folder_leave_one_of_them() {
    let folder = Folder::new();
    kernels(&folder);
    let wanted = ["one", "two"].map(|dir| content(&folder, dir));
    assert_ne!(wanted[0], wanted[1]);
    for n in 0..8 {
        let mut both = ["k.toml", "more/k.toml"].map(|k| start(&folder, &["gen", k, "-o", "out"]));
        assert!(both.iter_mut().all(|c| c.wait().unwrap().success()));
        let found = content(&folder, "out");
        assert!(wanted.contains(&found), "{n}: {:?}", found.keys());
        if n % 2 == 1 {
            fs::remove_dir_all(folder.path().join("out")).unwrap();
        }
    }
}

#[test]
fn a_folder_is_as_it_was_or_as_it_should_be_whenever_the_program_is_killed() {
    let folder = Folder::new();
    kernels(&folder);
    let wanted = ["one", "two"].map(|dir| content(&folder, dir));
    folder.fine(&["gen", "k.toml", "-o", "out"]);
    for n in 0..40 {
        let kernel = ["more/k.toml", "k.toml"][n % 2];
        let mut child = start(&folder, &["gen", kernel, "-o", "out"]);
        std::thread::sleep(Duration::from_millis(n as u64));
        let _ = child.kill();
        child.wait().unwrap();
        let found = content(&folder, "out");
        assert!(wanted.contains(&found), "{n}: {:?}", found.keys());
    }
    // What was left next to it goes with the next run.
    folder.fine(&["gen", "k.toml", "-o", "out"]);
    assert_eq!(content(&folder, "out"), wanted[0]);
    let left = fs::read_dir(folder.path()).unwrap().flatten().map(|e| e.path());
    let left: Vec<PathBuf> = left.filter(|p| p.join(".lock").exists()).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn what_cannot_be_replaced_leaves_the_folder_as_it_was() {
    let folder = Folder::new();
    kernels(&folder);
    folder.fine(&["gen", "k.toml", "-o", "out"]);
    fs::remove_file(folder.path().join("out/k.json")).unwrap();
    fs::create_dir(folder.path().join("out/k.json")).unwrap();
    let before = folder.content();
    let ran = folder.run(&["gen", "more/k.toml", "-o", "out"]);
    ran.failed(2, "R025");
    assert!(ran.err.contains("k.json is a folder"), "{ran:?}");
    assert_eq!(folder.content(), before);
}

#[test]
fn what_an_earlier_run_wrote_goes_and_nothing_else() {
    let folder = Folder::new();
    let axi =
        format!("{SPMV}\n[hardware]\nmemory = \"axi\"\n").replace("format = \"dcsr\"", "format = \"dcsr\"\nnnz = 64");
    folder.write("k.toml", axi);
    folder.fine(&["gen", "k.toml", "-o", "out", "--data"]);
    let with = content(&folder, "out");
    folder.write("out/notes", "mine").fine(&["gen", "k.toml", "-o", "out"]);
    let without = content(&folder, "out");
    let gone: Vec<&String> = with.keys().filter(|n| !without.contains_key(*n)).collect();
    assert_eq!((gone, folder.read("out/notes").as_str()), (vec![&"k_data.txt".to_string()], "mine"));
    // What has been changed since is somebody's.
    folder.fine(&["gen", "k.toml", "-o", "out", "--data"]);
    folder.write("out/k_data.txt", "my own");
    let ran = Ran::of(folder.samhw(&["gen", "k.toml", "-o", "out"]).output().unwrap());
    assert!(ran.status == 0 && ran.err.contains("k_data.txt has been changed"), "{ran:?}");
    assert_eq!(folder.read("out/k_data.txt"), "my own");
}

#[test]
fn a_search_replaces_what_an_earlier_one_found() {
    let folder = Folder::new();
    folder.write("a.toml", SPMV).write("b.toml", SPMV);
    let explore = |kernel: &str, dir: &str| folder.fine(&["explore", kernel, "--vary", "orders", "-o", dir]);
    explore("a.toml", "found");
    folder.fine(&["gen", "a.toml", "-o", "found"]);
    assert!(folder.path().join("found/a_1.toml").exists());
    explore("b.toml", "found");
    let names: Vec<String> = content(&folder, "found").into_keys().filter(|n| n.ends_with(".toml")).collect();
    assert!(!names.is_empty() && names.iter().all(|n| n.starts_with("b_")), "{names:?}");
    // What another command wrote is not an earlier search's.
    assert!(folder.path().join("found/a_core.v").exists());
    // What cannot be written is told before the search.
    folder.run(&["explore", "a.toml", "-o", "a.toml"]).failed(2, "R025");
}

#[test]
fn the_folder_may_be_the_one_we_are_in() {
    let folder = Folder::new();
    folder.write("k.toml", SPMV);
    for _ in 0..2 {
        folder.fine(&["gen", "k.toml", "-o", "."]);
        assert!(folder.read("k_core.v").contains("module k_core") && folder.read("k.toml") == SPMV);
    }
    fs::create_dir_all(folder.path().join("deep/er")).unwrap();
    let mut command = folder.samhw(&["gen", "../../k.toml", "-o", ".."]);
    assert!(command.current_dir(folder.path().join("deep/er")).status().unwrap().success());
    assert!(folder.path().join("deep/k_core.v").exists() && folder.path().join("deep/er").exists());
}
