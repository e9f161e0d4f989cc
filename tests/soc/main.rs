//! What `samhw gen` writes next to the Verilog of a kernel behind AXI, executed: the bench for
//! cocotb under Icarus and Verilator, by itself and in FuseSoC, and, in a small SoC, the module for
//! LiteX under Icarus; and two kernels together.
//!
//! `SAMHW_FULL` runs every SoC's bus and every bench with every kernel; else one of each is drawn.

mod several;

use samhw_testing::drawn::{drawn, full};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Name, text without the bus: a vector copied to the chip, lists that grow, words of a byte and a scalar.
const KERNELS: [(&str, &str); 3] = [
    (
        "mv",
        "expr = \"y(i) = A(i,j) * x(j)\"\n[dims]\ni = 30\nj = 20\n[tensors.A]\nformat = \"csr\"\ntype = \"i32\"\n\
         [tensors.x]\nformat = \"dense\"\ntype = \"i32\"\n[tensors.y]\nformat = \"dense\"\ntype = \"i32\"\n[schedule]\nlocate = [\"x\"]\n\
         [data]\nA = { random = { density = 0.3, seed = 1 } }\nx = { random = { density = 1.0, seed = 2 } }\n",
    ),
    (
        "add",
        "expr = \"X(i,j) = B(i,j) + C(i,j)\"\n[dims]\ni = 20\nj = 25\n[tensors.B]\nformat = \"csr\"\ntype = \"f32\"\n\
         [tensors.C]\nformat = \"csr\"\ntype = \"f32\"\n[tensors.X]\nformat = \"csr\"\ntype = \"f32\"\n\
         [data]\nB = { random = { density = 0.2, seed = 3 } }\nC = { random = { density = 0.1, seed = 4 } }\n",
    ),
    (
        "dot",
        "expr = \"a = b(i) * c(i)\"\n[dims]\ni = 400\n[tensors.a]\nlevels = []\ntype = \"u8\"\n\
         [tensors.b]\nlevels = [\"compressed\"]\ntype = \"u8\"\n[tensors.c]\nlevels = [\"compressed\"]\ntype = \"u8\"\n\
         [data]\nb = { random = { density = 0.3, seed = 5 } }\nc = { random = { density = 0.3, seed = 6 } }\n",
    ),
];

/// Buses of SoCs: standard, bits.
const BUSES: [(&str, &str); 5] =
    [("wishbone", "32"), ("axi", "64"), ("axi-lite", "32"), ("wishbone", "64"), ("axi", "32")];

/// A folder that goes when this goes.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The Python that has `package`'s program; none, with a printed line, where it or Icarus is missing and may be.
fn python(program: &str) -> Option<PathBuf> {
    let found = samhw_rtlsim::executable(program).zip(samhw_rtlsim::executable("iverilog"));
    if found.is_none() {
        assert!(std::env::var_os("SAMHW_REQUIRE_TOOLS").is_none(), "{program} or iverilog is missing");
        eprintln!("skipped: {program} or iverilog is missing");
    }
    found.map(|(p, _)| p.with_file_name("python"))
}

fn said(out: &Output) -> String {
    String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr)
}

fn well(what: &str, out: &Output) -> String {
    let text = said(out);
    assert!(out.status.success(), "{what}: {text}");
    text
}

/// `samhw gen --data` of a kernel behind AXI in a new folder.
fn generated(test: &str, kernel: (&str, &str), axi: &str) -> Folder {
    generated_on(test, kernel, &format!("[hardware]\nmemory = \"axi\"\n[hardware.axi]\n{axi}"))
}

/// The same with any hardware.
fn generated_on(test: &str, (name, text): (&str, &str), hardware: &str) -> Folder {
    let folder =
        Folder(Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("soc-{test}-{name}-{}", std::process::id())));
    fs::create_dir_all(&folder.0).expect("a folder");
    let kernel = folder.0.join("kernel.toml");
    fs::write(&kernel, format!("name = \"{name}\"\n{text}{hardware}")).expect("written");
    let out = Command::new(env!("CARGO_BIN_EXE_samhw"))
        .args(["gen", "--data"])
        .arg(&kernel)
        .arg("-o")
        .arg(folder.0.join("gen"))
        .output();
    well(name, &out.expect("samhw"));
    folder
}

#[test]
fn the_cocotb_bench_runs() {
    let all = KERNELS.into_iter().zip(["", "data_width = 256\nmasters = 3\n", "data_width = 32\n"]);
    for (kernel, axi) in drawn(all, 1) {
        bench(kernel, &generated("cocotb", kernel, axi), "lines read");
    }
}

#[test]
fn the_cocotb_bench_of_memory_on_the_chip_runs() {
    for kernel in drawn(KERNELS, 1) {
        bench(kernel, &generated_on("cocotb-ram", kernel, ""), " cycles");
    }
}

/// Sums of floats that come at other times than on the chip, in another order: a unit in the last
/// place is no fault.
#[test]
fn the_cocotb_bench_knows_what_sums_may_be() {
    if python("cocotb-config").is_none() {
        return;
    }
    let product = (
        "product",
        "expr = \"Y(i,c) = A(i,j) * X(j,c)\"\norder = [\"i\", \"j\", \"c\"]\n[dims]\ni = 13\nj = 17\nc = 5\n\
         [tensors.A]\nformat = \"csr\"\ntype = \"f32\"\n[tensors.X]\nformat = \"dense\"\ntype = \"f32\"\n\
         [tensors.Y]\nlevels = [\"dense\", \"compressed\"]\ntype = \"f32\"\n\
         [data]\nA = { random = { density = 0.3, seed = 1 } }\nX = { random = { density = 1.0, seed = 2 } }\n",
    );
    let folder = generated("cocotb-sums", product, "");
    let text = well("product", &run_bench("product", &folder, &[]));
    assert!(text.contains("TESTS=1 PASS=1"), "{text}");
    let data = fs::read_to_string(folder.0.join("gen/product_data.txt")).expect("data");
    let (rest, ranges) = data.split_once("between Y_vals 82 2 20\n").expect("ranges");
    assert!(ranges.lines().count() == 9 && !ranges.contains("result"), "{ranges}");
    let other = folder.0.join("other.txt");
    for changed in [rest.into(), format!("{rest}between Y_vals 82 2 20\n{}", "0 0 ".repeat(65))] {
        fs::write(&other, changed).expect("written");
        let out = run_bench("product", &folder, std::slice::from_ref(&other));
        assert!(!out.status.success() && said(&out).contains("] is 0x"), "{}", said(&out));
    }
}

/// Copies that are given rows when the memory has time for them, with any part of the result for
/// each: the whole is compared.
#[test]
fn the_cocotb_bench_joins_copies() {
    let product = (
        "copies",
        "expr = \"X(i,j) = B(i,k) * C(k,j)\"\nschedule.parallel.i = { copies = 4, balance = \"elements\" }\n[dims]\ni = 25\nj = 25\nk = 25\n\
         [tensors.B]\nformat = \"csr\"\ntype = \"i16\"\n[tensors.C]\nformat = \"csr\"\ntype = \"i16\"\n\
         [tensors.X]\nformat = \"csr\"\ntype = \"i16\"\n[data]\nB = { poisson2d = { n = 5 } }\nC = { poisson2d = { n = 5 } }\n",
    );
    bench(product, &generated("cocotb-copies", product, "masters = 4\n"), "over 4 buses");
}

/// A sum of floats whose lanes store lists, on the chip: a dense result, and what is not written is
/// not read.
#[test]
fn the_cocotb_bench_joins_lanes() {
    if python("cocotb-config").is_none() {
        return;
    }
    let lanes = (
        "lanes",
        "expr = \"y(i) = A(i,j) * x(j)\"\nschedule.lanes.j = 3\n[dims]\ni = 12\nj = 9\n\
         [tensors.A]\nformat = \"csr\"\ntype = \"f32\"\n[tensors.x]\nformat = \"dense\"\ntype = \"f32\"\n\
         [tensors.y]\nformat = \"dense\"\ntype = \"f32\"\n\
         [data]\nA = { random = { density = 0.2, seed = 1 } }\nx = { random = { density = 1.0, seed = 2 } }\n",
    );
    let folder = generated_on("cocotb-lanes", lanes, "");
    let text = well("lanes", &run_bench("lanes", &folder, &[]));
    assert!(text.contains("TESTS=1 PASS=1"), "{text}");
    let data = fs::read_to_string(folder.0.join("gen/lanes_data.txt")).expect("data");
    assert!(data.contains("\nroom y_l0_crd0 ") && data.contains("\nbetween y_vals 18 2 20\n"), "{data}");
    let other = folder.0.join("other.txt");
    let changed = data.replacen("result y_vals c\n", "result y_vals c\n7f0", 1);
    fs::write(&other, changed.replacen("between y_vals", "between none", 1)).expect("written");
    let changed = run_bench("lanes", &folder, std::slice::from_ref(&other));
    assert!(!changed.status.success() && said(&changed).contains("y_vals[0] is 0x"), "{}", said(&changed));
}

/// Runs a kernel's bench under Icarus, on these data or its own.
fn run_bench(name: &str, folder: &Folder, data: &[PathBuf]) -> Output {
    let mut samhw = Command::new(env!("CARGO_BIN_EXE_samhw"));
    let bench = folder.0.join("gen").join(format!("{name}_cocotb.py"));
    samhw.current_dir(&folder.0).args(["tools", "run", "--", "python"]).arg(bench).arg("icarus").args(data);
    samhw.output().expect("samhw")
}

/// Runs a bench under Icarus, as its page and its head say; with a result that is expected wrongly it fails.
fn bench(kernel: (&str, &str), folder: &Folder, says: &str) {
    if python("cocotb-config").is_none() {
        return;
    }
    let run = |data: &[PathBuf]| run_bench(kernel.0, folder, data);
    let text = well(kernel.0, &run(&[]));
    assert!(text.contains("TESTS=1 PASS=1") && text.contains(says), "{text}");
    // A result that is expected wrongly is noticed.
    let data = fs::read_to_string(folder.0.join("gen").join(format!("{}_data.txt", kernel.0))).expect("data");
    let (rest, last) = data.trim_end().rsplit_once(char::is_whitespace).expect("words");
    let other = folder.0.join("other.txt");
    fs::write(&other, format!("{rest} {:x}\n", u64::from_str_radix(last, 16).expect("a word") ^ 1)).expect("written");
    let out = run(&[other]);
    assert!(!out.status.success() && said(&out).contains("] is 0x"), "{}", said(&out));
}

/// Where nothing moves the kernel ends its run, though a simulator does not know what moves; where
/// that fails, too, the bench does.
#[test]
fn the_cocotb_bench_ends() {
    let Some(python) = python("cocotb-config") else { return };
    let folder = generated("cocotb-ends", KERNELS[2], "");
    let bench = folder.0.join("gen/dot_cocotb.py");
    let run = |limit: &str| {
        let mut command = Command::new(&python);
        command.current_dir(&folder.0).arg(&bench).arg("icarus").env("SAMHW_LIMIT", limit);
        let out = command.output().expect("python");
        assert!(!out.status.success(), "{}", said(&out));
        said(&out)
    };
    let text = run("300");
    assert!(text.contains("SimTimeoutError") && text.contains("3000.00"), "{text}");
    let core = folder.0.join("gen/dot_core.v");
    let verilog = fs::read_to_string(&core).expect("Verilog");
    let stuck = verilog.replacen("endmodule", "    initial force done_valid = 1'bx;\nendmodule", 1);
    assert_ne!(stuck, verilog);
    fs::write(&core, stuck).expect("written");
    let text = run("1000000");
    assert!(text.contains("error 7"), "{text}");
}

/// cocotb needs a newer Verilator than distributions have: the one that `samhw tools install`
/// brings, which the bench finds next to its Python. Compiling Verilator's side of VPI takes a minute.
#[test]
fn the_cocotb_bench_runs_under_verilator() {
    if !full() {
        eprintln!("skipped: SAMHW_FULL is not set");
        return;
    }
    let Some(python) = python("cocotb-config") else { return };
    if let Err(e) = samhw_rtlsim::Toolchain::find() {
        assert!(std::env::var_os("SAMHW_REQUIRE_TOOLS").is_none(), "{e}");
        eprintln!("skipped: {e}");
        return;
    }
    let folder = generated("cocotb-verilator", KERNELS[1], "masters = 2\n");
    let bench = folder.0.join("gen/add_cocotb.py");
    let mut run = Command::new(&python);
    run.current_dir(&folder.0).arg(bench).arg("verilator");
    // Compiling takes longer than running: Verilator's makefile optimises unless it is told.
    run.env("MAKEFLAGS", "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0");
    let out = run.output();
    let text = well("add", &out.expect("python"));
    assert!(text.contains("TESTS=1 PASS=1") && text.contains("over 2 buses"), "{text}");
}

#[test]
fn the_litex_module_runs_in_a_soc() {
    let Some(python) = python("litex_sim") else { return };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/soc/litex_soc.py");
    let all = (0..KERNELS.len()).flat_map(|k| (0..BUSES.len()).map(move |b| (k, b)));
    for (k, b) in drawn(all, 1) {
        let (kernel, bus) = (KERNELS[k], BUSES[b]);
        let folder = generated(&format!("litex{b}"), kernel, if k == 1 { "masters = 2\n" } else { "" });
        let out = Command::new(&python)
            .current_dir(&folder.0)
            .arg(&script)
            .args([bus.0, bus.1])
            .arg(folder.0.join("gen"))
            .arg(kernel.0)
            .output();
        let text = well(&format!("{} at {bus:?}", kernel.0), &out.expect("python"));
        assert!(text.contains("TESTS=1 PASS=1"), "{text}");
    }
}

/// rust-hdl takes a minute to compile and comes over the network.
#[test]
fn a_design_of_rust_hdl_takes_the_block() {
    if !full() {
        eprintln!("skipped: SAMHW_FULL is not set");
        return;
    }
    let Some(icarus) = samhw_rtlsim::executable("iverilog") else {
        assert!(std::env::var_os("SAMHW_REQUIRE_TOOLS").is_none(), "iverilog is missing");
        return;
    };
    // Both take the same packages: they are compiled once.
    let packages = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("soc-rust-hdl-packages-{}", std::process::id()));
    let packages = Folder(packages);
    for masters in [1, 2] {
        rust_hdl(masters, &packages.0, &icarus);
    }
}

/// A design around the block with this number of managers: compiled and run, its Verilog elaborated.
fn rust_hdl(masters: usize, packages: &Path, icarus: &Path) {
    let folder = generated(&format!("rust-hdl{masters}"), KERNELS[0], &format!("masters = {masters}\n"));
    let (src, kernel) = (folder.0.join("src"), folder.0.join("src/kernel"));
    fs::create_dir(&src).expect("a folder");
    fs::rename(folder.0.join("gen"), &kernel).expect("moved");
    fs::rename(kernel.join("mv_rust_hdl.rs"), kernel.join("mod.rs")).expect("moved");
    let manifest = "[package]\nname = \"design\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n\
                    [dependencies]\nrust-hdl = \"=0.46.0\"\n\n[workspace]\n";
    fs::write(folder.0.join("Cargo.toml"), manifest).expect("written");
    let design = include_str!("rust_hdl_soc.rs");
    // What is driven at one manager is at each.
    let at = |line: &str, m: usize| line.replace("m_axi_", &format!("m{m}_axi_"));
    let every = |line: &str| match masters {
        1 => line.to_string(),
        _ if line.contains("m_axi_") => (0..masters).map(|m| at(line, m)).collect(),
        _ => line.to_string(),
    };
    fs::write(src.join("main.rs"), design.split_inclusive('\n').map(every).collect::<String>()).expect("written");
    let mut cargo = Command::new(env!("CARGO"));
    let out = cargo.current_dir(&folder.0).args(["run", "--quiet"]).env("CARGO_TARGET_DIR", packages).output();
    let out = out.expect("cargo");
    well("the design", &out);
    let verilog = String::from_utf8(out.stdout).expect("text");
    assert!(verilog.contains(&format!("m{}_axi_arvalid", if masters == 1 { String::new() } else { "1".into() })));
    assert!(verilog.contains("module top(") && verilog.contains("mv_axi u_kernel ("), "{verilog}");
    fs::write(folder.0.join("design.v"), verilog).expect("written");
    let args = ["-g2005", "-s", "top", "-o", "design.vvp", "design.v"];
    well("iverilog", &Command::new(icarus).current_dir(&folder.0).args(args).output().expect("iverilog"));
}
