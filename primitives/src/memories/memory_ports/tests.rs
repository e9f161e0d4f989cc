//! The memory with several readers against its meaning, its Verilog against its model.

use super::MemoryPorts;
use crate::every::forms::Hosted;
use crate::memories::memory::Read::{Burst, Pair, Single};
use crate::memories::memory::tests::{Driven, answers, requests, writes};
use crate::memories::memory::{Host, Memory, Read};
use samhw_streams::{Beat, Model, Primitive};
use samhw_testing::bench::{self, Stall};
use samhw_testing::drawn::drawn;
use samhw_testing::rtl::{Rtl, check_rtl, difference, usual_stalls};
use samhw_values::Rng;

/// How readers read, and how many of them are at the first port.
const FORMS: [(&[Read], u32); 8] = [
    (&[Single, Single], 1),
    (&[Burst, Burst], 1),
    (&[Pair, Pair], 1),
    (&[Pair, Burst], 1),
    (&[Single, Single, Burst], 2),
    (&[Single, Burst, Pair, Single], 3),
    (&[Burst, Single, Pair], 3),
    (&[Single], 1),
];

fn memory((readers, first): (&[Read], u32), words: u32, host: Host) -> MemoryPorts {
    // What the core writes has one port to read.
    let first = if host == Host::Writes { first } else { readers.len() as u32 };
    MemoryPorts { addr_w: 8, data_w: 16, words, readers: readers.into(), first, host }
}

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    let mut all: Vec<Hosted> = Vec::new();
    for (form, host) in FORMS.into_iter().flat_map(|f| [Host::Writes, Host::Reads, Host::Absent].map(|h| (f, h))) {
        for (addr_w, data_w, words) in [(2, 2, 4), (8, 16, 101), (20, 64, 5)] {
            all.push((Box::new(MemoryPorts { addr_w, data_w, ..memory(form, words, host) }), host));
        }
    }
    for host in [Host::Writes, Host::Reads] {
        all.push((Box::new(MemoryPorts { data_w: 256, ..memory(FORMS[4], 9, host) }), host));
    }
    all
}

fn filled(rng: &mut Rng, p: &MemoryPorts) -> Vec<u64> {
    (0..p.words).map(|_| rng.below(1 << p.data_w.min(63))).collect()
}

fn asked(rng: &mut Rng, p: &MemoryPorts, n: usize) -> Vec<Vec<Beat>> {
    p.readers.iter().map(|&how| requests(rng, how, p.words.into(), n)).collect()
}

fn loaded(p: &MemoryPorts, words: &[u64]) -> Box<dyn Model> {
    let mut model = p.model(&[]);
    model.memory().unwrap().copy_from_slice(words);
    model
}

#[test]
fn every_reader_gets_the_words_it_asks_for_in_order() {
    let mut rng = Rng::new(1);
    for p in FORMS.map(|form| memory(form, 101, Host::Writes)) {
        let words = filled(&mut rng, &p);
        let feeds = asked(&mut rng, &p, 100);
        for stall in usual_stalls(1).into_iter().chain([Stall { pause: Some(90), ..Stall::new(8, 0.1, 0.1) }]) {
            let out = bench::run(&p.ports(), loaded(&p, &words).as_mut(), &feeds, &mut [], stall, 64).unwrap();
            for (k, (feed, &how)) in feeds.iter().zip(&p.readers).enumerate() {
                assert_eq!(out.beats(k), answers(feed, how, &words), "{p:?}, reader {k}");
            }
        }
    }
}

#[test]
fn a_reader_that_is_alone_is_as_fast_as_at_a_memory_of_its_own() {
    let mut rng = Rng::new(2);
    for p in FORMS.map(|form| memory(form, 101, Host::Writes)) {
        let words = filled(&mut rng, &p);
        for (k, &read) in p.readers.iter().enumerate() {
            let mut feeds = vec![vec![]; p.readers.len()];
            feeds[k] = requests(&mut rng, read, 101, 200);
            let own = Memory { addr_w: 8, data_w: 16, words: 101, read, write: false };
            let mut alone = own.model(&[]);
            alone.memory().unwrap().copy_from_slice(&words);
            for stall in usual_stalls(3) {
                // The bench draws gaps port by port: both have one input and one output that move.
                let stall = if p.readers.len() == 1 { stall } else { Stall::NONE };
                let one = bench::run(&own.ports(), alone.as_mut(), &feeds[k..=k], &mut [], stall, 64).unwrap();
                let out = bench::run(&p.ports(), loaded(&p, &words).as_mut(), &feeds, &mut [], stall, 64).unwrap();
                assert_eq!(out.outputs[k], one.outputs[0], "{p:?}, reader {k}");
            }
        }
    }
}

#[test]
fn readers_at_two_ports_do_not_see_each_other() {
    let mut rng = Rng::new(3);
    for form in FORMS.into_iter().filter(|&(readers, first)| readers.len() == 2 && first == 1) {
        let p = memory(form, 101, Host::Writes);
        let words = filled(&mut rng, &p);
        let feeds = asked(&mut rng, &p, 300);
        let both = bench::run(&p.ports(), loaded(&p, &words).as_mut(), &feeds, &mut [], Stall::NONE, 64).unwrap();
        for k in 0..2 {
            let mut one = vec![vec![]; 2];
            one[k] = feeds[k].clone();
            let alone = bench::run(&p.ports(), loaded(&p, &words).as_mut(), &one, &mut [], Stall::NONE, 64).unwrap();
            assert_eq!(both.outputs[k], alone.outputs[k], "{p:?}, reader {k}");
        }
    }
}

#[test]
fn verilog_moves_as_the_model() {
    let mut rng = Rng::new(4);
    for form in drawn(FORMS, 4) {
        let p = memory(form, 101, Host::Absent);
        let Some(rtl) = Rtl::build(&p) else { return };
        let mut first = vec![vec![]; p.readers.len()];
        let mut second = asked(&mut rng, &p, 200);
        // Written once more while it is read.
        for feeds in [&mut first, &mut second] {
            feeds.push(writes(&filled(&mut rng, &p)));
        }
        for stall in usual_stalls(3) {
            let (mut model, mut verilog) = (p.model(&[]), rtl.model(&[]).unwrap());
            for feeds in [&first, &second] {
                let m = bench::run(&p.ports(), model.as_mut(), feeds, &mut [], stall, 64);
                let v = bench::run(&p.ports(), &mut verilog, feeds, &mut [], stall, 64);
                assert_eq!(difference(&p.ports(), &m, &v), None, "{p:?} under {stall:?}");
            }
        }
    }
}

#[test]
fn both_refuse_reads_beyond_the_memory() {
    let beyond = [
        (FORMS[5], 0, Beat::data(0, 101)),
        (FORMS[5], 1, Beat::pair(0, 100, 2)),
        (FORMS[5], 1, Beat::pair(0, 3, 0)),
        (FORMS[5], 2, Beat::data(0, 100)),
        (FORMS[4], 2, Beat::pair(0, 101, 1)),
    ];
    for (form, reader, request) in beyond {
        let p = memory(form, 101, Host::Absent);
        let mut feeds = vec![vec![]; p.readers.len() + 1];
        feeds[reader] = vec![request];
        let got = check_rtl(&p, &[], &feeds, &Vec::new, &usual_stalls(1));
        assert!(got.iter().all(Result::is_err), "{request:?}");
    }
}

/// The host's words are what every reader reads: one after the other at a port, at both ports at once.
#[test]
fn what_the_host_writes_every_reader_reads() {
    let mut rng = Rng::new(5);
    for form in drawn(FORMS, 3) {
        let p = memory(form, 101, Host::Writes);
        let words = filled(&mut rng, &p);
        let Some(mut m) = Driven::new(&p, Host::Writes) else { return };
        m.host_writes(&words);
        let request_w = if p.readers.contains(&Burst) { 16 } else { 8 };
        let answer_w = if p.readers.contains(&Pair) { 32 } else { 16 };
        m.set("read_rsp_ready", (1 << p.readers.len()) - 1);
        for round in 0..200 {
            let mut beats = 0;
            // One of each port.
            let at =
                |rng: &mut Rng, from: u32, to: u32| (from < to).then(|| from + rng.below(u64::from(to - from)) as u32);
            let n = p.readers.len() as u32;
            let both = [at(&mut rng, 0, p.first), at(&mut rng, p.first, n)];
            let readers: Vec<(u32, u64)> = both.into_iter().flatten().map(|k| (k, rng.below(100))).collect();
            for &(k, a) in &readers {
                let len = u64::from(p.readers[k as usize] == Burst);
                beats |= u128::from(len << 8 | a) << (k * request_w);
            }
            m.set_words("read_req_beat", &[beats as u64, (beats >> 64) as u64]);
            m.set("read_req_valid", readers.iter().map(|r| 1 << r.0).sum());
            m.clock();
            m.set("read_req_valid", 0);
            assert_eq!(m.get("read_rsp_valid"), readers.iter().map(|r| 1 << r.0).sum::<u64>(), "round {round}");
            for &(k, a) in &readers {
                let high = if p.readers[k as usize] == Pair { words[a as usize + 1] << 16 } else { 0 };
                let got = m.get_words("read_rsp_beat").field(k * answer_w, answer_w);
                assert_eq!(got, high | words[a as usize], "{p:?}, reader {k}");
            }
        }
    }
}

#[test]
fn what_the_core_writes_and_reads_the_host_reads() {
    let mut rng = Rng::new(6);
    for form in drawn(FORMS, 3) {
        let p = memory(form, 101, Host::Reads);
        let words = filled(&mut rng, &p);
        let Some(mut m) = Driven::new(&p, p.host) else { return };
        m.set("write_valid", 1);
        for (a, &w) in (0u64..).zip(&words) {
            m.set("write_beat", w << 8 | a);
            m.clock();
        }
        m.set("write_valid", 0);
        assert_eq!(m.host_reads(101), words, "{p:?}");
    }
}
