//! The scanner of linked lists against its meaning, its Verilog against its model.

use super::ScannerList;
use crate::every::forms::{Hosted, WIDTHS, item};
use crate::memories::memory::cases::{self, OnChip, leaf};
use crate::memories::memory::{Memory, ON_CHIP_QUEUE_LOG2, Read};
use samhw_streams::{Beat, Leaf, Nest, Primitive};
use samhw_testing::bench;
use samhw_testing::rtl::{check_rtl, usual_stalls};
use samhw_values::Rng;

/// What all checks of primitives go through.
pub(crate) fn forms() -> Vec<Hosted> {
    WIDTHS
        .map(|[crd_w, ref_in_w, ref_w, stop_w]| {
            item(ScannerList { ref_in_w, ref_w, crd_w, stop_w, queue_log2: stop_w })
        })
        .into()
}

const SCANNER: ScannerList =
    ScannerList { ref_in_w: 16, ref_w: 16, crd_w: 16, stop_w: 3, queue_log2: ON_CHIP_QUEUE_LOG2 };

/// Linked lists, and the places of each.
struct Lists {
    seg: Vec<u64>,
    next: Vec<u64>,
    crd: Vec<u64>,
    places: Vec<Vec<u64>>,
}

impl Lists {
    /// Lists of these lengths, whose coordinates were written in any order of the lists.
    fn new(rng: &mut Rng, lens: &[u64], p: &ScannerList) -> Self {
        let mut of: Vec<usize> = lens.iter().enumerate().flat_map(|(k, &n)| vec![k; n as usize]).collect();
        for k in (1..of.len()).rev() {
            of.swap(k, rng.below(k as u64 + 1) as usize);
        }
        let mut places = vec![Vec::new(); lens.len()];
        of.iter().enumerate().for_each(|(place, &k)| places[k].push(place as u64));
        let mut next = vec![0; of.len().max(1)];
        for list in &places {
            list.windows(2).for_each(|w| next[w[0] as usize] = w[1]);
        }
        let ends = |list: &Vec<u64>| match (list.first(), list.last()) {
            (Some(first), Some(last)) => (last + 1) << p.ref_w | first,
            _ => 0,
        };
        let crd = (0..of.len().max(1)).map(|_| rng.below(1 << p.crd_w)).collect();
        Self { seg: places.iter().map(ends).collect(), next, crd, places }
    }
    /// The lists of all references.
    fn scan(&self, inputs: &[(Nest<Leaf>, u8)]) -> Vec<Beat> {
        let list = |l: &Leaf| {
            let places: &[u64] = if l.present { &self.places[l.p[0] as usize] } else { &[] };
            Nest::List(places.iter().map(|&p| leaf(self.crd[p as usize], p)).collect())
        };
        let outputs: Vec<_> = inputs.iter().map(|(x, d)| (cases::map(x, &list), d + 1)).collect();
        cases::runs(&outputs)
    }
    fn memories(&self, latency: u64) -> Vec<bench::Memory<'_>> {
        let words = [&self.seg, &self.next, &self.crd];
        words.into_iter().enumerate().map(|(k, words)| cases::burst_memory(k, k + 1, latency, words)).collect()
    }
    fn on_chip(&self) -> Vec<OnChip> {
        let words = [(&self.seg, 32), (&self.next, 16), (&self.crd, 16)];
        let memory = |(k, (words, data_w)): (usize, (&Vec<u64>, u32))| {
            let memory = Memory { addr_w: 16, data_w, words: words.len() as u32, read: Read::Single, write: false };
            OnChip { request: k, response: k + 1, memory: Box::new(memory), words: words.clone() }
        };
        words.into_iter().enumerate().map(memory).collect()
    }
}

fn lens(rng: &mut Rng, n: usize, of: &[u64]) -> Vec<u64> {
    (0..n).map(|_| of[rng.below(of.len() as u64) as usize]).collect()
}

#[test]
fn gives_each_list_in_the_order_of_writing() {
    let mut rng = Rng::new(61);
    for p in [SCANNER, ScannerList { ref_in_w: 5, ref_w: 9, crd_w: 4, stop_w: 3, queue_log2: 1 }] {
        let lens = lens(&mut rng, 30, &[0, 0, 1, 1, 2, 5, 20]);
        let lists = Lists::new(&mut rng, &lens, &p);
        let inputs: Vec<_> = (0..120).map(|k| (cases::random(&mut rng, k % 4, 30), k % 4)).collect();
        for latency in [1, 2, 9] {
            let feeds = [cases::runs(&inputs), vec![], vec![], vec![]];
            for got in check_rtl(&p, &[], &feeds, &|| lists.memories(latency), &usual_stalls(latency)) {
                assert_eq!(got.unwrap().beats(3), lists.scan(&inputs));
            }
        }
    }
}

#[test]
fn a_list_of_n_takes_3n_less_2_cycles_from_on_chip_memories() {
    let mut rng = Rng::new(62);
    for of in [&[0][..], &[1], &[2], &[5], &[64], &[0, 1], &[0, 0, 1, 2, 5, 64]] {
        let mut lens = lens(&mut rng, 100, of);
        lens[0] = of[of.len() - 1];
        let lists = Lists::new(&mut rng, &lens, &SCANNER);
        let row = |k: u64| Nest::List((10 * k..10 * k + 10).map(|r| leaf(r, 0)).collect());
        let inputs = vec![(Nest::List((0..10).map(row).collect()), 2)];
        let out = cases::run_on_chip(&SCANNER, &cases::runs(&inputs), &lists.on_chip()).unwrap();
        assert_eq!(out.iter().map(|o| o.1).collect::<Vec<_>>(), lists.scan(&inputs));
        let cycles: u64 = lens.iter().map(|&n| (3 * n).saturating_sub(2).max(1)).sum();
        assert_eq!(out[out.len() - 1].0 - out[0].0, cycles, "lengths {of:?}");
        if of != [0] {
            assert_eq!(out[0].0, u64::from(SCANNER.latency()), "lengths {of:?}");
        }
    }
}

#[test]
fn both_refuse_malformed_input() {
    let word = |begin: u64, end: u64| end << 16 | begin;
    let lists = Lists { seg: vec![word(3, 1), word(0, 3)], next: vec![3; 4], crd: vec![0; 4], places: vec![] };
    for ref_ in [Beat::data(0, 0), Beat::data(0, 1), Beat::data(7, 1)] {
        let feeds = [vec![ref_], vec![], vec![], vec![]];
        let got = check_rtl(&SCANNER, &[], &feeds, &|| lists.memories(2), &usual_stalls(1));
        assert!(got.iter().all(Result::is_err));
    }
}
