//! Boards, described by one embedded file each in `boards/`.

use include_dir::{Dir, include_dir};
use samhw_compiler::diag::{Diagnostic, Place};
use samhw_compiler::frontend::nearest;
use serde::Deserialize;
use std::collections::BTreeMap;

/// The folder of boards. A new file is all that a new board takes.
static FILES: Dir = include_dir!("$CARGO_MANIFEST_DIR/boards");

/// A family of devices, with its tools for synthesis, placement and packing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Family {
    /// Lattice ECP5.
    Ecp5,
    /// Lattice iCE40.
    Ice40,
    /// Gowin.
    Gowin,
}

impl Family {
    /// Returns the name used in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ecp5 => "ecp5",
            Self::Ice40 => "ice40",
            Self::Gowin => "gowin",
        }
    }
}

/// A series of devices of one family with the same technology.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Series {
    /// ECP5.
    Ecp5,
    /// iCE40 HX.
    Hx,
    /// iCE40 UltraPlus.
    Up,
    /// Gowin GW1N.
    Gw1n,
    /// Gowin GW2A.
    Gw2a,
}

impl Series {
    /// Returns the name used in board files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ecp5 => "ecp5",
            Self::Hx => "hx",
            Self::Up => "up",
            Self::Gw1n => "gw1n",
            Self::Gw2a => "gw2a",
        }
    }
    /// Returns the family of the series.
    pub fn family(self) -> Family {
        match self {
            Self::Ecp5 => Family::Ecp5,
            Self::Hx | Self::Up => Family::Ice40,
            Self::Gw1n | Self::Gw2a => Family::Gowin,
        }
    }
}

/// A board: device, pins, clock, programmer.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Board {
    /// Name on the command line, which is the file's name.
    #[serde(skip)]
    pub name: String,
    /// Name and device in words.
    pub title: String,
    /// Series of the device.
    pub series: Series,
    /// Name of the device for place and route.
    pub device: String,
    /// Package of the device; for Gowin the name of the die.
    pub package: String,
    /// Speed grade (ECP5).
    pub speed: Option<u32>,
    /// Default I/O standard of the pins.
    pub io: String,
    /// Baud rate of the serial line, in bits per second.
    pub baud: u32,
    /// The command that loads a bitstream, without the file name at its end.
    pub program: String,
    /// The clock.
    pub clock: Clock,
    /// The serial line.
    pub uart: Uart,
    /// A button that resets the design, if there is one.
    pub button: Option<Pin>,
    /// A LED that is lit during a run, if there is one.
    pub led: Option<Pin>,
    /// Pins that are held at 1, by name and location.
    #[serde(default)]
    pub high: BTreeMap<String, String>,
    /// Resources of the device.
    pub has: Has,
}

/// A clock input.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clock {
    /// Location of the pin.
    pub pin: String,
    /// Frequency in MHz.
    pub mhz: f64,
}

/// The pins of a serial line, named from the FPGA's side.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Uart {
    /// Pin that receives.
    pub rx: String,
    /// Pin that sends.
    pub tx: String,
}

/// The active level of a button or LED.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Active {
    /// Active at level 1.
    High,
    /// Active at level 0.
    Low,
}

/// A button or LED.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pin {
    /// Location of the pin.
    pub pin: String,
    /// Active level.
    pub active: Active,
    /// I/O standard, if not the board's.
    pub io: Option<String>,
    /// Pull resistor: `UP` or `DOWN`.
    pub pull: Option<String>,
}

/// The resources of a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Has {
    /// Lookup tables of four inputs.
    pub luts: u64,
    /// Flip-flops.
    pub ffs: u64,
    /// Block RAMs.
    pub brams: u64,
    /// Multipliers.
    pub dsps: u64,
}

impl Board {
    /// Returns the family of the device.
    pub fn family(&self) -> Family {
        self.series.family()
    }

    /// Returns the clock cycles per bit of the serial line.
    pub fn divisor(&self) -> u64 {
        (self.clock.mhz * 1e6 / f64::from(self.baud)).round() as u64
    }
}

/// The default board for commands and measurements.
pub const USUAL: &str = "ulx3s-85f";

/// Returns the names of all boards, sorted.
pub fn names() -> Vec<&'static str> {
    let mut names: Vec<&str> = FILES.files().filter_map(|f| f.path().file_stem()?.to_str()).collect();
    names.sort_unstable();
    names
}

/// Finds the board with name `name`.
pub fn find(name: &str) -> Result<Board, Diagnostic> {
    let all = names();
    let Some(text) = FILES.get_file(format!("{name}.toml")).and_then(|f| f.contents_utf8()) else {
        let d = Diagnostic::new("F001", format!("no board is called {name}")).at(Place::Option("--board".into()));
        let d = match nearest(name, &all) {
            Some(near) => d.help(format!("did you mean {near}?")),
            None => d,
        };
        return Err(d.help(format!("boards are: {}", all.join(", "))));
    };
    let board: Board = toml::from_str(text).map_err(|e| {
        Diagnostic::new("F001", format!("the file of board {name} is wrong: {}", e.message()))
            .help("see docs/boards.md for what a board file holds")
    })?;
    Ok(Board { name: name.into(), ..board })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_board_file_is_a_board() {
        assert!(names().len() >= 7, "{:?}", names());
        for name in names() {
            let b = find(name).unwrap();
            assert_eq!(b.name, name);
            // The receiver samples bits in their middle: 2 % is what ten bits forgive.
            let real = b.clock.mhz * 1e6 / b.divisor() as f64;
            assert!((real / f64::from(b.baud) - 1.0).abs() < 0.02, "{name}: {real}");
            assert!(b.divisor() >= 4);
            assert_eq!(b.family() == Family::Ecp5, b.speed.is_some(), "{name}");
        }
    }

    #[test]
    fn an_unknown_board_names_the_nearest() {
        let d = find("ulx3s-85").unwrap_err();
        assert_eq!(d.code, "F001");
        assert!(d.help[0].contains("ulx3s-85f"), "{:?}", d.help);
        assert!(find("../boards/hx8k").is_err());
    }
}
