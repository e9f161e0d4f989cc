//! Selection of test cases from a long list: a random part with a printed seed, or all with `SAMHW_FULL`.

use samhw_values::Rng;
use std::collections::BTreeMap;
use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Returns whether tests run all their cases, however long that takes (`SAMHW_FULL`).
pub fn full() -> bool {
    std::env::var_os("SAMHW_FULL").is_some()
}

/// Returns `SAMHW_SEED`, or a number that changes with the sources: the selected cases stay the same while nothing
/// changes, and over time every case is selected.
pub fn seed() -> u64 {
    static SEED: OnceLock<u64> = OnceLock::new();
    let seed = *SEED.get_or_init(|| {
        let given = std::env::var("SAMHW_SEED").ok().and_then(|s| s.parse().ok());
        given.unwrap_or_else(|| sources(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))) >> 32)
    });
    println!("SAMHW_SEED={seed}");
    seed
}

/// Selects `count` elements of `all` at random, or all of them with `SAMHW_FULL`. They stay in order.
pub fn drawn<T>(all: impl IntoIterator<Item = T>, count: usize) -> Vec<T> {
    let mut left: Vec<T> = all.into_iter().collect();
    if !full() {
        let mut rng = Rng::new(seed());
        while left.len() > count {
            left.remove(rng.below(left.len() as u64) as usize);
        }
    }
    left
}

/// Whether `what` is among the one of `number` that are drawn; all are with `SAMHW_FULL`.
pub fn is_drawn(what: impl Hash, number: u64) -> bool {
    let mut hash = DefaultHasher::new();
    (seed(), what).hash(&mut hash);
    full() || hash.finish().is_multiple_of(number)
}

/// Of this many forms of a module after the first one is drawn.
const ONE_OF: u64 = 4;

/// The form of each module that a test asked for first.
#[derive(Debug)]
pub struct Forms(Mutex<BTreeMap<String, String>>);

impl Forms {
    /// No module has a form yet.
    pub const fn new() -> Self {
        Self(Mutex::new(BTreeMap::new()))
    }
    /// Whether a form of `module` is tried: the first one, and of the others some, drawn.
    pub fn are_tried(&self, module: &str, form: &str) -> bool {
        let mut first = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        first.entry(module.to_string()).or_insert_with(|| form.to_string()) == form || is_drawn(form, ONE_OF)
    }
}

impl Default for Forms {
    fn default() -> Self {
        Self::new()
    }
}

/// A hash of all Rust and Verilog below the `src` folders of this workspace.
fn sources(root: &Path) -> u64 {
    let mut found = Vec::new();
    let crates = fs::read_dir(root).into_iter().flatten().flatten().map(|e| e.path().join("src"));
    crates.for_each(|folder| collect(&folder, &mut found));
    found.sort();
    let mut hash = DefaultHasher::new();
    found.iter().for_each(|path| hash.write(&fs::read(path).unwrap_or_default()));
    hash.finish()
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    for path in fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path()) {
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs" || e == "v") {
            found.push(path);
        }
    }
}
