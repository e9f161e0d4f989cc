//! A board: its design under Verilator, with its serial line on a pseudo-terminal.

use rustix::fs::OFlags;
use rustix::io::{Errno, read, write};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use samhw_compiler::emit::Design;
use samhw_fpga::{Board, Kernel, board, top};
use samhw_rtlsim as rtl;
use samhw_values::Rng;
use std::collections::VecDeque;
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Clock cycles per bit of the simulated line: the least that the design takes.
const DIVISOR: u32 = 4;

/// What the line does to bytes, each in this number of a million.
#[derive(Debug, Clone, Copy, Default)]
pub struct Noise {
    pub changed: u32,
    pub lost: u32,
    pub added: u32,
}

/// Something that happens to a board when this number of bytes have come from the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    Never,
    /// Its button is pressed.
    Reset(u64),
    /// It stops.
    Dead(u64),
}

/// A pseudo-terminal: the end of the board, and the name of the host's end.
pub fn terminal() -> (OwnedFd, PathBuf) {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&master).unwrap();
    unlockpt(&master).unwrap();
    let name = ptsname(&master, Vec::new()).unwrap();
    let flags = rustix::fs::fcntl_getfl(&master).unwrap();
    rustix::fs::fcntl_setfl(&master, flags | OFlags::NONBLOCK).unwrap();
    (master, PathBuf::from(name.to_str().unwrap()))
}

/// A board design, compiled.
pub struct Compiled {
    library: rtl::Library,
    pins: Pins,
}

#[derive(Clone, Copy)]
struct Pins {
    rx: usize,
    tx: usize,
    led: usize,
    rst: usize,
}

/// The kernel as the flow takes it.
pub fn kernel(design: &Design) -> Kernel {
    Kernel::new(design).unwrap()
}

/// Compiles the board top of `kernel`; none where a tool is missing. With assertions it stops at
/// what no host of ours would do.
pub fn compile(kernel: &Kernel, assertions: bool) -> Option<Compiled> {
    let tools = match rtl::Toolchain::find() {
        Err(e) if std::env::var_os("SAMHW_REQUIRE_TOOLS").is_none() => {
            eprintln!("skipped: {e}");
            return None;
        }
        tools => tools.unwrap(),
    };
    let board = board::find("ulx3s-85f").unwrap();
    let baud = (board.clock.mhz * 1e6) as u32 / DIVISOR;
    let board = Board { baud, ..board };
    let mut design = rtl::Design::new(format!("{}_board", kernel.name), top::verilog(kernel, &board));
    design.defines.extend(assertions.then(|| "SAMHW_ASSERT".into()));
    let pins = Pins {
        rx: design.port("rx", 1, rtl::Dir::In),
        tx: design.port("tx", 1, rtl::Dir::Out),
        led: design.port("led", 1, rtl::Dir::Out),
        rst: design.port("rst", 1, rtl::Dir::In),
    };
    for name in board.high.keys() {
        design.port(name, 1, rtl::Dir::Out);
    }
    let cache = std::env::var_os("SAMHW_CACHE")
        .map_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/.cache")), PathBuf::from);
    rtl::lint_verilator(&design, &cache).unwrap();
    for linted in [rtl::lint_iverilog(&design, &cache), rtl::lint_slang(&design, &cache)] {
        match linted {
            Err(e @ rtl::Error::ToolMissing { .. }) if std::env::var_os("SAMHW_REQUIRE_TOOLS").is_none() => {
                eprintln!("skipped: {e}");
            }
            linted => linted.unwrap(),
        }
    }
    Some(Compiled { library: rtl::build(&tools, &design, &cache).unwrap(), pins })
}

/// A running board; it stops when dropped.
pub struct Running {
    pub port: PathBuf,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(t) = self.thread.take() {
            let _ = t.join();
        }
    }
}

impl Compiled {
    /// Starts a board on a new terminal.
    pub fn start(&self, noise: Noise, event: Event, seed: u64) -> Running {
        let (master, port) = terminal();
        let stop = Arc::new(AtomicBool::new(false));
        let mut chip = Chip { sim: self.library.instance(seed), pins: self.pins, out: Bits::default(), byte: None };
        let seen = stop.clone();
        let thread = thread::spawn(move || chip.serve(&master, noise, event, seed, &seen));
        Running { port, stop, thread: Some(thread) }
    }
}

/// What the design sends: bits since the start bit, sampled once a cycle.
#[derive(Default)]
struct Bits {
    cycle: Option<u32>,
    shift: u16,
}

struct Chip {
    sim: rtl::Instance,
    pins: Pins,
    out: Bits,
    byte: Option<u8>,
}

impl Chip {
    /// A clock cycle; a byte that the design has sent is left in `byte`.
    fn cycle(&mut self) {
        self.sim.clock().unwrap();
        let tx = self.sim.get(self.pins.tx);
        match self.out.cycle {
            None if tx == 0 => self.out = Bits { cycle: Some(1), shift: 0 },
            None => {}
            Some(n) => {
                // Bits in their middle: start, eight of data, stop.
                if n % DIVISOR == DIVISOR / 2 {
                    self.out.shift = self.out.shift >> 1 | (tx as u16) << 9;
                }
                self.out.cycle = Some(n + 1);
                if n == 9 * DIVISOR + DIVISOR / 2 {
                    assert!(tx == 1 && self.out.shift & 1 == 0, "the design's stop or start bit is wrong");
                    self.byte = Some((self.out.shift >> 1) as u8);
                    self.out.cycle = None;
                }
            }
        }
    }

    fn send(&mut self, byte: u8, into: &mut Vec<u8>) {
        let bits = u16::from(byte) << 1 | 1 << 9;
        for k in 0..10 {
            self.sim.set(self.pins.rx, u64::from(bits >> k & 1));
            for _ in 0..DIVISOR {
                self.cycle();
                into.extend(self.byte.take());
            }
        }
    }

    fn serve(&mut self, master: &OwnedFd, noise: Noise, event: Event, seed: u64, stop: &AtomicBool) {
        self.sim.set(self.pins.rx, 1);
        self.sim.reset();
        let mut rng = Rng::new(seed);
        let (mut received, mut happened) = (0, false);
        let (mut incoming, mut outgoing) = (VecDeque::new(), Vec::new());
        let mut buffer = [0; 4096];
        while !stop.load(Ordering::Relaxed) {
            match read(master, &mut buffer) {
                Ok(n) => buffer[..n].iter().for_each(|b| spoil(&mut rng, noise, *b, &mut incoming)),
                // Nothing there, or nobody at the other end.
                Err(Errno::AGAIN | Errno::IO | Errno::INTR) => {}
                Err(e) => panic!("the terminal: {e}"),
            }
            let busy = !incoming.is_empty() || self.out.cycle.is_some() || self.sim.get(self.pins.led) == 1;
            if let Some(b) = incoming.pop_front() {
                received += 1;
                self.send(b, &mut outgoing);
            } else {
                // An answer begins soon after a request if it begins at all.
                for _ in 0..if busy { 400 } else { 40 } {
                    self.cycle();
                    outgoing.extend(self.byte.take());
                }
            }
            match event {
                Event::Dead(n) if received >= n => return,
                Event::Reset(n) if received >= n && !happened => {
                    happened = true;
                    self.sim.set(self.pins.rst, 1);
                    (0..50).for_each(|_| self.cycle());
                    self.sim.set(self.pins.rst, 0);
                    self.out.cycle = None;
                }
                _ => {}
            }
            let mut spoilt = VecDeque::new();
            outgoing.drain(..).for_each(|b| spoil(&mut rng, noise, b, &mut spoilt));
            let (a, b) = spoilt.as_slices();
            // A full terminal loses bytes, as a line does.
            for part in [a, b].into_iter().filter(|p| !p.is_empty()) {
                let _ = write(master, part);
            }
            if !busy && incoming.is_empty() {
                thread::sleep(Duration::from_millis(1));
            }
        }
    }
}

/// Puts `byte` into `out` with noise.
fn spoil(rng: &mut Rng, noise: Noise, byte: u8, out: &mut VecDeque<u8>) {
    let mut happens = |millionths: u32| rng.below(1_000_000) < u64::from(millionths);
    let (changed, lost, added) = (happens(noise.changed), happens(noise.lost), happens(noise.added));
    if added {
        out.push_back(rng.bits() as u8);
    }
    if !lost {
        out.push_back(if changed { byte ^ (1 << rng.below(8)) } else { byte });
    }
}
