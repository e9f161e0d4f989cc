//! Results that copies and lanes store in parts, joined by the data file, the bench for cocotb and
//! the program for Linux: in the format and with the words that the kernel has without copies and
//! lanes.

use super::problem;
use super::program::{MEMORY, Machine, REGISTERS, said};
use samhw_compiler::emit::emit;
use samhw_sim::run::Problem;
use std::fmt::Write;
use std::fs;
use std::process::Command;

/// A product of sparse matrices with a result of this format.
fn product(format: &str) -> String {
    "expr = \"X(i,j) = B(i,k) * C(k,j)\"\ndims = { i = 13, j = 11, k = 9 }\n\
     tensors.B = { format = \"csr\", type = \"TYPE\" }\ntensors.C = { format = \"csr\", type = \"TYPE\" }\n\
     data.B = { random = { density = 0.2, seed = 1 } }\ndata.C = { random = { density = 0.3, seed = 2 } }\n"
        .replace("TYPE", "i16")
        + &format!("tensors.X = {{ {format}, type = \"i16\" }}\n")
}

/// A matrix of this format times a dense one, with a result of this format.
fn rows(format: &str) -> String {
    format!(
        "expr = \"X(i,j) = B(i,j) * C(i,j)\"\ndims = {{ i = 14, j = 19 }}\n\
         tensors.B = {{ format = \"csr\", type = \"i16\" }}\ntensors.C = {{ format = \"dense\", type = \"i16\" }}\n\
         tensors.X = {{ {format}, type = \"i16\" }}\n\
         data.B = {{ random = {{ density = 0.3, seed = 3 }} }}\ndata.C = {{ random = {{ density = 1.0, seed = 4 }} }}\n"
    )
}

/// A sum of rows.
fn vector(format: &str) -> String {
    format!(
        "expr = \"y(i) = A(i,j) * x(j)\"\ndims = {{ i = 22, j = 17 }}\n\
         tensors.A = {{ format = \"csr\", type = \"i16\" }}\ntensors.x = {{ format = \"dense\", type = \"i16\" }}\n\
         tensors.y = {{ {format}, type = \"i16\" }}\n\
         data.A = {{ random = {{ density = 0.15, seed = 5 }} }}\ndata.x = {{ random = {{ density = 1.0, seed = 6 }} }}\n"
    )
}

/// Statement and tensors, schedule.
fn kernels() -> Vec<(String, &'static str)> {
    let levels = |l: &str| format!("levels = [{l}]");
    let copies = "schedule.parallel.i = { copies = 4, balance = \"elements\" }\n";
    vec![
        (product("format = \"csr\""), copies),
        (product("format = \"dcsr\""), "schedule.parallel.i = { copies = 3, balance = \"fibers\" }\n"),
        (product("format = \"csr\""), "schedule.lanes.i = 4\n"),
        (product("format = \"dcsr\""), "schedule.lanes.j = 4\n"),
        (rows(&levels("\"compressed_nu\", \"singleton\"")), copies),
        (rows(&levels("\"dense\", \"bitvector8\"")), copies),
        (rows(&levels("\"dense\", \"block\"")), copies),
        (rows(&levels("\"dense\", \"run\"")), copies),
        (rows("format = \"csr\""), "schedule.lanes.i = 2\nschedule.parallel.i = 2\n"),
        (rows("format = \"dense\""), "schedule.lanes.i = 3\n"),
        (rows("format = \"csr\""), "schedule.lanes.j = 4\n"),
        (vector("format = \"dense\""), "schedule.lanes.j = 4\n"),
        (vector(&levels("\"compressed\"")), "schedule.lanes.j = 4\n"),
        (vector(&levels("\"bitvector\"")), copies),
    ]
}

fn at(text: &str, schedule: &str) -> Problem {
    problem(&format!("name = \"add\"\n{text}{schedule}[hardware]\nmemory = \"axi\"\naxi.address_width = 40\n"))
}

/// The data file of a kernel with memory on the chip.
fn on_chip(p: &Problem) -> String {
    let net = p.declared_netlist().expect("a netlist");
    p.ram_data(&net, &emit(&p.lowered, &net).manifest, 1 << 20).expect("data")
}

/// The results of a data file.
fn results(data: &str) -> String {
    let mut out = String::new();
    let mut inside = false;
    for line in data.lines() {
        if line.starts_with(|c: char| c.is_ascii_lowercase()) && line.contains(' ') && !hexadecimal(line) {
            inside = line.starts_with("result ");
        }
        if inside {
            let _ = writeln!(out, "{line}");
        }
    }
    out
}

fn hexadecimal(line: &str) -> bool {
    line.split(' ').all(|word| word.bytes().all(|b| b.is_ascii_hexdigit()))
}

#[test]
fn parts_become_the_result_without_copies_and_lanes() {
    // Wider words than a bus takes.
    let wide = (rows("levels = [\"compressed\", \"bitvector128\"]"), "schedule.parallel.i = 4\n");
    for (text, schedule) in kernels().into_iter().chain([wide]) {
        let (p, plain) = (at(&text, schedule), at(&text, ""));
        let data = on_chip(&p);
        assert!(data.contains("\njoin ") && data.contains("\nroom "), "{text}{schedule}{data}");
        let whole = on_chip(&plain);
        assert!(!whole.contains("\njoin "), "{text}");
        let sorted = |data: &str| {
            let mut all: Vec<String> = results(data).split("result ").map(String::from).collect();
            all.sort();
            all
        };
        assert_eq!(sorted(&data), sorted(&whole), "{text}{schedule}");
    }
}

#[test]
fn the_program_for_linux_joins_parts() {
    for (k, (text, schedule)) in kernels().into_iter().enumerate() {
        let machine = Machine::of(&format!("joined{k}"), &at(&text, schedule));
        machine.compile(&["add_linux.c", "add.c", "-o", "add"]);
        let (out, started) = machine.run(&[REGISTERS, MEMORY, "data.txt", "results.txt"], &machine.data);
        assert!(out.status.success() && started, "{text}{schedule}{}", said(&out));
        let found = fs::read_to_string(machine.dir.join("results.txt")).expect("results");
        assert_eq!(found, results(&machine.data), "{text}{schedule}");
    }
}

/// Segments that lead beyond their array: nothing is read there.
#[test]
fn the_program_for_linux_refuses_what_are_no_parts() {
    let (text, schedule) = kernels().swap_remove(0);
    let mut machine = Machine::of("refused", &at(&text, schedule));
    machine.compile(&["add_linux.c", "add.c", "-o", "add"]);
    let words = &mut machine.left.iter_mut().find(|(array, _)| array == "X_c1_seg1").expect("a part").1;
    *words.last_mut().expect("segments") = 255;
    let (out, started) = machine.run(&[REGISTERS, MEMORY, "data.txt"], &machine.data);
    assert!(started && out.status.code() == Some(1) && said(&out).contains("error 105: the parts of X"), "{out:?}");
    for (old, new, says) in [
        ("\njoin X 3\n", "\njoin X 2\n", "another number of levels"),
        ("\njoin X 3\n", "\njoin Y 3\n", "no such result in parts"),
        ("\nroom X_vals ", "\noperand X_vals ", "the kernel writes this array"),
    ] {
        let (out, started) = machine.run(&[REGISTERS, MEMORY, "data.txt"], &machine.data.replace(old, new));
        assert!(!started && out.status.code() == Some(1) && said(&out).contains(says), "{says}: {out:?}");
    }
}

/// Checks the parts of three files as the bench does, two of them with data that are others.
const BENCH: &str = "
import asyncio
import add_cocotb as bench
def passes(data, parts):
    left, tokens = {}, iter(open(parts).read().split())
    for name in tokens:
        left[name] = [int(next(tokens), 16) for _ in range(int(next(tokens), 16))]
    async def read(array, words):
        return (left[array] + [None] * words)[:words]
    try:
        asyncio.run(bench.Data(data).check(read))
    except AssertionError as e:
        return str(e)
    return ''
print(passes('data.txt', 'parts.txt') or 'passes')
print(passes('other_data.txt', 'parts.txt'))
print(passes('data.txt', 'other_parts.txt'))
";

#[test]
fn the_bench_for_cocotb_joins_parts() {
    let Some(python) = samhw_rtlsim::executable("cocotb-config").map(|p| p.with_file_name("python")) else {
        assert!(std::env::var_os("SAMHW_REQUIRE_TOOLS").is_none(), "cocotb is missing");
        return;
    };
    for (k, (text, schedule)) in kernels().into_iter().enumerate() {
        let machine = Machine::of(&format!("bench{k}"), &at(&text, schedule));
        let values = |array: &str, words: &[u64]| array.ends_with("_vals") && !words.is_empty();
        let changed = machine.left.iter().position(|(array, words)| values(array, words)).expect("values");
        let parts = |change: Option<usize>| {
            let mut out = String::new();
            for (n, (array, words)) in machine.left.iter().enumerate() {
                let other = u64::from(change == Some(n));
                let words: Vec<String> = words.iter().map(|w| format!("{:x}", w ^ other)).collect();
                let _ = writeln!(out, "{array} {:x} {}", words.len(), words.join(" "));
            }
            out
        };
        let (rest, last) = machine.data.trim_end().rsplit_once(char::is_whitespace).expect("words");
        let other = format!("{rest} {:x}\n", u64::from_str_radix(last, 16).expect("a word") ^ 1);
        let files = [
            ("data.txt", machine.data.clone()),
            ("other_data.txt", other),
            ("parts.txt", parts(None)),
            ("other_parts.txt", parts(Some(changed))),
        ];
        files.iter().for_each(|(name, text)| fs::write(machine.dir.join(name), text).expect("written"));
        let out = Command::new(&python).current_dir(&machine.dir).args(["-c", BENCH]).output().expect("python");
        let found = String::from_utf8_lossy(&out.stdout).into_owned();
        let lines: Vec<&str> = found.lines().collect();
        let right =
            matches!(lines[..], ["passes", data, parts] if data.contains("] is 0x") && parts.contains("] is 0x"));
        assert!(out.status.success() && right, "{text}{schedule}{found}{}", said(&out));
    }
}
