//! A bench for primitives: drives a model with beats under random gaps and back-pressure, and records the outputs with
//! their cycles. The same bench drives RTL wrapped as a [`Model`].

use samhw_streams::{Beat, Chan, Dir, Fault, Io, Model, Port, Primitive};
use samhw_values::{Fun, Loop, Rng, Term};

/// Gaps and back-pressure at the ports.
#[derive(Debug, Clone, Copy)]
pub struct Stall {
    /// Seed of all gaps.
    pub seed: u64,
    /// Probability that a source offers nothing new in a cycle.
    pub source: f64,
    /// Probability that a sink is not ready in a cycle.
    pub sink: f64,
    /// Cycle of a pause, in which nothing arrives and nothing is taken for as long as the primitive may be silent; at
    /// its end a model must report that it is at rest.
    pub pause: Option<u64>,
}

impl Stall {
    /// No gaps, for measurements of throughput.
    pub const NONE: Self = Self::new(0, 0.0, 0.0);

    /// Creates gaps with these probabilities, without a pause.
    pub const fn new(seed: u64, source: f64, sink: f64) -> Self {
        Self { seed, source, sink, pause: None }
    }
}

/// The result of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// Per output port: cycle and beat of every transfer.
    pub outputs: Vec<Vec<(u64, Beat)>>,
    /// Per input port: cycle of every transfer.
    pub inputs: Vec<Vec<u64>>,
    /// Values of the status ports at the end.
    pub status: Vec<u64>,
}

impl Outcome {
    /// Returns the beats of output `k` without their cycles.
    pub fn beats(&self, k: usize) -> Vec<Beat> {
        self.outputs[k].iter().map(|&(_, b)| b).collect()
    }
}

/// A model of the environment of a memory port: it takes request beats and returns response beats, or `None` while it
/// has none. Called once per accepted request.
pub type Responder<'a> = Box<dyn FnMut(Beat) -> Vec<Beat> + 'a>;

/// A memory attached to the bench, between output `request` and input `response`.
pub struct Memory<'a> {
    /// Number of the handshake output with requests.
    pub request: usize,
    /// Number of the handshake input for responses.
    pub response: usize,
    /// Latency in cycles from a request to its first response beat, at least 1.
    pub latency: u64,
    /// Function that returns the beats for a request.
    pub answer: Responder<'a>,
}

/// Runs `model` until every input except memory inputs is consumed and nothing has moved for `quiet` cycles. `feeds[k]`
/// are the beats for handshake input k (empty for memory inputs).
pub fn run(
    ports: &[Port],
    model: &mut dyn Model,
    feeds: &[Vec<Beat>],
    memories: &mut [Memory],
    stall: Stall,
    quiet: u64,
) -> Result<Outcome, Fault> {
    let count = |d: Dir| ports.iter().filter(|p| p.dir == d && p.shape.handshakes()).count();
    let (n_in, n_out) = (count(Dir::In), count(Dir::Out));
    let ins: Vec<usize> = (0..n_in).collect();
    let outs: Vec<usize> = (n_in..n_in + n_out).collect();
    let mut chans = vec![Chan::reset(); n_in + n_out];
    let mut rng = Rng::new(stall.seed);
    let mut next = vec![0usize; n_in];
    let mut queues: Vec<std::collections::VecDeque<(u64, Beat)>> = vec![Default::default(); n_in];
    for (q, f) in queues.iter_mut().zip(feeds) {
        q.extend(f.iter().map(|&b| (0, b)));
    }
    let mut result = Outcome { outputs: vec![Vec::new(); n_out], inputs: vec![Vec::new(); n_in], status: Vec::new() };
    let (mut cycle, mut still) = (0u64, 0u64);
    let pause = stall.pause.map_or(0..0, |at| at..at + quiet);
    while still < quiet || pause.contains(&cycle) {
        let pausing = pause.contains(&cycle);
        for (k, c) in chans.iter_mut().enumerate().take(n_in) {
            let due = queues[k].get(next[k]).filter(|&&(t, _)| t <= cycle);
            if let (false, Some(&(_, beat))) = (c.valid, due)
                && !pausing
                && !rng.happens(stall.source)
            {
                c.valid = true;
                c.beat = beat;
                next[k] += 1;
            }
        }
        for &k in &outs {
            chans[k].ready = !rng.happens(stall.sink) && !pausing;
        }
        chans.iter_mut().for_each(Chan::latch);
        still = if pausing { 0 } else { still + 1 };
        for (k, c) in chans.iter_mut().enumerate().take(n_in) {
            if c.fire {
                c.valid = false;
                result.inputs[k].push(cycle);
                still = 0;
            }
        }
        for k in 0..n_out {
            let c = &chans[n_in + k];
            if c.fire {
                result.outputs[k].push((cycle, c.got));
                still = 0;
                for m in memories.iter_mut().filter(|m| m.request == k) {
                    for b in (m.answer)(c.got) {
                        let at = queues[m.response].back().map_or(0, |&(t, _)| t + 1).max(cycle + m.latency);
                        queues[m.response].push_back((at, b));
                    }
                }
            }
        }
        let changed = model.tick(&mut Io::new(&mut chans, &ins, &outs))?;
        cycle += 1;
        if changed && cycle == pause.end {
            return Err(Fault { what: "no rest", port: "any".into(), beat: Beat::default() });
        }
    }
    let statuses = ports.iter().filter(|p| matches!(p.shape, samhw_streams::Shape::Status { .. })).count();
    result.status = (0..statuses).map(|k| model.status(k)).collect();
    Ok(result)
}

/// Runs the primitive's cycle model as [`run`] does.
pub fn run_model(
    p: &dyn Primitive,
    config: &[u64],
    feeds: &[Vec<Beat>],
    memories: &mut [Memory],
    stall: Stall,
) -> Result<Outcome, Fault> {
    run(&p.ports(), p.model(config).as_mut(), feeds, memories, stall, p.silence())
}

/// Returns Collatz' rule as a loop: from the first of two inputs to 1, in at most `limit` rounds; the second input
/// counts them.
pub fn collatz(inputs: [usize; 2], limit: u64) -> Loop {
    use Term::{Apply, Arg, Literal};
    let terms = vec![
        Arg(0),
        Arg(1),
        Literal(1),
        Apply(Fun::Gt, vec![0, 2]),
        Apply(Fun::BitAnd, vec![0, 2]),
        Literal(3),
        Apply(Fun::Mul, vec![0, 5]),
        Apply(Fun::Add, vec![6, 2]),
        Apply(Fun::Shr, vec![0, 2]),
        Apply(Fun::Where, vec![4, 7, 8]),
        Apply(Fun::Add, vec![1, 2]),
    ];
    Loop { inputs: inputs.to_vec(), terms, condition: 3, next: vec![9, 10], limit }
}
