//! Waveforms of the Verilator engine. They are written until the run has ended, however it ended.

use crate::staged::Staged;
use samhw_compiler::diag::Diagnostic;
use samhw_rtlsim::Instance;
use std::path::Path;

/// A waveform that is being written.
pub(crate) struct Wave(Staged);

impl Wave {
    /// Begins to write what `model` does from now on.
    pub fn begin(model: &mut Instance, place: &Path) -> Result<Self, Diagnostic> {
        let wave = Self(Staged::begin(place)?);
        model.wave(wave.0.path()).map_err(|e| wave.told(e))?;
        Ok(wave)
    }

    /// The run has ended.
    pub fn end(self, model: &mut Instance) -> Result<(), Diagnostic> {
        model.wave_end(self.0.path()).map_err(|e| self.told(e))?;
        self.0.publish()
    }

    /// An error under the name that the user gave.
    fn told(&self, e: samhw_rtlsim::Error) -> Diagnostic {
        let named = match e {
            samhw_rtlsim::Error::Wave { error, kind, .. } => {
                samhw_rtlsim::Error::Wave { path: self.0.place().into(), error, kind }
            }
            other => other,
        };
        crate::verilator::Error::from(named).into()
    }
}
