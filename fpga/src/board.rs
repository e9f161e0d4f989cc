//! Boards: one file each in `boards/`, embedded in the program.

use include_dir::{Dir, include_dir};
use samhw_compiler::diag::{Diagnostic, Place};
use samhw_compiler::frontend::nearest;
use serde::Deserialize;
use std::collections::BTreeMap;

/// The folder of boards. A new file is all that a new board takes.
static FILES: Dir = include_dir!("$CARGO_MANIFEST_DIR/boards");

/// A family of devices: what synthesises, places and packs for it.
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
    /// As tables write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ecp5 => "ecp5",
            Self::Ice40 => "ice40",
            Self::Gowin => "gowin",
        }
    }
}

/// Devices of a family that are made alike.
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
    /// As board files write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ecp5 => "ecp5",
            Self::Hx => "hx",
            Self::Up => "up",
            Self::Gw1n => "gw1n",
            Self::Gw2a => "gw2a",
        }
    }
    /// The family that it is of.
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
    /// Its name on the command line: the file's.
    #[serde(skip)]
    pub name: String,
    /// Name and device in words.
    pub title: String,
    /// Series of its device.
    pub series: Series,
    /// The device as place and route calls it.
    pub device: String,
    /// Its package; the die's name for Gowin.
    pub package: String,
    /// Speed grade (ECP5).
    pub speed: Option<u32>,
    /// I/O standard of pins that do not say another.
    pub io: String,
    /// Bits per second of the serial line.
    pub baud: u32,
    /// The command that loads a bitstream; its file name follows.
    pub program: String,
    /// The clock.
    pub clock: Clock,
    /// The serial line.
    pub uart: Uart,
    /// A button that resets the design.
    pub button: Option<Pin>,
    /// Lit while a run is going on.
    pub led: Option<Pin>,
    /// Pins held at 1: name and place.
    #[serde(default)]
    pub high: BTreeMap<String, String>,
    /// What the device has.
    pub has: Has,
}

/// A clock input.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clock {
    /// Pin.
    pub pin: String,
    /// Frequency.
    pub mhz: f64,
}

/// The pins of a serial line, as the FPGA sees it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Uart {
    /// In.
    pub rx: String,
    /// Out.
    pub tx: String,
}

/// Level at which a button is pressed or a LED lit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Active {
    /// 1.
    High,
    /// 0.
    Low,
}

/// A button or LED.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pin {
    /// Pin.
    pub pin: String,
    /// When it is pressed or lit.
    pub active: Active,
    /// I/O standard, if not the board's.
    pub io: Option<String>,
    /// Pull resistor: `UP` or `DOWN`.
    pub pull: Option<String>,
}

/// What a device has.
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
    /// Family of its device.
    pub fn family(&self) -> Family {
        self.series.family()
    }

    /// Clock cycles per bit of the serial line.
    pub fn divisor(&self) -> u64 {
        (self.clock.mhz * 1e6 / f64::from(self.baud)).round() as u64
    }
}

/// The board that is meant where none is named: of a command, of a measurement.
pub const USUAL: &str = "ulx3s-85f";

/// The names of all boards, sorted.
pub fn names() -> Vec<&'static str> {
    let mut names: Vec<&str> = FILES.files().filter_map(|f| f.path().file_stem()?.to_str()).collect();
    names.sort_unstable();
    names
}

/// The board called `name`.
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
