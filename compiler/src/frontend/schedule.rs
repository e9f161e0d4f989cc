//! The sections `[hardware]` and `[schedule]`: requirements for the hardware beyond the expression.

use super::declaration::MAX_SIZE;
use super::own::Schedules;
use super::reader::{Entry, Reader, Value, in_order};
use super::tiles::read_split;
use crate::schedule::{Balance, Copies, PerName, Reducing, Reshaping, Schedule, Sharing};
use crate::stmt::Division;
use std::ops::RangeInclusive;
use toml::Spanned;

/// The memory that holds the tensors while a kernel runs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Memory {
    /// Memories on the chip, loaded through a host port.
    #[default]
    Ram,
    /// External memory behind AXI4.
    Axi(AxiOptions),
}

/// The section `[hardware.axi]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AxiOptions {
    /// Width of the data bus in bits, a power of two.
    pub data_width: u32,
    /// Width of a byte address in bits.
    pub address_width: u32,
    /// Largest size in bytes of an array that is copied to the chip before a run, unless it is read in order.
    pub on_chip: u64,
    /// Bytes per array for the tiles of a split tensor; 0 for none.
    pub tile: u64,
    /// Number of AXI4 managers for the arrays; never more than there are arrays.
    pub masters: u32,
    /// Managers that the file assigns to arrays, or to all arrays of a tensor.
    pub managers: PerName,
    /// Whether the hardware counts each node's activity and reports streams that are stuck.
    pub counters: bool,
}

impl Default for AxiOptions {
    fn default() -> Self {
        Self {
            data_width: 64,
            address_width: 32,
            on_chip: 1 << 16,
            tile: 1 << 14,
            masters: 1,
            managers: Vec::new(),
            counters: false,
        }
    }
}

/// The depth of FIFOs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Fifo {
    /// The depth that avoids deadlock.
    #[default]
    Auto,
}

/// The section `[hardware]`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Hardware {
    /// Key `memory`.
    pub memory: Memory,
    /// Key `fifo`.
    pub fifo: Fifo,
    /// Key `division`.
    pub division: Division,
    /// Key `banks`.
    pub banks: Option<u32>,
}

/// Reads `[hardware]`.
pub(super) fn read_hardware(reader: &mut Reader, value: &Value<'_>) -> Hardware {
    let mut hardware = Hardware::default();
    let Some(table) = reader.table(value, "`hardware`") else { return hardware };
    let (mut axi, mut options) = (false, None);
    for entry in reader.entries(table, "in [hardware]", &["memory", "fifo", "division", "banks", "axi"]) {
        if entry.name() == "axi" {
            options = Some((entry.key.span(), read_axi(reader, entry.value)));
            continue;
        }
        if entry.name() == "banks" {
            let Some(number) = reader.unsigned(entry.value, "`banks`", 2..=8) else { continue };
            if !number.is_power_of_two() {
                let problem = reader.at("K016", entry.value.span(), format!("a workspace of {number} banks"));
                reader.report(problem.help("write 2, 4 or 8"));
            }
            hardware.banks = Some(number as u32);
            continue;
        }
        let (key, known) = match entry.name() {
            "memory" => ("memory", ["ram", "axi"].as_slice()),
            "division" => ("division", ["pipelined", "iterative"].as_slice()),
            _ => ("fifo", ["auto"].as_slice()),
        };
        let Some(name) = reader.string(entry.value, &format!("`{key}`")) else { continue };
        if !known.contains(&name) {
            reader.unknown("K016", entry.value.span(), format!("unknown `{key}`: `{name}`"), name, known);
        }
        axi |= key == "memory" && name == "axi";
        if key == "division" && name == "iterative" {
            hardware.division = Division::Iterative;
        }
    }
    match options {
        Some((span, _)) if !axi => {
            let problem = reader.at("K016", span, "`[hardware.axi]` without `memory = \"axi\"`");
            reader.report(problem.help("add `memory = \"axi\"` under [hardware]"));
        }
        options if axi => hardware.memory = Memory::Axi(options.map(|o| o.1).unwrap_or_default()),
        _ => {}
    }
    hardware
}

/// Most AXI4 managers.
const MOST_MASTERS: u64 = 64;

/// Reads `[hardware.axi]`.
fn read_axi(reader: &mut Reader, value: &Value<'_>) -> AxiOptions {
    let mut options = AxiOptions::default();
    let Some(table) = reader.table(value, "`axi`") else { return options };
    // Whether `masters` says how many there are, if it is there.
    let mut numbered = true;
    let known = ["data_width", "address_width", "on_chip", "tile", "masters", "managers", "counters"];
    for entry in reader.entries(table, "in [hardware.axi]", &known) {
        let what = format!("`{}`", entry.name());
        if entry.name() == "counters" {
            options.counters = reader.boolean(entry.value, &what).unwrap_or_default();
            continue;
        }
        if entry.name() == "managers" {
            options.managers = per_name(reader, entry.value, &what, 0..=MOST_MASTERS - 1);
            continue;
        }
        let range = match entry.name() {
            "data_width" => 32..=512,
            "address_width" => 32..=64,
            "masters" => 1..=MOST_MASTERS,
            _ => 0..=1 << 30,
        };
        let Some(number) = reader.unsigned(entry.value, &what, range) else {
            numbered &= entry.name() != "masters";
            continue;
        };
        match entry.name() {
            "data_width" if !number.is_power_of_two() => {
                let problem = reader.at("K016", entry.value.span(), format!("a bus of {number} bits"));
                reader.report(problem.help("32, 64, 128, 256 and 512 are possible"));
            }
            "data_width" => options.data_width = number as u32,
            "address_width" => options.address_width = number as u32,
            "tile" => options.tile = number,
            "masters" => options.masters = number as u32,
            _ => options.on_chip = number,
        }
    }
    for (name, manager) in options.managers.iter().filter(|_| numbered) {
        if *manager.get_ref() >= u64::from(options.masters) {
            let what = format!("manager {} for `{}`", manager.get_ref(), name.get_ref().escape_debug());
            let problem = reader.at(
                "K016",
                manager.span(),
                format!("{what}: they are numbered from 0, `masters` is {}", options.masters),
            );
            reader.report(problem.help(format!("write a smaller number, or `masters = {}`", manager.get_ref() + 1)));
        }
    }
    options
}

/// Keys of a schedule.
const KEYS: [&str; 11] =
    ["locate", "scatter", "skip", "parallel", "bitvector", "wide", "split", "lanes", "reduce", "fuse", "reshape"];

/// Values of the key `reshape`.
pub(super) const RESHAPES: [(&str, Reshaping); 2] = [("chip", Reshaping::Chip), ("host", Reshaping::Host)];

/// Reads `[schedule]`; tables with the names of `results` are those of single statements.
pub(super) fn read_schedules(reader: &mut Reader, value: &Value<'_>, results: Option<&[String]>) -> Schedules {
    let Some(table) = reader.table(value, "`schedule`") else { return Schedules::default() };
    let own = |entry: &Entry<'_>| {
        let result = results.is_none_or(|names| names.iter().any(|name| name == entry.name()));
        !KEYS.contains(&entry.name()) && entry.value.get_ref().is_table() && result
    };
    let (own, all): (Vec<Entry<'_>>, Vec<Entry<'_>>) = in_order(table).into_iter().partition(own);
    let all = reader.known(all, "in [schedule]", &KEYS);
    let mut schedules = Schedules { all: read_schedule(reader, all), own: Vec::new() };
    for entry in own {
        let Some(table) = reader.table(entry.value, "a schedule") else { continue };
        let known: Vec<&str> = KEYS.into_iter().filter(|key| *key != "fuse").collect();
        let entries = reader.entries(table, &format!("in [schedule.{}]", entry.name()), &known);
        let name = Spanned::new(entry.key.span(), entry.name().to_owned());
        schedules.own.push((name, read_schedule(reader, entries)));
    }
    schedules
}

fn read_schedule(reader: &mut Reader, entries: Vec<Entry<'_>>) -> Schedule {
    let mut schedule = Schedule::default();
    for entry in entries {
        let what = format!("`{}`", entry.name());
        match entry.name() {
            "locate" => schedule.locate = reader.strings(entry.value, &what),
            "scatter" => schedule.scatter = reader.strings(entry.value, &what),
            "skip" => schedule.skip = reader.strings(entry.value, &what),
            "parallel" => schedule.parallel = read_copies(reader, entry.value),
            "fuse" => schedule.fuse = read_fuse(reader, entry.value),
            "reduce" => {
                let words = [("workspace", Reducing::Workspace), ("merge", Reducing::Lists)];
                let reducing = chosen(reader, entry.value, ("K016", "reduce", ""), &words);
                schedule.reduce = reducing.map(|reducing| Spanned::new(entry.value.span(), reducing));
            }
            "reshape" => {
                let reshaping = chosen(reader, entry.value, ("K016", "reshape", ""), &RESHAPES);
                schedule.reshape = reshaping.map(|reshaping| Spanned::new(entry.value.span(), reshaping));
            }
            "split" => schedule.split = read_split(reader, entry.value),
            name => {
                let numbers = per_name(reader, entry.value, &what, 1..=MAX_SIZE);
                *match name {
                    "bitvector" => &mut schedule.bitvector,
                    "wide" => schedule.wide.get_or_insert_default(),
                    _ => &mut schedule.lanes,
                } = numbers;
            }
        }
    }
    schedule
}

/// Reads `fuse`: of a result an index.
fn read_fuse(reader: &mut Reader, value: &Value<'_>) -> Option<Vec<(Spanned<String>, Spanned<String>)>> {
    let mut all = Vec::new();
    for entry in in_order(reader.table(value, "`fuse`")?) {
        let index = reader.string(entry.value, &format!("`fuse` of `{}`", entry.name()));
        let name = Spanned::new(entry.key.span(), entry.name().to_owned());
        all.extend(index.map(|index| (name, Spanned::new(entry.value.span(), index.to_owned()))));
    }
    Some(all)
}

/// Reads `parallel`: of an index a number of copies, or `{ copies, memory, balance }`.
fn read_copies(reader: &mut Reader, value: &Value<'_>) -> Vec<(Spanned<String>, Copies)> {
    let Some(table) = reader.table(value, "`parallel`") else { return Vec::new() };
    let mut all = Vec::new();
    for entry in in_order(table) {
        let what = format!("`parallel` of `{}`", entry.name());
        let (mut copies, mut memory, mut balance) = (Some(entry.value), None, None);
        if entry.value.get_ref().is_table() {
            let Some(table) = reader.table(entry.value, &what) else { continue };
            let entries = reader.entries(table, &format!("in {what}"), &["copies", "memory", "balance"]);
            let of = |name| entries.iter().find(|e| e.name() == name).map(|e| e.value);
            (copies, memory, balance) = (of("copies"), of("memory"), of("balance"));
        }
        let Some(copies) = copies else {
            let problem = reader.at("K003", entry.value.span(), format!("{what} has no `copies`"));
            reader.report(problem.help(format!("write how many: `{} = {{ copies = 4, .. }}`", entry.name())));
            continue;
        };
        let number = reader.unsigned(copies, &what, 1..=MAX_SIZE);
        let memories = [("own", None), ("shared", Some(Sharing::Shared)), ("banked", Some(Sharing::Banked))];
        let sharing = memory.and_then(|m| chosen(reader, m, ("S107", "memory", " of copies"), &memories)).flatten();
        let balances = [("elements", Balance::Elements), ("fibers", Balance::Fibers)];
        let balance =
            balance.and_then(|b| Some((b.span(), chosen(reader, b, ("S109", "balance", " of copies"), &balances)?)));
        let balance = balance.map(|(span, b)| Spanned::new(span, b));
        let Some(number) = number else { continue };
        let name = Spanned::new(entry.key.span(), entry.name().to_owned());
        all.push((name, Copies { number: Spanned::new(copies.span(), number), sharing, balance }));
    }
    all
}

/// What the word under a key stands for.
fn chosen<T: Copy>(
    reader: &mut Reader,
    value: &Value<'_>,
    (code, key, of): (&'static str, &str, &str),
    words: &[(&str, T)],
) -> Option<T> {
    let word = reader.string(value, &format!("`{key}`"))?;
    let found = words.iter().find(|(known, _)| *known == word).map(|(_, choice)| *choice);
    if found.is_none() {
        let known: Vec<&str> = words.iter().map(|(known, _)| *known).collect();
        let message = format!("unknown `{key}`{of}: `{}`", word.escape_debug());
        reader.unknown(code, value.span(), message, word, &known);
    }
    found
}

fn per_name(reader: &mut Reader, value: &Value<'_>, what: &str, range: RangeInclusive<u64>) -> PerName {
    let Some(table) = reader.table(value, what) else { return Vec::new() };
    let number = |entry: Entry<'_>| {
        let number = reader.unsigned(entry.value, &format!("{what} of `{}`", entry.name()), range.clone())?;
        Some((Spanned::new(entry.key.span(), entry.name().to_owned()), Spanned::new(entry.value.span(), number)))
    };
    in_order(table).into_iter().filter_map(number).collect()
}
