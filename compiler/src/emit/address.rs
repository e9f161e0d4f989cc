//! The host's address space: each array has an aligned region of a power of two words.

use crate::netlist::Netlist;
use samhw_streams::Param;

/// The region of an array in the host's address space, in words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AddressRegion {
    /// Number of the array in [`Netlist::arrays`].
    pub array: usize,
    /// First address of the region.
    pub base: u64,
    /// log2 of the region's size, at least 1.
    pub log2: u32,
    /// Number of words that exist in the region.
    pub words: u64,
}

/// Returns the regions of all arrays that the host reads or writes, by address. Larger ones come first, so that none
/// leaves a gap. Arrays with the same contents share their addresses: a word that the host writes goes to all of them
/// at once.
pub fn regions(net: &Netlist) -> Vec<AddressRegion> {
    let mut out: Vec<AddressRegion> = Vec::new();
    for (k, a) in net.arrays.iter().enumerate().filter(|(_, a)| a.host_reads || a.host_writes) {
        let parts_log2 = int(net, k, "PARTS_LOG2");
        let words = int(net, k, "WORDS").max(1) << parts_log2;
        // An array of nothing has a word of its memory, too.
        debug_assert!(words <= a.words.max(1 << parts_log2), "{}: {words} words for {}", a.name, a.words);
        out.push(AddressRegion { array: k, base: 0, log2: words.next_power_of_two().trailing_zeros().max(1), words });
    }
    out.sort_by_key(|r| std::cmp::Reverse(r.log2));
    let mut base = 0;
    for n in 0..out.len() {
        let a = &net.arrays[out[n].array];
        let same = |r: &&AddressRegion| {
            let b = &net.arrays[r.array];
            a.host_writes && b.host_writes && (a.of, a.part) == (b.of, b.part)
        };
        if let Some(first) = out[..n].iter().find(same) {
            out[n].base = first.base;
            continue;
        }
        out[n].base = base;
        base += 1 << out[n].log2;
    }
    out
}

/// Bits of a host address.
pub(super) fn width(regions: &[AddressRegion]) -> u32 {
    let end = regions.iter().map(|r| r.base + (1 << r.log2)).max().unwrap_or(2);
    end.next_power_of_two().trailing_zeros()
}

/// An integer parameter of an array's memory.
pub(super) fn int(net: &Netlist, array: usize, name: &str) -> u64 {
    let params = net.cell(net.arrays[array].cell).primitive.instance().params;
    params.iter().find(|(n, _)| *n == name).map_or(0, |(_, p)| match p {
        Param::Int(n) => u64::from(*n),
        Param::Bits(_, words) => words.first().copied().unwrap_or(0),
    })
}
