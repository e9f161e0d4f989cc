//! Waveforms of the native engine in FST, with a scope for each cell and the wires of its ports. Next to it a save file
//! for GTKWave that shows the streams of the graph, unless there is one.

use super::fst::{Body, Header, KEPT, begun, plain};
use crate::staged::Staged;
use crate::tensor::cannot_write;
use fst_writer::{FstScopeType, FstSignalId, FstSignalType, FstVarDirection, FstVarType, FstWriteError};
use samhw_compiler::diag::Diagnostic;
use samhw_compiler::netlist::{Cell, CellId, CellPlace, Channel, Netlist};
use samhw_streams::{Beat, Chan, Dir, Shape};
use std::fmt::{self, Debug, Formatter};
use std::io::{self, Write};
use std::path::Path;

/// A cycle is shown as one of these.
const NANOSECONDS: i8 = -9;

/// A part of a beat: its signal and bits, the lowest first.
#[derive(Debug, Clone, Copy)]
struct BeatPart {
    signal: FstSignalId,
    low: u32,
    width: u32,
}

/// The wires of a channel, and what they showed last.
#[derive(Debug)]
struct ChannelWires {
    valid: FstSignalId,
    ready: FstSignalId,
    parts: Vec<BeatPart>,
    shape: Shape,
    last: Option<(bool, bool, Beat)>,
}

/// A waveform being written.
pub struct FstWave {
    wave: Staged,
    view: Option<Staged>,
    body: Option<Body>,
    wires: Vec<Option<ChannelWires>>,
    /// Its first error; what comes after it is dropped.
    wrong: Option<io::Error>,
    /// Lines of the save file.
    shown: String,
}

impl Debug for FstWave {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        f.debug_struct("FstWave").field("wave", &self.wave).finish_non_exhaustive()
    }
}

/// Name of each part of a beat and its bits, the lowest part first.
fn parts(shape: &Shape) -> Vec<(&'static str, u32)> {
    match shape {
        Shape::Stream { stop_w, fields } => {
            let fields = fields.iter().map(|f| (f.name, f.width));
            fields.chain([("stop", *stop_w), ("kind", 2)]).collect()
        }
        Shape::Plain { fields } => fields.iter().map(|f| (f.name, f.width)).collect(),
        Shape::Config { .. } | Shape::Status { .. } | Shape::Open { .. } => Vec::new(),
    }
}

impl FstWave {
    /// Starts to write the file at `place`, and a save file next to it.
    pub fn begin(place: &Path) -> Result<Self, Diagnostic> {
        let beside = place.with_extension("gtkw");
        let view = if beside.exists() { None } else { Some(Staged::begin(&beside)?) };
        let wave = Staged::begin(place)?;
        Ok(Self { wave, view, body: None, wires: Vec::new(), wrong: None, shown: String::new() })
    }

    /// A run of `net` begins.
    pub(crate) fn run(&mut self, net: &Netlist) {
        let begun = self.header(net).and_then(|header| header.finish().map_err(plain));
        match begun {
            Ok(body) => self.body = Some(body),
            Err(e) => self.wrong = Some(e),
        }
    }

    fn header(&mut self, net: &Netlist) -> io::Result<Header> {
        let mut header = begun(self.wave.path(), NANOSECONDS)?;
        self.wires = net.channels.iter().map(|_| None).collect();
        header.scope(&net.name, "", FstScopeType::Module).map_err(plain)?;
        for (c, cell) in net.cells.iter().enumerate() {
            header.scope(&cell.name, cell.primitive.kind(), FstScopeType::Module).map_err(plain)?;
            if cell.place == CellPlace::Core {
                self.shown += &format!("@200\n-{}\n", cell.name);
            }
            for dir in [Dir::In, Dir::Out] {
                let ports = net.handshakes(CellId(c), dir);
                for (p, port) in ports.iter().enumerate() {
                    let end = Some((CellId(c), p));
                    let at = |ch: &Channel| if dir == Dir::In { ch.to == end } else { ch.from == end };
                    if let Some(k) = net.channels.iter().position(at) {
                        self.port(&mut header, net, k, (cell, &port.name, dir))?;
                    }
                }
            }
            header.up_scope().map_err(plain)?;
        }
        header.up_scope().map_err(plain)?;
        Ok(header)
    }

    /// Channel `k` as a port of a cell: its wires, which the other end has under other names.
    fn port(
        &mut self,
        header: &mut Header,
        net: &Netlist,
        k: usize,
        (cell, port, dir): (&Cell, &str, Dir),
    ) -> io::Result<()> {
        let direction = if dir == Dir::In { FstVarDirection::Input } else { FstVarDirection::Output };
        let there = self.wires[k].take();
        let mut wire = |name: &str, width: u32, alias: Option<FstSignalId>| {
            let range = if width > 1 { format!(" [{}:0]", width - 1) } else { String::new() };
            let name = format!("{port}_{name}");
            if cell.place == CellPlace::Core && dir == Dir::Out {
                let flags = if width > 1 { 22 } else { 28 };
                self.shown += &format!("@{flags}\n{}.{}.{name}{}\n", net.name, cell.name, range.trim());
            }
            let bits = FstSignalType::bit_vec(width);
            header.var(format!("{name}{range}"), bits, FstVarType::Wire, direction, alias).map_err(plain)
        };
        let valid = wire("valid", 1, there.as_ref().map(|w| w.valid))?;
        let ready = wire("ready", 1, there.as_ref().map(|w| w.ready))?;
        let shape = there.as_ref().map_or_else(|| net.shape(&net.channels[k]), |w| w.shape.clone());
        let (mut low, mut found) = (0, Vec::new());
        for (n, (name, width)) in parts(&shape).into_iter().enumerate() {
            let alias = there.as_ref().and_then(|w| w.parts.get(n)).map(|p| p.signal);
            found.push(BeatPart { signal: wire(name, width, alias)?, low, width });
            low += width;
        }
        self.wires[k] = Some(ChannelWires { valid, ready, parts: found, shape, last: None });
        Ok(())
    }

    /// The channels before the edge of `cycle`.
    pub(crate) fn cycle(&mut self, cycle: u64, chans: &[Chan]) {
        let Some(body) = self.body.as_mut().filter(|_| self.wrong.is_none()) else { return };
        self.wrong = changes(body, &mut self.wires, cycle, chans).err().map(plain);
    }

    /// Completes the files, which get their final names.
    pub fn end(self) -> Result<(), Diagnostic> {
        let place = self.wave.place().to_path_buf();
        let ended = match (self.wrong, self.body) {
            (Some(e), _) => Err(e),
            (None, Some(body)) => body.finish().map_err(plain).and_then(|mut out| out.flush()),
            (None, None) => Ok(()),
        };
        ended.map_err(|e| cannot_write(&place, &e))?;
        self.wave.publish()?;
        let Some(view) = self.view else { return Ok(()) };
        let file = place.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        view.write(|out| write!(out, "[dumpfile] \"{file}\"\n[timestart] 0\n{}", self.shown))
    }
}

/// Writes what is not as it was.
fn changes(
    body: &mut Body,
    wires: &mut [Option<ChannelWires>],
    cycle: u64,
    chans: &[Chan],
) -> Result<(), FstWriteError> {
    body.time_change(cycle)?;
    let bit = |b: bool| if b { b"1" } else { b"0" };
    for (w, c) in wires.iter_mut().zip(chans).filter_map(|(w, c)| Some((w.as_mut()?, c))) {
        let now = (c.valid, c.ready, c.beat);
        if w.last == Some(now) {
            continue;
        }
        body.signal_change(w.valid, bit(c.valid))?;
        body.signal_change(w.ready, bit(c.ready))?;
        let mut words = vec![0; w.shape.words()];
        w.shape.pack(&c.beat, &mut words);
        for part in &w.parts {
            let digit = |n: u32| b'0' + (words[n as usize / 64] >> (n % 64) & 1) as u8;
            let bits: Vec<u8> = (part.low..part.low + part.width).rev().map(digit).collect();
            body.signal_change(part.signal, &bits)?;
        }
        w.last = Some(now);
    }
    if body.size() > KEPT {
        body.flush()?;
    }
    Ok(())
}
