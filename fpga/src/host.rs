//! The host's side of the serial line: it repeats requests until they are answered, detects resets, and runs a kernel.

use crate::design::Kernel;
use crate::link::{Decoder, Reply, Request, encode, most_words, reply};
use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What a board of ours has in register 0.
const MAGIC: u64 = 0x314d_4853;
/// Registers: session, run, restart, and the first of inputs and outputs.
const SESSION: u32 = 0;
const RUN: u32 = 1;
const RESTART: u32 = 2;
const RUN_STATE: u32 = 2;
const PORTS: u32 = 16;
/// Requests without an answer after which a board is taken for silent.
const ATTEMPTS: u32 = 12;
/// What an answer may take beyond its time on the line: at first, and the bounds between which it is [`TIMES`] what answers
/// took of late, doubled for each that did not come since the last that did.
const PATIENCE: [Duration; 3] = [Duration::from_millis(300), Duration::from_millis(50), Duration::from_secs(1)];
/// See [`PATIENCE`].
const TIMES: u32 = 8;
/// Between two polls, at most.
const POLL: Duration = Duration::from_millis(50);
/// Resets in the middle of a run that are overcome by running again.
const RESETS: u32 = 3;

/// A serial line.
pub trait Line {
    /// Sends all bytes.
    fn send(&mut self, bytes: &[u8]) -> io::Result<()>;
    /// Receives at least one byte, or 0 bytes after a timeout.
    fn receive(&mut self, into: &mut [u8], wait: Duration) -> io::Result<usize>;
    /// Returns the baud rate in bits per second.
    fn baud(&self) -> u32;
}

/// The reason why a request to a board failed.
#[derive(Debug)]
pub enum Error {
    /// No complete answer arrived, only `heard` bytes.
    Silent {
        /// Number of bytes received.
        heard: usize,
    },
    /// The board answers, but is no samhw board or contains another design.
    Other {
        /// Its magic number and design identifier.
        found: (u64, u64),
        /// The expected design identifier.
        want: u32,
    },
    /// The board was reset repeatedly.
    Reset,
    /// The run did not end in time.
    Endless {
        /// Clock cycles since the start.
        cycles: u64,
    },
    /// An array is larger than its memory.
    TooLarge {
        /// Array.
        array: String,
        /// Number of words of the array.
        words: usize,
        /// Number of words of the memory.
        room: u64,
    },
    /// The line failed.
    Io(io::Error),
    /// The user pressed Ctrl-C.
    Cancelled,
}

impl From<io::Error> for Error {
    fn from(e: io::Error) -> Self {
        Self::Io(e)
    }
}

/// The result of a kernel's run on a board.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ran {
    /// Clock cycles from the start token to the done token.
    pub cycles: u64,
    /// Status outputs, in the order of the manifest.
    pub statuses: Vec<u64>,
    /// Results, as words by array name.
    pub arrays: BTreeMap<String, Vec<u64>>,
    /// Number of repeated requests.
    pub repeats: u64,
    /// Number of resets during the run.
    pub resets: u32,
}

/// The inputs of a run on a board.
#[derive(Debug, Clone, Default)]
pub struct Job {
    /// Run-time inputs, in the order of the manifest.
    pub config: Vec<u64>,
    /// Operands, as words by array name.
    pub arrays: BTreeMap<String, Vec<u64>>,
    /// Time limit of the run.
    pub limit: Duration,
}

/// A board on a serial line.
pub struct Host<'a, L> {
    line: L,
    kernel: &'a Kernel,
    cancel: &'a AtomicBool,
    decoder: Decoder,
    number: u8,
    session: u8,
    word_bytes: usize,
    /// Words per frame: fewer while the line is bad.
    chunk: usize,
    /// What an answer took of late, and what the next one may take.
    usual: Duration,
    patience: Duration,
    repeats: u64,
}

impl<'a, L: Line> Host<'a, L> {
    /// Creates the host for `kernel` on `line`.
    pub fn new(line: L, kernel: &'a Kernel, cancel: &'a AtomicBool) -> Self {
        let word_bytes = kernel.word() as usize / 8;
        Self {
            line,
            kernel,
            cancel,
            decoder: Decoder::default(),
            number: 0,
            session: 0,
            word_bytes,
            chunk: most_words(word_bytes),
            usual: PATIENCE[0] / TIMES,
            patience: PATIENCE[0],
            repeats: 0,
        }
    }

    /// Requests the board's identification, which must match the kernel. `attempts` as a silent line costs time.
    pub fn hello(&mut self, attempts: u32) -> Result<(), Error> {
        let ask = Request::Read { registers: true, addr: 0, words: 2 };
        let want = self.kernel.id;
        let mut found = (0, 0);
        // An answer to somebody who asked before may still be in the line, with the number of the
        // first question.
        for _ in 0..2 {
            if let [magic, id] = self.ask(&ask, attempts)?.words[..] {
                if (magic, id) == (MAGIC, u64::from(want)) {
                    return Ok(());
                }
                found = (magic, id);
            }
        }
        Err(Error::Other { found, want })
    }

    /// Asks once and waits. None if no whole answer came; counts the bytes that did.
    fn once(&mut self, request: &Request, heard: &mut usize) -> Result<Option<Reply>, Error> {
        self.number = self.number.wrapping_add(1);
        let bytes = encode(self.number, request, self.word_bytes);
        let answer = match request {
            Request::Read { words, .. } => 20 + usize::from(*words) * self.word_bytes,
            Request::Write { .. } => 20,
        };
        // Every byte escaped, and half as long again.
        let bits = 30 * (bytes.len() + answer) as u64;
        let wait = self.patience + Duration::from_micros(bits * 1_000_000 / u64::from(self.line.baud().max(1)));
        self.line.send(&bytes)?;
        let sent = Instant::now();
        let end = sent + wait;
        let mut buffer = [0; 512];
        loop {
            if self.cancel.load(Ordering::Relaxed) {
                return Err(Error::Cancelled);
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                self.patience = (self.patience * 2).min(PATIENCE[2]);
                return Ok(None);
            }
            let n = self.line.receive(&mut buffer, left.min(PATIENCE[0]))?;
            *heard += n;
            for b in &buffer[..n] {
                let body = self.decoder.take(*b);
                if let Some(r) = body.and_then(|body| reply(&body, self.number, request, self.word_bytes)) {
                    self.usual = (self.usual * 3 + sent.elapsed()) / 4;
                    self.patience = (self.usual * TIMES).clamp(PATIENCE[1], PATIENCE[2]);
                    return Ok(Some(r));
                }
            }
        }
    }

    /// Asks until there is an answer.
    fn ask(&mut self, request: &Request, attempts: u32) -> Result<Reply, Error> {
        let mut heard = 0;
        for attempt in 0..attempts {
            self.repeats += u64::from(attempt > 0);
            if let Some(r) = self.once(request, &mut heard)? {
                return Ok(r);
            }
        }
        Err(Error::Silent { heard })
    }

    /// Asks within the session: an answer from another one means that the board was reset.
    fn within(&mut self, request: &Request) -> Result<Reply, Error> {
        let r = self.ask(request, ATTEMPTS)?;
        if r.session == self.session && !r.refused { Ok(r) } else { Err(Error::Reset) }
    }

    /// Moves words in frames as long as the line bears: half as long after a failure, longer
    /// again after a success. `request` makes the one for words `from..to`.
    fn frames(
        &mut self,
        words: usize,
        mut request: impl FnMut(usize, usize) -> Request,
        mut done: impl FnMut(Reply),
    ) -> Result<(), Error> {
        let (mut at, mut failed, mut heard) = (0, 0, 0);
        while at < words {
            let to = (at + self.chunk).min(words);
            match self.once(&request(at, to), &mut heard)? {
                Some(r) if r.session != self.session || r.refused => return Err(Error::Reset),
                Some(r) => {
                    done(r);
                    (at, failed, heard) = (to, 0, 0);
                    self.chunk = (self.chunk + self.chunk / 4 + 1).min(most_words(self.word_bytes));
                }
                None => {
                    failed += 1;
                    self.repeats += 1;
                    self.chunk = (self.chunk / 2).max(1);
                    if failed >= ATTEMPTS {
                        return Err(Error::Silent { heard });
                    }
                }
            }
        }
        Ok(())
    }

    fn write(&mut self, registers: bool, addr: u64, words: &[u64]) -> Result<(), Error> {
        let request = |from, to| Request::Write {
            registers,
            addr: (addr + from as u64) as u32,
            words: words.get(from..to).unwrap_or_default().to_vec(),
        };
        self.frames(words.len(), request, |_| ())
    }

    fn read(&mut self, registers: bool, addr: u64, words: usize) -> Result<Vec<u64>, Error> {
        let mut out = Vec::with_capacity(words);
        let request =
            |from, to| Request::Read { registers, addr: (addr + from as u64) as u32, words: (to - from) as u8 };
        self.frames(words, request, |r| out.extend(r.words))?;
        Ok(out)
    }

    /// Runs the kernel, and repeats what a reset interrupts.
    pub fn run(&mut self, job: &Job) -> Result<Ran, Error> {
        for a in &self.kernel.manifest.arrays {
            if let Some(words) = job.arrays.get(&a.name).filter(|w| w.len() as u64 > a.words) {
                return Err(Error::TooLarge { array: a.name.clone(), words: words.len(), room: a.words });
            }
        }
        self.hello(ATTEMPTS)?;
        let mut resets = 0;
        loop {
            match self.attempt(job) {
                Err(Error::Reset) if resets < RESETS => resets += 1,
                Ok(ran) => return Ok(Ran { resets, repeats: self.repeats, ..ran }),
                Err(e) => return Err(e),
            }
        }
    }

    fn attempt(&mut self, job: &Job) -> Result<Ran, Error> {
        let kernel = self.kernel;
        let m = &kernel.manifest;
        // Another number than the board's, whatever that is: 0 after a reset.
        let begin = Request::Read { registers: true, addr: 0, words: 1 };
        let old = self.ask(&begin, ATTEMPTS)?.session;
        self.session = old.wrapping_add(1).max(1);
        let set = Request::Write { registers: true, addr: SESSION, words: vec![self.session.into()] };
        self.within(&set)?;
        self.write(true, RESTART.into(), &[1])?;
        self.write(true, PORTS.into(), &job.config)?;
        for a in &m.arrays {
            if let (Some(base), Some(words)) = (a.base, job.arrays.get(&a.name)) {
                self.write(false, base, words)?;
            }
        }
        self.write(true, RUN.into(), &[1])?;
        let cycles = self.wait(job.limit)?;
        let statuses = self.read(true, PORTS.into(), m.status.len())?;
        let mut arrays = BTreeMap::new();
        for a in m.arrays.iter().filter(|a| a.direction == "output") {
            let Some(base) = a.base else { continue };
            let room = usize::try_from(a.words).unwrap_or(usize::MAX);
            // What was not written need not be read.
            let count = if a.part == "seg" { None } else { self.written(&a.name, &statuses) };
            let mut words = self.read(false, base, count.map_or(room, |n| n.min(room)))?;
            words.resize(room, 0);
            arrays.insert(a.name.clone(), words);
        }
        Ok(Ran { cycles, statuses, arrays, ..Ran::default() })
    }

    /// Waits for the end of the run; its clock cycles.
    fn wait(&mut self, limit: Duration) -> Result<u64, Error> {
        let begin = Instant::now();
        let mut pause = Duration::from_millis(1);
        loop {
            let state = Request::Read { registers: true, addr: RUN_STATE, words: 3 };
            let r = self.within(&state)?;
            let [run, low, high] = r.words[..] else { return Err(Error::Reset) };
            let cycles = low | high << 32;
            match (r.running, run) {
                (false, 1) => return Ok(cycles),
                (false, _) => return Err(Error::Reset),
                _ if begin.elapsed() > limit => return Err(Error::Endless { cycles }),
                _ => std::thread::sleep(pause),
            }
            pause = (pause * 2).min(POLL);
        }
    }

    /// Words that the run wrote into an array, where a status output tells.
    fn written(&self, array: &str, statuses: &[u64]) -> Option<usize> {
        let m = &self.kernel.manifest;
        let into = |s: &&samhw_compiler::emit::manifest::ManifestStream| s.to.as_ref().is_some_and(|e| e.cell == array);
        let writer = &m.streams.iter().find(into)?.from.as_ref()?.cell;
        let counts = |(s, _): &(&samhw_compiler::emit::manifest::ManifestStatus, &u64)| s.cell == *writer && !s.error;
        let (_, n) = m.status.iter().zip(statuses).find(counts)?;
        usize::try_from(*n).ok()
    }
}
