//! The shared channels: every wire of Verilog and model in every cycle.

use super::SEEDS;
use super::pins::{Module, packed};
use crate::axi::{Burst, ReadBus, ReadMux, Share, WriteBus, WriteLine, WriteMux, ones};
use samhw_testing::drawn::drawn;
use samhw_values::Rng;

/// Ports, bits of an ID, log2 of a line's bytes.
const FORMS: [(usize, u32, u32); 3] = [(1, 1, 2), (5, 3, 5), (3, 2, 6)];
const AXI_W: u32 = 40;

fn bursts(rng: &mut Rng, now: &mut [Option<Burst>], likely: f64) {
    for b in now.iter_mut().filter(|b| b.is_none()) {
        *b = rng.happens(likely).then(|| Burst { id: 0, addr: rng.bits() & ones(AXI_W), len: rng.below(16) });
    }
}

/// All lanes of something: valid bits, beats.
fn lanes<T>(all: &[Option<T>], width: u32, beat: impl Fn(&T) -> Vec<u64>) -> (u64, Vec<u64>) {
    let valid = all.iter().rev().fold(0, |v, x| v << 1 | u64::from(x.is_some()));
    let beats: Vec<Vec<u64>> = all.iter().map(|x| x.as_ref().map_or_else(Vec::new, &beat)).collect();
    let fields: Vec<(&[u64], u32)> = beats.iter().map(|b| (&b[..], width)).collect();
    (valid, packed(&fields))
}

fn asked_beat(b: &Burst) -> Vec<u64> {
    packed(&[(&[b.addr], AXI_W), (&[b.len], 8)])
}

fn one_hot(port: Option<usize>) -> u64 {
    port.map_or(0, |k| 1 << k)
}

fn run_reads(module: &Module, (n, _, bus_log2): (usize, u32, u32), seed: u64) {
    let mut rng = Rng::new(seed);
    let mut model = ReadMux::new(n);
    let names = ["stop", "fetch_valid", "m_axi_arready", "m_axi_rvalid", "m_axi_rlast", "m_axi_rresp"];
    let mut pins = module.start(&names.map(|n| (n, 0)));
    let mut fetch = vec![None; n];
    let mut coming: Vec<(u64, u64)> = Vec::new();
    let mut line = vec![0; (1usize << bus_log2).div_ceil(8)];
    let [asks, takes, answers] = [0; 3].map(|_| 0.1 + 0.9 * (rng.below(100) as f64 / 100.0));
    for cycle in 0..1000 {
        bursts(&mut rng, &mut fetch, asks);
        let stop = cycle > 800;
        let ar_ready = rng.happens(takes);
        let answers =
            if coming.is_empty() || !rng.happens(answers) { None } else { Some(rng.below(coming.len() as u64)) };
        let r = answers.map(|k| {
            let (id, left) = &mut coming[k as usize];
            *left = left.wrapping_sub(1);
            let resp = if cycle > 500 && rng.happens(0.02) { 2 + rng.below(2) } else { 0 };
            (*id, resp, *left == u64::MAX)
        });
        coming.retain(|c| c.1 != u64::MAX);
        pins.same("idle", u64::from(model.idle()));
        pins.same("error", u64::from(model.error().is_some()));
        if let Some(e) = model.error() {
            pins.same("error_decode", u64::from(e.decode));
            pins.same("error_port", e.port as u64);
        }
        pins.same("m_axi_rready", 1);
        pins.same("fetch_ready", one_hot(model.granted()));
        pins.same("data_valid", one_hot(model.data()));
        if model.data().is_some() {
            pins.same_wide("data_beat", &line);
        }
        pins.same("m_axi_arvalid", u64::from(model.ar().is_some()));
        if let Some(b) = model.ar() {
            pins.same("m_axi_araddr", b.addr);
            pins.same("m_axi_arid", b.id);
            pins.same("m_axi_arlen", b.len);
        }
        let (valid, beats) = lanes(&fetch, 8 + AXI_W, asked_beat);
        pins.poke("fetch_beat", &beats);
        let (id, resp, last) = r.unwrap_or_default();
        for (name, value) in [
            ("stop", u64::from(stop)),
            ("fetch_valid", valid),
            ("m_axi_arready", u64::from(ar_ready)),
            ("m_axi_rvalid", u64::from(r.is_some())),
            ("m_axi_rid", id),
            ("m_axi_rresp", resp),
            ("m_axi_rlast", u64::from(last)),
        ] {
            pins.set(name, value);
        }
        line = packed(&[(&[(); 8].map(|()| rng.bits()), 8 << bus_log2)]);
        pins.poke("m_axi_rdata", &line);
        pins.clock();
        let granted = model.granted();
        // Of one ID at a time, in order.
        let taken = model.ar().filter(|_| ar_ready);
        model.clock(|k| fetch[k], stop, &ReadBus { ar_ready, r });
        granted.into_iter().for_each(|k| fetch[k] = None);
        match taken.map(|b| (b, coming.iter_mut().find(|c| c.0 == b.id))) {
            Some((b, None)) => coming.push((b.id, b.len)),
            // Bursts that follow another: their lines are counted with it, and only the last one is the end of one.
            Some((_, Some(_))) => return,
            None => {}
        }
    }
}

#[test]
fn shared_reads_are_their_model() {
    for form @ (n, id, bus_log2) in FORMS {
        let params = [("N", n as u32), ("BUS_LOG2", bus_log2), ("AXI_W", AXI_W), ("ID_W", id)];
        let inputs = [
            ("stop", 1),
            ("fetch_valid", n as u32),
            ("fetch_beat", n as u32 * (8 + AXI_W)),
            ("m_axi_arready", 1),
            ("m_axi_rvalid", 1),
            ("m_axi_rid", id),
            ("m_axi_rdata", 8 << bus_log2),
            ("m_axi_rresp", 2),
            ("m_axi_rlast", 1),
        ];
        let outputs = [
            ("idle", 1),
            ("error", 1),
            ("error_decode", 1),
            ("error_port", id),
            ("fetch_ready", n as u32),
            ("data_valid", n as u32),
            ("data_beat", 8 << bus_log2),
            ("m_axi_arvalid", 1),
            ("m_axi_arid", id),
            ("m_axi_araddr", AXI_W),
            ("m_axi_arlen", 8),
            ("m_axi_rready", 1),
        ];
        let Some(module) = Module::new("samhw_axi_read_mux", &params, &inputs, &outputs) else { return };
        drawn(0..20, SEEDS).into_iter().for_each(|seed| run_reads(&module, form, seed));
    }
}

const SHARE_WAIT: u32 = 3;

fn run_share(module: &Module, n: usize, seed: u64) {
    let mut rng = Rng::new(seed);
    let mut model = Share::new(n, SHARE_WAIT);
    let mut pins = module.start(&["fetch_valid", "ask_ready", "line_valid"].map(|n| (n, 0)));
    let mut fetch: Vec<Option<Burst>> = vec![None; n];
    let mut asked: Vec<u64> = Vec::new();
    let mut line = vec![rng.bits()];
    let [asks, takes, answers] = [0; 3].map(|_| 0.05 + 0.95 * (rng.below(100) as f64 / 100.0));
    // What each adapter fetches next, of a list that is nearly everyone's.
    let mut next = vec![0u64; n];
    let (mut alone, mut together) = (0, 0);
    for _ in 0..1500 {
        for (k, b) in fetch.iter_mut().enumerate().filter(|(_, b)| b.is_none()) {
            if rng.happens(asks) && !(k == 0 && seed.is_multiple_of(3)) {
                next[k] += if rng.happens(0.05) { 2 } else { 1 };
                *b = Some(Burst { id: 0, addr: next[k] << 6, len: next[k] % 4 });
            }
        }
        let ready = rng.happens(takes);
        let comes = !asked.is_empty() && rng.happens(answers);
        let mask = |of: &dyn Fn(usize) -> bool| (0..n).fold(0, |m, k| m | u64::from(of(k)) << k);
        pins.same("fetch_ready", mask(&|k| model.granted(k)));
        pins.same("data_valid", mask(&|k| model.data(k)));
        if (0..n).any(|k| model.data(k)) {
            pins.same_wide("data_beat", &line);
        }
        pins.same("ask_valid", u64::from(model.fetch().is_some()));
        if let Some(b) = model.fetch() {
            pins.same_wide("ask_beat", &asked_beat(&b));
        }
        let (valid, beats) = lanes(&fetch, 8 + AXI_W, asked_beat);
        pins.poke("fetch_beat", &beats);
        pins.set("fetch_valid", valid);
        pins.set("ask_ready", u64::from(ready));
        pins.set("line_valid", u64::from(comes));
        line = vec![rng.bits()];
        pins.poke("line_beat", &line);
        pins.clock();
        let granted: Vec<usize> = (0..n).filter(|&k| model.granted(k)).collect();
        let taken = model.fetch().filter(|_| ready);
        model.clock(|k| fetch[k], ready, comes);
        if comes {
            asked[0] -= 1;
            asked.retain(|left| *left > 0);
        }
        asked.extend(taken.map(|b| b.len + 1));
        alone += u64::from(granted.len() == 1);
        together += u64::from(granted.len() > 1);
        granted.into_iter().for_each(|k| fetch[k] = None);
    }
    assert!(alone + together > 5 && together > 0, "{alone} alone, {together} together");
}

#[test]
fn shared_fetches_are_their_model() {
    let n = 3;
    let params = [("N", n), ("BUS_LOG2", 3), ("AXI_W", AXI_W), ("WAIT_LOG2", SHARE_WAIT)];
    let inputs =
        [("fetch_valid", n), ("fetch_beat", n * (8 + AXI_W)), ("ask_ready", 1), ("line_valid", 1), ("line_beat", 64)];
    let outputs = [("fetch_ready", n), ("data_valid", n), ("data_beat", 64), ("ask_valid", 1), ("ask_beat", 8 + AXI_W)];
    let Some(module) = Module::new("samhw_axi_share", &params, &inputs, &outputs) else { return };
    drawn(0..20, SEEDS).into_iter().for_each(|seed| run_share(&module, n as usize, seed));
}

fn run_writes(module: &Module, (n, _, bus_log2): (usize, u32, u32), seed: u64) {
    let mut rng = Rng::new(seed);
    let mut model = WriteMux::new(n);
    let names = ["stop", "store_valid", "line_valid", "m_axi_awready", "m_axi_wready", "m_axi_bvalid", "m_axi_bresp"];
    let mut pins = module.start(&names.map(|n| (n, 0)));
    let (mut stores, mut lines) = (vec![None; n], vec![None; n]);
    let (mut done, bytes): (Vec<u64>, u32) = (Vec::new(), 1 << bus_log2);
    let [asks, flows, takes] = [0; 3].map(|_| 0.1 + 0.9 * (rng.below(100) as f64 / 100.0));
    for cycle in 0..1000 {
        bursts(&mut rng, &mut stores, asks);
        for l in lines.iter_mut().filter(|l: &&mut Option<WriteLine>| l.is_none()) {
            *l = rng.happens(flows).then(|| {
                let mut data = [0; 8];
                let words = packed(&[(&[(); 8].map(|()| rng.bits()), 8 * bytes)]);
                data[..words.len()].copy_from_slice(&words);
                WriteLine { data, strobe: rng.bits() & ones(bytes), last: false }
            });
        }
        let stop = cycle > 800;
        let b = (!done.is_empty() && rng.happens(0.2)).then(|| {
            let id = done.swap_remove(rng.below(done.len() as u64) as usize);
            (id, if cycle > 500 && rng.happens(0.1) { 2 + rng.below(2) } else { 0 })
        });
        let bus = WriteBus { aw_ready: rng.happens(takes), w_ready: rng.happens(takes), b };
        pins.same("idle", u64::from(model.idle()));
        pins.same("error", u64::from(model.error().is_some()));
        if let Some(e) = model.error() {
            pins.same("error_decode", u64::from(e.decode));
            pins.same("error_port", e.port as u64);
        }
        pins.same("m_axi_bready", 1);
        pins.same("store_ready", one_hot(model.granted()));
        pins.same("line_ready", one_hot(model.takes()));
        pins.same("ack", one_hot(model.ack()));
        pins.same("m_axi_awvalid", u64::from(model.aw().is_some()));
        if let Some(b) = model.aw() {
            pins.same("m_axi_awaddr", b.addr);
            pins.same("m_axi_awid", b.id);
            pins.same("m_axi_awlen", b.len);
        }
        pins.same("m_axi_wvalid", u64::from(model.w().is_some()));
        if let Some(l) = model.w() {
            pins.same_wide("m_axi_wdata", &l.data[..(bytes as usize).div_ceil(8)]);
            pins.same("m_axi_wstrb", l.strobe);
            pins.same("m_axi_wlast", u64::from(l.last));
        }
        let (valid, beats) = lanes(&stores, 8 + AXI_W, asked_beat);
        pins.poke("store_beat", &beats);
        let line = |l: &WriteLine| packed(&[(&l.data, 8 * bytes), (&[l.strobe], bytes)]);
        let (there, beats) = lanes(&lines, 9 * bytes, line);
        pins.poke("line_beat", &beats);
        let (id, resp) = b.unwrap_or_default();
        for (name, value) in [
            ("stop", u64::from(stop)),
            ("store_valid", valid),
            ("line_valid", there),
            ("m_axi_awready", u64::from(bus.aw_ready)),
            ("m_axi_wready", u64::from(bus.w_ready)),
            ("m_axi_bvalid", u64::from(b.is_some())),
            ("m_axi_bid", id),
            ("m_axi_bresp", resp),
        ] {
            pins.set(name, value);
        }
        pins.clock();
        let (granted, takes) = (model.granted(), model.takes());
        done.extend(model.aw().filter(|_| bus.aw_ready).map(|b| b.id));
        model.clock(|k| stores[k], |k| lines[k], stop, &bus);
        granted.into_iter().for_each(|k| stores[k] = None);
        takes.into_iter().for_each(|k| lines[k] = None);
    }
}

#[test]
fn shared_writes_are_their_model() {
    for form @ (n, id, bus_log2) in FORMS {
        let (lanes, bytes) = (n as u32, 1 << bus_log2);
        let params = [("N", lanes), ("BUS_LOG2", bus_log2), ("AXI_W", AXI_W), ("ID_W", id)];
        let inputs = [
            ("stop", 1),
            ("store_valid", lanes),
            ("store_beat", lanes * (8 + AXI_W)),
            ("line_valid", lanes),
            ("line_beat", lanes * 9 * bytes),
            ("m_axi_awready", 1),
            ("m_axi_wready", 1),
            ("m_axi_bvalid", 1),
            ("m_axi_bid", id),
            ("m_axi_bresp", 2),
        ];
        let outputs = [
            ("idle", 1),
            ("error", 1),
            ("error_decode", 1),
            ("error_port", id),
            ("store_ready", lanes),
            ("line_ready", lanes),
            ("ack", lanes),
            ("m_axi_awvalid", 1),
            ("m_axi_awid", id),
            ("m_axi_awaddr", AXI_W),
            ("m_axi_awlen", 8),
            ("m_axi_wvalid", 1),
            ("m_axi_wdata", 8 * bytes),
            ("m_axi_wstrb", bytes),
            ("m_axi_wlast", 1),
            ("m_axi_bready", 1),
        ];
        let Some(module) = Module::new("samhw_axi_write_mux", &params, &inputs, &outputs) else { return };
        drawn(0..20, SEEDS).into_iter().for_each(|seed| run_writes(&module, form, seed));
    }
}
