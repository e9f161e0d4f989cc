//! Constraint files with a board's pins, in the format of each family's place and route.

use crate::board::{Board, Family, Pin};

/// Returns the name and text of the constraint file.
pub fn file(board: &Board) -> (&'static str, String) {
    let mut out = String::new();
    let mut line = |text: String| {
        out += &text;
        out += "\n";
    };
    let pins = pins(board);
    match board.family() {
        Family::Ecp5 => {
            for p in &pins {
                let pull = p.pull.map(|w| format!(" PULLMODE={w}")).unwrap_or_default();
                line(format!("LOCATE COMP \"{}\" SITE \"{}\";", p.port, p.pin));
                line(format!("IOBUF PORT \"{}\" IO_TYPE={}{pull};", p.port, p.io));
            }
            line(format!("FREQUENCY PORT \"clk\" {} MHZ;", board.clock.mhz));
            ("board.lpf", out)
        }
        Family::Ice40 => {
            for p in &pins {
                line(format!("set_io {} {}", p.port, p.pin));
            }
            line(format!("set_frequency clk {}", board.clock.mhz));
            ("board.pcf", out)
        }
        Family::Gowin => {
            for p in &pins {
                let pull = p.pull.map(|w| format!(" PULL_MODE={w}")).unwrap_or_default();
                line(format!("IO_LOC \"{}\" {};", p.port, p.pin));
                line(format!("IO_PORT \"{}\" IO_TYPE={}{pull};", p.port, p.io));
            }
            ("board.cst", out)
        }
    }
}

/// A port of the board top and its pin.
struct Place<'a> {
    port: &'a str,
    pin: &'a str,
    io: &'a str,
    pull: Option<&'a str>,
}

fn pins(board: &Board) -> Vec<Place<'_>> {
    let mut out = vec![plain(board, "clk", &board.clock.pin)];
    out.extend(board.button.as_ref().map(|b| of(board, "rst", b)));
    out.extend([plain(board, "rx", &board.uart.rx), plain(board, "tx", &board.uart.tx)]);
    out.extend(board.led.as_ref().map(|l| of(board, "led", l)));
    out.extend(board.high.iter().map(|(port, pin)| plain(board, port, pin)));
    out
}

fn plain<'a>(board: &'a Board, port: &'a str, pin: &'a str) -> Place<'a> {
    Place { port, pin, io: &board.io, pull: None }
}

fn of<'a>(board: &'a Board, port: &'a str, p: &'a Pin) -> Place<'a> {
    Place { port, pin: &p.pin, io: p.io.as_deref().unwrap_or(&board.io), pull: p.pull.as_deref() }
}
