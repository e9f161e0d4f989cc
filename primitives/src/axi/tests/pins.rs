//! A module's Verilog next to its model: both get the same inputs, every output is compared in every
//! cycle. When all runs of a module are over they are played to it again in four states, where a
//! beat that is not valid is X.

use super::design;
use crate::axi::Form;
use samhw_rtlsim as rtl;
use samhw_testing::rtl::{Recording, cache, tool};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// A running module by the names of its ports.
pub struct Pins {
    sim: rtl::Instance,
    ports: HashMap<&'static str, (usize, u32)>,
    what: String,
    cycle: u64,
    recording: Rc<RefCell<Recording>>,
    /// An edge is not in the recording yet: what comes out behind it is being compared.
    edge: bool,
}

/// A module that is compiled.
pub struct Module {
    library: rtl::Library,
    ports: HashMap<&'static str, (usize, u32)>,
    what: String,
    recording: Rc<RefCell<Recording>>,
}

impl Module {
    /// Compiles a module with `inputs` and `outputs` of these widths; `None` where Verilator is missing.
    pub fn new(
        name: &str,
        params: &[(&str, u32)],
        inputs: &[(&'static str, u32)],
        outputs: &[(&'static str, u32)],
    ) -> Option<Self> {
        let tools = tool(name, rtl::Toolchain::find())?;
        let mut design = design(name, params);
        (design.defines, design.quick) = (vec!["SAMHW_ASSERT".into()], true);
        let mut ports = HashMap::new();
        for (list, dir) in [(inputs, rtl::Dir::In), (outputs, rtl::Dir::Out)] {
            for &(name, width) in list {
                ports.insert(name, (design.port(name, width, dir), width));
            }
        }
        let library = tool(name, rtl::build(&tools, &design, &cache()))?;
        let recording = Rc::new(RefCell::new(Recording::new(&design)));
        Some(Self { library, ports, what: format!("{name} {params:?}"), recording })
    }
    /// One after reset, with these inputs during it.
    pub fn start(&self, inputs: &[(&str, u64)]) -> Pins {
        let (ports, what, recording) = (self.ports.clone(), self.what.clone(), self.recording.clone());
        let mut pins = Pins { sim: self.library.instance(1), ports, what, cycle: 0, recording, edge: false };
        inputs.iter().for_each(|&(name, value)| pins.set(name, value));
        pins.sim.reset();
        pins.recording.borrow_mut().reset();
        pins.edge = true;
        pins
    }
}

impl Drop for Module {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        if let Some(text) = self.recording.borrow().difference() {
            panic!("{}: {text}", self.what);
        }
    }
}

impl Drop for Pins {
    fn drop(&mut self) {
        self.record();
    }
}

impl Pins {
    /// Drives an input.
    pub fn set(&mut self, name: &str, value: u64) {
        self.poke(name, &[value]);
    }
    /// Drives a wide input.
    pub fn poke(&mut self, name: &str, words: &[u64]) {
        let (port, width) = self.ports[name];
        let mut all = words.to_vec();
        all.resize(width.div_ceil(64) as usize, 0);
        self.sim.poke(port, &all);
        self.record();
        self.recording.borrow_mut().put(port, 0, width, &all);
    }
    /// In four states an input is X at the next edge.
    pub fn unknown(&mut self, name: &str) {
        let (port, width) = self.ports[name];
        self.recording.borrow_mut().forget(port, 0, width);
    }
    /// Puts the edge that was last into the recording.
    fn record(&mut self) {
        if !std::mem::take(&mut self.edge) {
            return;
        }
        let mut recording = self.recording.borrow_mut();
        for (name, &(beat, width)) in &self.ports {
            let Some(&(valid, lanes)) =
                name.strip_suffix("_beat").and_then(|n| self.ports.get(format!("{n}_valid").as_str()))
            else {
                continue;
            };
            let lane = width / lanes;
            for k in 0..lanes {
                if !recording.drives(valid, k as usize) {
                    recording.forget(beat, (k * lane) as usize, lane);
                }
            }
        }
        recording.clock();
    }
    /// Sees an output.
    pub fn peek(&self, name: &str) -> Vec<u64> {
        let (port, width) = self.ports[name];
        let mut words = vec![0; width.div_ceil(64) as usize];
        self.sim.peek(port, &mut words);
        words
    }
    /// An output is what the model says.
    pub fn same(&self, name: &str, model: u64) {
        self.same_wide(name, &[model]);
    }
    /// The same of a wide one.
    pub fn same_wide(&self, name: &str, model: &[u64]) {
        let (port, width) = self.ports[name];
        self.recording.borrow_mut().put(port, 0, width, model);
        let found = self.peek(name);
        let missing = found.iter().zip(model.iter().chain(std::iter::repeat(&0)));
        assert!(
            missing.clone().all(|(a, b)| a == b),
            "{}, cycle {}: {name} is {found:x?}, not {model:x?}",
            self.what,
            self.cycle
        );
    }
    /// The edge.
    pub fn clock(&mut self) {
        self.record();
        self.edge = true;
        self.cycle += 1;
        if let Err(e) = self.sim.clock() {
            panic!("{}, cycle {}: {e}", self.what, self.cycle);
        }
    }
}

/// Parameters of an adapter.
pub fn params(form: &Form) -> Vec<(&'static str, u32)> {
    vec![
        ("ADDR_W", form.addr_w),
        ("DATA_W", form.data_w),
        ("SIZE_LOG2", form.size_log2),
        ("BUS_LOG2", form.bus_log2),
        ("AXI_W", form.axi_w),
        ("LINES_LOG2", form.lines_log2),
        ("BURST_LOG2", form.burst_log2),
    ]
}

/// Bits put one above the other, the lowest ones first: value and width of each.
pub fn packed(fields: &[(&[u64], u32)]) -> Vec<u64> {
    let mut bits: Vec<bool> = Vec::new();
    for (words, width) in fields {
        bits.extend((0..*width as usize).map(|k| words.get(k / 64).is_some_and(|w| w >> (k % 64) & 1 == 1)));
    }
    bits.chunks(64).map(|c| c.iter().rev().fold(0, |w, &b| w << 1 | u64::from(b))).collect()
}
