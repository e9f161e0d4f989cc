#![doc = include_str!("README.md")]

mod model;
#[cfg(test)]
mod tests;

use crate::contract::{Dir, Field, Instance, Param, Port, Primitive};
use crate::model::Model;

/// A joiner. Inputs: `in0`, `in1` ...; outputs: `crd`, `ref0`, `ref1` ... as far as used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Joiner {
    /// Bit P: a coordinate at which exactly the operands of set P are present is emitted
    /// (operand k is bit k of P). Bit 0 has no effect.
    pub emit: u64,
    /// Per operand k, bit P: its ref is passed on where P is present.
    pub keep: Vec<u64>,
    /// Bits of the coordinate.
    pub crd_w: u32,
    /// Bits of the ref, per operand; their number is the number of operands, 2 to 6.
    pub ref_w: Vec<u32>,
    /// Bits of the stop field of all streams.
    pub stop_w: u32,
    /// Outputs somebody reads, at least one: bit 0 `crd`, bit k+1 `ref{k}`.
    pub used: u8,
}

impl Joiner {
    /// A joiner that passes every ref and whose outputs are all used.
    pub fn new(emit: u64, crd_w: u32, ref_w: &[u32], stop_w: u32) -> Self {
        let n = ref_w.len();
        Self { emit, keep: vec![u64::MAX; n], crd_w, ref_w: ref_w.to_vec(), stop_w, used: (2 << n) - 1 }
    }
    /// The table of the n-ary intersection.
    pub const fn intersection(operands: u32) -> u64 {
        1 << ((1u32 << operands) - 1)
    }
    /// The table of the n-ary union.
    pub const fn union(operands: u32) -> u64 {
        ones(1 << operands) & !1
    }
    fn operands(&self) -> u32 {
        self.ref_w.len() as u32
    }
    /// Rows of a truth table.
    fn rows(&self) -> u32 {
        1 << self.operands()
    }
    /// EMIT without rows that do not exist.
    fn emitting(&self) -> u64 {
        self.emit & ones(self.rows()) & !1
    }
    /// Bit S: some coordinate of operands in S may still be emitted. With no operand left
    /// the answer does not matter; 1 there makes the table of a union constant.
    fn alive(&self) -> u64 {
        (1..self.rows())
            .filter(|s| (1..=*s).any(|p| p & !s == 0 && self.emitting() >> p & 1 == 1))
            .fold(1, |t, s| t | 1 << s)
    }
    /// All KEEP tables, one after the other.
    fn keep_words(&self) -> Vec<u64> {
        let rows = self.rows();
        let mut words = vec![0; (self.operands() * rows).div_ceil(64) as usize];
        for (k, table) in self.keep.iter().enumerate() {
            let at = k as u32 * rows;
            words[(at / 64) as usize] |= (table & ones(rows)) << (at % 64);
        }
        words
    }
    fn uses(&self, output: u32) -> bool {
        self.used >> output & 1 == 1
    }
}

/// The lowest `n` bits, n <= 64.
const fn ones(n: u32) -> u64 {
    u64::MAX >> (64 - n)
}

impl Primitive for Joiner {
    fn kind(&self) -> &'static str {
        "joiner"
    }
    fn instance(&self) -> Instance {
        let (n, rows) = (self.operands(), self.rows());
        let ref_w = self.ref_w.iter().copied().max().unwrap_or(1);
        Instance {
            module: "samhw_joiner",
            params: vec![
                ("N", Param::Int(n)),
                ("CRD_W", Param::Int(self.crd_w)),
                ("REF_W", Param::Int(ref_w)),
                ("STOP_W", Param::Int(self.stop_w)),
                ("EMIT", Param::Bits(rows, vec![self.emitting()])),
                ("KEEP", Param::Bits(n * rows, self.keep_words())),
                ("ALIVE", Param::Bits(rows, vec![self.alive()])),
                ("USED", Param::Bits(n + 1, vec![u64::from(self.used)])),
            ],
        }
    }
    fn ports(&self) -> Vec<Port> {
        let (n, stop_w) = (self.operands(), self.stop_w);
        let widest = 2 + stop_w + self.ref_w.iter().copied().max().unwrap_or(1);
        let crd = Field::new("crd", self.crd_w);
        let refs = || self.ref_w.iter().map(|&w| Field::new("ref", w)).zip(0..);
        let mut ports: Vec<Port> = refs()
            .map(|(r, k)| {
                let pair = [crd.clone(), r];
                Port::stream(format!("in{k}"), Dir::In, stop_w, &pair).in_lane("in", k, n, widest + self.crd_w)
            })
            .collect();
        ports.push(match self.uses(0) {
            true => Port::stream("crd", Dir::Out, stop_w, &[crd]),
            false => Port::open("crd", 2 + stop_w + self.crd_w),
        });
        ports.extend(refs().map(|(r, k)| {
            let port = match self.uses(k + 1) {
                true => Port::stream(format!("ref{k}"), Dir::Out, stop_w, &[r]),
                false => Port::open(format!("ref{k}"), widest),
            };
            port.in_lane("ref", k, n, widest)
        }));
        ports
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        Box::new(model::JoinerModel::new(self))
    }
    fn latency(&self) -> u32 {
        3
    }
    fn describe(&self) -> String {
        let n = self.operands();
        match self.emitting() {
            t if t == Self::intersection(n) => "intersection".into(),
            t if t == Self::union(n) => "union".into(),
            t => format!("emit {t:#x}"),
        }
    }
}
