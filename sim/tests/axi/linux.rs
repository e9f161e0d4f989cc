//! The generated program for Linux, with the simulated registers and memory in place of mapped
//! ones. Two copies store parts of the result, which the program joins: they get rows as the memory
//! has time for them.

use super::{build, options, problem};
use samhw_compiler::emit::axi::emit_axi;
use samhw_sim::axi::{AxiEngine, Buffer, Memory, Settings};
use std::ffi::{CString, c_char, c_int, c_void};
use std::path::PathBuf;
use std::process::Command;

const TEXT: &str = "name = \"add\"\nexpr = \"X(i,j) = B(i,j) + C(i,j)\"\nschedule.parallel.i = { copies = 2, balance = \"elements\" }\n[dims]\ni = 24\nj = 24\n\
    [tensors.B]\nformat = \"csr\"\ntype = \"i16\"\n[tensors.C]\nformat = \"csr\"\ntype = \"i16\"\n\
    [tensors.X]\nformat = \"csr\"\ntype = \"i16\"\n[data]\nB = { random = { density = 0.3, seed = 1 } }\n\
    C = { random = { density = 0.3, seed = 2 } }\n[hardware]\nmemory = \"axi\"\n[hardware.axi]\naddress_width = 40\n";

/// What stands for the mapping: registers and memory of the test.
const MACHINE: &str = r#"
static void *test_context;
static uint8_t *test_memory;
static uint32_t (*test_read)(void *, uint32_t);
static void (*test_write)(void *, uint32_t, uint32_t);
void test_at(void *context, uint8_t *memory, uint32_t (*read)(void *, uint32_t), void (*write)(void *, uint32_t, uint32_t));
void test_at(void *context, uint8_t *memory, uint32_t (*read)(void *, uint32_t), void (*write)(void *, uint32_t, uint32_t))
{
    test_context = context;
    test_memory = memory;
    test_read = read;
    test_write = write;
}
int samhw_machine(struct add_machine *m, const char *registers, const char *memory)
{
    struct add_kernel kernel = { 0, test_read, test_write, test_context, 0 };
    m->kernel = kernel;
    m->memory = test_memory;
    m->address = 0x1230000000u;
    m->bytes = 0x10000u;
    return strcmp(registers, "registers") == 0 && strcmp(memory, "memory") == 0 ? 0 : -1;
}
"#;

const ADDRESS: u64 = 0x12_3000_0000;
const BYTES: usize = 0x1_0000;
const CONTROL: u32 = 0x10;

/// The simulation with memory that the program sees, too.
struct Machine<'a> {
    engine: AxiEngine<'a>,
    memory: Vec<u8>,
    /// Only then the hardware writes.
    started: bool,
}

extern "C" fn read(context: *mut c_void, address: u32) -> u32 {
    // SAFETY: the test gives the program a pointer to a machine that lives until its main returns.
    let machine = unsafe { &mut *context.cast::<Machine<'static>>() };
    let value = machine.engine.read(address).expect("the bus");
    if machine.started {
        machine.memory.copy_from_slice(&machine.engine.memory.buffers[0].bytes);
    }
    value
}

extern "C" fn write(context: *mut c_void, address: u32, value: u32) {
    // SAFETY: as for `read`.
    let machine = unsafe { &mut *context.cast::<Machine<'static>>() };
    if address == CONTROL && value & 1 == 1 {
        machine.engine.memory.buffers[0].bytes.copy_from_slice(&machine.memory);
        machine.started = true;
    }
    machine.engine.write(address, value).expect("the bus");
}

type Reader = extern "C" fn(*mut c_void, u32) -> u32;
type Writer = extern "C" fn(*mut c_void, u32, u32);
type At = unsafe extern "C" fn(*mut c_void, *mut u8, Reader, Writer);
type Main = unsafe extern "C" fn(c_int, *const *const c_char) -> c_int;

#[test]
fn the_program_for_linux_runs_the_hardware() {
    let p = problem(TEXT);
    let net = p.declared_netlist().expect("a netlist");
    let Some(built) = build(&p, &net, &options(&p), true) else { return };
    let design = emit_axi(&p.lowered, &net, &options(&p)).expect("it fits the bus");
    let data = p.axi_data(&net, &built.axi, 1 << 20).expect("data");
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("linux-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a folder");
    for (name, text) in design.files.iter().filter(|(n, _)| n.ends_with(".h") || n.ends_with(".c")) {
        std::fs::write(dir.join(name), text).expect("written");
    }
    std::fs::write(dir.join("add_data.txt"), &data).expect("written");
    let flags = ["-std=c99", "-Wall", "-Wextra", "-Wconversion", "-Wpedantic", "-Werror", "-O1"];
    let cc = |args: &[&str]| {
        let out = Command::new("cc").current_dir(&dir).args(flags).args(args).output().expect("a C compiler");
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    };
    // As a user builds it; and with the simulation in place of the mapping.
    cc(&["add_linux.c", "add.c", "-o", "add"]);
    let out = Command::new(dir.join("add")).current_dir(&dir).args(["none@0", "none@0+1000", "add_data.txt"]).output();
    let out = out.expect("the program");
    assert_eq!(out.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&out.stderr).contains("none cannot be opened"), "{out:?}");
    std::fs::write(dir.join("test.c"), format!("#include \"add_linux.c\"\n{MACHINE}")).expect("written");
    cc(&["-DSAMHW_OTHER_MACHINE", "-Dmain=program", "-shared", "-fPIC", "test.c", "add.c", "-o", "program.so"]);

    let settings = Settings { latency: (1, 60), stall: 20, reorder: true, ..Settings::default() };
    let buffer = Buffer { array: 0, base: ADDRESS, bytes: vec![0; BYTES], writable: true };
    let mut machine = Machine {
        engine: AxiEngine::new(&built, Memory::new(settings, 8, 1, vec![buffer])),
        memory: vec![0; BYTES],
        started: false,
    };
    let text = |s: &str| CString::new(s).expect("no zero in it");
    let path = |name: &str| text(dir.join(name).to_str().expect("a path"));
    let args = [text("add"), text("registers"), text("memory"), path("add_data.txt"), path("results.txt")];
    let args: Vec<*const c_char> = args.iter().map(|a| a.as_ptr()).collect();
    // SAFETY: the library has just been made; its functions have these types and are done with the machine when
    // they return.
    let status = unsafe {
        let library = libloading::Library::new(dir.join("program.so")).expect("a library");
        let at: libloading::Symbol<At> = library.get(b"test_at").expect("a function");
        let program: libloading::Symbol<Main> = library.get(b"program").expect("a function");
        let memory = machine.memory.as_mut_ptr();
        at(std::ptr::from_mut(&mut machine).cast(), memory, read, write);
        program(args.len() as c_int, args.as_ptr())
    };
    assert_eq!(status, 0);
    let results = std::fs::read_to_string(dir.join("results.txt")).expect("results");
    let from = data.find("result ").expect("results");
    assert!(data.contains("\nroom X_c1_crd1 ") && !data[from..].contains("room"), "{data}");
    assert_eq!(results, data[from..]);
    assert!(results.lines().count() > 10, "{results}");
    std::fs::remove_dir_all(&dir).expect("removed");
}
