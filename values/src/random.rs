//! A random number generator that gives the same numbers on every machine, for data and tests.

/// A sequence of random numbers (SplitMix64: Steele, Lea, Flood, OOPSLA 2014).
#[derive(Debug, Clone)]
pub struct Rng(u64);

impl Rng {
    /// Creates a generator from a seed; nearby seeds give unrelated sequences.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0xD134_2543_DE82_EF95).wrapping_add(1))
    }
    /// Creates the generator of sequence `number` among those of `seed`.
    pub fn sequence(seed: u64, number: u64) -> Self {
        Self(Self(seed).bits() ^ number.wrapping_mul(0xD1B5_4A32_D192_ED03))
    }
    /// Returns 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }
    /// Returns a random number below `n`, or 0 if `n` is 0.
    pub fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(n)) >> 64) as u64
    }
    /// Returns a random number from 0 to `last`, inclusive.
    pub fn up_to(&mut self, last: u64) -> u64 {
        // Of 2^64 numbers every bit pattern is one.
        match last.checked_add(1) {
            Some(n) => self.below(n),
            None => self.bits(),
        }
    }
    /// Returns a random number from 0 (included) to 1 (excluded).
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }
    /// Returns true with probability `p`.
    pub fn happens(&mut self, p: f64) -> bool {
        self.unit() < p
    }
    /// Returns true with a probability of `percent` percent.
    pub fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
    /// Returns a random element of `choices`, which must not be empty.
    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len() as u64) as usize]
    }
    /// Shuffles `items` into a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for n in (1..items.len()).rev() {
            items.swap(n, self.below(n as u64 + 1) as usize);
        }
    }
}
