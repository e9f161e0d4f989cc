//! Writers: every wire of Verilog and model in every cycle.

use super::SEEDS;
use super::pins::{Module, packed, params};
use crate::axi::{Form, Writer, WriterInputs, ones};
use samhw_streams::{Beat, Chan, Io};
use samhw_testing::drawn::drawn;
use samhw_values::Rng;

const FORMS: [Form; 5] = [
    Form { addr_w: 9, data_w: 32, size_log2: 2, bus_log2: 3, axi_w: 32, lines_log2: 5, burst_log2: 4 },
    Form { addr_w: 11, data_w: 7, size_log2: 0, bus_log2: 6, axi_w: 40, lines_log2: 3, burst_log2: 2 },
    Form { addr_w: 6, data_w: 61, size_log2: 3, bus_log2: 3, axi_w: 64, lines_log2: 2, burst_log2: 1 },
    Form { addr_w: 10, data_w: 16, size_log2: 1, bus_log2: 5, axi_w: 33, lines_log2: 5, burst_log2: 4 },
    Form { addr_w: 8, data_w: 32, size_log2: 2, bus_log2: 2, axi_w: 32, lines_log2: 7, burst_log2: 6 },
];

fn run(module: &Module, form: Form, seed: u64) {
    let mut rng = Rng::new(seed);
    let words = rng.below(1 << form.addr_w);
    let base = (rng.bits() & ones(form.axi_w - 2)) >> form.size_log2 << form.size_log2;
    let mut model = Writer::new(form, base, words);
    let idle = [("write_valid", 0), ("flush", 0), ("store_ready", 0), ("line_ready", 0), ("ack", 0)];
    let mut pins = module.start(&[&idle[..], &[("base", base), ("words", words)]].concat());
    let mut chans = [Chan::reset()];
    let (line, mut next, mut owed, mut stored) = (1u32 << form.bus_log2, 0, 0u64, 0u64);
    let [comes, store, leave] = [0; 3].map(|_| 0.1 + 0.9 * (rng.below(100) as f64 / 100.0));
    for cycle in 0..2500 {
        let flush = cycle > 1200;
        if !chans[0].valid && !flush && rng.happens(comes) {
            next = if rng.happens(0.05) { rng.below(1 << form.addr_w) } else { (next + 1) & ones(form.addr_w) };
            (chans[0].valid, chans[0].beat) =
                (true, Beat { p: [next, rng.bits() & ones(form.data_w)], ..Beat::default() });
        }
        // The flush begins when the core is done.
        let flush = flush && !chans[0].valid;
        pins.same("write_ready", u64::from(chans[0].ready));
        pins.same("beyond", u64::from(model.beyond()));
        pins.same("idle", u64::from(model.idle()));
        pins.same("store_valid", u64::from(model.store().is_some()));
        if let Some(b) = model.store() {
            pins.same_wide("store_beat", &packed(&[(&[b.addr], form.axi_w), (&[b.len], 8)]));
        }
        pins.same("line_valid", u64::from(model.line().is_some()));
        if let Some(l) = model.line() {
            pins.same_wide("line_beat", &packed(&[(&l.data, 8 * line), (&[l.strobe], line)]));
        }
        let on = WriterInputs {
            flush,
            store_ready: model.store().is_some() && rng.happens(0.5 * store),
            line_ready: owed > 0 && rng.happens(leave),
            ack: stored > 0 && rng.happens(0.3),
        };
        if let Some(b) = model.store().filter(|_| on.store_ready) {
            owed += b.len + 1;
            stored += 1;
        }
        owed -= u64::from(on.line_ready && model.line().is_some());
        stored -= u64::from(on.ack);
        let [addr, word] = chans[0].beat.p;
        pins.poke("write_beat", &packed(&[(&[addr], form.addr_w), (&[word], form.data_w)]));
        for (name, bit) in [
            ("write_valid", chans[0].valid),
            ("flush", flush),
            ("store_ready", on.store_ready),
            ("line_ready", on.line_ready),
            ("ack", on.ack),
        ] {
            pins.set(name, u64::from(bit));
        }
        pins.clock();
        chans[0].latch();
        if chans[0].fire {
            chans[0].valid = false;
        }
        model.clock(&mut Io::new(&mut chans, &[0], &[]), &on);
    }
    assert!(model.idle(), "{form:?}: all is written");
}

#[test]
fn writers_are_their_models() {
    for form in drawn(FORMS, 3) {
        let inputs = [
            ("base", form.axi_w),
            ("words", form.addr_w + 1),
            ("flush", 1),
            ("write_valid", 1),
            ("write_beat", form.addr_w + form.data_w),
            ("store_ready", 1),
            ("line_ready", 1),
            ("ack", 1),
        ];
        let outputs = [
            ("write_ready", 1),
            ("beyond", 1),
            ("idle", 1),
            ("store_valid", 1),
            ("store_beat", 8 + form.axi_w),
            ("line_valid", 1),
            ("line_beat", 9 << form.bus_log2),
        ];
        let Some(module) = Module::new("samhw_axi_writer", &params(&form), &inputs, &outputs) else { return };
        drawn(0..20, SEEDS).into_iter().for_each(|seed| run(&module, form, seed));
    }
}
