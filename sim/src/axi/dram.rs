//! DRAM channels: the latency of a burst, which depends on open rows and refresh, and the bandwidth.

/// The timing and geometry of a DRAM channel, in cycles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dram {
    name: &'static str,
    /// From a burst's address to its first line, where its row is open.
    hit: u64,
    /// To open a row.
    activate: u64,
    /// To close the row that is open.
    precharge: u64,
    /// From refresh to refresh of all banks, and how long one takes.
    refresh: (u64, u64),
    /// Banks, whose rows follow each other in memory.
    banks: u64,
    /// Bytes of a row.
    row: u64,
    /// Bytes that move in 16 cycles.
    bytes_per_16: u64,
}

/// A kind of DRAM, in picoseconds.
struct Preset {
    name: &'static str,
    cas: u64,
    activate: u64,
    precharge: u64,
    refresh: (u64, u64),
    banks: u64,
    row: u64,
    megabytes_per_second: u64,
}

/// What a controller and the way to it add to each read.
const CONTROLLER: u64 = 60_000;

/// A channel of 64 bits each: DDR3-1600 (11-11-11, 4 Gb), DDR4-2400 (16-16-16, 8 Gb), and a pseudo
/// channel of HBM2 at 1.8 Gb/s.
const PRESETS: [Preset; 3] = [
    Preset {
        name: "ddr3",
        cas: 13_750,
        activate: 13_750,
        precharge: 13_750,
        refresh: (7_800_000, 260_000),
        banks: 8,
        row: 8192,
        megabytes_per_second: 12_800,
    },
    Preset {
        name: "ddr4",
        cas: 13_320,
        activate: 13_320,
        precharge: 13_320,
        refresh: (7_800_000, 350_000),
        banks: 16,
        row: 8192,
        megabytes_per_second: 19_200,
    },
    Preset {
        name: "hbm2",
        cas: 14_000,
        activate: 14_000,
        precharge: 14_000,
        refresh: (3_900_000, 260_000),
        banks: 16,
        row: 1024,
        megabytes_per_second: 14_400,
    },
];

impl Dram {
    /// Names of all kinds.
    pub const NAMES: [&'static str; 3] = [PRESETS[0].name, PRESETS[1].name, PRESETS[2].name];

    /// Returns a channel of this kind, as seen by a kernel with a clock of `mhz` MHz.
    pub fn named(name: &str, mhz: u64) -> Option<Self> {
        let kind = PRESETS.iter().find(|k| k.name == name)?;
        let cycles = |picoseconds: u64| (picoseconds * mhz).div_ceil(1_000_000);
        Some(Self {
            name: kind.name,
            hit: cycles(CONTROLLER + kind.cas),
            activate: cycles(kind.activate),
            precharge: cycles(kind.precharge),
            refresh: (cycles(kind.refresh.0), cycles(kind.refresh.1)),
            banks: kind.banks,
            row: kind.row,
            bytes_per_16: 16 * kind.megabytes_per_second / mhz.max(1),
        })
    }

    /// Returns the name of the kind.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the number of lines of `line` bytes that are transferred in 16 cycles, both directions together.
    pub fn lines_per_16(&self, line: u64) -> u64 {
        (self.bytes_per_16 / line).max(1)
    }
}

/// A bank: the row that is open, since which refresh, and when the next command can come.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Bank {
    open: Option<(u64, u64)>,
    free: u64,
}

/// The state of a channel's banks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Banks {
    banks: Vec<Bank>,
    /// Number of bursts whose row was open.
    pub hits: u64,
    /// Number of bursts.
    pub bursts: u64,
}

impl Banks {
    /// Returns the cycles until the first of `lines` lines at `addr` arrives, for a request in cycle `now`.
    pub fn wait(&mut self, dram: &Dram, (addr, lines): (u64, u64), now: u64) -> u64 {
        self.banks.resize(dram.banks as usize, Bank::default());
        let bank = &mut self.banks[(addr / dram.row % dram.banks) as usize];
        let row = addr / (dram.row * dram.banks);
        let mut start = now.max(bank.free);
        let (every, long) = dram.refresh;
        let into = start % every;
        // The first refresh comes after a while.
        if start >= every && into < long {
            start += long - into;
        }
        let open = bank.open.filter(|(_, refresh)| *refresh == start / every).map(|(row, _)| row);
        let ready = start
            + match open {
                Some(open) if open == row => 0,
                Some(_) => dram.precharge + dram.activate,
                None => dram.activate,
            };
        self.bursts += 1;
        self.hits += u64::from(open == Some(row));
        *bank = Bank { open: Some((row, start / every)), free: ready + lines };
        ready + dram.hit - now
    }
}

#[cfg(test)]
mod tests {
    use super::{Banks, Dram};

    #[test]
    fn rows_that_are_open_answer_first() {
        let dram = Dram::named("ddr4", 200).expect("a kind");
        let mut banks = Banks::default();
        let first = banks.wait(&dram, (0, 16), 10);
        let hit = banks.wait(&dram, (1024, 16), 100);
        let conflict = banks.wait(&dram, (8192 * 16, 16), 200);
        let other = banks.wait(&dram, (8192, 16), 200);
        assert_eq!((first, hit, conflict, other), (18, 15, 21, 18));
        // Refreshed: its row is closed, and it begins when the refresh is over.
        assert_eq!(banks.wait(&dram, (8192, 16), 1560), 70 + 18);
        assert_eq!((banks.hits, banks.bursts), (1, 5));
        assert_eq!(dram.lines_per_16(64), 24);
        assert!(Dram::named("sram", 200).is_none());
    }
}
