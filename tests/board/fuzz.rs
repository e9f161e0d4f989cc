//! The serial line under random bytes: frames of `frames.txt`, changed, to the board; answers with
//! anything in them to the host. PROPTEST_CASES says how many.

use super::model::{Event, Noise, kernel};
use super::{KERNEL, board, seed};
use samhw_fpga::Kernel;
use samhw_fpga::host::{Host, Job, Line};
use samhw_fpga::link::{Decoder, Request, crc32, encode, reply};
use samhw_fpga::port::Port;
use samhw_values::Rng;
use std::io;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

const END: u8 = 0xC0;
const ESC: u8 = 0xDB;

/// How many cases, where that is not said.
fn cases(usual: u64) -> u64 {
    std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(usual)
}

/// Bodies of frames.
fn seeds() -> Vec<Vec<u8>> {
    let hex = |line: &str| {
        let digits: Vec<u32> = line.chars().filter_map(|c| c.to_digit(16)).collect();
        digits.chunks(2).map(|d| (d[0] << 4 | d[1]) as u8).collect()
    };
    include_str!("frames.txt").lines().filter(|l| !l.starts_with('#')).map(hex).collect()
}

/// A frame around `body`, with its checksum.
fn framed(body: &[u8]) -> Vec<u8> {
    let mut out = vec![END];
    for &b in body.iter().chain(&crc32(body).to_le_bytes()) {
        match b {
            END => out.extend([ESC, 0xDC]),
            ESC => out.extend([ESC, 0xDD]),
            _ => out.push(b),
        }
    }
    out.push(END);
    out
}

/// Some frames, changed before or after they got their checksums.
fn changed(seeds: &[Vec<u8>], rng: &mut Rng) -> Vec<u8> {
    let mut out = Vec::new();
    for _ in 0..1 + rng.below(4) {
        let mut body = seeds[rng.below(seeds.len() as u64) as usize].clone();
        if rng.below(2) == 0 {
            mutate(&mut body, rng);
        }
        let mut frame = framed(&body);
        if rng.below(3) == 0 {
            mutate(&mut frame, rng);
        }
        out.extend(frame);
    }
    out
}

fn mutate(bytes: &mut Vec<u8>, rng: &mut Rng) {
    for _ in 0..1 + rng.below(3) {
        let at = rng.up_to(bytes.len() as u64) as usize;
        match rng.below(5) {
            0 if at < bytes.len() => bytes[at] = rng.bits() as u8,
            1 if at < bytes.len() => bytes[at] ^= 1 << rng.below(8),
            2 => bytes.truncate(at),
            3 => bytes.insert(at, [END, ESC, 0, 0xFF][rng.below(4) as usize]),
            // Longer than the board has room for.
            _ => drop(bytes.splice(at..at, vec![rng.bits() as u8; rng.below(700) as usize])),
        }
    }
}

/// After any bytes the next frame is understood; nothing is taken for a frame whose checksum is wrong.
#[test]
fn fuzz_the_decoder() {
    let (seeds, mut rng) = (seeds(), Rng::new(seed()));
    for _ in 0..cases(20_000) {
        let (mut decoder, bytes) = (Decoder::default(), changed(&seeds, &mut rng));
        let request = Request::Read { registers: true, addr: 0, words: rng.bits() as u8 };
        for body in bytes.iter().filter_map(|b| decoder.take(*b)) {
            assert!(body.len() < 1 << 12);
            reply(&body, body.first().copied().unwrap_or(0), &request, 4 + 4 * (rng.below(2) as usize));
        }
        let whole: Vec<Vec<u8>> = encode(7, &request, 4).iter().filter_map(|b| decoder.take(*b)).collect();
        assert_eq!(whole.last().map(|body| body.len()), Some(7), "after {bytes:02x?}");
    }
}

/// A board that answers every request at once, with whatever it likes.
struct Liar<'a> {
    kernel: &'a Kernel,
    rng: Rng,
    decoder: Decoder,
    answer: Vec<u8>,
    session: u8,
}

impl Line for Liar<'_> {
    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        for body in bytes.iter().filter_map(|b| self.decoder.take(*b)) {
            let word = self.kernel.word() as usize / 8;
            let [number, op, words, addr, ..] = body[..] else { continue };
            // Of a session that was set it tells mostly the truth, so that the host comes far.
            if op == 3 && addr == 0 {
                self.session = body.get(7).copied().unwrap_or(0);
            }
            let mut lies = |percent: u64| self.rng.chance(percent);
            let session = if lies(3) { 0x55 } else { self.session };
            let flags = u8::from(lies(20)) | u8::from(lies(4)) << 1;
            let reads = if op & 1 == 0 && flags & 2 == 0 { usize::from(words) * word } else { 0 };
            let mut data: Vec<u8> = (0..reads).map(|_| self.rng.bits() as u8).collect();
            if op == 2 && addr == 0 && words == 2 && data.len() == 2 * word && self.rng.below(10) != 0 {
                data.fill(0);
                data[..4].copy_from_slice(b"SHM1");
                data[word..word + 4].copy_from_slice(&self.kernel.id.to_le_bytes());
            }
            if op == 2 && addr == 2 && !data.is_empty() && self.rng.below(2) == 0 {
                data[..word].fill(0);
                data[0] = 1;
            }
            let mut answer = vec![number, op | 0x80, session, flags];
            answer.extend(data);
            self.answer.extend(framed(&answer));
        }
        Ok(())
    }
    fn receive(&mut self, into: &mut [u8], _: Duration) -> io::Result<usize> {
        let n = self.answer.len().min(into.len());
        into[..n].copy_from_slice(&self.answer[..n]);
        self.answer.drain(..n);
        if n == 0 {
            return Err(io::ErrorKind::TimedOut.into());
        }
        Ok(n)
    }
    fn baud(&self) -> u32 {
        115_200
    }
}

/// Whatever a board answers, the host comes to an end: with results of the right sizes, or with an error.
#[test]
fn fuzz_the_host() {
    let (kernel, job) = job();
    let (cancel, mut rng, mut ended) = (AtomicBool::new(false), Rng::new(seed()), 0);
    for _ in 0..cases(300) {
        let liar_rng = Rng::new(rng.bits());
        let liar = Liar { kernel: &kernel, rng: liar_rng, decoder: Decoder::default(), answer: Vec::new(), session: 0 };
        if let Ok(ran) = Host::new(liar, &kernel, &cancel).run(&job) {
            ended += 1;
            for a in kernel.manifest.arrays.iter().filter(|a| a.direction == "output") {
                assert_eq!(ran.arrays[&a.name].len() as u64, a.words, "{}", a.name);
            }
        }
    }
    assert!(ended > 0, "no run came to its end");
}

/// The kernel and what a host does with it.
fn job() -> (Kernel, Job) {
    let (problem, net) = super::made();
    let design = samhw_compiler::emit::emit(&problem.lowered, &net);
    let arrays = net.arrays.iter().filter_map(|a| Some((a.name.clone(), problem.words(a)?.into_owned()))).collect();
    (kernel(&design), Job { config: problem.config(&net), arrays, limit: Duration::from_millis(30) })
}

/// After any bytes the board answers, and runs the kernel.
#[test]
fn fuzz_the_board() {
    let Some((compiled, cycles)) = board(false) else { return };
    let (kernel, _) = job();
    let (cancel, seeds, mut rng) = (AtomicBool::new(false), seeds(), Rng::new(seed()));
    let running = compiled.start(Noise::default(), Event::Never, 5);
    for case in 0..cases(60) {
        let bytes = changed(&seeds, &mut rng);
        let mut port = Port::open(&running.port, 115_200).unwrap();
        port.send(&bytes).unwrap();
        let heard = Host::new(port, &kernel, &cancel).hello(12);
        assert!(heard.is_ok(), "case {case}: {heard:?} after {bytes:02x?}");
    }
    super::runs(&running, cycles, &format!("{KERNEL} after random frames"));
}
