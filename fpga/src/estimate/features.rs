//! Features that determine the size of a primitive: widths, memories, multipliers. Block RAMs and multipliers follow
//! from the rules of the devices; lookup tables and flip-flops are linear in the features, with coefficients from
//! calibration.

use super::memory::{Clash, Memory, Taken, Wish, taken};
use super::silicon::Silicon;
use samhw_primitives::blocks::Fold;
use samhw_primitives::reduce::reducer_vector::WorkspaceShape;
use std::collections::BTreeMap;

/// Values of features by name.
pub type Features = BTreeMap<String, f64>;

/// Numeric parameters of a module.
pub type Parameters = BTreeMap<String, u64>;

/// Parameters that are widths or counts; sizes grow with them.
const LINEAR: [&str; 30] = [
    "CRD_W", "REF_W", "A_W", "B_W", "REF_IN_W", "VAL_W", "ADDR_W", "DATA_W", "W", "PAY_W", "CRD0_W", "CRD1_W", "X_W",
    "KEY_W", "N", "CHAIN", "GROUP", "FIRST_W", "SECOND_W", "INPUTS", "WORD", "CONFIG_W", "STATUS_W", "ARRAYS", "WIDTH",
    "DIM_W", "CRD_IN_W", "TAG_W", "BURSTS", "PAIRS",
];

/// The makeup of a module, as far as it is known before synthesis.
#[derive(Debug, Clone, PartialEq)]
pub struct Makeup {
    /// Features on which lookup tables and flip-flops depend linearly.
    pub features: Features,
    /// Number of block RAMs.
    pub brams: u64,
    /// Number of multipliers.
    pub dsps: u64,
    /// Number of stacked block RAMs in the deepest memory.
    pub banks: u64,
    /// Words of the deepest memory outside of block RAM, except FIFOs.
    pub small: u64,
    silicon: Silicon,
}

impl Makeup {
    fn add(&mut self, name: impl Into<String>, value: u64) {
        *self.features.entry(name.into()).or_default() += value as f64;
    }

    /// A memory of `words` of `width` bits whose user never needs the word before a write at the same edge.
    fn memory(&mut self, words: u64, width: u64, wish: Wish) {
        self.kept(Memory { words: words.clamp(2, MOST_WORDS), width, wish, reads: 1, joint: false, clash: Clash::Any });
    }

    fn kept(&mut self, memory: Memory) {
        let Memory { words, width, wish, .. } = memory;
        let taken = taken(self.silicon.rams, &memory);
        match taken {
            Taken::Blocks(blocks, banks) => {
                self.brams += blocks;
                self.banks = self.banks.max(banks);
                self.add("bank bits", width * (banks - 1));
            }
            Taken::Distributed(units) => {
                self.add("distributed", units);
                self.add("distributed bits", width * (words.div_ceil(16) - 1));
            }
            Taken::Registers => self.add("register bits", words * width),
        }
        if wish == Wish::Any && !matches!(taken, Taken::Blocks(..)) {
            self.small = self.small.max(words);
        }
    }

    /// This number of memories inside a primitive. They are distributed RAM, and in the coefficients, but where a device has none.
    fn buffers(&mut self, number: u64, words: u64, width: u64, reads: u64, clash: Clash) {
        if let Taken::Blocks(blocks, _) =
            taken(self.silicon.rams, &Memory { words, width, wish: Wish::Any, reads, joint: false, clash })
        {
            self.brams += number * blocks;
        }
    }

    /// `words` of `width` bits in `banks`, each of which has 2^`parts_log2` parts of a word side by side.
    fn banked(&mut self, banks: u64, words: u64, width: u64, parts_log2: u64) {
        for _ in 0..banks << parts_log2.min(6) {
            self.memory(words.div_ceil(banks), width >> parts_log2.min(6), Wish::Any);
        }
    }

    /// `banks` of `words` values and of the levels of their bitmap that live in RAM, as samhw_workspace has them.
    fn workspace(&mut self, banks: u64, words: u64, width: u64) {
        // What its bitmap is made of depends on the words alone.
        let held = words.min(1 << 31) as u32;
        let shape = WorkspaceShape { op: Fold::Add, val_w: 0, signed: false, words: held, banks: 2 };
        for _ in 0..banks {
            self.memory(words, width, Wish::Any);
        }
        for k in 0..shape.ram_levels() {
            for _ in 0..banks {
                self.memory(shape.depth(k).into(), 1 << shape.bit_w(), Wish::Any);
            }
            // Registers behind the RAMs, of the words that wait, and of an arrival.
            if shape.late(k) {
                self.add("late bits", (banks + 3) << shape.bit_w());
            }
        }
    }

    /// `words` values and the levels of their bits that live in RAM, as samhw_mem_fold has them.
    fn folding(&mut self, words: u64, width: u64) {
        self.memory(words, width, Wish::Any);
        let address = u64::from(words.max(2).next_power_of_two().trailing_zeros());
        let levels = address.div_ceil(5);
        for k in 0..levels {
            let [above, with] = [k, k + 1].map(|k| (k * address).div_ceil(levels));
            // One of the bits of a word is chosen and set; the topmost are registers.
            self.add("bits at a time", 1 << (with - above));
            if k > 0 {
                self.memory(words.div_ceil(1 << (address - above)), 1 << (with - above), Wish::Any);
            }
        }
    }

    /// `samhw_mul` of `width` bits, of two values or of one and a constant.
    fn product(&mut self, width: u64, constant: Option<u64>) {
        self.limbs(width, [width; 2], constant);
    }

    /// The same, of two factors that have fewer bits.
    fn product_of(&mut self, width: u64, factors: [u64; 2]) {
        self.limbs(width, factors, None);
    }

    /// `samhw_narrow_mul`: limbs of 18 bits with their signs, of which yosys sees that the low ones' are 0 where the other is none.
    fn signed_product(&mut self, width: u64, factors: [u64; 2], constant: Option<u64>) {
        if let (Some(c), true) = (constant, factors[0].max(factors[1]) <= LIMB) {
            if let Some((bits, y)) = significant(c, factors[1], width) {
                self.one_product(factors[0], bits + 1, y);
            }
            return;
        }
        let limbs = factors.map(|f| if f <= LIMB { vec![f] } else { vec![LIMB - 1, f + 1 - LIMB] });
        for (k, &a) in limbs[0].iter().enumerate() {
            for (l, &b) in limbs[1].iter().enumerate() {
                let at = (k + l) as u64 * (LIMB - 1);
                let both_low = limbs.iter().all(|l| l.len() == 2) && k + l == 0;
                let [a, b] = [a, b].map(|f| f + u64::from(both_low));
                self.one_product(a, b, width.saturating_sub(at).min(2 * LIMB));
            }
        }
    }

    /// A product of which `y` bits are needed.
    fn one_product(&mut self, a: u64, b: u64, y: u64) {
        let dsps = self.silicon.multipliers(a, b, y);
        self.dsps += dsps;
        if dsps == 0 {
            self.add("product bits", a.min(y) * b.min(y));
        }
        self.add("product limbs", 1);
    }

    /// Limbs of 18 bits, products below the result's top. `constant` is the second factor, if it is one.
    fn limbs(&mut self, width: u64, factors: [u64; 2], constant: Option<u64>) {
        let limbs =
            |f: u64| (0..f.min(width).div_ceil(LIMB)).map(move |k| (k * LIMB, (f.min(width) - k * LIMB).min(LIMB)));
        for (at, a) in limbs(factors[0]) {
            for (up, b) in limbs(factors[1]).filter(|(up, _)| at + up < width) {
                let y = (width - at - up).min(2 * LIMB);
                let (b, y) = match constant.map(|c| significant(c >> up, b, y)) {
                    // A shift, or nothing at all.
                    Some(None) => continue,
                    Some(Some(both)) => both,
                    None => (b, y),
                };
                self.one_product(a, b, y);
            }
        }
    }
}

/// Words that are counted of a memory: no device has as many.
const MOST_WORDS: u64 = 1 << 40;

/// Bits of a limb of a product.
const LIMB: u64 = 18;

/// Name of the parameter with a product's constant factor.
pub const FACTOR: &str = "FACTOR";

/// Name of the parameter with the width of a run-time dimension.
pub const DIM_BITS: &str = "DIM_BITS";

/// Name of the parameter which says that all references of a module are 0.
pub const ROOT_REFS: &str = "ROOT_REFS";

/// Of a product with the low `width` bits of a constant, of which the low `y` bits are needed: bits of the constant without zeros at
/// its end, and of the product without those. `None` if no multiplier is needed: for 0, a power of two, or the negative of one.
fn significant(constant: u64, width: u64, y: u64) -> Option<(u64, u64)> {
    let bits = |n: u64| (1u64 << n) - 1;
    let c = constant & bits(width) & bits(y);
    let shift = |c: u64| c.count_ones() <= 1;
    let zeros = u64::from(c.trailing_zeros());
    (!shift(c) && !shift(c.wrapping_neg() & bits(y))).then(|| (u64::from(c.ilog2() + 1) - zeros, y - zeros))
}

/// Returns the operator of a module that has one. Calibration knows of the others nothing.
pub fn operator(parameters: &Parameters) -> Option<String> {
    let op = parameters.get("OP")?;
    let set = |name: &&str| parameters.get(*name).is_some_and(|v| *v > 0);
    let variant: Vec<&str> = ["SATURATE", "FRAC"].into_iter().filter(set).collect();
    Some(["OP", &op.to_string()].into_iter().chain(variant).collect::<Vec<_>>().join(" "))
}

/// Computes the makeup of `module` on a device.
pub fn makeup(silicon: Silicon, module: &str, parameters: &Parameters) -> Makeup {
    let mut m = Makeup { features: Features::new(), brams: 0, dsps: 0, banks: 0, small: 0, silicon };
    match module.starts_with("samhw_mem_ports") {
        true => m.widths(&counted(parameters)),
        false => m.widths(parameters),
    }
    m.contents(module, parameters);
    m
}

/// Parameters of a memory with several readers, of which some are a bit for each: the number of readers of each kind.
fn counted(parameters: &Parameters) -> Parameters {
    let mut all = parameters.clone();
    for (mask, count) in [("BURST", "BURSTS"), ("PAIR", "PAIRS")] {
        let bits = all.remove(mask);
        all.extend(bits.map(|bits| (count.to_string(), bits.count_ones().into())));
    }
    all
}

impl Makeup {
    /// What grows with parameters, whatever the module.
    fn widths(&mut self, parameters: &Parameters) {
        let p = |name: &str| parameters.get(name).copied().unwrap_or(0);
        self.add("1", 1);
        for (name, value) in parameters {
            if LINEAR.contains(&name.as_str()) {
                self.add(name, *value);
            }
        }
        for (count, width) in [
            ("N", "CRD_W"),
            ("N", "REF_W"),
            ("N", "W"),
            ("COPIES", "W"),
            ("N", "ADDR_W"),
            ("N", "DATA_W"),
            ("N", "BURST"),
            ("N", "BANKS_LOG2"),
            ("BURSTS", "ADDR_W"),
            ("PAIRS", "DATA_W"),
        ] {
            if parameters.contains_key(count) && parameters.contains_key(width) {
                self.add(format!("{count} {width}"), p(count) * p(width));
            }
        }
        // Groups of coordinates, and comparisons of all of one with all of another.
        if let (Some(crd_w), Some(log2)) = (parameters.get("CRD_W"), parameters.get("WIDE_LOG2")) {
            let wide = 1 << (*log2).min(6);
            self.add("WIDE CRD_W", crd_w.saturating_mul(wide));
            self.add("WIDE WIDE CRD_W", crd_w.saturating_mul(wide * wide));
        }
        // What an operator costs per bit.
        if let Some(op) = operator(parameters) {
            for width in ["VAL_W", "DATA_W"].into_iter().filter(|w| parameters.contains_key(*w)) {
                self.add(format!("{op} {width}"), p(width));
            }
        }
        if parameters.contains_key("STREAMS") {
            self.add("STREAMS VAL_W", p("STREAMS") * p("VAL_W"));
        }
    }

    /// What this module holds: memories and multipliers.
    fn contents(&mut self, module: &str, parameters: &Parameters) {
        let p = |name: &str| parameters.get(name).copied().unwrap_or(0);
        let size = parameters.get(DIM_BITS).copied().unwrap_or(p("CRD_W") + 1);
        match module {
            "samhw_fifo" => {
                let depth = p("DEPTH");
                if depth > 64 {
                    self.memory(depth, p("W"), Wish::Block);
                } else {
                    let (words, width) = (depth.max(2), p("W"));
                    self.kept(Memory {
                        words,
                        width,
                        wish: Wish::Distributed,
                        reads: 1,
                        joint: false,
                        clash: Clash::Old,
                    });
                }
                self.add("pointer bits", u64::from(depth.max(2).ilog2()));
            }
            "samhw_reducer_vector" => self.workspace(1 << p("BANK_W").min(8), p("WORDS"), p("VAL_W")),
            "samhw_reducer_matrix" => {
                let words = p("DIM1").saturating_mul(1 << p("CRD0_W").min(40));
                self.workspace(1 << p("BANK_W").min(8), words, p("VAL_W"));
            }
            "samhw_mem_fold" => self.folding(p("WORDS"), p("DATA_W")),
            "samhw_alu" if p("OP") == 2 => self.product(p("W"), parameters.get(FACTOR).copied()),
            "samhw_alu_product" => {
                // Numbers without a sign get one.
                let factor = |n: &str| p(&format!("{n}_W")) + 1 - p(&format!("{n}_SIGNED"));
                self.signed_product(p("W"), ["A", "B"].map(factor), parameters.get(FACTOR).copied());
            }
            "samhw_locator_dense" => self.product_of(p("REF_W"), [p("REF_IN_W"), size]),
            "samhw_scanner_dense" if p("ROOT") == 0 && p("BROADCAST") == 0 => {
                self.product_of(p("REF_W"), [p("REF_IN_W"), size]);
            }
            "samhw_scanner_part" if p("ROOT") == 0 && p("BROADCAST") == 0 => {
                self.product_of(p("REF_W"), [p("REF_IN_W"), p("DIM_W")]);
            }
            "samhw_locator_bits" | "samhw_scanner_bits" if p(ROOT_REFS) == 0 => {
                // Words of a fiber: the size, rounded up.
                let words = (size.max(p("WIDTH_LOG2")) + 1).saturating_sub(p("WIDTH_LOG2"));
                self.product_of(p("ADDR_W"), [p("REF_IN_W"), words.min(p("ADDR_W"))]);
            }
            "samhw_device" => self.memory(512, 8, Wish::Block),
            _ if module.starts_with("samhw_mem_pair") => {
                self.banked(2, p("WORDS"), p("DATA_W"), 0);
            }
            _ if module.starts_with("samhw_mem_ports") => {
                let (two, banks) = (p("FIRST") < p("N") && p("FIRST") > 0, if p("PAIR") > 0 { 2 } else { 1 });
                let parts_log2 = p("PARTS_LOG2").min(6);
                let (words, width) = (p("WORDS").div_ceil(banks).clamp(2, MOST_WORDS), p("DATA_W") >> parts_log2);
                let (reads, wish, clash) = (1 + u64::from(two), Wish::Any, Clash::Any);
                for _ in 0..banks << parts_log2 {
                    self.kept(Memory { words, width, wish, reads, joint: two, clash });
                }
            }
            // Banks and the words of an answer are never both more than one.
            _ if module.starts_with("samhw_mem_shared") => {
                let banks = 1u64 << (p("WIDE_LOG2") + p("BANKS_LOG2")).min(6);
                self.banked(banks, p("WORDS"), p("DATA_W"), p("PARTS_LOG2"));
                let room = 1 << parameters.get("QUEUE_LOG2").copied().unwrap_or(3).min(6);
                self.buffers(p("N"), room, p("DATA_W") << p("WIDE_LOG2").min(6), 1, Clash::Old);
            }
            // Of each pair what is known of it, of each lane but the highest ones coordinates, read
            // at two places; bounds.
            "samhw_scanner_skip" => {
                let (slots, wide_log2) = (1 << p("BUFFER_LOG2").min(16), p("WIDE_LOG2").min(6));
                self.buffers(1, slots, p("REF_W") + wide_log2 + p("BUFFER_LOG2") + 4, 2, Clash::New);
                self.buffers((2 << wide_log2) - 2, slots, p("CRD_W"), 2, Clash::New);
                self.buffers(1, slots, p("CRD_W"), 1, Clash::Old);
            }
            "samhw_mem_wide" => {
                let banks = 1u64 << p("WIDE_LOG2").min(6);
                self.banked(banks, p("WORDS"), p("DATA_W"), 0);
            }
            _ if module.starts_with("samhw_mem_") => self.banked(1, p("WORDS"), p("DATA_W"), p("PARTS_LOG2")),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests;
