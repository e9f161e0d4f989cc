//! The wide memory against its meaning, its Verilog against its model.

use super::MemoryWide;
use crate::every::forms::Hosted;
use crate::memories::memory::Host;
use crate::memories::memory::tests::Driven;
use samhw_streams::{Beat, Primitive, Word};
use samhw_testing::bench::{self, Stall};
use samhw_values::Rng;

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    let sizes = [(8, 16, 256, 1), (8, 16, 101, 2), (3, 2, 7, 2), (20, 32, 5, 1)];
    let of = |(addr_w, data_w, words, wide_log2)| MemoryWide { addr_w, data_w, words, wide_log2 };
    sizes.map(|size| (Box::new(of(size)) as Box<dyn Primitive>, Host::Writes)).into()
}

/// The words that are read from `at` on.
fn answer<'a>(p: &MemoryWide, words: &'a [u64], at: u64) -> &'a [u64] {
    &words[at as usize..at as usize + (1 << p.wide_log2)]
}

/// Words of an answer.
fn words_of(p: &MemoryWide, beat: &Beat) -> Vec<u64> {
    let half = 1u32 << (p.wide_log2 - 1);
    let words = beat.p.map(|payload| Word::held(payload, half * p.data_w));
    words.iter().flat_map(|word| (0..half).map(|l| word.field(l * p.data_w, p.data_w))).collect()
}

#[test]
fn gives_neighbours_from_any_address() {
    let mut rng = Rng::new(1);
    for (wide_log2, data_w, size) in [(1, 16, 101), (2, 16, 103), (2, 9, 64), (1, 32, 7), (2, 64, 40), (3, 32, 31)] {
        let p = MemoryWide { addr_w: 8, data_w, words: size, wide_log2 };
        let words: Vec<u64> = (0..size).map(|_| rng.bits() >> (64 - data_w)).collect();
        let last = u64::from(size) - (1 << wide_log2) + 1;
        let requests: Vec<Beat> = (0..300).map(|_| Beat::data(0, rng.below(last))).collect();
        let mut model = p.model(&[]);
        model.memory().unwrap().copy_from_slice(&words);
        let out =
            bench::run(&p.ports(), model.as_mut(), std::slice::from_ref(&requests), &mut [], Stall::NONE, 64).unwrap();
        for (request, given) in requests.iter().zip(out.beats(0)) {
            assert_eq!(words_of(&p, &given), answer(&p, &words, request.p[0]));
        }
        let cycles: Vec<u64> = out.outputs[0].iter().map(|o| o.0).collect();
        assert_eq!(cycles, (1..=300).collect::<Vec<_>>());
    }
}

#[test]
fn verilog_gives_what_the_host_wrote() {
    let mut rng = Rng::new(2);
    for (wide_log2, size) in [(1, 101), (2, 103), (3, 57)] {
        let p = MemoryWide { addr_w: 8, data_w: 16, words: size, wide_log2 };
        let Some(mut hosted) = Driven::new(&p, Host::Writes) else { return };
        let words: Vec<u64> = (0..size).map(|_| rng.below(1 << 16)).collect();
        hosted.host_writes(&words);
        hosted.set("read_rsp_ready", 1);
        for at in (0..=u64::from(size) - (1 << wide_log2)).rev() {
            hosted.set("read_req_valid", 1);
            hosted.set("read_req_beat", at);
            hosted.clock();
            hosted.set("read_req_valid", 0);
            assert_eq!(hosted.get("read_rsp_valid"), 1);
            let given = hosted.get_words("read_rsp_beat");
            let given: Vec<u64> = (0..1 << wide_log2).map(|l| given.field(16 * l, 16)).collect();
            assert_eq!(given, answer(&p, &words, at), "word {at}");
        }
    }
}

#[test]
fn refuses_reads_beyond_the_memory() {
    let p = MemoryWide { addr_w: 8, data_w: 16, words: 100, wide_log2: 2 };
    for at in [97, 200] {
        let feeds = [vec![Beat::data(0, at)]];
        assert!(bench::run_model(&p, &[], &feeds, &mut [], Stall::NONE).is_err(), "{at}");
    }
}
