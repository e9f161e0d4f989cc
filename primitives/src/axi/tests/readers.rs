//! Windows, tiles and arrays on the chip: every wire of Verilog and model in every cycle, with
//! requests in order and anywhere, lines that come when they like, and a core that takes answers
//! when it likes.

use super::SEEDS;
use super::pins::{Module, Pins, packed, params};
use crate::axi::{Burst, Form, Reader, TileReader, Whole, ones};
use crate::memories::memory::Read;
use samhw_streams::{Beat, Chan, Io};
use samhw_testing::drawn::drawn;
use samhw_values::Rng;
use std::collections::VecDeque;
use std::sync::Arc;

/// One run tries this number of all forms and kinds of reads.
const SOME: usize = 4;

const FORMS: [Form; 5] = [
    Form { addr_w: 9, data_w: 32, size_log2: 2, bus_log2: 3, axi_w: 32, lines_log2: 5, burst_log2: 4 },
    Form { addr_w: 11, data_w: 7, size_log2: 0, bus_log2: 6, axi_w: 40, lines_log2: 3, burst_log2: 2 },
    Form { addr_w: 6, data_w: 61, size_log2: 3, bus_log2: 3, axi_w: 64, lines_log2: 2, burst_log2: 1 },
    Form { addr_w: 10, data_w: 16, size_log2: 1, bus_log2: 5, axi_w: 33, lines_log2: 5, burst_log2: 4 },
    Form { addr_w: 7, data_w: 32, size_log2: 2, bus_log2: 2, axi_w: 32, lines_log2: 7, burst_log2: 6 },
];

/// Memory with one array: which lines are still to come.
struct Lines {
    form: Form,
    base: u64,
    array: Arc<Vec<u64>>,
    coming: VecDeque<u64>,
}

impl Lines {
    fn new(form: Form, base: u64, array: &Arc<Vec<u64>>) -> Self {
        Self { form, base, array: array.clone(), coming: VecDeque::new() }
    }
    fn ask(&mut self, b: Burst) {
        self.coming.extend((0..=b.len).map(|n| b.addr + (n << self.form.bus_log2)));
    }
    /// The bytes of the line at `addr`; elsewhere than in the array they are anything.
    fn line(&self, addr: u64, rng: &mut Rng) -> Vec<u64> {
        let mut words = vec![0u64; (1usize << self.form.bus_log2).div_ceil(8)];
        for k in 0..1u64 << self.form.bus_log2 {
            let at = (addr + k).wrapping_sub(self.base);
            let word = self.array.get((at >> self.form.size_log2) as usize);
            let junk = rng.bits();
            // Bits above the width are ignored.
            let word = word.map(|w| w | junk & !ones(self.form.data_w));
            let byte = word.map_or(junk, |w| w >> (8 * (at & ones(self.form.size_log2)))) & 0xff;
            words[(k / 8) as usize] |= byte << (8 * (k % 8));
        }
        words
    }
}

fn array(form: &Form, rng: &mut Rng, words: u64) -> Arc<Vec<u64>> {
    Arc::new((0..words).map(|_| rng.bits() & ones(form.data_w)).collect())
}

fn base(form: &Form, rng: &mut Rng) -> u64 {
    (rng.bits() & ones(form.axi_w - 2)) >> form.size_log2 << form.size_log2
}

const FETCH: [(&str, u32); 1] = [("fetch_valid", 1)];

fn fetches(pins: &Pins, form: &Form, fetch: Option<Burst>) {
    pins.same("fetch_valid", u64::from(fetch.is_some()));
    if let Some(b) = fetch {
        pins.same_wide("fetch_beat", &packed(&[(&[b.addr], form.axi_w), (&[b.len], 8)]));
    }
}

/// Who asks for what: mostly onwards, sometimes anywhere, at the end beyond the array.
struct Requests {
    at: u64,
    left: u64,
}

impl Requests {
    fn next(&mut self, read: Read, words: u64, rng: &mut Rng) -> Beat {
        self.left = self.left.saturating_sub(1);
        let most = if read == Read::Burst { 9 } else { 1 };
        let len = 1 + rng.below(most);
        let need = if read == Read::Pair { 2 } else { len };
        if rng.happens(0.1) {
            self.at = rng.below(words);
        }
        self.at += rng.below(3);
        if self.left == 0 {
            self.at = words;
        } else if self.at + need > words {
            self.at = rng.below(words - need + 1);
        }
        let beat = Beat { p: [self.at, len], ..Beat::default() };
        self.at += if read == Read::Pair { 1 } else { len };
        beat
    }
}

/// log2 of the hints that wait.
const HINTS_LOG2: u32 = 2;

/// What answers requests.
enum Model {
    Window(Reader),
    Tiles(Box<TileReader>),
    Whole(Whole),
}

/// Which module it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Which {
    Window,
    /// With this number of words more than those told.
    Tiles(u64),
    Whole,
}

impl Which {
    fn tiles(self) -> bool {
        matches!(self, Self::Tiles(_))
    }
}

impl Model {
    fn fetch(&self) -> Option<Burst> {
        match self {
            Self::Window(r) => r.fetch(),
            Self::Tiles(t) => t.fetch(),
            Self::Whole(w) => w.fetch(),
        }
    }
    fn beyond(&self) -> bool {
        match self {
            Self::Window(r) => r.beyond(),
            Self::Tiles(t) => t.beyond(),
            Self::Whole(w) => w.beyond(),
        }
    }
    fn clock(&mut self, io: &mut Io, start: bool, hint: Option<(u64, u64)>, granted: bool, data: bool) {
        match self {
            Self::Window(r) => r.clock(io, start, granted, data),
            Self::Tiles(t) => t.clock(io, hint, granted, data),
            Self::Whole(w) => w.clock(io, start, granted, data),
        }
    }
}

/// What may come next: mostly words from `at` on, sometimes any, or what is no tile.
fn hint(at: u64, form: &Form, rng: &mut Rng) -> (u64, u64) {
    let mask = ones(form.addr_w);
    let start = if rng.happens(0.8) { at.saturating_sub(rng.below(20)) } else { rng.bits() & mask };
    (start & mask, (start + rng.below(60)).wrapping_sub(rng.below(4)) & mask)
}

/// Words that an array has that is kept on the chip as a whole: a part of those that addresses reach.
fn room(form: &Form) -> u64 {
    7u64 << (form.addr_w - 3)
}

/// Cycles in which the last request, beyond the array, must have come.
const MOST_CYCLES: u64 = 100_000;

/// A run that ends some cycles after a request beyond the array.
fn run_reader(module: &Module, form: Form, read: Read, which: Which, seed: u64) {
    let mut rng = Rng::new(seed);
    let words = 12 + rng.below((1 << form.addr_w) - 12);
    let (array, base) = (array(&form, &mut rng, words), base(&form, &mut rng));
    let mut lines = Lines::new(form, base, &array);
    let mut model = match which {
        Which::Window => Model::Window(Reader::new(form, read, base, words, array)),
        Which::Whole => Model::Whole(Whole::new(form, read, room(&form), (base, words), array)),
        Which::Tiles(extra) => {
            Model::Tiles(Box::new(TileReader::new(form, read, (base, words), array, (extra, HINTS_LOG2))))
        }
    };
    let idle = [("read_req_valid", 0), ("read_rsp_ready", 0), ("fetch_ready", 0), ("data_valid", 0)];
    let hints: &[(&str, u64)] = match which {
        Which::Tiles(_) => &[("hint_valid", 0)],
        Which::Window | Which::Whole => &[("start", 0)],
    };
    let begin = 3 + rng.below(5);
    let mut pins = module.start(&[&idle[..], hints, &[("base", base), ("words", words)]].concat());
    let mut chans = [Chan::reset(), Chan::reset()];
    let mut requests = Requests { at: 0, left: if which.tiles() { 15 } else { 100 } };
    let [asks, takes, answers] = [0; 3].map(|_| 0.1 + 0.9 * (rng.below(100) as f64 / 100.0));
    let tells = 0.2 * (rng.below(100) as f64 / 100.0);
    let mut after = 0;
    for cycle in 0..MOST_CYCLES {
        after += u64::from(model.beyond());
        if after > 60 {
            return;
        }
        let early = which == Which::Window && cycle <= begin;
        if !chans[0].valid && !early && rng.happens(asks) {
            (chans[0].valid, chans[0].beat) = (true, requests.next(read, words, &mut rng));
        }
        chans[1].ready = rng.happens(takes);
        let granted = model.fetch().is_some() && rng.happens(0.4);
        let line = lines.coming.front().copied().filter(|_| rng.happens(answers));
        let told = rng.happens(tells).then(|| hint(requests.at, &form, &mut rng)).filter(|_| which.tiles());
        // What both drive.
        pins.same("read_req_ready", u64::from(chans[0].ready));
        pins.same("read_rsp_valid", u64::from(chans[1].valid));
        if chans[1].valid {
            let [low, high] = chans[1].beat.p;
            let both = [(&[low][..], form.data_w), (&[high][..], form.data_w)];
            pins.same_wide("read_rsp_beat", &packed(if read == Read::Pair { &both } else { &both[..1] }));
        }
        fetches(&pins, &form, model.fetch());
        pins.same("beyond", u64::from(model.beyond()));
        // What is driven.
        let [addr, len] = chans[0].beat.p;
        let both = [(&[addr][..], form.addr_w), (&[len][..], form.addr_w)];
        pins.poke("read_req_beat", &packed(if read == Read::Burst { &both } else { &both[..1] }));
        for (name, on) in [
            ("read_req_valid", chans[0].valid),
            ("read_rsp_ready", chans[1].ready),
            ("fetch_ready", granted),
            ("data_valid", line.is_some()),
        ] {
            pins.set(name, u64::from(on));
        }
        // A window may begin ahead of the first request, which comes later then.
        let starts = which == Which::Whole || which == Which::Window && seed.is_multiple_of(2);
        let start = starts && cycle == begin;
        if !which.tiles() {
            pins.set("start", u64::from(start));
        }
        if which.tiles() {
            let (start, end) = told.unwrap_or_default();
            pins.set("hint_valid", u64::from(told.is_some()));
            pins.poke("hint_beat", &packed(&[(&[start], form.addr_w), (&[end], form.addr_w)]));
        }
        let bytes = lines.line(line.unwrap_or(0), &mut rng);
        pins.poke("data_beat", &bytes);
        if granted {
            model.fetch().into_iter().for_each(|b| lines.ask(b));
        }
        if line.is_some() {
            lines.coming.pop_front();
        }
        pins.clock();
        chans.iter_mut().for_each(Chan::latch);
        if chans[0].fire {
            chans[0].valid = false;
        }
        model.clock(&mut Io::new(&mut chans, &[0], &[1]), start, told, granted, line.is_some());
    }
    panic!("{form:?} {read:?}, seed {seed}: no request beyond the array in {MOST_CYCLES} cycles");
}

/// Runs of a module in some forms, drawn; tiles have a word more where they are segments.
fn readers(name: &str, which: Which) {
    let reads = [Read::Single, Read::Burst, Read::Pair].into_iter().enumerate();
    let all = FORMS.into_iter().flat_map(|form| reads.clone().map(move |read| (form, read)));
    for (form, (kind, read)) in drawn(all, SOME) {
        let (ask, answer) = (form.addr_w, form.data_w);
        let which = if which.tiles() { Which::Tiles(u64::from(read == Read::Pair)) } else { which };
        let mut params = [params(&form), vec![("KIND", kind as u32)]].concat();
        let mut inputs = vec![
            ("base", form.axi_w),
            ("words", form.addr_w + 1),
            ("read_req_valid", 1),
            ("read_req_beat", if read == Read::Burst { 2 * ask } else { ask }),
            ("read_rsp_ready", 1),
            ("fetch_ready", 1),
            ("data_valid", 1),
            ("data_beat", 8 << form.bus_log2),
        ];
        if which == Which::Whole {
            params.retain(|p| p.0 != "LINES_LOG2");
            params.push(("WORDS", room(&form) as u32));
        }
        if !which.tiles() {
            inputs.push(("start", 1));
        }
        if let Which::Tiles(extra) = which {
            params.extend([("EXTRA", extra as u32), ("HINTS_LOG2", HINTS_LOG2)]);
            inputs.extend([("hint_valid", 1), ("hint_beat", 2 * ask)]);
        }
        let outputs = [
            ("read_req_ready", 1),
            ("read_rsp_valid", 1),
            ("read_rsp_beat", if read == Read::Pair { 2 * answer } else { answer }),
            ("fetch_beat", 8 + form.axi_w),
            ("beyond", 1),
        ];
        let Some(module) = Module::new(name, &params, &inputs, &[&outputs[..], &FETCH].concat()) else { return };
        drawn(0..20, SEEDS).into_iter().for_each(|seed| run_reader(&module, form, read, which, seed));
    }
}

#[test]
fn windows_are_their_models() {
    readers("samhw_axi_reader", Which::Window);
}

#[test]
fn tiles_are_their_models() {
    readers("samhw_axi_tiles", Which::Tiles(0));
}

#[test]
fn arrays_on_the_chip_are_their_models() {
    readers("samhw_axi_whole", Which::Whole);
}
