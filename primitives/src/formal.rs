//! Formal proofs: every `formal_NAME.v` beside a primitive is proved by induction, and each mutant that it lists
//! is shown to break what it asserts.
//!
//! A proof's head says, after its prose, which parts of the design stand as they are (`with: MODULE`, where the
//! others' skid buffers are replaced by wires, see `formal/samhw_skid.v`), and the mutants: `mutant MODULE: TEXT =>
//! OTHER`. `\n` in a text is a line's end. `case NAME: PARAMETER=VALUE ...` proves the top with those parameters, one
//! proof a case; `mutant of NAME MODULE: ...` is for that case alone. `probe INPUT = SIGNAL` ties an input of the
//! proof to a register inside (`dut.head`, or `dut.mem[0]` for a word of a memory), for what must be known of it.

use crate::bench_rtl::{cache, tool};
use crate::library::{MODULES, closure};
use samhw_rtlsim as rtl;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What stands for a module in proofs.
const SHARED: [(&str, &str); 1] = [("samhw_skid", include_str!("../formal/samhw_skid.v"))];

/// What proofs use beside the library's modules.
const HELPERS: [(&str, &str); 2] = [
    ("samhw_rules.v", include_str!("../formal/samhw_rules.v")),
    ("samhw_due.v", include_str!("../formal/samhw_due.v")),
];

/// Cycles that a counterexample or the base of an induction may take.
const MOST_STEPS: u32 = 12;

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
    params: Vec<(String, String)>,
    text: String,
    with: Vec<String>,
    probes: Vec<(String, String)>,
    mutants: Vec<Mutant>,
}

impl Proof {
    /// The proofs of a file: one for each of its cases.
    fn read(path: &Path) -> Vec<Self> {
        let text = std::fs::read_to_string(path).unwrap();
        let cases: Vec<&str> = text.lines().filter_map(|l| l.strip_prefix("// case ")).collect();
        if cases.is_empty() {
            return vec![Self::of(path, text.clone(), None)];
        }
        cases.iter().map(|c| Self::of(path, text.clone(), c.split_once(": "))).collect()
    }

    /// The proof in a file's `text`, of a case and its parameters where it has cases.
    fn of(path: &Path, text: String, case: Option<(&str, &str)>) -> Self {
        let top = path.file_stem().unwrap().to_str().unwrap().to_string();
        let name = case.map_or_else(|| top.clone(), |(c, _)| format!("{top}, {c}"));
        let params = case.iter().flat_map(|(_, p)| p.split(' ')).map(|p| p.split_once('=').unwrap());
        let params = params.map(|(n, v)| (n.to_string(), v.to_string())).collect();
        let head: Vec<&str> = text.lines().map_while(|l| l.strip_prefix("//")).map(str::trim).collect();
        let with = head.iter().filter_map(|l| l.strip_prefix("with: ")).map(String::from).collect();
        let meant = |l: &&str| match l.strip_prefix("of ") {
            Some(of) => case.is_some_and(|(c, _)| of.starts_with(&format!("{c} "))),
            None => true,
        };
        let mutants = head.iter().filter_map(|l| l.strip_prefix("mutant ")).filter(meant).map(|l| {
            let l = l.strip_prefix("of ").and_then(|l| l.split_once(' ')).map_or(l, |(_, l)| l);
            let (module, change) = l.split_once(": ").unwrap_or_else(|| panic!("{name}: no module in `{l}`"));
            let (from, to) = change.split_once(" => ").unwrap_or_else(|| panic!("{name}: no `=>` in `{l}`"));
            let lines = |s: &str| s.replace("\\n", "\n");
            Mutant { module: module.into(), from: lines(from), to: lines(to) }
        });
        let probes = head.iter().filter_map(|l| l.strip_prefix("probe ")).map(|l| {
            let (input, signal) = l.split_once(" = ").unwrap_or_else(|| panic!("{name}: no `=` in `{l}`"));
            (input.into(), signal.into())
        });
        let (probes, mutants) = (probes.collect(), mutants.collect());
        Self { name, top, params, text, with, probes, mutants }
    }

    /// The design with the proof on top, `mutant` applied.
    fn design(&self, mutant: Option<&Mutant>) -> rtl::Design {
        let own = |line: &str| {
            let word = line.trim_start().split([' ', '#', '(']).next().unwrap_or_default().to_string();
            MODULES.iter().map(|s| s.name).find(|n| *n == word)
        };
        let used: Vec<&str> = self.text.lines().filter(|l| !l.starts_with("//")).filter_map(own).collect();
        let mut files = vec![(format!("{}.v", self.top), self.text.clone())];
        for source in closure(used) {
            let shared = SHARED.iter().find(|(n, _)| *n == source.name && !self.with.iter().any(|w| w == n));
            let mut text = shared.map_or(source.text, |(_, text)| text).to_string();
            if let Some(m) = mutant.filter(|m| m.module == source.name) {
                assert_eq!(text.matches(&m.from).count(), 1, "{}: `{}` in {}", self.name, m.from, m.module);
                text = text.replace(&m.from, &m.to);
            }
            files.push((format!("{}.v", source.name), text));
        }
        files.extend(HELPERS.map(|(name, text)| (name.into(), text.into())));
        let changed = mutant.is_none_or(|m| files.iter().any(|(n, _)| *n == format!("{}.v", m.module)));
        assert!(changed, "{}: {mutant:?} is in no file of the design", self.name);
        rtl::Design { params: self.params.clone(), ..rtl::Design::new(&self.top, files) }
    }
}

/// Every proof in the folders of the primitives.
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
    paths.sort();
    paths.iter().flat_map(|p| Proof::read(p)).collect()
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
    let wrong =
        complaints(&proofs(), |p| match tool(&p.name, rtl::prove(&p.design(None), &p.probes, MOST_STEPS, &cache()))? {
            rtl::Proof::Proven { length } => {
                println!("{}: induction of length {length}", p.name);
                None
            }
            other => Some(format!("{}: {other:?}", p.name)),
        });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_mutant_is_noticed() {
    let proofs = proofs();
    let jobs: Vec<(&Proof, &Mutant)> = proofs.iter().flat_map(|p| p.mutants.iter().map(move |m| (p, m))).collect();
    for p in &proofs {
        assert!(p.mutants.len() >= 2, "{} lists {} mutants", p.name, p.mutants.len());
    }
    let wrong = complaints(&jobs, |(p, m)| {
        match tool(&p.name, rtl::prove(&p.design(Some(m)), &p.probes, MOST_STEPS, &cache()))? {
            rtl::Proof::Broken { cycle } => {
                println!("{}: broken in cycle {cycle}: {} => {}", p.name, m.from, m.to);
                None
            }
            other => Some(format!("{}: {other:?} with {m:?}", p.name)),
        }
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
