#![doc = include_str!("README.md")]

mod model;
mod skip;
#[cfg(test)]
pub(crate) mod tests;

pub(crate) use model::above;
pub(crate) use skip::{Hints, hint_ports};
pub use skip::{TAG_W, hint_fields};

use samhw_streams::{Dir, Field, Instance, Model, Param, Port, Primitive, Rate};

/// Largest number of operands, because the tables have `2^n` rows.
pub const MAX_OPERANDS: usize = 12;

/// A joiner, which coiterates operands by truth tables. Inputs: `in0`, `in1` ...; outputs: `crd`, `ref0`, `ref1` ... as
/// far as used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Joiner {
    /// Truth table of emission: bit P (bit P % 64 of word P / 64) says whether a coordinate is emitted at which exactly
    /// the operands of set P are present (operand k is bit k of P). Bit 0 has no effect. Words that are missing are 0,
    /// those beyond the table have no effect.
    pub emit: Vec<u64>,
    /// A truth table for each operand k: whether its ref is passed on where the set P is present.
    pub keep: Vec<Vec<u64>>,
    /// Width of the coordinate in bits.
    pub crd_w: u32,
    /// Width of each operand's ref in bits; their number is the number of operands, 2 to [`MAX_OPERANDS`].
    pub ref_w: Vec<u32>,
    /// Width of the stop field of all streams in bits.
    pub stop_w: u32,
    /// Set of outputs with a consumer, at least one: bit 0 `crd`, bit k+1 `ref{k}`.
    pub used: u32,
    /// Set of operands that receive hints (bit k: output `skip{k}`, after the others); 0 for a joiner without skipping.
    pub skips: u32,
}

impl Joiner {
    /// Creates a joiner that passes every ref and uses all outputs.
    pub fn new(emit: Vec<u64>, crd_w: u32, ref_w: &[u32], stop_w: u32) -> Self {
        let n = ref_w.len();
        let keep = vec![Self::table(n as u32, |_| true); n];
        Self { emit, keep, crd_w, ref_w: ref_w.to_vec(), stop_w, used: (2 << n) - 1, skips: 0 }
    }
    /// Returns the table whose bit P is `f(P)`.
    pub fn table(operands: u32, f: impl Fn(u32) -> bool) -> Vec<u64> {
        let rows = 1u32 << operands;
        let mut words = vec![0; rows.div_ceil(64) as usize];
        for p in (0..rows).filter(|&p| f(p)) {
            words[p as usize / 64] |= 1 << (p % 64);
        }
        words
    }
    /// Returns the table of the n-ary intersection.
    pub fn intersection(operands: u32) -> Vec<u64> {
        Self::table(operands, |p| p + 1 == 1 << operands)
    }
    /// Returns the table of the n-ary union.
    pub fn union(operands: u32) -> Vec<u64> {
        Self::table(operands, |p| p != 0)
    }
    fn operands(&self) -> u32 {
        self.ref_w.len() as u32
    }
    /// Rows of a truth table.
    fn rows(&self) -> u32 {
        1 << self.operands()
    }
    /// EMIT without rows that do not exist.
    pub(crate) fn emitting(&self) -> Vec<u64> {
        Self::table(self.operands(), |p| p != 0 && bit(&self.emit, p))
    }
    /// Bit S: some coordinate of operands in S may still be emitted. With no operand left
    /// the answer does not matter; 1 there makes the table of a union constant.
    pub(crate) fn alive(&self) -> Vec<u64> {
        let mut some: Vec<bool> = (0..self.rows()).map(|s| s != 0 && bit(&self.emit, s)).collect();
        for k in 0..self.operands() {
            for s in (0..some.len()).filter(|s| s >> k & 1 == 1) {
                some[s] |= some[s ^ 1 << k];
            }
        }
        Self::table(self.operands(), |s| s == 0 || some[s as usize])
    }
    /// All KEEP tables, one after the other.
    fn keep_words(&self) -> Vec<u64> {
        let rows = self.rows();
        let mut words = vec![0; (self.operands() * rows).div_ceil(64) as usize];
        for (k, table) in self.keep.iter().enumerate() {
            for p in (0..rows).filter(|&p| bit(table, p)) {
                let at = k as u32 * rows + p;
                words[at as usize / 64] |= 1 << (at % 64);
            }
        }
        words
    }
    /// Returns the set of operands that are present wherever a coordinate is emitted.
    pub fn always(&self) -> u32 {
        (1..self.rows()).filter(|&p| bit(&self.emit, p)).fold(self.rows() - 1, |all, p| all & p)
    }
    /// Whether there are two operands, both needed wherever something is emitted.
    fn pairs(&self) -> bool {
        self.operands() == 2 && bit(&self.emit, 3) && !bit(&self.emit, 1) && !bit(&self.emit, 2)
    }
    pub(crate) fn uses(&self, output: u32) -> bool {
        self.used >> output & 1 == 1
    }
}

/// Bit `p` of a table.
#[inline]
pub(crate) fn bit(table: &[u64], p: u32) -> bool {
    table.get(p as usize / 64).is_some_and(|w| w >> (p % 64) & 1 == 1)
}

impl Primitive for Joiner {
    fn kind(&self) -> &'static str {
        "joiner"
    }
    fn instance(&self) -> Instance {
        let (n, rows) = (self.operands(), self.rows());
        let ref_w = self.ref_w.iter().copied().max().unwrap_or(1);
        let mut made = Instance {
            module: "samhw_joiner",
            params: vec![
                ("N", Param::Int(n)),
                ("CRD_W", Param::Int(self.crd_w)),
                ("REF_W", Param::Int(ref_w)),
                ("STOP_W", Param::Int(self.stop_w)),
                ("EMIT", Param::Bits(rows, self.emitting())),
                ("KEEP", Param::Bits(n * rows, self.keep_words())),
                ("ALIVE", Param::Bits(rows, self.alive())),
                ("USED", Param::Bits(n + 1, vec![u64::from(self.used)])),
            ],
        };
        if self.skips != 0 {
            made.module = "samhw_joiner_skip";
            made.params.extend(self.skip_params());
        }
        made
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
        ports.extend(hint_ports(n, self.skips, self.crd_w));
        ports
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        match self.operands() {
            2 => Box::new(model::JoinerModel::<2>::new(self)),
            3 => Box::new(model::JoinerModel::<3>::new(self)),
            4 => Box::new(model::JoinerModel::<4>::new(self)),
            _ => Box::new(model::JoinerModel::<MAX_OPERANDS>::new(self)),
        }
    }
    fn latency(&self) -> u32 {
        if self.operands() == 2 && !self.pairs() { 2 } else { 3 }
    }
    fn rate(&self) -> Rate {
        if (1..self.rows()).all(|p| bit(&self.emit, p)) { Rate::Even } else { Rate::Filters }
    }
    fn describe(&self) -> String {
        let n = self.operands();
        match self.emitting() {
            t if t == Self::intersection(n) => "intersection".into(),
            t if t == Self::union(n) => "union".into(),
            t => {
                let digits: String = t.iter().rev().map(|w| format!("{w:016x}")).collect();
                format!(
                    "emit 0x{}",
                    &digits[digits.len() - self.rows().div_ceil(4).min(16 * t.len() as u32) as usize..]
                )
            }
        }
    }
}
