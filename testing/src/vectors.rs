//! A reader of the shared test vectors (`../shared/spec/vectors`). Only for tests.

use crate::rtl::{check_rtl, usual_stalls};
use samhw_streams::{Beat, Kind, Primitive};
use samhw_values::mask;
use serde_json::Value;
use std::path::PathBuf;

/// A test vector: parameters, and the input and output streams by name.
#[derive(Debug, Clone)]
pub struct Vector {
    /// Line number in the file, from 1.
    pub line: usize,
    /// Parameters of the vector, in the file's JSON.
    pub params: Value,
    inputs: Value,
    outputs: Value,
}

/// Reads the vectors of `primitive` (the file's name without `.jsonl`). Prints a line and returns none where the folder
/// is absent; `SAMHW_SHARED` says where it is, else `../shared` next to the workspace.
pub fn vectors(primitive: &str) -> Vec<Vector> {
    let beside = || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared"));
    let shared = std::env::var_os("SAMHW_SHARED").map_or_else(beside, PathBuf::from);
    let path = shared.join("spec").join("vectors").join(format!("{primitive}.jsonl"));
    let Ok(text) = std::fs::read_to_string(&path) else {
        eprintln!("skipped: no vectors at {}", path.display());
        return Vec::new();
    };
    let parse = |(n, line): (usize, &str)| {
        let mut v: Value = serde_json::from_str(line).unwrap_or_else(|e| panic!("{primitive} line {}: {e}", n + 1));
        Vector { line: n + 1, params: v["params"].take(), inputs: v["inputs"].take(), outputs: v["outputs"].take() }
    };
    text.lines().enumerate().map(parse).collect()
}

impl Vector {
    /// Returns integer parameter `name`. Panics where it is absent.
    pub fn param(&self, name: &str) -> i64 {
        self.params[name].as_i64().unwrap_or_else(|| panic!("line {}: no integer parameter {name}", self.line))
    }
    /// Returns the depth of input or output stream `name`.
    pub fn depth(&self, name: &str) -> u8 {
        let of = |s: &Value| s[name]["depth"].as_u64();
        let depth = of(&self.inputs).or_else(|| of(&self.outputs));
        depth.unwrap_or_else(|| panic!("line {}: no stream {name}", self.line)) as u8
    }
    /// Returns true if there is an input stream `name`.
    pub fn has_input(&self, name: &str) -> bool {
        self.inputs.get(name).is_some()
    }
    /// Returns true if there is an output stream `name`.
    pub fn has_output(&self, name: &str) -> bool {
        self.outputs.get(name).is_some()
    }
    /// Returns the beats of input stream `name` with payloads of `width` bits (negative ones in two's complement).
    pub fn input(&self, name: &str, width: u32) -> Vec<Beat> {
        self.beats(&self.inputs[name], name, width)
    }
    /// Returns the beats of output stream `name`.
    pub fn output(&self, name: &str, width: u32) -> Vec<Beat> {
        self.beats(&self.outputs[name], name, width)
    }
    /// Returns the integers of output array `name`, for writers.
    pub fn array(&self, name: &str) -> Vec<i64> {
        let list = self.outputs[name].as_array();
        let list = list.unwrap_or_else(|| panic!("line {}: no array {name}", self.line));
        list.iter().map(|v| self.int(v)).collect()
    }
    fn int(&self, v: &Value) -> i64 {
        v.as_i64().unwrap_or_else(|| panic!("line {}: {v} is not an integer", self.line))
    }
    fn beats(&self, stream: &Value, name: &str, width: u32) -> Vec<Beat> {
        let list = stream["beats"].as_array().unwrap_or_else(|| panic!("line {}: no stream {name}", self.line));
        let beat = |b: &Value| {
            let kind = match b[0].as_str() {
                Some("DATA") => Kind::Data,
                Some("EMPTY") => Kind::Empty,
                Some("NIL") => Kind::Nil,
                Some("DONE") => Kind::Done,
                _ => panic!("line {}: {b} is not a beat", self.line),
            };
            Beat::new(kind, self.int(&b[1]) as u8, [self.int(&b[2]) as u64 & mask(width), 0])
        };
        list.iter().map(beat).collect()
    }
}

/// Bundles two streams of equal shape, such as crd and ref: payload 0 from `first`, payload 1 and EMPTY from `second`.
/// Panics where the shapes differ.
pub fn bundle(first: &[Beat], second: &[Beat]) -> Vec<Beat> {
    assert_eq!(first.len(), second.len(), "bundled streams have the same shape");
    let both = |(a, b): (&Beat, &Beat)| {
        assert_eq!((a.stop, a.is_leaf()), (b.stop, b.is_leaf()), "bundled streams have the same shape");
        let p = if a.is_leaf() { [a.p[0], b.p[0]] } else { a.p };
        Beat::new(b.kind, a.stop, p)
    };
    first.iter().zip(second).map(both).collect()
}

/// A test vector for a primitive: beats of its input ports and of its output ports.
pub struct VectorCase {
    /// Line number of the vector.
    pub line: usize,
    /// Input beats per port.
    pub feeds: Vec<Vec<Beat>>,
    /// Expected output beats per port.
    pub wants: Vec<Vec<Beat>>,
}

/// Drives all cases in succession through the model and the Verilog of `p`, a primitive without memories, with and
/// without stalls on every port, and compares the outputs with the vectors. Nothing happens without cases.
#[track_caller]
pub fn check_cases(p: &dyn Primitive, config: &[u64], cases: &[VectorCase]) {
    let Some(first) = cases.first() else { return };
    let joined = |k: usize| cases.iter().flat_map(|c| c.feeds[k].clone()).collect();
    let feeds: Vec<Vec<Beat>> = (0..first.feeds.len()).map(joined).collect();
    for out in check_rtl(p, config, &feeds, &Vec::new, &usual_stalls(cases.len() as u64)) {
        let out = out.unwrap_or_else(|e| panic!("{p:?}: {e}"));
        for k in 0..first.wants.len() {
            let got = out.beats(k);
            let mut rest = &got[..];
            for c in cases {
                let (run, after) = rest.split_at(rest.len().min(c.wants[k].len()));
                assert_eq!(run, c.wants[k], "{p:?}: output {k}, line {}", c.line);
                rest = after;
            }
            assert!(rest.is_empty(), "{p:?}: output {k} has {} beats too many", rest.len());
        }
    }
}
