//! The part of `NAME_registers.md` about memory: the contents, sizes and layout of the arrays.

use super::bus::{Axi, PortMode, PortPlan};

use crate::emit::Context;
use crate::graph::{Chunk, Slice, Use};
use crate::levels::{self, Part};
use crate::netlist::{Array, InParts};
use crate::stmt::Kernel;
use samhw_values::Type;

/// The sections on tensors and arrays.
pub(super) fn sections(cx: &Context, axi: &Axi) -> String {
    let bus = axi.options.data_width / 8;
    let mut out = String::from(
        "\n# Tensors\n\nEach is stored level by level, the outermost first: a level holds one mode (index, counted from 0) of it. The root is one position; \
         below each position of a level the next one has a fiber.\n\n| packing | tensor | type | levels, outermost first | where nothing is stored |\n|---|---|---|---|---|\n",
    );
    for u in &cx.lowered.graph.uses {
        out += &tensor(&cx.lowered.kernel, u, axi, cx);
    }
    out += "\n";
    for what in kinds(cx, axi) {
        out += &format!("- {what}\n");
    }
    out += &format!(
        "\n# Arrays\n\nAn array lies anywhere in memory, its first word at BASE, which is a multiple of the word's bytes. Words follow each other without gaps, \
         little-endian; in one of more bytes than bits the rest is padding above: ignored where it is read, 0 where it is written. The bus reads whole lines of \
         {bus} bytes, so those that an array touches must be readable; nothing but the words of results is written. Addresses \
         have {0} bits.\n\nWORDS of an operand is the number of its words, of a result the number of words there is room for: the number \
         under \"at most\" is enough for every run that the kernel file's sizes and nnz allow. If a result needs more, the run ends with error 6.\n\n\
         | array | packing | direction | what it holds | words | at most | bits | bytes |\n|---|---|---|---|---|---|---|---|\n",
        axi.options.address_width,
    );
    for p in arrays(cx, axi) {
        out += &row(cx, p);
    }
    for r in InParts::of(cx.lowered, cx.net) {
        let parts: Vec<&str> = r.parts.iter().map(|u| cx.lowered.graph.uses[u.0].name.as_str()).collect();
        out += &format!(
            "\n{} is in parts, which are {}: together they have all of it, and which\n\
             has what may depend on time. A function of the driver joins them.\n",
            r.name,
            parts.join(", ")
        );
    }
    out
}

/// The arrays at the bus, without those that share another's words.
fn arrays<'a>(cx: &'a Context, axi: &'a Axi) -> impl Iterator<Item = &'a PortPlan> {
    axi.ports.iter().filter(|p| cx.net.first_like(p.array) == p.array)
}

/// A packing whose arrays are at the bus.
fn tensor(kernel: &Kernel, u: &Use, axi: &Axi, cx: &Context) -> String {
    if !axi.ports.iter().any(|p| std::ptr::eq(packing(cx, &cx.net.arrays[p.array]), u)) {
        return String::new();
    }
    let of = kernel.tensor(u.tensor);
    let level =
        |l: usize| format!("{} of mode {}, size at most {}", u.levels[l].name(), u.mode_order[l], u.size(kernel, l));
    let levels: Vec<String> = (0..u.levels.len()).map(level).collect();
    let levels = if levels.is_empty() { "none: a scalar".into() } else { levels.join("; ") };
    let fill = match of.fill {
        Some(raw) => format!("{raw:#x}"),
        None if kernel.statements.iter().any(|s| s.result == u.tensor) => "as the kernel computes it".into(),
        None => "0".into(),
    };
    let slice = |s: &Slice| {
        format!(", every {}th coordinate of mode {} from {} on, coordinate c as c / {0}", s.lanes, s.mode, s.lane)
    };
    let chunk = |c: Chunk| format!(", part {} of {} equal ones of its entries", c.at + 1, c.chunks);
    let part: String = u.slices.iter().map(slice).chain(u.chunk.map(chunk)).collect();
    let tiles = tiles(kernel.tiles.get(&u.tensor).map_or(&[], Vec::as_slice));
    format!("| {} | {}{part}{tiles} | {} | {levels} | {fill} |\n", u.name, of.name, of.ty)
}

/// How the modes of a split tensor hold those of the tensor in the kernel file, whose tiles have these sizes.
fn tiles(modes: &[Vec<u64>]) -> String {
    let mut out = String::new();
    let mut first = 0;
    for (m, sizes) in modes.iter().enumerate() {
        let Some(smallest) = sizes.last() else {
            out += &format!(", index {m} as mode {first}");
            first += 1;
            continue;
        };
        out += &format!(", coordinate c of index {m} as c / {} in mode {first}", sizes[0]);
        for inside in sizes.windows(2) {
            first += 1;
            out += &format!(", (c mod {}) / {} in mode {first}", inside[0], inside[1]);
        }
        first += 1;
        out += &format!(" and c mod {smallest} in mode {first}");
        first += 1;
    }
    out
}

fn packing<'a>(cx: &'a Context, array: &Array) -> &'a Use {
    &cx.lowered.graph.uses[array.of.0]
}

/// What the words of the tables mean, of those that are there.
fn kinds(cx: &Context, axi: &Axi) -> Vec<String> {
    let uses: Vec<&Use> = arrays(cx, axi).map(|p| packing(cx, &cx.net.arrays[p.array])).collect();
    let of_type = |is: &dyn Fn(Type) -> bool| uses.iter().any(|u| is(cx.lowered.kernel.tensor(u.tensor).ty));
    let mut out: Vec<String> = Vec::new();
    for kind in levels::ALL.into_iter().filter(|kind| uses.iter().any(|u| u.levels.contains(kind))) {
        if out.iter().all(|said| said != kind.layout()) {
            out.push(kind.layout().to_string());
        }
    }
    let mut say = |when: bool, what: &str| out.extend(when.then(|| what.to_string()));
    say(
        of_type(&|t| matches!(t, Type::Int { .. })),
        "Whole numbers are two's complement where their type begins with `i`, without a sign where it begins with `u`.",
    );
    say(of_type(&|t| t == Type::Bool), "`bool` is 0 or 1.");
    say(
        of_type(&|t| matches!(t, Type::Fixed { .. })),
        "Fixed point `fxN.F` is a whole number of N bits, two's complement, of which the F lowest are behind the point; `ufxN.F` has no sign.",
    );
    say(
        of_type(&|t| matches!(t, Type::Float { .. })),
        "`f16`, `f32`, `f64` are those of IEEE 754; `bf16` is the upper half of an `f32`.",
    );
    out
}

fn row(cx: &Context, p: &PortPlan) -> String {
    let a = &cx.net.arrays[p.array];
    let u = packing(cx, a);
    let above = |l: usize| match l {
        0 => "1".to_string(),
        _ => format!("the positions of level {}", l - 1),
    };
    let (holds, words) = match a.part {
        Part::Seg(l) => {
            (format!("where the fibers of level {l} begin, and where the last one ends"), format!("{} + 1", above(l)))
        }
        Part::Crd(l) if u.levels[l].is_singleton() => (format!("the coordinates of level {l}"), above(l)),
        Part::Crd(l) => (format!("the coordinates of level {l}"), format!("the last word of {}_seg{l}", u.name)),
        Part::Ends(l) => (format!("the ends of the lists of level {l}"), above(l)),
        Part::Next(l) => {
            (format!("the places that follow in the lists of level {l}"), format!("the positions of level {l}"))
        }
        Part::Runs(l, bits) => (
            format!("level {l}: first and last coordinates of {bits} bits each"),
            format!("the last word of {}_seg{l}", u.name),
        ),
        Part::Bits(l, bits) => {
            (format!("level {l} in words of {bits} bits"), format!("{} * the size / {bits}, rounded up", above(l)))
        }
        Part::Rank(l, bits) => (
            format!("the position of the lowest one of each word of level {l}"),
            format!("{} * the size / {bits}, rounded up", above(l)),
        ),
        Part::Way(l, way, key) => (
            format!(
                "way {way} of the table of level {l}: a coordinate of {} bits, above it the position of its parent of {}",
                key.crd_w, key.parent_w
            ),
            format!("`last_{}{l}` + 1", u.name),
        ),
        Part::Tiles(from, to) => (
            format!(
                "tiles: where the positions of level {to} begin that lie below each position of level {from}, and where the last ones end. Advice, which tells \
                 what to fetch next: wrong words cost time and change no result"
            ),
            format!("the positions of level {from} + 1"),
        ),
        Part::Values => (
            "the values".to_string(),
            match u.levels.len() {
                0 => "1".into(),
                n => format!("the positions of level {}", n - 1),
            },
        ),
    };
    let direction = if p.mode == PortMode::Write { "result" } else { "operand" };
    let (name, most, bits, bytes) = (&a.name, a.words, a.width, 1 << p.size_log2);
    format!("| {name} | {} | {direction} | {holds} | {words} | {most} | {bits} | {bytes} |\n", u.name)
}
