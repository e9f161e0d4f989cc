//! FuseSoC runs the bench of a kernel; two kernels, each from a folder of its own, in one project,
//! one SoC and one list of files.

use super::{Folder, KERNELS, generated, python, said, well};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// FuseSoC with these folders of cores.
fn fusesoc(python: &Path, roots: &[&Path], work: &Path, args: &[&str]) -> Output {
    let tools = python.parent().expect("a folder");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = [tools.to_path_buf()].into_iter().chain(std::env::split_paths(&path));
    let mut command = Command::new(tools.join("fusesoc"));
    command.current_dir(work).env("PATH", std::env::join_paths(path).expect("a path"));
    for root in roots {
        command.arg("--cores-root").arg(root);
    }
    command.arg("run").args(args).output().expect("fusesoc")
}

/// Two kernels in folders of their own.
fn two(test: &str) -> [Folder; 2] {
    [0, 2].map(|k| generated(test, KERNELS[k], ""))
}

/// A top that holds both kernels; nothing drives them.
const TOP: &str = "module both (input clk, input rst);\n    mv_axi u_mv (.clk(clk), .rst(rst));\n    dot_axi u_dot (.clk(clk), .rst(rst));\nendmodule\n";

#[test]
fn fusesoc_runs_the_bench() {
    let (Some(python), true) = (python("cocotb-config"), super::python("fusesoc").is_some()) else { return };
    let folder = generated("fusesoc", KERNELS[1], "masters = 2\n");
    let root = folder.0.join("gen");
    let run = |work: &str| {
        let work = folder.0.join(work);
        fs::create_dir_all(&work).expect("a folder");
        fusesoc(&python, &[&root], &work, &["--target=sim", "::add_axi:0"])
    };
    let text = well("add", &run("right"));
    assert!(text.contains("TESTS=1 PASS=1") && text.contains("over 2 buses"), "{text}");
    // What the bench finds fails the target.
    let data = fs::read_to_string(root.join("add_data.txt")).expect("data");
    let (rest, last) = data.trim_end().rsplit_once(char::is_whitespace).expect("words");
    let other = u64::from_str_radix(last, 16).expect("a word") ^ 1;
    fs::write(root.join("add_data.txt"), format!("{rest} {other:x}\n")).expect("written");
    let out = run("wrong");
    assert!(!out.status.success() && said(&out).contains("] is 0x"), "{}", said(&out));
    fs::remove_file(root.join("add_data.txt")).expect("removed");
    let kernel = folder.0.join("kernel.toml");
    let again = Command::new(env!("CARGO_BIN_EXE_samhw")).arg("gen").arg(kernel).arg("-o").arg(&root).output();
    well("without data", &again.expect("samhw"));
    let out = run("none");
    assert!(!out.status.success() && said(&out).contains("`samhw gen --data` writes it"), "{}", said(&out));
}

#[test]
fn two_kernels_share_the_library_in_fusesoc() {
    let Some(python) = python("fusesoc") else { return };
    let folders = two("fusesoc-two");
    let project = folders[0].0.join("project");
    fs::create_dir(&project).expect("a folder");
    fs::write(project.join("both.v"), TOP).expect("written");
    let core = "CAPI=2:\nname: \"::both:0\"\nfilesets:\n  rtl:\n    files: [both.v]\n    file_type: verilogSource-2005\n    depend: [\"::mv_axi:0\", \"::dot_axi:0\"]\n\
                targets:\n  default:\n    filesets: [rtl]\n  sim:\n    flow: sim\n    flow_options: {tool: icarus, iverilog_options: [-g2005]}\n    \
                filesets: [rtl]\n    toplevel: both\n";
    fs::write(project.join("both.core"), core).expect("written");
    let gens = folders.each_ref().map(|f| f.0.join("gen"));
    let out = fusesoc(
        &python,
        &[&gens[0], &gens[1], &project],
        &project,
        &["--target=sim", "--setup", "--build", "::both:0"],
    );
    well("two kernels", &out);
    let list = fs::read_to_string(project.join("build/both_0/sim/both_0.scr")).expect("the list of files");
    assert_eq!(list.lines().filter(|l| l.ends_with("/samhw_skid.v")).count(), 1, "{list}");
    assert!(list.contains("mv_core.v") && list.contains("dot_core.v"), "{list}");
}

#[test]
fn two_kernels_share_the_library_in_a_soc_of_litex() {
    let Some(python) = python("litex_sim") else { return };
    let folders = two("litex-two");
    let mut command = Command::new(&python);
    command
        .current_dir(&folders[0].0)
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/soc/litex_soc.py"))
        .args(["wishbone", "32"]);
    for (folder, name) in folders.iter().zip(["mv", "dot"]) {
        command.arg(folder.0.join("gen")).arg(name);
    }
    let text = well("two kernels", &command.output().expect("python"));
    assert!(text.contains("TESTS=1 PASS=1") && text.contains("mv: ") && text.contains("dot: "), "{text}");
    // Files of one name that differ are of two versions of samhw.
    let module = folders[1].0.join("gen/samhw_skid.v");
    let text = fs::read_to_string(&module).expect("a module");
    fs::write(&module, text + "// another\n").expect("written");
    let out = command.output().expect("python");
    assert!(!out.status.success() && said(&out).contains("the same version of samhw"), "{}", said(&out));
}

/// As hardware.md says: the kernels' own files, and modules of the library where they are found first.
#[test]
fn two_kernels_share_the_library_in_a_list_of_files() {
    let Some(icarus) = samhw_rtlsim::executable("iverilog") else {
        assert!(std::env::var_os("SAMHW_REQUIRE_TOOLS").is_none(), "iverilog is missing");
        return;
    };
    let page = include_str!("../../docs/hardware.md");
    let row = page.lines().find(|line| line.starts_with("| lists of files |")).expect("how lists are written");
    assert!(row.contains("`NAME_core.v` and `NAME_ram.v` or `NAME_axi.v` of each, and `-y FOLDER`"), "{row}");
    let folders = two("list-two");
    let top = folders[0].0.join("both.v");
    fs::write(&top, TOP).expect("written");
    let mut command = Command::new(icarus);
    command.args(["-g2005", "-s", "both", "-o"]).arg(folders[0].0.join("both.vvp")).arg(&top);
    for (folder, name) in folders.iter().zip(["mv", "dot"]) {
        let from = folder.0.join("gen");
        command.args(["core", "axi"].map(|part| from.join(format!("{name}_{part}.v")))).arg("-y").arg(from);
    }
    well("two kernels", &command.output().expect("iverilog"));
}
