//! Waveforms: written beside their place, which they take when the run has ended, however it ended,
//! but not if they could not be written completely.

use crate::tensor::{cannot_write, may_write};
use samhw_compiler::diag::Diagnostic;
use samhw_rtlsim::Instance;
use samhw_system::Whole;
use std::path::{Path, PathBuf};

/// A waveform that is being written.
pub(crate) struct Wave {
    place: PathBuf,
    /// None for a device or a pipe, which is written to directly.
    whole: Option<Whole>,
}

impl Wave {
    /// Begins to write what `model` does from now on.
    pub fn begin(model: &mut Instance, place: &Path) -> Result<Self, Diagnostic> {
        may_write(place)?;
        let direct = std::fs::metadata(place).is_ok_and(|m| !m.is_file());
        let whole = if direct { None } else { Some(Whole::new(place).map_err(|e| cannot_write(place, &e))?) };
        let wave = Self { place: place.into(), whole };
        model.wave(wave.path()).map_err(|e| wave.told(e))?;
        Ok(wave)
    }

    /// The run has ended.
    pub fn end(self, model: &mut Instance) -> Result<(), Diagnostic> {
        model.wave_end(self.path()).map_err(|e| self.told(e))?;
        match self.whole {
            Some(whole) => whole.publish().map_err(|e| cannot_write(&self.place, &e)),
            None => Ok(()),
        }
    }

    fn path(&self) -> &Path {
        self.whole.as_ref().map_or(&self.place, Whole::path)
    }

    /// An error under the name that the user gave.
    fn told(&self, e: samhw_rtlsim::Error) -> Diagnostic {
        let named = match e {
            samhw_rtlsim::Error::Wave { error, kind, .. } => {
                samhw_rtlsim::Error::Wave { path: self.place.clone(), error, kind }
            }
            other => other,
        };
        crate::verilator::Error::from(named).into()
    }
}
