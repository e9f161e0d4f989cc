//! The generated C driver, compiled and linked, at the registers of the Verilog.

use super::{Bench, build, options, problem};
use samhw_compiler::emit::axi::{Holds, behind, emit_axi};
use samhw_sim::axi::{Placing, Settings};
use std::ffi::c_void;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Command;

const TEXT: &str = "name = \"mv\"\nexpr = \"y(i) = A(i,j) * x(j)\"\n[dims]\ni = 30\nj = 20\n[tensors.A]\nformat = \"csr\"\ntype = \"i32\"\n\
    [tensors.x]\nformat = \"dense\"\ntype = \"i32\"\n[tensors.y]\nformat = \"dense\"\ntype = \"i32\"\n[schedule]\nlocate = [\"x\"]\n\
    [data]\nA = { random = { density = 0.3, seed = 1 } }\nx = { random = { density = 1.0, seed = 2 } }\n\
    [hardware]\nmemory = \"axi\"\n[hardware.axi]\naddress_width = 40\n";

/// What a user writes around the driver: runs, one of them without room, a reset between them, one
/// that is given up.
const USER: &str = r#"
#include "mv.h"
typedef uint32_t (*reader)(void *, uint32_t);
typedef void (*writer)(void *, uint32_t, uint32_t);
/* Looks at the clock are its time. */
static uint64_t now(void *context)
{
    static uint64_t ticks;
    (void)context;
    return ticks++;
}
int user(reader read, writer write, void *context, uint32_t *out);
int user(reader read, writer write, void *context, uint32_t *out)
{
    struct mv_kernel k = { 0, read, write, context, now };
    struct mv_run a = { 0 };
    struct mv_result r = { 0 };
@FIELDS
    out[0] = (uint32_t)mv_call(&k, &a, &r, 100000u);
    out[1] = r.write_y_vals_count;
    out[2] = (uint32_t)r.cycles;
    out[3] = (uint32_t)mv_reset(&k, 1000u);
    uint32_t room = a.y_vals_words;
    a.y_vals_words = 5u;
    out[4] = (uint32_t)mv_call(&k, &a, &r, 100000u);
    out[5] = r.error == MV_ERROR_CAPACITY && r.port == MV_PORT_Y_VALS;
    a.y_vals_words = room;
    out[6] = (uint32_t)mv_call(&k, &a, &r, 100000u);
    /* Too short a limit: the driver gives up in a run that goes on, a reset ends it. */
    out[7] = (uint32_t)mv_call(&k, &a, &r, 3u);
    out[9] = r.error == MV_ERROR_TIMEOUT && r.port == MV_NO_PORT && r.cycles > 0u && r.cycles < out[2];
    out[10] = mv_read(&k, MV_STATUS) == MV_STATUS_BUSY;
    out[8] = (uint32_t)mv_reset(&k, 1000u);
    out[11] = mv_read(&k, MV_STATUS) == 0u;
    /* Elsewhere than where the bus has addresses: nothing is started. */
    a.a_vals_base |= 1ull << 40;
    out[12] = (uint32_t)mv_call(&k, &a, &r, 100000u);
    out[13] = r.port == MV_PORT_A_VALS && mv_read(&k, MV_STATUS) == 0u;
    return 0;
}
"#;

extern "C" fn read(context: *mut c_void, address: u32) -> u32 {
    // SAFETY: the test gives the driver a pointer to a bench that lives until the call returns.
    unsafe { &mut *context.cast::<Bench<'static>>() }.engine.read(address).expect("the bus")
}

extern "C" fn write(context: *mut c_void, address: u32, value: u32) {
    // SAFETY: as for `read`.
    unsafe { &mut *context.cast::<Bench<'static>>() }.engine.write(address, value).expect("the bus");
}

type User = unsafe extern "C" fn(
    extern "C" fn(*mut c_void, u32) -> u32,
    extern "C" fn(*mut c_void, u32, u32),
    *mut c_void,
    *mut u32,
) -> i32;

#[test]
fn the_c_driver_runs_the_kernel() {
    let p = problem(TEXT);
    let net = p.declared_netlist().expect("a netlist");
    let Some(built) = build(&p, &net, &options(&p), true) else { return };
    let settings = Settings { latency: (1, 50), stall: 10, reorder: true, seed: 7, ..Settings::default() };
    let mut bench = Bench::new(&p, &net, &built, &settings, Placing::Anywhere(3));
    let design = emit_axi(&p.lowered, &net, &options(&p)).expect("it fits the bus");

    let mut fields = String::new();
    let net = behind(&p.lowered, &net);
    let config = p.config(&net);
    for r in &built.axi.registers {
        let buffer = |a: usize| bench.layout.buffers.iter().position(|b| b.array == a).expect("a buffer");
        let value = match r.holds {
            Holds::Base(a) => bench.layout.buffers[buffer(a)].base,
            Holds::Words(a) => (bench.layout.buffers[buffer(a)].bytes.len() / bench.layout.sizes[buffer(a)]) as u64,
            // A product of sizes is computed by the driver.
            Holds::Config(k) if !net.config[k].name.starts_with("chunk_") => config[k],
            Holds::Config(_) | Holds::Status(_) | Holds::Stuck | Holds::Count(..) => continue,
        };
        writeln!(fields, "    a.{} = {value}u;", r.name.to_lowercase()).expect("a string");
    }
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("driver-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a folder");
    for (name, text) in design.files.iter().filter(|(n, _)| n.ends_with(".h") || n.ends_with(".c")) {
        std::fs::write(dir.join(name), text).expect("written");
    }
    std::fs::write(dir.join("user.c"), USER.replace("@FIELDS", &fields)).expect("written");
    let library = dir.join("driver.so");
    let flags = [
        "-std=c99",
        "-ffreestanding",
        "-Wall",
        "-Wextra",
        "-Wconversion",
        "-Wpedantic",
        "-Werror",
        "-shared",
        "-fPIC",
        "-nostdlib",
    ];
    let compiled =
        Command::new("cc").current_dir(&dir).args(flags).args(["mv.c", "user.c", "-o"]).arg(&library).output();
    let compiled = compiled.expect("a C compiler");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));

    let mut out = [u32::MAX; 14];
    // SAFETY: the library has just been made; `user` has this type and is done with the bench when it returns.
    unsafe {
        let library = libloading::Library::new(&library).expect("a library");
        let user: libloading::Symbol<User> = library.get(b"user").expect("a function");
        user(read, write, std::ptr::from_mut(&mut bench).cast(), out.as_mut_ptr());
    }
    std::fs::remove_dir_all(&dir).expect("removed");
    assert_eq!((out[0], out[1], out[3]), (0, 30, 0), "the first run, its values, and a reset");
    assert!(out[2] > 100, "{} cycles", out[2]);
    assert_eq!((out[4], out[5], out[6]), (6, 1, 0), "without room, at y, and with room again");
    assert_eq!((out[7], out[9], out[10]), (100, 1, 1), "the driver gives up, says how far the run was, and it goes on");
    assert_eq!((out[8], out[11]), (0, 1), "a reset ends it");
    assert_eq!((out[12], out[13]), (102, 1), "an address beyond the bus, at A");
    bench.right("the driver's run");
}
