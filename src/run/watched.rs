//! Observations of a run in addition to its result: `--tokens`, `--trace`, `--wave`.

use super::Engine;
use super::trace::Trace;
use crate::Failure;
use samhw_compiler::diag::{Diagnostic, Place};
use samhw_compiler::netlist::Netlist;
use samhw_sim::observe::{Observer, Tokens};
use samhw_sim::run::{Outcome, Problem};
use samhw_sim::staged::Staged;
use samhw_sim::tensor::may_write;
use samhw_sim::wave::{FstWave, is_fst};
use std::path::{Path, PathBuf};

/// Options of `samhw run` that ask for more than the result.
#[derive(Debug, clap::Args)]
pub struct Watched {
    /// Report the leaves, stops and empty lists of each stream (native engine)
    #[arg(long)]
    tokens: bool,
    /// Write a timeline for Perfetto or chrome://tracing (native engine)
    #[arg(long, value_name = "FILE.json")]
    trace: Option<PathBuf>,
    /// Write a waveform: FST, or VCD with the Verilator engine
    #[arg(long, value_name = "FILE.fst")]
    pub wave: Option<PathBuf>,
}

impl Watched {
    /// Whether `engine` can do it, and files of these names can be written.
    pub fn check(&self, engine: Engine) -> Result<(), Diagnostic> {
        let place = |option: &str, path: &Path| Place::Option(format!("{option} {}", path.display()));
        if let Some(path) = &self.trace {
            if engine != Engine::Native {
                return Err(native("--trace", "writes no timeline").help("--wave FILE.fst shows every cycle"));
            }
            if !path.extension().is_some_and(|e| e.eq_ignore_ascii_case("json")) {
                let problem = Diagnostic::new("R042", "timelines are JSON: the file name must end in .json");
                let help = format!("--trace {}", path.with_extension("json").display());
                return Err(problem.at(place("--trace", path)).help(help));
            }
        }
        if self.tokens && engine != Engine::Native {
            return Err(native("--tokens", "does not look at what beats carry"));
        }
        let Some(path) = &self.wave else { return Ok(()) };
        if !is_fst(path) && !path.extension().is_some_and(|e| e.eq_ignore_ascii_case("vcd")) {
            let problem = Diagnostic::new("R031", "waveforms are FST or VCD: the file name must end in .fst or .vcd");
            let help = format!("--wave {}", path.with_extension("fst").display());
            return Err(problem.at(place("--wave", path)).help(help));
        }
        if engine == Engine::Native && !is_fst(path) {
            let problem = Diagnostic::new("R022", "the native engine writes waveforms as FST");
            let help = format!("--wave {}", path.with_extension("fst").display());
            return Err(problem.at(place("--wave", path)).help(help).help("or use --engine verilator"));
        }
        may_write(path)
    }

    /// Begins to write the timeline, if there is to be one.
    pub fn staged(&self) -> Result<Option<Staged>, Diagnostic> {
        self.trace.as_deref().map(Staged::begin).transpose()
    }

    /// Returns the observer of the engine, if something is to be observed.
    pub fn observer(&self, engine: Engine) -> Result<Option<Observer>, Diagnostic> {
        let wave = self.wave.as_deref().filter(|_| engine == Engine::Native).map(FstWave::begin).transpose()?;
        let watched = self.tokens || self.trace.is_some() || wave.is_some();
        Ok(watched.then(|| Observer { wave, ..Observer::new(self.tokens, self.trace.is_some()) }))
    }
}

/// The Verilator engine does not know this option.
fn native(option: &str, what: &str) -> Diagnostic {
    Diagnostic::new("R022", format!("the Verilator engine {what}"))
        .at(Place::Option(option.into()))
        .help("use --engine native, whose cycles and beats are the same")
}

/// The result of a simulation, and the observations.
pub struct Simulated {
    /// Cycles, counters, results.
    pub outcome: Outcome,
    /// The tokens that the streams of this netlist carried.
    pub tokens: Option<(Netlist, Tokens)>,
    /// A file that could not be written: told when everything else is.
    pub late: Result<(), Diagnostic>,
}

/// Writes the observations of `observer`, of a run that ended as `ran` says. Timeline and waveform are
/// written also if the run did not come to its end.
pub fn seen(
    problem: &Problem,
    mut observer: Option<Observer>,
    staged: Option<Staged>,
    ran: Result<Outcome, Diagnostic>,
) -> Result<Simulated, Failure> {
    let mut late = Ok(());
    if let (Some(observer), Some(staged)) = (&observer, staged)
        && let Some(trace) = Trace::of(observer, &problem.lowered.kernel)
    {
        late = staged.write(|out| trace.write(out));
    }
    if let Some(wave) = observer.as_mut().and_then(|o| o.wave.take()) {
        late = late.and(wave.end());
    }
    let mut outcome = ran?;
    late = late.and(std::mem::replace(&mut outcome.late, Ok(())));
    let tokens = observer.and_then(|o| Some((o.net, o.tokens?)));
    Ok(Simulated { outcome, tokens, late })
}
