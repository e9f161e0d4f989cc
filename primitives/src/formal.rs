//! Formal proofs: every `formal_NAME.v` of a primitive is proved by induction, and each mutant that it lists must
//! violate its assertions.
//!
//! A proof's head says, after its prose, which parts of the design stand as they are (`with: MODULE`, where
//! the others' skid buffers are replaced by wires, see `formal/samhw_skid_stand_in.v`), and the mutants:
//! `mutant MODULE: TEXT => OTHER`. `\n` in a text is a line's end; a line of the head that is indented goes
//! on with the one before it. `case NAME: PARAMETER=VALUE ...` proves the top with those parameters, one
//! proof a case; of a file's cases some are drawn, and with `SAMHW_FULL` all are proved, each `long case`,
//! too. `mutant of NAME ...` and `probe of NAME ...` are for that case alone, of `NAME,NAME` for both. `probe
//! INPUT = SIGNAL` ties an input of the proof to a register inside (`dut.head`, or `dut.mem[0]` for a word of
//! a memory), for what must be known of it.

use crate::library::{MODULES, Source};
use samhw_rtlsim as rtl;
use samhw_testing::drawn::{drawn, full};
use samhw_testing::rtl::{cache, tool};
use samhw_values::Rng;
use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// What stands for a module, and all in it, in proofs: a module whose name ends in `_stand_in`.
const SHARED: [(&str, &str); 12] = [
    ("samhw_float_op", include_str!("../formal/samhw_float_op_stand_in.v")),
    ("samhw_float_real", include_str!("../formal/samhw_float_real_stand_in.v")),
    ("samhw_routine", include_str!("../formal/samhw_routine_stand_in.v")),
    ("samhw_segment_fetch", include_str!("../formal/samhw_segment_fetch_stand_in.v")),
    ("samhw_skid", include_str!("../formal/samhw_skid_stand_in.v")),
    ("samhw_skid_ahead", include_str!("../formal/samhw_skid_ahead_stand_in.v")),
    ("samhw_skip_buffer", include_str!("../formal/samhw_skip_buffer_stand_in.v")),
    ("samhw_skip_look", include_str!("../formal/samhw_skip_look_stand_in.v")),
    ("samhw_skip_need", include_str!("../formal/samhw_skip_need_stand_in.v")),
    ("samhw_word_walk", include_str!("../formal/samhw_word_walk_stand_in.v")),
    ("samhw_skid_late", include_str!("../formal/samhw_skid_late_stand_in.v")),
    ("samhw_workspace", include_str!("../formal/samhw_workspace_stand_in.v")),
];

/// What proofs use in addition to the library's modules.
const HELPERS: [(&str, &str); 11] = [
    ("samhw_answers.v", include_str!("../formal/samhw_answers.v")),
    ("samhw_due.v", include_str!("../formal/samhw_due.v")),
    ("samhw_fibers.v", include_str!("../formal/samhw_fibers.v")),
    ("samhw_filtered.v", include_str!("../formal/samhw_filtered.v")),
    ("samhw_kept.v", include_str!("../formal/samhw_kept.v")),
    ("samhw_lines.v", include_str!("../formal/samhw_lines.v")),
    ("samhw_owed.v", include_str!("../formal/samhw_owed.v")),
    ("samhw_rules.v", include_str!("../formal/samhw_rules.v")),
    ("samhw_soon.v", include_str!("../formal/samhw_soon.v")),
    ("samhw_steady.v", include_str!("../formal/samhw_steady.v")),
    ("samhw_watched.v", include_str!("../formal/samhw_watched.v")),
];

/// Induction: cycles that a counterexample or the base may take.
const MOST_STEPS: u32 = 12;

/// Reachability: time after which a proof is given up; those here need a fraction of it.
const MOST_SECONDS: u32 = 300;

/// The same for a long case: not all of them hold within that of others.
const MOST_SECONDS_LONG: u32 = 3000;

/// One in this number of proofs is tried with a mutant. One in this number of cases of a proof, at least one, is proved.
const DRAWN_OF: u64 = 3;
/// One in this number of files is tried.
const FILES_DRAWN_OF: usize = 20;

/// A change of a module that a proof must notice.
#[derive(Debug, Clone)]
struct Mutant {
    module: String,
    from: String,
    to: String,
}

/// A proof.
#[derive(Debug)]
struct Proof {
    name: String,
    top: String,
    long: bool,
    params: Vec<(String, String)>,
    text: String,
    with: Vec<String>,
    method: rtl::Method,
    probes: Vec<(String, String)>,
    mutants: Vec<Mutant>,
}

/// What a line of a proof's head says, after the case that it is for.
fn without_case(line: &str) -> &str {
    line.strip_prefix("of ").and_then(|l| l.split_once(' ')).map_or(line, |(_, l)| l)
}

/// The lines of a proof's head, those that go on in the next one put together.
fn head(text: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for line in text.lines().map_while(|l| l.strip_prefix("//")) {
        match all.last_mut().filter(|_| line.starts_with("     ")) {
            Some(before) => *before += &format!(" {}", line.trim()),
            None => all.push(line.trim().to_string()),
        }
    }
    all
}

impl Proof {
    /// The proofs of a file: one for each of its cases.
    fn read(path: &Path) -> Vec<Self> {
        let text = std::fs::read_to_string(path).unwrap();
        let short = |l: &String| l.strip_prefix("case ").map(|c| (c.to_string(), false));
        let case = |l: &String| short(l).or_else(|| l.strip_prefix("long case ").map(|c| (c.to_string(), true)));
        let cases: Vec<(String, bool)> = head(&text).iter().filter_map(case).collect();
        if cases.is_empty() {
            return vec![Self::of(path, text.clone(), None)];
        }
        let one = |(c, long): &(String, bool)| Self::of(path, text.clone(), c.split_once(": ")).lasting(*long);
        cases.iter().map(one).collect()
    }

    /// The same proof; a long one gets more time.
    fn lasting(self, long: bool) -> Self {
        let method = match self.method {
            rtl::Method::Reachability { .. } if long => rtl::Method::Reachability { seconds: MOST_SECONDS_LONG },
            other => other,
        };
        Self { long, method, ..self }
    }

    /// The proof in a file's `text`, of a case and its parameters where it has cases.
    fn of(path: &Path, text: String, case: Option<(&str, &str)>) -> Self {
        let top = path.file_stem().unwrap().to_str().unwrap().to_string();
        let name = case.map_or_else(|| top.clone(), |(c, _)| format!("{top}, {c}"));
        let params = case.iter().flat_map(|(_, p)| p.split(' ')).map(|p| p.split_once('=').unwrap());
        let params = params.map(|(n, v)| (n.to_string(), v.to_string())).collect();
        let head = head(&text);
        let with = head.iter().filter_map(|l| l.strip_prefix("with: ")).map(String::from).collect();
        let method = match head.iter().find_map(|l| l.strip_prefix("by: ")) {
            None => rtl::Method::Induction { most: MOST_STEPS },
            Some("reachability") => rtl::Method::Reachability { seconds: MOST_SECONDS },
            Some(other) => panic!("{name}: by {other}"),
        };
        let meant = |l: &&str| match l.strip_prefix("of ") {
            Some(of) => case.is_some_and(|(c, _)| of.split(' ').next().unwrap_or_default().split(',').any(|n| n == c)),
            None => true,
        };
        let mutants = head.iter().filter_map(|l| l.strip_prefix("mutant ")).filter(meant).map(without_case).map(|l| {
            let (module, change) = l.split_once(": ").unwrap_or_else(|| panic!("{name}: no module in `{l}`"));
            let (from, to) = change.split_once(" => ").unwrap_or_else(|| panic!("{name}: no `=>` in `{l}`"));
            let lines = |s: &str| s.replace("\\n", "\n");
            Mutant { module: module.into(), from: lines(from), to: lines(to) }
        });
        let probes = head.iter().filter_map(|l| l.strip_prefix("probe ")).filter(meant).map(without_case).map(|l| {
            let (input, signal) = l.split_once(" = ").unwrap_or_else(|| panic!("{name}: no `=` in `{l}`"));
            (input.into(), signal.into())
        });
        let (probes, mutants) = (probes.collect(), mutants.collect());
        Self { name, top, long: false, params, text, with, method, probes, mutants }
    }

    /// What stands for a module here.
    fn stand_in(&self, module: &str) -> Option<&'static str> {
        SHARED.iter().find(|(n, _)| *n == module && !self.with.iter().any(|w| w == n)).map(|(_, text)| *text)
    }

    /// Verilog that instantiates what stands for a module where something does.
    fn with_stand_ins(&self, text: &str) -> String {
        let line = |line: &str| {
            let word = line.trim_start().split([' ', '#', '(']).next().unwrap_or_default();
            let stands = self.stand_in(word).is_some();
            if stands { line.replacen(word, &format!("{word}_stand_in"), 1) } else { line.to_string() }
        };
        text.lines().map(|l| line(l) + "\n").collect()
    }

    /// The library's modules that the proof is about, with all that they instantiate; of what others stand for, not what is
    /// inside.
    fn modules(&self) -> Vec<&'static Source> {
        let own = |line: &str| {
            let word = line.trim_start().split([' ', '#', '(']).next().unwrap_or_default().to_string();
            MODULES.iter().map(|s| s.name).find(|n| *n == word)
        };
        let mut todo: Vec<&str> = self.text.lines().filter(|l| !l.starts_with("//")).filter_map(own).collect();
        let mut found = BTreeMap::new();
        while let Some(source) = todo.pop().and_then(|name| MODULES.iter().find(|s| s.name == name)) {
            if found.insert(source.name, source).is_none() && self.stand_in(source.name).is_none() {
                todo.extend(source.uses);
            }
        }
        found.into_values().collect()
    }

    /// The design with the proof on top, `mutant` applied.
    fn design(&self, mutant: Option<&Mutant>) -> rtl::Design {
        let mut files = vec![(format!("{}.v", self.top), self.with_stand_ins(&self.text))];
        for source in self.modules() {
            if let Some(text) = self.stand_in(source.name) {
                files.push((format!("{}_stand_in.v", source.name), text.into()));
                continue;
            }
            let mut text = source.text.to_string();
            if let Some(m) = mutant.filter(|m| m.module == source.name) {
                assert_eq!(text.matches(&m.from).count(), 1, "{}: `{}` in {}", self.name, m.from, m.module);
                text = text.replace(&m.from, &m.to);
            }
            files.push((format!("{}.v", source.name), self.with_stand_ins(&text)));
        }
        files.extend(HELPERS.map(|(name, text)| (name.into(), text.into())));
        let changed = mutant.is_none_or(|m| files.iter().any(|(n, _)| *n == format!("{}.v", m.module)));
        assert!(changed, "{}: {mutant:?} is in no file of the design", self.name);
        rtl::Design { params: self.params.clone(), ..rtl::Design::new(&self.top, files) }
    }
}

/// Every proof in the folders of the primitives; with `SAMHW_PROOF` those whose names contain it.
fn proofs() -> Vec<Proof> {
    fn find(folder: &Path, out: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()) {
            let name = entry.file_name().unwrap().to_str().unwrap();
            if entry.is_dir() {
                find(&entry, out);
            } else if name.starts_with("formal_") && name.ends_with(".v") {
                out.push(entry);
            }
        }
    }
    let mut paths = Vec::new();
    find(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src")), &mut paths);
    // By folder and file: what is drawn of them does not depend on the folder's group.
    paths.sort_by_key(|path| {
        (path.parent().and_then(Path::file_name).map(OsStr::to_owned), path.file_name().map(OsStr::to_owned))
    });
    let wanted = std::env::var("SAMHW_PROOF").unwrap_or_default();
    paths.iter().flat_map(|p| Proof::read(p)).filter(|p| p.name.contains(&wanted)).collect()
}

/// The proofs to try now: all if all are, or if they are asked for by name; else of some files,
/// drawn, some of the cases that are not long.
fn tried(rng: &mut Rng) -> Vec<Proof> {
    let all = proofs();
    if full() || std::env::var_os("SAMHW_PROOF").is_some() {
        return all;
    }
    let mut cases: BTreeMap<String, Vec<Proof>> = BTreeMap::new();
    all.into_iter().filter(|p| !p.long).for_each(|p| cases.entry(p.top.clone()).or_default().push(p));
    let mut wanted = Vec::new();
    let some = cases.len().div_ceil(FILES_DRAWN_OF);
    for mut left in drawn(cases.into_values(), some) {
        for _ in 0..left.len().div_ceil(DRAWN_OF as usize) {
            wanted.push(left.swap_remove(rng.below(left.len() as u64) as usize));
        }
    }
    wanted
}

/// What is drawn with: `SAMHW_SEED`, or a number that any change of the library or its proofs makes another one.
fn dice() -> Rng {
    let seed = std::env::var("SAMHW_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or_else(|| {
        let mut hash = DefaultHasher::new();
        MODULES.iter().for_each(|s| s.text.hash(&mut hash));
        proofs().iter().for_each(|p| p.text.hash(&mut hash));
        hash.finish() >> 32
    });
    println!("SAMHW_SEED={seed}");
    Rng::new(seed)
}

/// Runs `jobs` on two threads; what they complain about.
fn complaints<T: Sync>(jobs: &[T], run: impl Fn(&T) -> Option<String> + Sync) -> Vec<String> {
    let (next, found) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|s| {
        for _ in 0..2 {
            s.spawn(|| {
                while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let complaint = run(job);
                    found.lock().unwrap().extend(complaint);
                }
            });
        }
    });
    found.into_inner().unwrap()
}

#[test]
fn every_proof_holds() {
    let wrong = complaints(&tried(&mut dice()), |p| {
        let start = Instant::now();
        match tool(&p.name, rtl::prove(&p.design(None), &p.probes, p.method, &cache()))? {
            rtl::Proof::Proven { length } => {
                println!("{}: induction of length {length}, {:.0?}", p.name, start.elapsed());
                None
            }
            other => Some(format!("{}: {other:?}", p.name)),
        }
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Modules in the table `| modules | reason |` of docs/proofs.md, sorted.
fn listed() -> BTreeSet<String> {
    let text = include_str!("../../docs/proofs.md");
    let text = text.split_once("\n## What is not covered").map_or("", |(_, rest)| rest);
    let section = text.split_once("\n## ").map_or(text, |(section, _)| section);
    let rows = section.lines().filter_map(|l| l.strip_prefix("| `samhw_")).map(|l| l.split('|').next().unwrap());
    rows.flat_map(|names| names.split(',').map(|n| n.trim().trim_matches('`')))
        .map(|n| if n.starts_with("samhw_") { n.to_string() } else { format!("samhw_{n}") })
        .collect()
}

/// Of modules that no proof has, docs/proofs.md says why.
#[test]
fn a_module_without_a_proof_has_a_reason() {
    let stands =
        |p: &Proof| p.modules().into_iter().map(|s| s.name).filter(|n| p.stand_in(n).is_none()).collect::<Vec<_>>();
    let proved: BTreeSet<&str> = proofs().iter().flat_map(stands).collect();
    let lacking: BTreeSet<&str> = MODULES.iter().map(|s| s.name).filter(|n| !proved.contains(n)).collect();
    let listed = listed();
    let (lacking, listed) = (Vec::from_iter(lacking), Vec::from_iter(listed.iter().map(String::as_str)));
    assert_eq!(lacking, listed, "without a proof, and with a reason in docs/proofs.md");
}

#[test]
fn every_proof_has_mutants() {
    for p in proofs() {
        assert!(p.mutants.len() >= 2, "{} lists {} mutants", p.name, p.mutants.len());
    }
}

/// What a mutant replaces is in its module once.
#[test]
fn every_mutant_applies() {
    for p in proofs() {
        p.mutants.iter().for_each(|m| drop(p.design(Some(m))));
    }
}

#[test]
fn every_mutant_is_noticed() {
    let mut rng = dice();
    let proofs = tried(&mut rng);
    let mut jobs: Vec<(&Proof, &Mutant)> = Vec::new();
    for p in &proofs {
        let mut left: Vec<&Mutant> = p.mutants.iter().collect();
        let wanted = if full() { left.len() } else { usize::from(rng.below(DRAWN_OF) == 0) };
        while left.len() > p.mutants.len() - wanted {
            jobs.push((p, left.swap_remove(rng.below(left.len() as u64) as usize)));
        }
    }
    println!("{} mutants", jobs.len());
    let wrong = complaints(&jobs, |(p, m)| {
        match tool(&p.name, rtl::prove(&p.design(Some(m)), &p.probes, p.method, &cache()))? {
            rtl::Proof::Broken { cycle } => {
                println!("{}: broken in cycle {cycle}: {} => {}", p.name, m.from, m.to);
                None
            }
            other => Some(format!("{}: {other:?} with {m:?}", p.name)),
        }
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
