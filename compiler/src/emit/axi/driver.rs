//! `NAME.h` and `NAME.c`: registers as C constants, and a driver in freestanding C99.

use super::counters;
use super::map::ERRORS;
use super::plan::Axi;
use super::registers::{CONTROL, Holds};
use crate::emit::Context;
use crate::netlist::Meaning;

/// A field of the arguments of a run: C type, name, comment, registers it goes to.
struct Argument {
    ty: String,
    name: String,
    comment: String,
    stores: Vec<String>,
}

/// Header and driver.
pub(super) fn files(cx: &Context, axi: &Axi) -> [(String, String); 2] {
    let name = cx.name.to_lowercase();
    [(format!("{}.h", cx.name), header(cx, axi, &name)), (format!("{}.c", cx.name), source(cx, axi, &name))]
}

/// What a run is told, in the order of the registers.
fn arguments(cx: &Context, axi: &Axi, upper: &str) -> Vec<Argument> {
    let mut out = Vec::new();
    for r in axi.registers.iter() {
        let (ty, comment) = match r.holds {
            Holds::Status(_) | Holds::Stuck | Holds::Count(..) => continue,
            Holds::Base(_) => ("uint64_t", r.meaning.clone()),
            Holds::Words(_) => ("uint32_t", r.meaning.clone()),
            Holds::Config(k) => {
                // Products are computed from the sizes.
                if matches!(cx.net.config[k].meaning, Meaning::Chunk(_)) {
                    continue;
                }
                (if r.words > 1 { "uint64_t" } else { "uint32_t" }, r.meaning.clone())
            }
        };
        let name = r.name.to_lowercase();
        let word = |k: u32| match k {
            0 => format!("    {}_write(k, {upper}_{}, (uint32_t)a->{name});", upper.to_lowercase(), r.name),
            _ => format!(
                "    {}_write(k, {upper}_{} + {}u, (uint32_t)(a->{name} >> 32));",
                upper.to_lowercase(),
                r.name,
                4 * k
            ),
        };
        let stores = (0..r.words).map(word).collect();
        out.push(Argument { ty: ty.into(), name, comment, stores });
    }
    out
}

/// Stores of products of sizes.
fn products(cx: &Context, axi: &Axi, upper: &str) -> Vec<String> {
    let size = |v: &crate::stmt::VarId| {
        let of = cx.net.config.iter().position(|c| matches!(&c.meaning, Meaning::Dim(w) if w == v));
        let register = axi.registers.iter().find(|r| Some(r.holds) == of.map(Holds::Config));
        register.map(|r| format!("a->{}", r.name.to_lowercase()))
    };
    let mut out = Vec::new();
    for r in &axi.registers {
        let Holds::Config(k) = r.holds else { continue };
        let Meaning::Chunk(vars) = &cx.net.config[k].meaning else { continue };
        let factors: Option<Vec<String>> = vars.iter().map(size).collect();
        let value = match factors {
            Some(f) => f.iter().map(|f| format!("(uint64_t){f}")).collect::<Vec<_>>().join(" * "),
            None => format!("a->{}", r.name.to_lowercase()),
        };
        for word in 0..r.words {
            let shift = if word > 0 { format!(" >> {}", 32 * word) } else { String::new() };
            let lower = upper.to_lowercase();
            out.push(format!(
                "    {lower}_write(k, {upper}_{} + {}u, (uint32_t)(({value}){shift}));",
                r.name,
                4 * word
            ));
        }
    }
    out
}

/// True if run-time value `k` is a product of sizes that the driver knows.
pub(super) fn computed(cx: &Context, k: usize) -> bool {
    let known = |v: &crate::stmt::VarId| cx.net.config.iter().any(|c| matches!(&c.meaning, Meaning::Dim(w) if w == v));
    matches!(&cx.net.config[k].meaning, Meaning::Chunk(vs) if vs.iter().all(known))
}

/// Products whose factors are not among the arguments are arguments themselves.
fn open_products(cx: &Context, axi: &Axi) -> Vec<Argument> {
    let open = axi.registers.iter().filter(|r| match r.holds {
        Holds::Config(k) => matches!(&cx.net.config[k].meaning, Meaning::Chunk(_)) && !computed(cx, k),
        _ => false,
    });
    let argument = |r: &super::Register| Argument {
        ty: "uint64_t".into(),
        name: r.name.to_lowercase(),
        comment: r.meaning.clone(),
        stores: vec![],
    };
    open.map(argument).collect()
}

fn header(cx: &Context, axi: &Axi, name: &str) -> String {
    let upper = name.to_uppercase();
    let mut out = format!(
        "/* SPDX-License-Identifier: Apache-2.0\n *\n * Registers of {0}_axi, and a driver in freestanding C99 without allocation: {0}.c.\n */\n\
         #ifndef {upper}_H\n#define {upper}_H\n\n#include <stdint.h>\n\n/* What the registers HASH hold: this header and the hardware belong together. */\n\
         #define {upper}_KERNEL_HASH 0x{1:016x}ull\n\n/* Byte addresses of registers. */\n",
        cx.name, axi.hash
    );
    let all =
        CONTROL.iter().map(|c| (c.0.to_string(), c.1)).chain(axi.registers.iter().map(|r| (r.name.clone(), r.offset)));
    for (register, offset) in all {
        out += &format!("#define {upper}_{register} 0x{offset:03x}u\n");
    }
    out += "\n/* Errors of a run: what it returns. */\n";
    for (code, error, meaning) in ERRORS {
        out += &format!("#define {upper}_ERROR_{error} {code} /* {meaning} */\n");
    }
    out += &format!(
        "#define {upper}_ERROR_TIMEOUT 100 /* the driver gave up waiting */\n#define {upper}_ERROR_HASH 101 /* this is other hardware */\n"
    );
    out += "\n/* Ports: what errors name. */\n";
    for (k, p) in axi.ports.iter().enumerate() {
        out += &format!("#define {upper}_PORT_{} {k}\n", cx.net.arrays[p.array].name.to_uppercase());
    }
    out += &format!(
        "\n/* A kernel at its registers. Where they are not simply in memory, give functions to read and write them. */\n\
        struct {name} {{\n    volatile uint32_t *registers;\n    uint32_t (*read)(void *context, uint32_t address);\n    \
        void (*write)(void *context, uint32_t address, uint32_t value);\n    void *context;\n}};\n\n/* What a run is told. */\nstruct {name}_run {{\n"
    );
    for a in arguments(cx, axi, &upper).into_iter().chain(open_products(cx, axi)) {
        out += &format!("    {} {}; /* {} */\n", a.ty, a.name, a.comment);
    }
    out += "};\n\n/* What is known after one. */\n";
    out += &format!(
        "struct {name}_result {{\n    uint64_t cycles;\n    uint32_t error; /* 0: none */\n    uint32_t port;  /* that it is about */\n"
    );
    for r in axi.registers.iter().filter(|r| matches!(r.holds, Holds::Status(_))) {
        out += &format!("    uint32_t {}; /* {} */\n", r.name.to_lowercase(), r.meaning);
    }
    out += &format!(
        "}};\n\nuint32_t {name}_read(const struct {name} *k, uint32_t address);\nvoid {name}_write(const struct {name} *k, uint32_t address, uint32_t value);\n\
         /* 0 if this is the hardware that the header was made for. */\nint {name}_check(const struct {name} *k);\n\
         /* Ends what goes on, whatever it is, and waits until all is still: 0, or {upper}_ERROR_TIMEOUT. */\n\
         int {name}_reset(const struct {name} *k, uint32_t polls);\n\
         /* Starts a run; irq: with an interrupt at its end. It is over when {name}_poll gives 1. */\n\
         void {name}_start(const struct {name} *k, const struct {name}_run *a, int irq);\nint {name}_poll(const struct {name} *k);\n\
         /* What a run that is over has left; clears done and the interrupt. */\n\
         void {name}_finish(const struct {name} *k, struct {name}_result *r);\n\
         /* All of it: check, start, poll so many times, finish. Returns the error. */\n\
         int {name}_call(const struct {name} *k, const struct {name}_run *a, struct {name}_result *r, uint32_t polls);\n"
    );
    out += &counters::declarations(cx, axi, name);
    out + "\n#endif\n"
}

fn source(cx: &Context, axi: &Axi, name: &str) -> String {
    let upper = name.to_uppercase();
    let mut stores: Vec<String> = arguments(cx, axi, &upper).into_iter().flat_map(|a| a.stores).collect();
    stores.extend(products(cx, axi, &upper));
    let statuses: Vec<String> = axi
        .registers
        .iter()
        .filter(|r| matches!(r.holds, Holds::Status(_)))
        .map(|r| format!("    r->{} = {name}_read(k, {upper}_{});", r.name.to_lowercase(), r.name))
        .collect();
    BODY.replace("@FILE", cx.name)
        .replace("@NAME", &upper)
        .replace("@name", name)
        .replace("@STORES", &stores.join("\n"))
        .replace("@STATUSES", &statuses.join("\n"))
        + &counters::definitions(cx, axi, name)
}

/// The driver; `@` stands before what depends on the kernel.
const BODY: &str = r#"/* SPDX-License-Identifier: Apache-2.0
 *
 * Driver of @FILE_axi: see @FILE.h. Memory that the kernel reads and writes must be coherent with its bus:
 * clean caches before a run, invalidate them after it.
 */
#include "@FILE.h"

uint32_t @name_read(const struct @name *k, uint32_t address)
{
    return k->read ? k->read(k->context, address) : k->registers[address / 4u];
}

void @name_write(const struct @name *k, uint32_t address, uint32_t value)
{
    if (k->write)
        k->write(k->context, address, value);
    else
        k->registers[address / 4u] = value;
}

int @name_check(const struct @name *k)
{
    uint64_t hash = @name_read(k, @NAME_HASH_LO) | (uint64_t)@name_read(k, @NAME_HASH_HI) << 32;
    return @name_read(k, @NAME_ID) == 0x53414d48u && @name_read(k, @NAME_VERSION) == 1u && hash == @NAME_KERNEL_HASH
        ? 0 : @NAME_ERROR_HASH;
}

static int wait_idle(const struct @name *k, uint32_t polls)
{
    while (@name_read(k, @NAME_STATUS) & 1u)
        if (polls-- == 0u)
            return @NAME_ERROR_TIMEOUT;
    return 0;
}

int @name_reset(const struct @name *k, uint32_t polls)
{
    @name_write(k, @NAME_CONTROL, 2u);
    return wait_idle(k, polls);
}

void @name_start(const struct @name *k, const struct @name_run *a, int irq)
{
@STORES
    @name_write(k, @NAME_CONTROL, 4u);
    @name_write(k, @NAME_IRQ_ENABLE, irq ? 1u : 0u);
    @name_write(k, @NAME_CONTROL, 1u);
}

int @name_poll(const struct @name *k)
{
    return (@name_read(k, @NAME_STATUS) & 2u) != 0u;
}

void @name_finish(const struct @name *k, struct @name_result *r)
{
    uint32_t error = @name_read(k, @NAME_ERROR);
    r->error = error & 0xffu;
    r->port = error >> 8 & 0xffu;
    r->cycles = @name_read(k, @NAME_CYCLES_LO) | (uint64_t)@name_read(k, @NAME_CYCLES_HI) << 32;
@STATUSES
    @name_write(k, @NAME_CONTROL, 4u);
}

int @name_call(const struct @name *k, const struct @name_run *a, struct @name_result *r, uint32_t polls)
{
    int wrong = @name_check(k);
    if (wrong == 0)
        wrong = wait_idle(k, polls);
    if (wrong != 0) {
        r->error = (uint32_t)wrong;
        return wrong;
    }
    @name_start(k, a, 0);
    while (!@name_poll(k))
        if (polls-- == 0u) {
            r->error = @NAME_ERROR_TIMEOUT;
            return @NAME_ERROR_TIMEOUT;
        }
    @name_finish(k, r);
    return (int)r->error;
}
"#;
