//! What the tests of primitives with memory ports share: random nested lists, the spec's
//! vectors, and runs with real on-chip memories.

use samhw_streams::{Beat, Chan, Dir, Fault, Io, Kind, Leaf, Model, Nest, Primitive, Word, decode, encode};
use samhw_testing::bench;
use samhw_testing::rtl::field;
use samhw_values::Rng;
use serde_json::Value;
use std::path::PathBuf;

/// Creates a present leaf.
pub fn leaf(p0: u64, p1: u64) -> Nest<Leaf> {
    Nest::Leaf(Leaf { present: true, p: [p0, p1] })
}

/// Creates an N leaf.
pub fn absent() -> Nest<Leaf> {
    Nest::Leaf(Leaf { present: false, p: [0, 0] })
}

/// Returns a nested list of depth `d` with references below `refs`, some of them N, many lists empty.
pub fn random(rng: &mut Rng, d: u8, refs: u64) -> Nest<Leaf> {
    if d == 0 {
        return if rng.happens(0.15) { absent() } else { leaf(rng.below(refs), 0) };
    }
    let n = [0, 0, 1, 1, 2, 3, 5][rng.below(7) as usize];
    Nest::List((0..n).map(|_| random(rng, d - 1, refs)).collect())
}

/// Applies `f` to every leaf (`at(f, d, 0, x)` of the spec).
pub fn map(x: &Nest<Leaf>, f: &dyn Fn(&Leaf) -> Nest<Leaf>) -> Nest<Leaf> {
    match x {
        Nest::Leaf(l) => f(l),
        Nest::List(v) => Nest::List(v.iter().map(|c| map(c, f)).collect()),
    }
}

/// Increases every reference by `base`.
pub fn shift(x: &Nest<Leaf>, base: u64) -> Nest<Leaf> {
    map(x, &|l| if l.present { leaf(l.p[0] + base, l.p[1]) } else { absent() })
}

/// Encodes the beats of many runs in succession.
pub fn runs<'a>(xs: impl IntoIterator<Item = &'a (Nest<Leaf>, u8)>) -> Vec<Beat> {
    xs.into_iter().flat_map(|(x, d)| encode(x, *d)).collect()
}

/// A case of the spec: parameters, the input stream, the output streams.
pub struct Case {
    /// `params`.
    pub params: Value,
    /// `ref`.
    pub input: Nest<Leaf>,
    /// Its depth.
    pub depth: u8,
    /// The named output streams.
    pub outputs: Vec<Vec<Beat>>,
}

fn beats(v: &Value) -> Vec<Beat> {
    let beat = |b: &Value| {
        let kind = match b[0].as_str() {
            Some("DATA") => Kind::Data,
            Some("EMPTY") => Kind::Empty,
            Some("NIL") => Kind::Nil,
            _ => Kind::Done,
        };
        let number = |k: usize| b[k].as_i64().expect("a number");
        Beat::new(kind, number(1) as u8, [field(number(2), 16), 0])
    };
    v["beats"].as_array().expect("beats").iter().map(beat).collect()
}

/// Reads the spec's vectors of a primitive with one input `ref`; `None` if they are missing.
pub fn vectors(name: &str, outputs: &[&str]) -> Option<Vec<Case>> {
    let root = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared"));
    let shared = std::env::var_os("SAMHW_SHARED").map_or(root, PathBuf::from);
    let path = shared.join(format!("spec/vectors/{name}.jsonl"));
    let Ok(text) = std::fs::read_to_string(&path) else {
        eprintln!("skipped: no vectors at {}", path.display());
        return None;
    };
    let case = |line: &str| {
        let v: Value = serde_json::from_str(line).expect("a line of JSON");
        let depth = v["params"]["depth"].as_u64().expect("a depth") as u8;
        let input = decode(&beats(&v["inputs"]["ref"]), depth).expect("a stream");
        let outputs = outputs.iter().map(|o| beats(&v["outputs"][o])).collect();
        Case { params: v["params"].clone(), input, depth, outputs }
    };
    Some(text.lines().map(case).collect())
}

/// Bundles crd and ref streams of one shape.
pub fn bundle(crd: &[Beat], r: &[Beat]) -> Vec<Beat> {
    let pair = |(c, r): (&Beat, &Beat)| match c.kind {
        Kind::Data => Beat { kind: r.kind, p: [c.p[0], r.p[0]], ..*c },
        _ => *c,
    };
    crd.iter().zip(r).map(pair).collect()
}

/// Returns the numbers of an array in the spec's JSON.
pub fn numbers(v: &Value) -> Vec<i64> {
    v.as_array().map_or(Vec::new(), |a| a.iter().filter_map(Value::as_i64).collect())
}

/// Panics unless the beats leave in consecutive cycles, the first one `latency` cycles after
/// cycle 0, in which the first input beat was taken.
#[track_caller]
pub fn assert_no_bubble(out: &[(u64, Beat)], latency: u32) {
    let gap = out.iter().enumerate().find(|&(k, &(t, _))| t != k as u64 + u64::from(latency));
    assert_eq!(gap, None, "first beat that is not in the cycle it could be in");
}

/// A memory behind a primitive: the ports it is tied to, and its words.
pub struct OnChip {
    /// Handshake output of the primitive that carries requests.
    pub request: usize,
    /// Handshake input that takes the answers.
    pub response: usize,
    /// The memory, without write port.
    pub memory: Box<dyn Primitive>,
    /// Contents.
    pub words: Vec<u64>,
}

/// Runs the primitive with models of on-chip memories and without stalls, with all of `feed` at input 0, and returns
/// the transfers of its last output.
pub fn run_on_chip(p: &dyn Primitive, feed: &[Beat], memories: &[OnChip]) -> Result<Vec<(u64, Beat)>, Fault> {
    let ports = p.ports();
    let count = |d: Dir| ports.iter().filter(|q| q.dir == d && q.shape.handshakes()).count();
    let (n_in, n_out) = (count(Dir::In), count(Dir::Out));
    let (ins, outs): (Vec<usize>, Vec<usize>) = ((0..n_in).collect(), (n_in..n_in + n_out).collect());
    let mut chans = vec![Chan::reset(); n_in + n_out];
    let mut model = p.model(&[]);
    let loaded = |m: &OnChip| {
        let mut model = m.memory.model(&[]);
        model.memory().expect("words").copy_from_slice(&m.words);
        model
    };
    let mut attached: Vec<Box<dyn Model>> = memories.iter().map(loaded).collect();
    let (mut source, mut result, mut still) = (feed.iter(), Vec::new(), 0);
    for cycle in 0.. {
        if !chans[0].valid
            && let Some(&b) = source.next()
        {
            chans[0].valid = true;
            chans[0].beat = b;
        }
        chans.iter_mut().for_each(Chan::latch);
        let last = &mut chans[n_in + n_out - 1];
        still = if last.fire { 0 } else { still + 1 };
        if last.fire {
            result.push((cycle, last.got));
        }
        if still > 64 {
            break;
        }
        if chans[0].fire {
            chans[0].valid = false;
        }
        model.tick(&mut Io::new(&mut chans, &ins, &outs))?;
        for (m, a) in memories.iter().zip(&mut attached) {
            a.tick(&mut Io::new(&mut chans, &[n_in + m.request], &[m.response]))?;
        }
    }
    Ok(result)
}

/// A bench memory that answers request (addr, len) with `words[addr..addr+len]`; len 0 (a port
/// without that field) counts as 1.
pub fn burst_memory<'a>(request: usize, response: usize, latency: u64, words: &'a [u64]) -> bench::Memory<'a> {
    let answer = Box::new(|r: Beat| {
        let (addr, len) = (r.p[0] as usize, r.p[1].max(1) as usize);
        words[addr..addr + len].iter().map(|&w| Beat::data(0, w)).collect()
    });
    bench::Memory { request, response, latency, answer }
}

/// Creates a memory as [`burst_memory`] does, with separate words of any width.
pub fn word_memory<'a>(request: usize, response: usize, latency: u64, words: (&'a [Word], u32)) -> bench::Memory<'a> {
    let answer = Box::new(move |r: Beat| {
        let (addr, len) = (r.p[0] as usize, r.p[1].max(1) as usize);
        words.0[addr..addr + len].iter().map(|w| Beat::data(0, w.payload(words.1))).collect()
    });
    bench::Memory { request, response, latency, answer }
}

/// A bench memory that answers request (addr) with the pair of words there.
pub fn pair_memory<'a>(request: usize, response: usize, latency: u64, words: &'a [u64]) -> bench::Memory<'a> {
    let answer = Box::new(|r: Beat| {
        let addr = r.p[0] as usize;
        vec![Beat::pair(0, words[addr], words[addr + 1])]
    });
    bench::Memory { request, response, latency, answer }
}
