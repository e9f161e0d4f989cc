//! The memories against their meaning, their Verilog against their models.

use super::{Host, Memory, Read};
use crate::every::forms::Hosted;
use samhw_rtlsim as rtl;
use samhw_streams::{Beat, Dir, Fault, Model, Primitive, Word};
use samhw_testing::bench::{self, Outcome, Stall};
use samhw_testing::rtl::{Rtl, cache, check_rtl, difference, files, literals, tool, usual_stalls};
use samhw_values::Rng;
use std::collections::HashMap;

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    let mut all = Vec::new();
    for read in [Read::None, Read::Single, Read::Burst, Read::Pair] {
        for write in [false, true] {
            for (addr_w, data_w, words) in [(2, 2, 4), (8, 16, 256), (8, 16, 101), (3, 2, 7), (20, 64, 5), (8, 256, 9)]
            {
                if data_w > 64 && read == Read::Pair {
                    continue;
                }
                let p = Memory { addr_w, data_w, words, read, write };
                let host = p.host();
                all.push((Box::new(p) as Box<dyn Primitive>, host));
            }
        }
    }
    all
}

const READS: [Read; 3] = [Read::Single, Read::Burst, Read::Pair];

fn memory(read: Read, words: u32, write: bool) -> Memory {
    Memory { addr_w: 8, data_w: 16, words, read, write }
}

fn filled(rng: &mut Rng, n: u32) -> Vec<u64> {
    (0..n).map(|_| rng.below(1 << 16)).collect()
}

/// Requests within `words` words.
pub(crate) fn requests(rng: &mut Rng, read: Read, words: u64, n: usize) -> Vec<Beat> {
    let mut request = |_| match read {
        Read::Burst => {
            let addr = rng.below(words);
            let most = (words - addr).min([1, 1, 2, 20][rng.below(4) as usize]);
            Beat::pair(0, addr, 1 + rng.below(most))
        }
        Read::Pair => Beat::data(0, rng.below(words - 1)),
        Read::Single | Read::None => Beat::data(0, rng.below(words)),
    };
    (0..n).map(&mut request).collect()
}

/// What `requests` read.
pub(crate) fn answers(requests: &[Beat], read: Read, words: &[u64]) -> Vec<Beat> {
    let word = |a: u64| words[a as usize];
    let answer = |r: &Beat| match read {
        Read::Burst => (r.p[0]..r.p[0] + r.p[1]).map(|a| Beat::data(0, word(a))).collect(),
        Read::Pair => vec![Beat::pair(0, word(r.p[0]), word(r.p[0] + 1))],
        Read::Single | Read::None => vec![Beat::data(0, word(r.p[0]))],
    };
    requests.iter().flat_map(answer).collect()
}

/// Writes of all words in order.
pub(crate) fn writes(words: &[u64]) -> Vec<Beat> {
    (0..).zip(words).map(|(a, &w)| Beat::pair(0, a, w)).collect()
}

#[test]
fn answers_as_asked_one_word_per_cycle() {
    let mut rng = Rng::new(1);
    for read in READS {
        let p = memory(read, 101, false);
        let mut model = p.model(&[]);
        let words = filled(&mut rng, p.words);
        model.memory().unwrap().copy_from_slice(&words);
        let requests = requests(&mut rng, read, 101, 300);
        let expected = answers(&requests, read, &words);
        let out = bench::run(&p.ports(), model.as_mut(), &[requests], &mut [], Stall::NONE, 64).unwrap();
        assert_eq!(out.beats(0), expected, "{read:?}");
        let cycles: Vec<u64> = out.outputs[0].iter().map(|o| o.0).collect();
        assert_eq!(cycles, (1..1 + expected.len() as u64).collect::<Vec<_>>(), "{read:?}");
    }
}

/// Writes all words, then reads while all are written once more.
fn write_then_both(p: &Memory, model: &mut dyn Model, seed: u64, stall: Stall) -> Result<[Outcome; 2], Fault> {
    let mut rng = Rng::new(seed);
    let mut run = |feeds: &[Vec<Beat>]| bench::run(&p.ports(), model, feeds, &mut [], stall, 64);
    let [old, new] = [0, 1].map(|_| writes(&filled(&mut rng, p.words)));
    let requests = requests(&mut rng, p.read, p.words.into(), 300);
    Ok([run(&[vec![], old])?, run(&[requests, new])?])
}

#[test]
fn verilog_of_temporaries_moves_as_the_model() {
    for (read, size) in [(Read::Single, 256), (Read::Burst, 101), (Read::Pair, 101)] {
        let p = memory(read, size, true);
        let Some(rtl) = Rtl::build(&p) else { return };
        for (seed, stall) in (0..).zip(usual_stalls(3)) {
            let model = write_then_both(&p, p.model(&[]).as_mut(), seed, stall).unwrap();
            let verilog = write_then_both(&p, &mut rtl.model(&[]).unwrap(), seed, stall).unwrap();
            for (m, v) in model.into_iter().zip(verilog) {
                assert_eq!(difference(&p.ports(), &Ok(m), &Ok(v)), None, "{p:?} under {stall:?}");
            }
        }
    }
}

#[test]
fn both_refuse_reads_beyond_the_memory() {
    let beyond = [
        (Read::Single, Beat::data(0, 101)),
        (Read::Burst, Beat::pair(0, 100, 2)),
        (Read::Burst, Beat::pair(0, 3, 0)),
        (Read::Pair, Beat::data(0, 100)),
        (Read::Pair, Beat::data(0, 255)),
    ];
    for (read, request) in beyond {
        let feeds = [vec![request], vec![]];
        let got = check_rtl(&memory(read, 101, true), &[], &feeds, &Vec::new, &usual_stalls(1));
        assert!(got.iter().all(Result::is_err), "{request:?}");
    }
}

#[test]
fn a_write_beyond_the_memory_changes_nothing() {
    let p = memory(Read::Single, 100, true);
    let mut model = p.model(&[]);
    let run = |model: &mut dyn Model, feeds: &[Vec<Beat>]| {
        bench::run(&p.ports(), model, feeds, &mut [], Stall::NONE, 64).unwrap()
    };
    let words: Vec<u64> = (0..100).map(|k| 7 * k).collect();
    let beyond: Vec<Beat> = (100..256).map(|a| Beat::pair(0, a, 1)).collect();
    let all: Vec<Beat> = writes(&words).into_iter().chain(beyond).collect();
    let requests: Vec<Beat> = (0..100).map(|a| Beat::data(0, a)).collect();
    let check = |model: &mut dyn Model| {
        run(model, &[vec![], all.clone()]);
        assert_eq!(run(model, &[requests.clone(), vec![]]).beats(0), answers(&requests, p.read, &words));
    };
    check(model.as_mut());
    if let Some(rtl) = Rtl::build(&p) {
        check(&mut rtl.model(&[]).unwrap());
    }
}

/// The Verilog of a memory, driven through its host wires too.
pub(crate) struct Driven {
    sim: rtl::Instance,
    signals: HashMap<String, usize>,
}

impl Driven {
    /// After reset, all inputs at 0; `None` where Verilator is missing.
    pub(crate) fn new(p: &dyn Primitive, host: Host) -> Option<Self> {
        use rtl::Dir::{In, Out};
        let instance = p.instance();
        let tools = tool(instance.module, rtl::Toolchain::find())?;
        let mut design = rtl::Design::new(instance.module, files(instance.module));
        design.params = literals(&instance.params);
        let int = |name: &str| match instance.params.iter().find(|x| x.0 == name) {
            Some((_, samhw_streams::Param::Int(v))) => *v,
            _ => 0,
        };
        let parts = int("PARTS_LOG2");
        let (addr_w, data_w) = (int("ADDR_W") + parts, int("DATA_W") >> parts);
        let mut ports = vec![("host_addr".to_string(), addr_w, In)];
        match host {
            Host::Writes => ports.extend([("host_write".into(), 1, In), ("host_wdata".into(), data_w, In)]),
            Host::Reads => ports.extend([("host_read".into(), 1, In), ("host_rdata".into(), data_w, Out)]),
            Host::Absent => {}
        }
        for port in p.ports() {
            let (go, back) = if port.dir == Dir::In { (In, Out) } else { (Out, In) };
            let own = (port.name.as_ref(), 1, port.shape.width());
            let (name, lanes, width) = port.lane.as_ref().map_or(own, |l| (l.vector, l.count, l.width));
            let all = [("valid", lanes, go), ("ready", lanes, back), ("beat", lanes * width, go)];
            ports.extend(all.map(|(wire, width, dir)| (format!("{name}_{wire}"), width, dir)));
        }
        let (mut signals, mut inputs) = (HashMap::new(), Vec::new());
        for (name, width, dir) in ports {
            // The lanes of a vector share its signals.
            if signals.contains_key(&name) {
                continue;
            }
            let signal = design.port(&name, width, dir);
            signals.insert(name, signal);
            if dir == In {
                inputs.push(signal);
            }
        }
        let mut sim = tool(instance.module, rtl::build(&tools, &design, &cache()))?.instance(1);
        // Enough for the widest of them.
        inputs.iter().for_each(|&s| sim.poke(s, &[0; 8]));
        sim.reset();
        Some(Self { sim, signals })
    }
    pub(crate) fn set(&mut self, name: &str, value: u64) {
        self.sim.set(self.signals[name], value);
    }
    /// Sets a signal of more than 64 bits.
    pub(crate) fn set_words(&mut self, name: &str, value: &[u64]) {
        self.sim.poke(self.signals[name], value);
    }
    /// A signal of up to 256 bits.
    pub(crate) fn get_words(&self, name: &str) -> Word {
        let mut parts = [0; 4];
        self.sim.peek(self.signals[name], &mut parts);
        Word(parts)
    }
    pub(crate) fn get(&self, name: &str) -> u64 {
        self.sim.get(self.signals[name])
    }
    pub(crate) fn clock(&mut self) {
        self.sim.clock().unwrap();
    }
    /// The host writes `words`, one a cycle, from address 0 on.
    pub(crate) fn host_writes(&mut self, words: &[u64]) {
        self.set("host_write", 1);
        for (a, &w) in (0..).zip(words) {
            self.set("host_addr", a);
            self.set("host_wdata", w);
            self.clock();
        }
        self.set("host_write", 0);
    }
    /// The first `words` words as the host reads them, one a cycle; the last one stays on its wires.
    pub(crate) fn host_reads(&mut self, words: u64) -> Vec<u64> {
        let mut read = Vec::new();
        for cycle in 0..words + 3 {
            self.set("host_read", u64::from(cycle < words));
            self.set("host_addr", cycle % words);
            self.clock();
            read.push(self.get("host_rdata"));
        }
        let last = read.split_off(words as usize + 1);
        assert_eq!(last, [read[words as usize]; 2], "the answer stays");
        read.split_off(1)
    }
}

#[test]
fn what_the_host_writes_the_core_reads() {
    let words = filled(&mut Rng::new(4), 101);
    for read in READS {
        let Some(mut m) = Driven::new(&memory(read, 101, false), Host::Writes) else { return };
        m.host_writes(&words);
        m.set("read_rsp_ready", 1);
        for a in 0..100 {
            m.set("read_req_valid", 1);
            m.set("read_req_beat", if read == Read::Burst { 1 << 8 | a } else { a });
            m.clock();
            m.set("read_req_valid", 0);
            assert_eq!(m.get("read_rsp_valid"), 1);
            let at = |k: u64| words[(a + k) as usize];
            assert_eq!(m.get("read_rsp_beat"), if read == Read::Pair { at(1) << 16 | at(0) } else { at(0) });
        }
    }
}

#[test]
fn what_the_core_writes_the_host_reads() {
    let words = filled(&mut Rng::new(5), 101);
    let p = memory(Read::None, 101, true);
    let mut model = p.model(&[]);
    bench::run(&p.ports(), model.as_mut(), &[writes(&words)], &mut [], Stall::NONE, 4).unwrap();
    assert_eq!(model.memory().unwrap(), &words);
    let Some(mut m) = Driven::new(&p, p.host()) else { return };
    m.set("write_valid", 1);
    for (a, &w) in (0u64..).zip(&words) {
        m.set("write_beat", w << 8 | a);
        m.clock();
    }
    m.set("write_valid", 0);
    assert_eq!(m.host_reads(101), words);
}

#[test]
fn words_of_256_bits_have_four_parts_for_the_host() {
    let mut rng = Rng::new(6);
    let parts: Vec<u64> = (0..4 * 21).map(|_| rng.bits()).collect();
    let word = |a: u64| Word::from_parts(&parts[4 * a as usize..][..4]);
    let of = |read, write| Memory { addr_w: 5, data_w: 256, words: 21, read, write };
    let written = of(Read::None, true);
    let mut model = written.model(&[]);
    let feed: Vec<Beat> = (0..21).map(|a| Beat::pair(0, a, word(a).payload(256))).collect();
    bench::run(&written.ports(), model.as_mut(), &[feed], &mut [], Stall::NONE, 4).unwrap();
    assert_eq!(model.memory().unwrap(), &parts);
    for read in [Read::Single, Read::Burst] {
        let p = of(read, false);
        let mut model = p.model(&[]);
        model.memory().unwrap().copy_from_slice(&parts);
        let requests = requests(&mut rng, read, 21, 40);
        let wanted = |r: &Beat| (r.p[0]..r.p[0] + r.p[1].max(1)).map(|a| Beat::data(0, word(a).payload(256)));
        let wanted: Vec<Beat> = requests.iter().flat_map(wanted).collect();
        let out = bench::run(&p.ports(), model.as_mut(), &[requests], &mut [], Stall::NONE, 64).unwrap();
        assert_eq!(out.beats(0), wanted, "{read:?}");
        let Some(mut m) = Driven::new(&p, Host::Writes) else { return };
        m.host_writes(&parts);
        m.set("read_rsp_ready", 1);
        for a in 0..21 {
            m.set("read_req_valid", 1);
            m.set("read_req_beat", if read == Read::Burst { 1 << 5 | a } else { a });
            m.clock();
            m.set("read_req_valid", 0);
            assert_eq!((m.get("read_rsp_valid"), m.get_words("read_rsp_beat")), (1, word(a)));
        }
    }
    let Some(mut m) = Driven::new(&written, Host::Reads) else { return };
    m.set("write_valid", 1);
    for a in 0..21 {
        let mut beat = vec![0; 5];
        written.ports()[0].shape.pack(&Beat::pair(0, a, word(a).payload(256)), &mut beat);
        m.set_words("write_beat", &beat);
        m.clock();
    }
    m.set("write_valid", 0);
    assert_eq!(m.host_reads(4 * 21), parts);
}
