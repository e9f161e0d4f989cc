//! A timeline in the Trace Event format, for Perfetto and chrome://tracing. A cycle is a
//! microsecond; the numbers of a bucket are at its first cycle.

use samhw_compiler::netlist::{CellPlace, Netlist};
use samhw_compiler::stmt::Kernel;
use samhw_sim::native::Counts;
use samhw_sim::observe::{Bucket, Observer, Row, Rows, Timeline};
use serde_json::{Value, json};
use std::io::{self, Write};

/// Groups of tracks, in the order in which they are shown.
const GROUPS: [&str; 5] = ["rows", "nodes", "memories", "FIFOs: most beats held", "channels: bytes"];
const ROWS: usize = 1;
const NODES: usize = 2;
const MEMORIES: usize = 3;
const FIFOS: usize = 4;
const CHANNELS: usize = 5;

/// A timeline with the names of what it shows.
pub struct Trace<'a> {
    timeline: &'a Timeline,
    counts: &'a Counts,
    net: &'a Netlist,
    kernel: &'a Kernel,
    /// Bytes of a beat, per channel.
    bytes: Vec<u64>,
}

/// Writes events, one a line.
struct Events<'o> {
    out: &'o mut dyn Write,
    first: bool,
}

impl Events<'_> {
    fn add(&mut self, event: &Value) -> io::Result<()> {
        let before = if std::mem::take(&mut self.first) { "" } else { ",\n" };
        write!(self.out, "{before}{event}")
    }
    /// A name of a group or track.
    fn named(&mut self, what: &str, pid: usize, tid: usize, args: &Value) -> io::Result<()> {
        self.add(&json!({"name": what, "ph": "M", "pid": pid, "tid": tid, "args": args}))
    }
    fn counter(&mut self, pid: usize, name: &str, ts: u64, args: &Value) -> io::Result<()> {
        self.add(&json!({"name": name, "ph": "C", "pid": pid, "ts": ts, "args": args}))
    }
}

impl<'a> Trace<'a> {
    /// Takes the trace that `observer` has of a run of `kernel`, if it has one.
    pub fn of(observer: &'a Observer, kernel: &'a Kernel) -> Option<Self> {
        let (timeline, counts) = (observer.timeline.as_ref()?, observer.counts.as_ref()?);
        let net = &observer.net;
        let bytes = net.channels.iter().map(|c| u64::from(net.shape(c).width()).div_ceil(8)).collect();
        Some(Self { timeline, counts, net, kernel, bytes })
    }

    /// Writes all of it.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(b"{\"traceEvents\": [\n")?;
        let mut events = Events { out, first: true };
        for (k, name) in GROUPS.iter().enumerate() {
            events.named("process_name", k + 1, 0, &json!({"name": name}))?;
            events.named("process_sort_index", k + 1, 0, &json!({"sort_index": k + 1}))?;
        }
        for (k, rows) in self.timeline.rows.iter().enumerate() {
            self.rows(&mut events, k + 1, rows)?;
        }
        let mut shown = TraceFile::new(self);
        for bucket in self.timeline.buckets() {
            self.bucket(&mut events, &bucket, &mut shown)?;
        }
        // The last values end with the run.
        let end = Bucket {
            from: self.counts.cycles,
            to: self.counts.cycles,
            cells: vec![[0; 3]; self.net.cells.len()],
            beats: vec![0; self.net.channels.len()],
            peaks: vec![0; self.timeline.fifos().len()],
        };
        self.bucket(&mut events, &end, &mut shown)?;
        let about = json!({
            "kernel": self.net.name,
            "cycles": self.counts.cycles,
            "bucket_cycles": self.timeline.width,
            "time": "a microsecond is a cycle",
            "nodes": "cycles of a bucket in which a node was busy, stalled, starved",
        });
        write!(out, "\n],\n\"displayTimeUnit\": \"ns\",\n\"otherData\": {about}}}\n")
    }

    /// The rows of a stream as slices of track `tid`.
    fn rows(&self, events: &mut Events, tid: usize, rows: &Rows) -> io::Result<()> {
        let index = &self.kernel.var(rows.over).name;
        let channel = &self.net.channels[rows.channel];
        let from = channel.from.map_or("start", |(c, _)| self.net.cell(c).name.as_str());
        events.named("thread_name", ROWS, tid, &json!({"name": format!("{index} at {from}")}))?;
        events.named("thread_sort_index", ROWS, tid, &json!({"sort_index": tid}))?;
        let end = rows.end.unwrap_or(self.counts.cycles);
        let ends = rows.slices.iter().skip(1).map(|s| s.cycle).chain([end]);
        for (&Row { cycle, first, last, count }, to) in rows.slices.iter().zip(ends) {
            let name = match (rows.coordinates, first == last) {
                (true, true) => format!("{index} = {first}"),
                (true, false) => format!("{index} = {first}..{last}"),
                (false, true) => format!("row {first}"),
                (false, false) => format!("rows {first}..{last}"),
            };
            let args = json!({"first": first, "last": last, "rows": count});
            let dur = to - cycle;
            events.add(&json!({
                "name": name, "cat": "rows", "ph": "X", "pid": ROWS, "tid": tid, "ts": cycle, "dur": dur, "args": args
            }))?;
        }
        Ok(())
    }

    /// The counters of a bucket. Of what stays at 0 nothing is written.
    fn bucket(&self, events: &mut Events, bucket: &Bucket, shown: &mut TraceFile) -> io::Result<()> {
        let ts = bucket.from;
        for (cell, &[busy, stalled, starved]) in self.net.cells.iter().zip(&bucket.cells) {
            let pid = if cell.place == CellPlace::Core { NODES } else { MEMORIES };
            let args = json!({"busy": busy, "stalled": stalled, "starved": starved});
            events.counter(pid, &cell.name, ts, &args)?;
        }
        for (k, (fifo, &peak)) in self.timeline.fifos().iter().zip(&bucket.peaks).enumerate() {
            if shown.fifos[k].changes(peak.into()) {
                let name = format!("{} of {}", self.net.cell(fifo.cell).name, fifo.depth);
                events.counter(FIFOS, &name, ts, &json!({"beats": peak}))?;
            }
        }
        for (k, (channel, &beats)) in self.net.channels.iter().zip(&bucket.beats).enumerate() {
            let bytes = beats * self.bytes[k];
            if shown.channels[k].changes(bytes) {
                events.counter(CHANNELS, &channel.name, ts, &json!({"bytes": bytes}))?;
            }
        }
        Ok(())
    }
}

/// What a counter track shows: nothing yet, or a value.
#[derive(Clone, Default)]
struct Track(u64);

impl Track {
    /// Whether `value` must be written: it is not 0, or something else was before it.
    fn changes(&mut self, value: u64) -> bool {
        std::mem::replace(&mut self.0, value) != 0 || value != 0
    }
}

/// What the tracks that may stay at 0 show.
struct TraceFile {
    fifos: Vec<Track>,
    channels: Vec<Track>,
}

impl TraceFile {
    fn new(trace: &Trace) -> Self {
        Self {
            fifos: vec![Track::default(); trace.timeline.fifos().len()],
            channels: vec![Track::default(); trace.net.channels.len()],
        }
    }
}
