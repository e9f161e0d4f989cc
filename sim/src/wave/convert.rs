//! Conversion of Verilator's VCD files to FST, which is a tenth of the size and read in parts.

use super::fst::{Body, Header, KEPT, begun, plain};
use fst_writer::{FstScopeType, FstSignalId, FstSignalType, FstVarDirection, FstVarType};
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::Path;
use vcd::{Command, IdCode, Parser, ScopeItem, ScopeType, TimescaleUnit, Value, Var};

/// The signals, by the codes that the VCD file has for them, with their bits.
type Signals = HashMap<IdCode, (FstSignalId, usize)>;

/// Writes what the VCD file `from` says to the FST file `to`.
pub(super) fn convert(from: &Path, to: &Path) -> io::Result<()> {
    let mut parser = Parser::new(BufReader::with_capacity(1 << 18, File::open(from)?));
    let head = parser.parse_header()?;
    let mut header = begun(to, head.timescale.map_or(-9, |(steps, unit)| exponent(steps, unit)))?;
    let mut signals = Signals::new();
    scopes(&mut header, &head.items, &mut signals)?;
    let mut body = header.finish().map_err(plain)?;
    for command in parser {
        change(&mut body, &signals, command?)?;
        if body.size() > KEPT {
            body.flush().map_err(plain)?;
        }
    }
    body.finish().map_err(plain)?.flush()
}

/// The power of ten of a second that this number of a unit is; they are 1, 10 or 100.
fn exponent(steps: u32, unit: TimescaleUnit) -> i8 {
    let unit = match unit {
        TimescaleUnit::S => 0,
        TimescaleUnit::MS => -3,
        TimescaleUnit::US => -6,
        TimescaleUnit::NS => -9,
        TimescaleUnit::PS => -12,
        TimescaleUnit::FS => -15,
    };
    unit + steps.max(1).ilog10() as i8
}

fn scopes(header: &mut Header, items: &[ScopeItem], signals: &mut Signals) -> io::Result<()> {
    for item in items {
        match item {
            ScopeItem::Scope(scope) => {
                let kind = match scope.scope_type {
                    ScopeType::Task => FstScopeType::Task,
                    ScopeType::Function => FstScopeType::Function,
                    ScopeType::Begin => FstScopeType::Begin,
                    ScopeType::Fork => FstScopeType::Fork,
                    _ => FstScopeType::Module,
                };
                header.scope(&scope.identifier, "", kind).map_err(plain)?;
                scopes(header, &scope.items, signals)?;
                header.up_scope().map_err(plain)?;
            }
            ScopeItem::Var(var) => variable(header, var, signals)?,
            _ => {}
        }
    }
    Ok(())
}

fn variable(header: &mut Header, var: &Var, signals: &mut Signals) -> io::Result<()> {
    let bits = FstSignalType::bit_vec(var.size);
    let range = var.index.map(|range| format!(" {range}")).unwrap_or_default();
    let name = format!("{}{range}", var.reference);
    let known = signals.get(&var.code).map(|(signal, _)| *signal);
    let signal = header.var(name, bits, FstVarType::Wire, FstVarDirection::Implicit, known).map_err(plain)?;
    signals.entry(var.code).or_insert((signal, var.size as usize));
    Ok(())
}

fn change(body: &mut Body, signals: &Signals, command: Command) -> io::Result<()> {
    let digit = |v: Value| match v {
        Value::V0 => b'0',
        Value::V1 => b'1',
        Value::X => b'x',
        Value::Z => b'z',
    };
    let (code, digits) = match command {
        Command::Timestamp(time) => return body.time_change(time).map_err(plain),
        Command::ChangeScalar(code, value) => (code, vec![digit(value)]),
        Command::ChangeVector(code, value) => (code, value.iter().map(digit).collect()),
        _ => return Ok(()),
    };
    let Some((signal, bits)) = signals.get(&code) else { return Ok(()) };
    // VCD leaves out leading digits: zeros before a 0 or a 1, else as the first.
    let lead = digits.first().copied().filter(|d| *d == b'x' || *d == b'z').unwrap_or(b'0');
    let missing = bits.saturating_sub(digits.len());
    let whole: Vec<u8> = std::iter::repeat_n(lead, missing).chain(digits).collect();
    body.signal_change(*signal, &whole).map_err(plain)
}
