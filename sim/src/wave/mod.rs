//! Waveforms. They are written until the run has ended, however it ended.

mod convert;
mod fst;
mod native;

pub use native::FstWave;

use crate::staged::Staged;
use crate::tensor::cannot_write;
use convert::convert;
use samhw_compiler::diag::Diagnostic;
use samhw_rtlsim::Instance;
use std::path::Path;

/// Returns whether a waveform with this name is FST, according to its extension; otherwise it is VCD.
pub fn is_fst(place: &Path) -> bool {
    place.extension().is_some_and(|e| e.eq_ignore_ascii_case("fst"))
}

/// A waveform of the Verilator engine that is being written.
pub(crate) struct Wave {
    wave: Staged,
    /// What Verilator writes where that is not what was asked for; never published.
    vcd: Option<Staged>,
}

impl Wave {
    /// Starts to record `model`.
    pub fn begin(model: &mut Instance, place: &Path) -> Result<Self, Diagnostic> {
        let vcd = is_fst(place).then(|| Staged::begin(&place.with_extension("vcd"))).transpose()?;
        let wave = Self { wave: Staged::begin(place)?, vcd };
        model.wave(wave.written()).map_err(|e| wave.told(e))?;
        Ok(wave)
    }

    /// The file that Verilator writes.
    fn written(&self) -> &Path {
        self.vcd.as_ref().unwrap_or(&self.wave).path()
    }

    /// Completes the waveform at the end of a run.
    pub fn end(self, model: &mut Instance) -> Result<(), Diagnostic> {
        model.wave_end(self.written()).map_err(|e| self.told(e))?;
        if let Some(vcd) = &self.vcd {
            convert(vcd.path(), self.wave.path()).map_err(|e| cannot_write(self.wave.place(), &e))?;
        }
        self.wave.publish()
    }

    /// An error under the name that the user gave.
    fn told(&self, e: samhw_rtlsim::Error) -> Diagnostic {
        let named = match e {
            samhw_rtlsim::Error::Wave { error, kind, .. } => {
                samhw_rtlsim::Error::Wave { path: self.wave.place().into(), error, kind }
            }
            other => other,
        };
        crate::verilator::Error::from(named).into()
    }
}
