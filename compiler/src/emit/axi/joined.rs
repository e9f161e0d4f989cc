//! The part of the C driver about results that copies or lanes store in parts: tables of what the
//! parts are, a function for each result, and what the program for Linux does with them.

use super::bus::Axi;
use super::c_names::field;
use super::registers::{Holds, Register};
use crate::emit::Context;
use crate::emit::manifest::{PartLevel, part_levels};
use crate::facts::coordinate_bits;
use crate::graph::UseId;
use crate::levels::{LevelKind, Part, ReadAs};
use crate::netlist::InParts;
use crate::stmt::VarId;

/// Errors of the functions: name, number, meaning.
const ERRORS: [(&str, u32, &str); 2] = [
    ("ROOM", 104, "an array of the whole has too little room; its words are those that it needs"),
    ("PARTS", 105, "the parts of a result do not fit each other, or their arrays"),
];

/// An array of a whole result in C.
struct OutArray {
    /// Name in the data.
    name: String,
    /// Name of the field.
    field: String,
    bytes: u32,
    /// Number among the arrays of the whole: two of each level, and the values.
    place: usize,
}

/// What the tables say of a result.
struct Joined<'a> {
    result: InParts,
    arrays: Vec<OutArray>,
    cx: &'a Context<'a>,
    axi: &'a Axi,
}

/// All results in parts.
fn all<'a>(cx: &'a Context, axi: &'a Axi) -> Vec<Joined<'a>> {
    let joined = |result: InParts| {
        let bytes = |bits: u32| bits.div_ceil(8).next_power_of_two().min(8);
        let array = |(name, part): (String, Part)| {
            let width = cx.net.arrays.iter().find(|a| a.of == result.parts[0] && a.part == part).map(|a| a.width);
            let bits = match part {
                Part::Crd(l) => coordinate_bits(cx.lowered.kernel.var(result.vars[l]).max),
                Part::Values | Part::Bits(..) | Part::Runs(..) => width.unwrap_or(u64::BITS),
                // As many bits as the registers of numbers of words have.
                _ => u32::BITS,
            };
            let place = match part {
                Part::Seg(l) | Part::Bits(l, _) => 2 * l,
                Part::Crd(l) | Part::Rank(l, _) | Part::Runs(l, _) => 2 * l + 1,
                _ => 2 * result.levels.len(),
            };
            let level = part.level().map_or_else(String::new, |l| l.to_string());
            OutArray { name, field: format!("{}{level}", part.kind()), bytes: bytes(bits), place }
        };
        let arrays = result.arrays(cx.lowered).into_iter().map(array).collect();
        Joined { arrays, result, cx, axi }
    };
    InParts::of(cx.lowered, cx.net).into_iter().map(joined).collect()
}

/// Returns the declarations for the header.
pub(super) fn declarations(cx: &Context, axi: &Axi) -> String {
    let results = all(cx, axi);
    if results.is_empty() {
        return String::new();
    }
    let error = |(name, code, what): &(&str, u32, &str)| format!("#define @NAME_ERROR_{name} {code} /* {what} */\n");
    let errors: String = ERRORS.iter().map(error).collect();
    let declared: String = results.iter().map(Joined::declaration).collect();
    format!("\n{}\n{errors}{declared}", include_str!("templates/joined.h").trim_end())
}

/// Returns the definitions for the driver.
pub(super) fn definitions(cx: &Context, axi: &Axi) -> String {
    let results = all(cx, axi);
    if results.is_empty() {
        return String::new();
    }
    include_str!("templates/joined.c").to_string() + &results.iter().map(Joined::definition).collect::<String>()
}

/// Returns the functions of the program for Linux that print results, and its table of them.
pub(super) fn printed(cx: &Context, axi: &Axi) -> [String; 2] {
    let results = all(cx, axi);
    let helpers = if results.is_empty() { "" } else { include_str!("templates/linux_parts.c") };
    let functions: String = results.iter().map(Joined::print).collect();
    [format!("{helpers}{functions}"), results.iter().map(Joined::entry).collect()]
}

/// Returns the longest name of a record about results in parts.
pub(super) fn longest_name(cx: &Context, axi: &Axi) -> usize {
    let names = all(cx, axi).into_iter().flat_map(|r| r.arrays).map(|a| a.name.len());
    names.max().unwrap_or(0)
}

/// True if the array is one of a part.
pub(super) fn in_part(cx: &Context, array: usize) -> bool {
    InParts::of(cx.lowered, cx.net).iter().any(|r| r.parts.contains(&cx.net.arrays[array].of))
}

/// The constant of a form, and the bits of its words or of their coordinates.
fn rule(read: ReadAs) -> (&'static str, u32) {
    match read {
        ReadAs::Dense => ("DENSE", 0),
        ReadAs::Lists => ("LISTS", 0),
        ReadAs::Chain => ("CHAIN", 0),
        ReadAs::Single => ("SINGLE", 0),
        ReadAs::Words { bits } => ("BITS", bits),
        ReadAs::Blocks { bits } => ("BLOCKS", bits),
        ReadAs::Runs { bits } => ("RUNS", bits),
    }
}

impl Joined<'_> {
    fn signature(&self) -> String {
        let (name, levels) = (&self.result.name, self.result.levels.len());
        format!(
            "int @name_join_{name}(const struct @name_run *a, void *(*memory)(void *context, uint64_t address), void *context,\n\
             \x20   const uint64_t sizes[{levels}], uint64_t fill, struct @name_whole_{name} *x)"
        )
    }

    fn declaration(&self) -> String {
        let (name, parts) = (&self.result.name, self.result.parts.len());
        let level =
            |(kind, v): (&LevelKind, &VarId)| format!("{} ({})", kind.name(), self.cx.lowered.kernel.var(*v).name);
        let levels: Vec<String> = self.result.levels.iter().zip(&self.result.vars).map(level).collect();
        let field =
            |a: &OutArray| format!("    uint{}_t *{};\n    uint32_t {}_words;\n", 8 * a.bytes, a.field, a.field);
        let fields: String = self.arrays.iter().map(field).collect();
        format!(
            "/* {name}, which the hardware has in {parts} parts. Levels: {}. */\nstruct @name_whole_{name} {{\n{fields}}};\n{};\n",
            levels.join(", "),
            self.signature()
        )
    }

    /// Where a run has an array of a part.
    fn place(&self, u: UseId, is: impl Fn(Part) -> bool) -> String {
        let array = self.cx.net.arrays.iter().position(|a| a.of == u && a.host_reads && is(a.part));
        let found = array.and_then(|k| {
            let register = |holds| self.axi.registers.iter().find(|r: &&Register| r.holds == holds);
            let port = self.axi.ports.iter().find(|p| p.array == k)?;
            Some((register(Holds::Base(k))?, register(Holds::Words(k))?, 1 << port.size_log2))
        });
        found.map_or("{0u, 0u, 0u}".into(), |(base, words, bytes): (_, _, u32)| {
            let at = |r| format!("offsetof(struct @name_run, {})", field(r));
            format!("{{{}, {}, {bytes}u}}", at(base), at(words))
        })
    }

    fn part(&self, u: UseId) -> String {
        let level = |(l, level): (usize, PartLevel)| {
            let (rule, bits) = rule(level.read);
            let [first, second] = [0, 1].map(|k| {
                self.place(u, |part| match part {
                    Part::Seg(m) | Part::Bits(m, _) => k == 0 && m == l,
                    Part::Crd(m) | Part::Rank(m, _) | Part::Runs(m, _) => k == 1 && m == l,
                    _ => false,
                })
            });
            let (even, start, stride) = (u8::from(level.even), level.start, level.stride);
            format!("    {{@NAME_{rule}, {bits}u, {even}, {start}u, {stride}u, {first}, {second}}},\n")
        };
        part_levels(self.cx, u).into_iter().enumerate().map(level).collect()
    }

    fn definition(&self) -> String {
        let r = &self.result;
        let (name, parts, levels) = (&r.name, r.parts.len(), r.levels.len());
        let of: String = r.parts.iter().map(|&u| self.part(u)).collect();
        let values = r.parts.iter().map(|&u| format!("    {},\n", self.place(u, |part| part == Part::Values)));
        let whole = InParts::chains(&r.levels).into_iter().enumerate().map(|(l, (first, last))| {
            let (rule, bits) = rule(r.reads(self.cx.lowered, l));
            format!("    {{@NAME_{rule}, {bits}u, {first}u, {last}u}},\n")
        });
        let set = |a: &OutArray| {
            let (place, field) = (a.place, &a.field);
            format!(
                "    out[{place}].words = x->{field};\n    out[{place}].bytes = {}u;\n    out[{place}].room = x->{field}_words;\n",
                a.bytes
            )
        };
        let get = |a: &OutArray| format!("    x->{}_words = out[{}].count;\n", a.field, a.place);
        include_str!("templates/joined_result.c")
            .replace("@SIGNATURE", &self.signature())
            .replace("@RESULT", name)
            .replace("@LEVELS", &levels.to_string())
            .replace("@PARTS", &parts.to_string())
            .replace("@OUT", &(2 * levels + 1).to_string())
            .replace("@WHOLE", &whole.collect::<String>())
            .replace("@OF", &of)
            .replace("@VALUES", &values.collect::<String>())
            .replace("@SET", &self.arrays.iter().map(set).collect::<String>())
            .replace("@GET", &self.arrays.iter().map(get).collect::<String>())
    }

    fn print(&self) -> String {
        let room = |a: &OutArray| {
            let (bits, field) = (8 * a.bytes, &a.field);
            format!("        x.{field} = (uint{bits}_t *)room(x.{field}_words, sizeof *x.{field}, &short_of);\n")
        };
        let print = |a: &OutArray| {
            format!("        print_words(out, \"{}\", x.{1}, sizeof *x.{1}, x.{1}_words);\n", a.name, a.field)
        };
        let free = |a: &OutArray| format!("    free(x.{});\n", a.field);
        include_str!("templates/linux_joined.c")
            .replace("@RESULT", &self.result.name)
            .replace("@LEVELS", &self.result.levels.len().to_string())
            .replace("@ROOMS", &self.arrays.iter().map(room).collect::<String>())
            .replace("@PRINTS", &self.arrays.iter().map(print).collect::<String>())
            .replace("@FREES", &self.arrays.iter().map(free).collect::<String>())
    }

    /// What the program for Linux knows of the result: name, numbers of its record, function, arrays.
    fn entry(&self) -> String {
        let (name, numbers) = (&self.result.name, self.result.levels.len() + 1);
        let arrays: String = self.arrays.iter().map(|a| format!("{} ", a.name)).collect();
        format!("    {{\"{name}\", {numbers}u, @name_numbers_{name}, @name_print_{name}, \" {arrays}\", 0}},\n")
    }
}
