//! What leads through a run: every wire of Verilog and model in every cycle.

use super::pins::{Module, Pins};
use crate::axi::{Run, RunInputs};
use samhw_values::Rng;

/// Inputs of one bit.
const BITS: [&str; 11] = [
    "go",
    "quit",
    "bad",
    "fault",
    "full",
    "moved",
    "start_ready",
    "done_valid",
    "reads_idle",
    "writes_idle",
    "writers_idle",
];
/// Inputs that are codes of errors.
const CODES: [&str; 3] = ["bad_code", "fault_code", "full_code"];
/// Outputs.
const OUT: [&str; 12] = [
    "expired",
    "busy",
    "ended",
    "load",
    "start_valid",
    "done_ready",
    "flush",
    "stop_reads",
    "stop_writes",
    "core_rst",
    "port_rst",
    "error",
];

/// Every output is the model's.
fn same(pins: &Pins, model: &Run) {
    let leads = model.leads();
    for (name, value) in [
        ("expired", model.expired()),
        ("busy", model.busy()),
        ("ended", model.ended()),
        ("load", leads.load),
        ("start_valid", leads.start_valid),
        ("done_ready", leads.done_ready),
        ("flush", leads.flush),
        ("stop_reads", leads.stop_reads),
        ("stop_writes", leads.stop_writes),
        ("core_rst", model.resets()),
        ("port_rst", model.resets()),
    ] {
        pins.same(name, u64::from(value));
    }
    pins.same("error", u64::from(model.error()));
    pins.same("cycles", model.cycles());
}

/// Inputs at random: the watchdog's limit, and how likely each error is.
fn asked(rng: &mut Rng, (limit, rare): (u32, f64), expired: bool) -> RunInputs {
    let code = |rng: &mut Rng| (rng.bits() & 0xffff) as u16;
    RunInputs {
        go: rng.happens(0.2),
        quit: rng.happens(rare),
        bad: rng.happens(rare).then(|| code(rng)),
        fault: rng.happens(rare) || expired,
        fault_code: code(rng),
        full: rng.happens(0.2).then(|| code(rng)),
        moved: rng.happens(0.3),
        limit,
        start_ready: rng.happens(0.5),
        done_valid: rng.happens(0.05),
        reads_idle: rng.happens(0.3),
        writes_idle: rng.happens(0.3),
        writers_idle: rng.happens(0.3),
    }
}

fn drive(pins: &mut Pins, on: &RunInputs) {
    let bits = [
        on.go,
        on.quit,
        on.bad.is_some(),
        on.fault,
        on.full.is_some(),
        on.moved,
        on.start_ready,
        on.done_valid,
        on.reads_idle,
        on.writes_idle,
        on.writers_idle,
    ];
    BITS.iter().zip(bits).for_each(|(n, b)| pins.set(n, u64::from(b)));
    if !on.moved {
        // The watchdog fires, too, where nobody knows what moves.
        pins.unknown("moved");
    }
    let codes = [on.bad.unwrap_or(1), on.fault_code, on.full.unwrap_or(1)];
    CODES.iter().zip(codes).for_each(|(n, c)| pins.set(n, u64::from(c)));
    pins.set("limit", u64::from(on.limit));
}

#[test]
fn what_leads_is_its_model() {
    let inputs: Vec<_> =
        BITS.map(|n| (n, 1)).into_iter().chain(CODES.map(|n| (n, 16))).chain([("limit", 32)]).collect();
    let outputs: Vec<_> =
        OUT.map(|n| (n, if n == "error" { 16 } else { 1 })).into_iter().chain([("cycles", 64)]).collect();
    let Some(module) = Module::new("samhw_axi_run", &[], &inputs, &outputs) else { return };
    for seed in 0..40 {
        let mut rng = Rng::new(seed);
        let mut pins = module.start(&BITS.map(|n| (n, 0)));
        let mut model = Run::default();
        let limit = [0, 3, 8][seed as usize % 3];
        let rare = [0.0, 0.01, 0.05][seed as usize / 3 % 3];
        let mut ended = 0;
        for _ in 0..2000 {
            same(&pins, &model);
            ended += u64::from(model.ended());
            let on = asked(&mut rng, (limit, rare), model.expired());
            drive(&mut pins, &on);
            pins.clock();
            model.clock(&on);
        }
        assert!(ended > 5, "runs ended: {ended}");
    }
}
