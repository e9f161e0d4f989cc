//! The shared memory against its meaning, its Verilog against its model, and what its readers promise each other.

use super::MemoryShared;
use crate::every::forms::Hosted;
use crate::memories::memory::Host;
use crate::memories::memory::tests::Driven;
use crate::memories::memory_wide::group;
use samhw_streams::{Beat, Chan, Io, Model, Primitive};
use samhw_testing::bench::{self, Stall};
use samhw_testing::drawn::drawn;
use samhw_testing::rtl::{Rtl, check_rtl, difference, usual_stalls};
use samhw_values::Rng;

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    let mut all: Vec<Hosted> = Vec::new();
    let shared = [(false, 0, 0), (true, 0, 0), (false, 1, 0), (false, 2, 0), (false, 0, 1), (true, 0, 2)];
    for ((burst, wide_log2, banks_log2), write) in shared.into_iter().flat_map(|s| [(s, false), (s, true)]) {
        for (readers, addr_w, data_w, words) in [(2, 3, 2, 8), (4, 8, 16, 256), (3, 8, 16, 101), (5, 20, 32, 5)] {
            let p = MemoryShared { readers, addr_w, data_w, words, burst, wide_log2, banks_log2, write };
            let host = p.host();
            all.push((Box::new(p), host));
        }
    }
    let parts = MemoryShared {
        readers: 2,
        addr_w: 8,
        data_w: 256,
        words: 9,
        burst: true,
        wide_log2: 0,
        banks_log2: 1,
        write: false,
    };
    all.push((Box::new(parts), Host::Writes));
    all
}

fn memory(readers: u32, words: u32, (burst, wide_log2, banks_log2): (bool, u32, u32)) -> MemoryShared {
    MemoryShared { readers, addr_w: 8, data_w: 16, words, burst, wide_log2, banks_log2, write: false }
}

/// Whether requests are bursts, words of an answer, banks.
const FORMS: [(bool, u32, u32); 7] =
    [(false, 0, 0), (true, 0, 0), (false, 1, 0), (false, 2, 0), (false, 0, 1), (true, 0, 2), (true, 0, 1)];

fn all() -> Vec<MemoryShared> {
    let of = |readers, words| FORMS.map(|form| memory(readers, words, form));
    of(2, 256).into_iter().chain(of(3, 101)).chain(of(4, 64)).collect()
}

fn requests(rng: &mut Rng, p: &MemoryShared, n: usize) -> Vec<Beat> {
    let words = u64::from(p.words);
    let request = |_| {
        if !p.burst {
            return Beat::data(0, rng.below(words - (1 << p.wide_log2) + 1));
        }
        let addr = rng.below(words);
        let most = (words - addr).min([1, 1, 2, 20][rng.below(4) as usize]);
        Beat::pair(0, addr, 1 + rng.below(most))
    };
    (0..n).map(request).collect()
}

fn answers(p: &MemoryShared, words: &[u64], requests: &[Beat]) -> Vec<Beat> {
    let answer = |r: &Beat| match (p.wide_log2, p.burst) {
        (0, false) => vec![Beat::data(0, words[r.p[0] as usize])],
        (0, true) => words[r.p[0] as usize..][..r.p[1] as usize].iter().map(|&w| Beat::data(0, w)).collect(),
        (log2, _) => vec![group(words, p.data_w, 1 << log2, r.p[0]).unwrap()],
    };
    requests.iter().flat_map(answer).collect()
}

fn filled(rng: &mut Rng, n: u32) -> Vec<u64> {
    (0..n).map(|_| rng.below(1 << 16)).collect()
}

fn loaded(p: &MemoryShared, words: &[u64]) -> Box<dyn Model> {
    let mut model = p.model(&[]);
    model.memory().unwrap().copy_from_slice(words);
    model
}

/// Answers with their cycles, where reader `k` takes them in cycles in which `ready` says so; until nothing has moved for 64 cycles.
fn drive(
    p: &MemoryShared,
    model: &mut dyn Model,
    feeds: &[Vec<Beat>],
    mut ready: impl FnMut(usize, u64) -> bool,
) -> Vec<Vec<(u64, Beat)>> {
    let n = p.readers as usize;
    let mut chans = vec![Chan::reset(); 2 * n];
    let (ins, outs): (Vec<usize>, Vec<usize>) = ((0..n).collect(), (n..2 * n).collect());
    let mut feeds: Vec<_> = feeds.iter().map(|f| f.iter()).collect();
    let (mut result, mut still) = (vec![Vec::new(); n], 0);
    for cycle in 0.. {
        for k in 0..n {
            if !chans[k].valid
                && let Some(&beat) = feeds[k].next()
            {
                (chans[k].valid, chans[k].beat) = (true, beat);
            }
            chans[n + k].ready = ready(k, cycle);
        }
        chans.iter_mut().for_each(Chan::latch);
        still = if chans.iter().any(|c| c.fire) { 0 } else { still + 1 };
        if still > 64 {
            break;
        }
        for k in 0..n {
            chans[k].valid &= !chans[k].fire;
            if chans[n + k].fire {
                result[k].push((cycle, chans[n + k].got));
            }
        }
        model.tick(&mut Io::new(&mut chans, &ins, &outs)).unwrap();
    }
    result
}

fn beats(out: &[(u64, Beat)]) -> Vec<Beat> {
    out.iter().map(|o| o.1).collect()
}

#[test]
fn every_reader_gets_the_words_it_asks_for_in_order() {
    let mut rng = Rng::new(1);
    for p in all() {
        let words = filled(&mut rng, p.words);
        let feeds: Vec<_> = (0..p.readers).map(|_| requests(&mut rng, &p, 100)).collect();
        for stall in usual_stalls(1).into_iter().chain([Stall { pause: Some(90), ..Stall::new(8, 0.1, 0.1) }]) {
            let out = bench::run(&p.ports(), loaded(&p, &words).as_mut(), &feeds, &mut [], stall, 64).unwrap();
            for (k, feed) in feeds.iter().enumerate() {
                assert_eq!(out.beats(k), answers(&p, &words, feed), "{p:?}, reader {k}");
            }
        }
    }
}

#[test]
fn verilog_moves_as_the_model() {
    let mut rng = Rng::new(2);
    for p in drawn(all(), 7) {
        let p = MemoryShared { write: true, ..p };
        let Some(rtl) = Rtl::build(&p) else { return };
        let writes = |words: Vec<u64>| (0..).zip(words).map(|(a, w)| Beat::pair(0, a, w)).collect::<Vec<_>>();
        let mut first = vec![vec![]; p.readers as usize];
        let mut second: Vec<_> = (0..p.readers).map(|_| requests(&mut rng, &p, 200)).collect();
        // Written once more while it is read.
        for feeds in [&mut first, &mut second] {
            feeds.push(writes(filled(&mut rng, p.words)));
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

/// The most cycles between two answers of a reader, and in front of the first one.
fn longest_wait(out: &[(u64, Beat)]) -> u64 {
    out.iter().scan(0, |last, o| Some(o.0 - std::mem::replace(last, o.0))).max().unwrap_or(0)
}

#[test]
fn a_reader_that_takes_nothing_stops_nobody() {
    let mut rng = Rng::new(3);
    for p in all() {
        let words = filled(&mut rng, p.words);
        let feeds: Vec<_> = (0..p.readers).map(|_| requests(&mut rng, &p, 100)).collect();
        for idle in 0..p.readers as usize {
            let out = drive(&p, loaded(&p, &words).as_mut(), &feeds, |k, _| k != idle);
            assert_eq!(out[idle], []);
            for k in (0..p.readers as usize).filter(|&k| k != idle) {
                assert_eq!(beats(&out[k]), answers(&p, &words, &feeds[k]), "{p:?}, reader {k} without {idle}");
                // A turn of the others each, and the way there and back.
                assert!(longest_wait(&out[k]) <= u64::from(p.readers) + 5, "{p:?}, reader {k} without {idle}");
            }
        }
    }
}

#[test]
fn a_bank_gives_a_word_a_cycle_and_readers_take_turns() {
    let mut rng = Rng::new(4);
    for (banks_log2, own) in [(0, false), (2, true), (2, false)] {
        let p = memory(4, 256, (true, 0, banks_log2));
        let words = filled(&mut rng, 256);
        // Each its own bank, or all in step from the same address.
        let ask = |k: u64| {
            (0..200).map(move |n| if own { Beat::pair(0, n % 60 * 4 + k, 1) } else { Beat::pair(0, n % 50 * 4, 48) })
        };
        let feeds: Vec<Vec<Beat>> = (0..4).map(|k| ask(k).collect()).collect();
        let out = drive(&p, loaded(&p, &words).as_mut(), &feeds, |_, _| true);
        let n: u64 = out.iter().map(|o| o.len() as u64).sum();
        let last = out.iter().filter_map(|o| Some(o.last()?.0)).max().unwrap();
        let ideal = n / if banks_log2 == 0 { 1 } else { 4 };
        assert!(last < ideal + 12, "{n} words in {last} cycles, {banks_log2} {own}");
        for k in 0..4 {
            assert_eq!(beats(&out[k]), answers(&p, &words, &feeds[k]));
            assert!(longest_wait(&out[k]) <= 9);
        }
    }
}

#[test]
fn one_reader_alone_gets_a_word_a_cycle() {
    let mut rng = Rng::new(5);
    for form in FORMS {
        let p = memory(4, 128, form);
        let words = filled(&mut rng, p.words);
        let mut feeds = vec![vec![]; 4];
        feeds[2] = requests(&mut rng, &p, 200);
        let out = drive(&p, loaded(&p, &words).as_mut(), &feeds, |_, _| true);
        let n = out[2].len() as u64;
        let cycles: Vec<u64> = out[2].iter().map(|o| o.0).collect();
        assert_eq!(cycles, (0..n).map(|k| k + u64::from(p.latency())).collect::<Vec<_>>(), "{p:?}");
    }
}

#[test]
fn both_refuse_reads_beyond_the_memory() {
    let beyond = [
        (FORMS[0], Beat::data(0, 101)),
        (FORMS[1], Beat::pair(0, 100, 2)),
        (FORMS[1], Beat::pair(0, 3, 0)),
        (FORMS[2], Beat::data(0, 100)),
        (FORMS[3], Beat::data(0, 200)),
        (FORMS[5], Beat::pair(0, 101, 1)),
    ];
    for (form, request) in beyond {
        let p = MemoryShared { write: true, ..memory(2, 101, form) };
        let got = check_rtl(&p, &[], &[vec![], vec![request], vec![]], &Vec::new, &usual_stalls(1));
        assert!(got.iter().all(Result::is_err), "{request:?}");
    }
}

/// Writes `words` through the host's wires, then reads requests of one reader after the other.
fn through_the_host(p: &MemoryShared, words: &[u64], feeds: &[Vec<Beat>]) -> bool {
    let Some(mut m) = Driven::new(p, Host::Writes) else { return false };
    m.host_writes(words);
    let (request_w, answer_w) = (p.addr_w * if p.burst { 2 } else { 1 }, p.data_w << p.wide_log2);
    for (k, feed) in feeds.iter().enumerate() {
        let expected = drive(p, loaded(p, words).as_mut(), &[feed.clone(), vec![]], |_, _| true);
        m.set("read_rsp_ready", 1 << k);
        let (mut feed, mut got) = (feed.iter(), Vec::new());
        let mut offered = feed.next();
        for _ in 0..5000 {
            m.set("read_req_valid", u64::from(offered.is_some()) << k);
            let beat = offered.map_or(0, |b| b.p[0] | b.p[1] << p.addr_w);
            m.set("read_req_beat", beat << (k as u32 * request_w));
            if offered.is_some() && m.get("read_req_ready") >> k & 1 == 1 {
                offered = feed.next();
            }
            if m.get("read_rsp_valid") >> k & 1 == 1 {
                got.push(m.get_words("read_rsp_beat").field(k as u32 * answer_w, answer_w.min(64)));
            }
            m.clock();
        }
        let low = |b: &Beat| if p.wide_log2 > 0 { b.p[0] | b.p[1] << (answer_w / 2) } else { b.p[0] };
        let expected: Vec<u64> = beats(&expected[0]).iter().map(low).collect();
        assert_eq!(got, expected, "{p:?}, reader {k}");
    }
    true
}

#[test]
fn what_the_host_writes_every_reader_reads() {
    let mut rng = Rng::new(6);
    for form in drawn(FORMS, 3) {
        let p = MemoryShared { readers: 2, ..memory(2, 101, form) };
        let words = filled(&mut rng, p.words);
        let feeds: Vec<_> = (0..2).map(|_| requests(&mut rng, &p, 100)).collect();
        if !through_the_host(&p, &words, &feeds) {
            return;
        }
    }
}

#[test]
fn words_of_128_bits_have_two_parts_for_the_host() {
    let mut rng = Rng::new(7);
    for banks_log2 in [0, 1] {
        let p = MemoryShared { data_w: 128, ..memory(2, 21, (true, 0, banks_log2)) };
        let parts: Vec<u64> = (0..2 * 21).map(|_| rng.bits()).collect();
        let Some(mut m) = Driven::new(&p, Host::Writes) else { return };
        m.host_writes(&parts);
        m.set("read_rsp_ready", 2);
        m.set("read_req_beat", (21 << 8) << 16);
        m.set("read_req_valid", 2);
        m.clock();
        m.set("read_req_valid", 0);
        let mut got = Vec::new();
        for _ in 0..40 {
            if m.get("read_rsp_valid") == 2 {
                got.extend(m.get_words("read_rsp_beat").0[2..].to_vec());
            }
            m.clock();
        }
        assert_eq!(got, parts);
    }
}
