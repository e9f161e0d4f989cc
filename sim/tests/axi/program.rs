//! The generated program for Linux as a user runs it, with files in place of devices and a thread
//! in place of the kernel: what it takes, what it refuses, how it waits.

use super::{options, problem};
use samhw_compiler::emit::axi::{Axi, Holds, behind, emit_axi};
use samhw_sim::run::Problem;
use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const TEXT: &str = "name = \"add\"\nexpr = \"X(i,j) = B(i,j) + C(i,j)\"\n[dims]\ni = 12\nj = 12\n\
    [tensors.B]\nformat = \"csr\"\ntype = \"i16\"\n[tensors.C]\nformat = \"csr\"\ntype = \"i16\"\n\
    [tensors.X]\nformat = \"csr\"\ntype = \"i16\"\n[data]\nB = { random = { density = 0.3, seed = 1 } }\n\
    C = { random = { density = 0.3, seed = 2 } }\n[hardware]\nmemory = \"axi\"\n[hardware.axi]\naddress_width = 40\n";

/// Where the registers begin in their file, the memory in its own, and the memory at the bus.
const PLACE: u64 = 0x1000;
const OFFSET: u64 = 0x2040;
const ADDRESS: u64 = 0x12_3000_0000;
const BYTES: u64 = 0x8000;

const CONTROL: u64 = 0x10;
const STATUS: u64 = 0x14;
const CYCLES: u64 = 0x28;

/// A folder with the program, its data and its devices.
pub(super) struct Machine {
    pub dir: PathBuf,
    axi: Axi,
    /// Names of the arrays by number.
    arrays: Vec<String>,
    pub data: String,
    /// What a run leaves in the arrays that it writes.
    pub left: Vec<(String, Vec<u64>)>,
}

impl Machine {
    fn new(name: &str) -> Self {
        Self::of(name, &problem(TEXT))
    }

    /// The program of any kernel called `add`, whose hardware leaves what the native engine does.
    pub fn of(name: &str, p: &Problem) -> Self {
        let net = p.declared_netlist().expect("a netlist");
        let design = emit_axi(&p.lowered, &net, &options(p)).expect("it fits the bus");
        let axi = design.axi.clone().expect("what stands around it");
        let data = p.axi_data(&net, &axi, 1 << 20).expect("data");
        let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("program-{name}-{}", std::process::id()));
        fs::create_dir_all(&dir).expect("a folder");
        for (name, text) in
            design.files.iter().filter(|(n, _)| [".h", ".c", ".py", ".json"].iter().any(|end| n.ends_with(end)))
        {
            fs::write(dir.join(name), text).expect("written");
        }
        let arrays: Vec<String> = net.arrays.iter().map(|a| a.name.clone()).collect();
        let written = p.written(&behind(&p.lowered, &net), 1 << 20).expect("a run");
        let left = written.into_iter().map(|(k, written)| (arrays[k].clone(), written.words)).collect();
        Self { dir, axi, arrays, data, left }
    }

    pub fn compile(&self, args: &[&str]) {
        let flags = ["-std=c99", "-Wall", "-Wextra", "-Wconversion", "-Wpedantic", "-Werror", "-O1"];
        let out = Command::new("cc").current_dir(&self.dir).args(flags).args(args).output().expect("a C compiler");
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    }

    /// Fresh devices.
    fn devices(&self) -> [File; 2] {
        [("registers", PLACE + 0x1000), ("memory", OFFSET + BYTES)].map(|(name, size)| {
            let mut options = OpenOptions::new();
            options.read(true).write(true).create(true).truncate(true);
            let file = options.open(self.dir.join(name)).expect("a file");
            file.set_len(size).expect("a size");
            file
        })
    }

    /// Runs the program on a kernel that is idle, and, if it is started, leaves the results of the
    /// data. What was printed; whether it was started.
    pub fn run(&self, args: &[&str], data: &str) -> (Output, bool) {
        let [registers, memory] = self.devices();
        let set =
            |offset: u64, value: u32| registers.write_all_at(&value.to_le_bytes(), PLACE + offset).expect("written");
        set(0, 0x5341_4d48);
        set(4, 1);
        set(8, self.axi.hash as u32);
        set(12, (self.axi.hash >> 32) as u32);
        fs::write(self.dir.join("data.txt"), data).expect("written");
        let over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let kernel = scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    if get(&registers, CONTROL) == 1 {
                        self.operands_are_there(&registers, &memory);
                        self.leave_results(&registers, &memory);
                        set(CYCLES, 4321);
                        set(STATUS, 2);
                        return true;
                    }
                    std::thread::sleep(Duration::from_micros(200));
                }
                false
            });
            let out =
                Command::new(self.dir.join("add")).current_dir(&self.dir).args(args).output().expect("the program");
            over.store(true, Ordering::Relaxed);
            (out, kernel.join().expect("the kernel"))
        })
    }

    /// What the registers say of an array: where it is in the memory's file, and its words.
    fn span(&self, registers: &File, array: &str) -> (u64, u64) {
        let of = |holds: Holds| match holds {
            Holds::Base(a) | Holds::Words(a) => self.arrays[a] == array,
            _ => false,
        };
        let register = |base: bool| {
            let r = self
                .axi
                .registers
                .iter()
                .find(|r| of(r.holds) && matches!(r.holds, Holds::Base(_)) == base)
                .expect("a register");
            (0..r.words).fold(0, |v, k| v | u64::from(get(registers, u64::from(r.offset + 4 * k))) << (32 * k))
        };
        (OFFSET + register(true) - ADDRESS, register(false))
    }

    fn bytes(&self, array: &str) -> u64 {
        let port = self.axi.ports.iter().find(|p| self.arrays[p.array] == array).expect("a port");
        1 << port.size_log2
    }

    /// Sections of the data: kind, array, words.
    fn sections(&self) -> Vec<(&str, &str, Vec<u64>)> {
        let mut tokens = self.data.split_ascii_whitespace();
        let mut out = Vec::new();
        while let (Some(kind), Some(name), Some(value)) = (tokens.next(), tokens.next(), tokens.next()) {
            let count = if kind == "register" || kind == "room" { 0 } else { hex(value) };
            tokens.by_ref().take(if kind == "between" { 2 } else { 0 }).for_each(drop);
            out.push((kind, name, (0..count).map(|_| hex(tokens.next().expect("a word"))).collect()));
        }
        out
    }

    fn operands_are_there(&self, registers: &File, memory: &File) {
        for (_, array, words) in self.sections().into_iter().filter(|s| s.0 == "operand") {
            let (at, count) = self.span(registers, array);
            assert_eq!(count, words.len() as u64, "{array}");
            for (k, word) in (0..).zip(words) {
                let mut bytes = [0; 8];
                let size = self.bytes(array);
                memory.read_exact_at(&mut bytes[..size as usize], at + k * size).expect("read");
                assert_eq!(u64::from_le_bytes(bytes), word, "{array}[{k}]");
            }
        }
    }

    fn leave_results(&self, registers: &File, memory: &File) {
        for (array, words) in &self.left {
            let (at, room) = self.span(registers, array);
            assert!(words.len() as u64 <= room, "{array}");
            for (k, word) in (0..).zip(words) {
                let size = self.bytes(array);
                memory.write_all_at(&word.to_le_bytes()[..size as usize], at + k * size).expect("written");
            }
        }
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.dir);
    }
}

fn get(registers: &File, offset: u64) -> u32 {
    let mut bytes = [0; 4];
    registers.read_exact_at(&mut bytes, PLACE + offset).expect("read");
    u32::from_le_bytes(bytes)
}

fn hex(text: &str) -> u64 {
    u64::from_str_radix(text, 16).expect("a number")
}

pub(super) const REGISTERS: &str = "registers@1000";
pub(super) const MEMORY: &str = "memory@2040+8000=1230000000";

pub(super) fn said(out: &Output) -> String {
    String::from_utf8_lossy(&out.stderr).into_owned()
}

#[test]
fn the_program_moves_arrays_and_refuses_what_is_wrong() {
    let machine = Machine::new("strict");
    machine.compile(&["add_linux.c", "add.c", "-o", "add"]);
    let (out, started) = machine.run(&[REGISTERS, MEMORY, "data.txt", "results.txt"], &machine.data);
    assert!(out.status.success() && started, "{out:?}");
    assert_eq!(said(&out), "4321 cycles\n");
    let results = fs::read_to_string(machine.dir.join("results.txt")).expect("results");
    assert_eq!(results, machine.data[machine.data.find("result ").expect("results")..]);

    let arguments: [(&str, &str, i32, &str); 14] = [
        (REGISTERS, "memory@2040+8000=zz", 2, "DEVICE@OFFSET+BYTES"),
        (REGISTERS, "memory@2040+8000zz", 2, "DEVICE@OFFSET+BYTES"),
        (REGISTERS, "memory@2040+", 2, "DEVICE@OFFSET+BYTES"),
        (REGISTERS, "memory@2040", 2, "DEVICE@OFFSET+BYTES"),
        (REGISTERS, "memory@+8000", 2, "DEVICE@OFFSET+BYTES"),
        (REGISTERS, "memory@2040+0", 2, "DEVICE@OFFSET+BYTES"),
        (REGISTERS, "memory@2040+8000=1230000000=0", 2, "DEVICE@OFFSET+BYTES"),
        (REGISTERS, "memory@2040+8000=1230000004", 2, "no multiple of 64"),
        (REGISTERS, "memory@2040+8040=1230000000", 1, "the file ends before a080"),
        (REGISTERS, "memory@2040+fffffffffffff000=1230000000", 1, "cannot be mapped"),
        (REGISTERS, "memory@2040+8000=10000000000", 1, "not within the addresses"),
        (REGISTERS, "memory@2040+80=1230000000", 1, "the memory is too small"),
        ("registers@1000+1000", MEMORY, 2, "DEVICE@OFFSET,"),
        ("registers@0", MEMORY, 1, "not the registers of add_axi"),
    ];
    for (registers, memory, status, says) in arguments {
        let (out, started) = machine.run(&[registers, memory, "data.txt"], &machine.data);
        assert_eq!(out.status.code(), Some(status), "{registers} {memory}: {}", said(&out));
        assert!(!started && out.stdout.is_empty() && said(&out).contains(says), "{registers} {memory}: {}", said(&out));
    }
    for wrong in [&["-t", "x", REGISTERS, MEMORY, "data.txt"][..], &[REGISTERS, MEMORY]] {
        assert_eq!(machine.run(wrong, &machine.data).0.status.code(), Some(2));
    }

    let cut = |bytes: usize| machine.data[..machine.data.len() - bytes].to_string();
    let without = |line: &str| machine.data.replace(line, "");
    let first = machine.data.lines().next().expect("a register").to_string() + "\n";
    let operand = &machine.data[machine.data.find("operand ").expect("an operand")..];
    let operand = &operand[..operand[1..].find("operand").expect("two") + 1];
    let data: [(String, &str); 16] = [
        (String::new(), "the data lack this"),
        (cut(1), "the data end too early"),
        (cut(3), "the data end too early"),
        (cut(machine.data.len() / 2), ""),
        (without(&first), "the data lack this register"),
        (without(operand), "the data lack this array"),
        (first.clone() + &machine.data, "this register stands there twice"),
        (machine.data.clone() + operand, "this array stands there twice"),
        (machine.data.clone() + "register NONE 1\n", "the kernel has no such register"),
        (machine.data.clone() + "operand B_none 0\n", "the kernel has no such array"),
        (machine.data.clone() + "more\n", "register, join, operand, room, result or between is wanted here"),
        (machine.data.clone() + "between X_vals 2 2 20\n0 1", "the data end too early"),
        (machine.data.replace("operand B_vals", "result B_vals"), "it is no result"),
        (machine.data.replace("result X_vals", "operand X_vals"), "it is no operand"),
        (first.trim_end().to_string() + "fffff\n" + &without(&first), "more bits than the hardware"),
        (machine.data.replacen("B_seg1 d\n0 ", "B_seg1 d\nfffffffff ", 1), "more bits than the hardware"),
    ];
    for (text, says) in data {
        let (out, started) = machine.run(&[REGISTERS, MEMORY, "data.txt"], &text);
        assert_eq!(out.status.code(), Some(1), "{says}: {}", said(&out));
        assert!(!started && out.stdout.is_empty() && said(&out).contains(says), "{says}: {}", said(&out));
    }
}

/// A kernel that is another process, and tells the end of a run as a UIO device does.
const INTERRUPTS: &str = r#"
#define main program
#include "add_linux.c"
#undef main
#include <sys/socket.h>
#include <sys/wait.h>
static volatile uint32_t *registers;
static int ends[2];
int samhw_machine(struct add_machine *m, const char *place, const char *memory)
{
    (void)place;
    (void)memory;
    m->kernel.registers = registers;
    m->memory = (uint8_t *)(uintptr_t)(registers + 1024);
    m->address = 0x1000u;
    m->bytes = 0x8000u;
    m->interrupts = ends[0];
    return 0;
}
/* The kernel: 0 if the program did what it should. */
static int kernel(const char *how)
{
    uint32_t on = 0u, count = 1u;
    /* Allowed before the start. */
    if (read(ends[1], &on, sizeof on) != (ssize_t)sizeof on || on != 1u)
        return 1;
    while (registers[ADD_CONTROL / 4u] != ADD_CONTROL_START)
        usleep(100);
    if (registers[ADD_IRQ_ENABLE / 4u] != 1u)
        return 2;
    if (strcmp(how, "never") == 0)
        return 0;
    if (strcmp(how, "broken") == 0) {
        close(ends[1]);
        usleep(20000);
        registers[ADD_STATUS / 4u] = ADD_STATUS_DONE;
        return 0;
    }
    /* One of an earlier run; the next one is allowed then. */
    if (write(ends[1], &count, sizeof count) != (ssize_t)sizeof count
        || read(ends[1], &on, sizeof on) != (ssize_t)sizeof on)
        return 3;
    usleep(20000);
    registers[ADD_CYCLES_LO / 4u] = 1234u;
    registers[ADD_STATUS / 4u] = ADD_STATUS_DONE;
    return write(ends[1], &count, sizeof count) == (ssize_t)sizeof count ? 0 : 4;
}
int main(int argc, char **argv)
{
    char *args[] = {argv[0], argv[2], argv[3], argv[4], argv[5], argv[6], NULL};
    int status, wrong;
    pid_t child;
    void *at = mmap(NULL, 0x10000u, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (argc != 7 || at == MAP_FAILED || socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        return 99;
    registers = (volatile uint32_t *)at;
    registers[ADD_ID / 4u] = 0x53414d48u;
    registers[ADD_VERSION / 4u] = 1u;
    registers[ADD_HASH_LO / 4u] = (uint32_t)ADD_KERNEL_HASH;
    registers[ADD_HASH_HI / 4u] = (uint32_t)(ADD_KERNEL_HASH >> 32);
    child = fork();
    if (child == 0)
        _exit(kernel(argv[1]));
    close(ends[1]);
    status = program(6, args);
    if (waitpid(child, &wrong, 0) != child || wrong != 0)
        return 98;
    /* Given up: the kernel was told to end the run. */
    return status == 1 && registers[ADD_CONTROL / 4u] != ADD_CONTROL_RESET ? 97 : status;
}
"#;

#[test]
fn the_program_waits_for_interrupts() {
    let machine = Machine::new("interrupts");
    fs::write(machine.dir.join("test.c"), INTERRUPTS).expect("written");
    fs::write(machine.dir.join("data.txt"), &machine.data).expect("written");
    machine.compile(&["-D_DEFAULT_SOURCE", "-DSAMHW_OTHER_MACHINE", "test.c", "add.c", "-o", "test"]);
    let run = |how: &str, seconds: &str| {
        let args = [how, "-t", seconds, "r", "m", "data.txt"];
        Command::new(Path::new(&machine.dir).join("test"))
            .current_dir(&machine.dir)
            .args(args)
            .output()
            .expect("the program")
    };
    let out = run("soon", "60");
    assert!(out.status.success() && said(&out) == "1234 cycles\n", "{out:?}");
    let out = run("never", "1");
    assert!(out.status.code() == Some(1) && said(&out).contains("has not ended in time"), "{out:?}");
    let out = run("broken", "60");
    assert!(out.status.success() && said(&out).contains("no interrupts"), "{out:?}");
}
