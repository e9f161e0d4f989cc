//! The unpacker against its meaning, the shared vectors and its Verilog, and its cycles.

use super::BitsUnpack;
use crate::every::forms::{Hosted, WIDTHS, item};
use samhw_streams::{Beat, Kind, Leaf, Nest, Word, encode};
use samhw_testing::bench::{Stall, run_model};
use samhw_testing::nests::{extend, map, nest};
use samhw_testing::rtl::{check_rtl, usual_stalls};
use samhw_testing::vectors::vectors;
use samhw_testing::words::{put_words, random_word};
use samhw_values::Rng;

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    let mut all = Vec::new();
    for [crd_w, _, ref_w, stop_w] in WIDTHS {
        for width in [8, 64, 256] {
            all.extend([0, 12].map(|tag_w| item(BitsUnpack { width, crd_w, ref_w, stop_w, tag_w })));
        }
    }
    all
}

fn unpack(width: u32) -> BitsUnpack {
    BitsUnpack { width, crd_w: 12, ref_w: 16, stop_w: 3, tag_w: 0 }
}

fn pair(a: u64, b: u64) -> Nest<Leaf> {
    Nest::Leaf(Leaf { present: true, p: [a, b] })
}

/// Words of fibers as beats, and their coordinates and positions.
fn fibers(rng: &mut Rng, d: u8, width: u32) -> (Vec<Beat>, Nest<Leaf>) {
    let counts = nest(rng, d, &mut |r| Leaf { present: true, p: [r.below(4), 0] });
    let mut words = Vec::new();
    let packed = extend(&counts, &mut |l| {
        let fiber: Vec<(Word, u64)> = (0..l.p[0]).map(|_| (random_word(rng, width), rng.below(1000))).collect();
        words.push(fiber.clone());
        Nest::List(fiber.iter().map(|w| pair(0, w.1)).collect())
    });
    let mut feed = encode(&packed, d + 1);
    put_words(&mut feed, width, words.iter().flatten().map(|w| w.0));
    let mut words = words.into_iter();
    let plain = extend(&counts, &mut |_| {
        let fiber = words.next().unwrap().into_iter().zip(0..);
        let ones = |((word, rank), w): ((Word, u64), u64)| {
            let bits = (0..u64::from(width)).filter(move |&b| word.bit(b)).zip(rank..);
            bits.map(move |(b, pos)| pair(w * u64::from(width) + b, pos))
        };
        Nest::List(fiber.flat_map(ones).collect())
    });
    (feed, plain)
}

#[test]
fn gives_every_one_with_its_position() {
    let mut rng = Rng::new(71);
    for width in [8, 16, 32, 64, 128, 256] {
        let (mut feed, mut want) = (Vec::new(), Vec::new());
        for run in 0..60 {
            let d = run % 3;
            let (packed, plain) = fibers(&mut rng, d, width);
            feed.extend(packed);
            want.extend(encode(&plain, d + 1));
        }
        for out in check_rtl(&unpack(width), &[], &[feed], &Vec::new, &usual_stalls(72)) {
            assert_eq!(out.unwrap().beats(0), want, "{width}");
        }
    }
}

#[test]
fn agrees_with_the_shared_vectors() {
    for width in [4, 8] {
        let of_width = |v: &samhw_testing::vectors::Vector| v.param("width") == i64::from(width);
        let vectors: Vec<_> = vectors("bitvector_pack").into_iter().filter(of_width).collect();
        let feed: Vec<Beat> = vectors.iter().flat_map(|v| v.output("words", 8)).collect();
        let want: Vec<Beat> = vectors.iter().flat_map(|v| v.input("crd", 12)).collect();
        for out in check_rtl(&unpack(width), &[], &[feed], &Vec::new, &usual_stalls(73)) {
            let first = |b: Beat| if b.kind == Kind::Data { Beat { p: [b.p[0], 0], ..b } } else { b };
            let got: Vec<Beat> = out.unwrap().beats(0).into_iter().map(first).collect();
            assert_eq!(got, want, "{width}");
        }
    }
}

#[test]
fn a_word_costs_its_ones_and_at_least_one_cycle() {
    let mut rng = Rng::new(74);
    for width in [32, 256] {
        let words: Vec<Word> = (0..200).map(|_| random_word(&mut rng, width)).collect();
        let leaves = words.iter().map(|_| pair(0, 0)).collect::<Vec<_>>();
        let fibers = leaves.chunks(3).map(|c| Nest::List(c.to_vec())).collect();
        let mut feed = encode(&Nest::List(fibers), 2);
        put_words(&mut feed, width, words.iter().copied());
        let out = run_model(&unpack(width), &[], &[feed], &mut [], Stall::NONE).unwrap();
        let steps: u64 = words.iter().map(|w| w.ones().max(1)).sum();
        assert_eq!(out.outputs[0].last().unwrap().0 - out.inputs[0][0], steps + 4);
    }
    let none = map(&Nest::List(vec![]), &mut |l| l);
    let out = run_model(&unpack(32), &[], &[encode(&none, 1)], &mut [], Stall::NONE).unwrap();
    assert_eq!(out.beats(0), vec![Beat::nil(1, 1), Beat::DONE]);
}

/// Three fibers of three words of ones; of the second one it is told that it is over.
#[test]
fn a_fiber_that_is_told_of_has_a_coordinate_of_each_word_that_follows() {
    for width in [8, 64, 256] {
        let p = BitsUnpack { tag_w: 3, ..unpack(width) };
        let fibers = (0..3).map(|f| Nest::List((0..3).map(|k| pair(0, u64::from(width) * (3 * f + k))).collect()));
        let mut feed = encode(&Nest::List(fibers.collect()), 2);
        let mut ones = Word::default();
        (0..u64::from(width)).for_each(|b| ones.set(b));
        put_words(&mut feed, width, std::iter::repeat_n(ones, 9));
        // A hint of the last fiber comes too early, and one that does not say over means nothing.
        let hints = [(1, 0), (1, 1), (0, 0), (1, 2)].map(|(over, f)| Beat::pair(0, over << 3 | f, 0)).to_vec();
        for got in check_rtl(&p, &[], &[feed, hints], &Vec::new, &usual_stalls(75)) {
            let got = got.unwrap().beats(0);
            let fibers: Vec<&[Beat]> = got.split_inclusive(|b| b.stop > 0).take(3).collect();
            assert_eq!(fibers.len(), 3);
            let width = u64::from(width);
            for (f, fiber) in (0..).zip(fibers) {
                for k in 0..3 {
                    // Of each word its lowest, and those that follow until it is over.
                    let of = fiber.iter().filter(|b| b.p[0] / width == k);
                    assert!(
                        of.clone().count() > 0 && of.zip(0..).all(|(b, n)| b.p[0] == k * width + n || b.p[0] % 8 == 0)
                    );
                }
                assert!(fiber.iter().all(|b| b.p[1] == 3 * width * f + b.p[0]));
                assert_eq!(fiber.last().unwrap().stop, if f == 2 { 2 } else { 1 });
            }
            assert!(got.len() as u64 <= 9 * width, "no fiber was cut");
        }
    }
}
