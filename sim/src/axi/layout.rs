//! The layout of a kernel's arrays in memory.

use samhw_compiler::emit::axi::{Axi, Holds, PortMode};
use samhw_compiler::netlist::Netlist;
use samhw_values::Rng;

/// A buffer in memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Buffer {
    /// Number of the array in the netlist.
    pub array: usize,
    /// Address of the first byte.
    pub base: u64,
    /// Contents of the buffer.
    pub bytes: Vec<u8>,
    /// Whether the hardware may write the buffer.
    pub writable: bool,
}

impl Buffer {
    fn index(&self, addr: u64) -> Option<usize> {
        usize::try_from(addr.checked_sub(self.base)?).ok().filter(|&k| k < self.bytes.len())
    }
    /// Returns the byte at an address.
    pub fn byte(&self, addr: u64) -> Option<u8> {
        self.index(addr).map(|k| self.bytes[k])
    }
    /// Writes a byte; returns false if the address is outside of the buffer or read-only.
    pub fn put(&mut self, addr: u64, byte: u8) -> bool {
        match self.index(addr).filter(|_| self.writable) {
            Some(k) => {
                self.bytes[k] = byte;
                true
            }
            None => false,
        }
    }
    /// Returns true if the buffer contains one of the `line` bytes from `addr` on.
    pub fn meets(&self, addr: u64, line: u64) -> bool {
        let last = addr.wrapping_add(line - 1);
        let end = self.base.wrapping_add((self.bytes.len() as u64).wrapping_sub(1));
        !self.bytes.is_empty() && addr <= end && last >= self.base
    }
    /// Returns the contents as words of `size` bytes.
    pub fn words(&self, size: usize) -> Vec<u64> {
        let word = |c: &[u8]| c.iter().rev().fold(0, |w, &b| w << 8 | u64::from(b));
        self.bytes.chunks(size).map(word).collect()
    }
}

/// The placement of arrays in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placing {
    /// Consecutively, each at the start of a line.
    Aligned,
    /// As a driver that follows docs/axi.md: at any word-aligned address, chosen by a random seed, but tiled arrays at
    /// the start of a line.
    Driver(u64),
    /// At any word-aligned address, chosen by a random seed.
    Anywhere(u64),
    /// As [`Placing::Anywhere`], but with the last array at the end of the address space.
    AtTheEnd(u64),
}

/// The buffers of all arrays, with their word sizes.
#[derive(Debug, Clone)]
pub struct Layout {
    /// A buffer for each array with registers of its own.
    pub buffers: Vec<Buffer>,
    /// Bytes of a word, in the order of `buffers`.
    pub sizes: Vec<usize>,
}

impl Layout {
    /// Places the arrays of `axi`, with the contents in `words`, and with room for the words of others.
    pub fn new(net: &Netlist, axi: &Axi, placing: Placing, words: impl Fn(usize) -> Option<Vec<u64>>) -> Self {
        let line = u64::from(axi.options.data_width / 8);
        let mut rng = match placing {
            Placing::Aligned => Rng::new(0),
            Placing::Driver(seed) | Placing::Anywhere(seed) | Placing::AtTheEnd(seed) => Rng::new(seed),
        };
        let bases = axi.registers.iter().filter_map(|r| if let Holds::Base(a) = r.holds { Some(a) } else { None });
        let (mut buffers, mut sizes, mut next) = (Vec::new(), Vec::new(), 0x1_0000u64);
        for array in bases {
            let port = axi.ports.iter().find(|p| p.array == array);
            let size = port.map_or(1, |p| 1u64 << p.size_log2);
            let tiles = port.is_some_and(|p| matches!(p.mode, PortMode::Tiles { .. }));
            let contents = words(array);
            let writable = contents.is_none();
            let contents = contents.unwrap_or_else(|| vec![0xA5A5_A5A5_A5A5_A5A5; net.arrays[array].words as usize]);
            let bytes: Vec<u8> =
                contents.iter().flat_map(|w| w.to_le_bytes().into_iter().take(size as usize)).collect();
            let offset = if placing == Placing::Aligned { 0 } else { size * rng.below(4096 / size) };
            let begins = tiles && matches!(placing, Placing::Driver(_));
            let offset = if begins { offset & !(line - 1) } else { offset };
            let base = next + offset;
            next = (base + bytes.len() as u64).next_multiple_of(line) + 2 * line;
            buffers.push(Buffer { array, base, bytes, writable });
            sizes.push(size as usize);
        }
        if let (Placing::AtTheEnd(_), Some(last), Some(&size)) = (placing, buffers.last_mut(), sizes.last()) {
            let end = u64::MAX >> (64 - axi.options.address_width);
            last.base = (end - (last.bytes.len() as u64).max(size as u64)) + 1;
        }
        Self { buffers, sizes }
    }

    /// Returns the address of an array and its words; `None` if it has no buffer.
    pub fn place(&self, array: usize) -> (u64, Option<Vec<u64>>) {
        let at = self.buffers.iter().zip(&self.sizes).find(|(b, _)| b.array == array);
        at.map_or((0, None), |(b, &size)| (b.base, Some(b.words(size))))
    }
}
