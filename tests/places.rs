//! What CONTRIBUTING.md says of boards, commands, outputs and primitives: each is known in the
//! places it lists, and nowhere else. (Passes and level formats have tests of their own in the
//! compiler.)

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn entries(folder: impl AsRef<Path>) -> Vec<PathBuf> {
    fs::read_dir(root().join(folder)).unwrap().map(|e| e.unwrap().path()).collect()
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap().to_string_lossy().into_owned()
}

/// Files of Rust below `folder` without tests, from the root, each with its code.
fn sources(folder: &Path, found: &mut Vec<(String, String)>) {
    for path in entries(folder) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && name != "tests" {
            sources(&path, found);
        } else if name.ends_with(".rs") && name != "tests.rs" {
            let text = read(&path);
            let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
            let code = code.lines().filter(|line| !line.trim_start().starts_with("//"));
            let from_root = path.strip_prefix(root()).unwrap().display().to_string();
            found.push((from_root, code.flat_map(|line| [line, "\n"]).collect()));
        }
    }
}

/// Code of the product: all crates but those for tests and benchmarks.
fn product() -> Vec<(String, String)> {
    let mut found = Vec::new();
    let crates = ["compiler", "driver", "fpga", "hdl", "primitives", "rtlsim", "sim", "streams", "system", "values"];
    crates.map(|c| Path::new(c).join("src")).iter().for_each(|folder| sources(folder, &mut found));
    sources(Path::new("src"), &mut found);
    found
}

/// The section of CONTRIBUTING.md with this title; the files it names are there.
fn section(title: &str) -> String {
    let page = read("CONTRIBUTING.md");
    let section = page.split("\n## ").find(|s| s.starts_with(title)).unwrap_or_else(|| panic!("no section {title}"));
    for name in section.split('`').filter(|word| word.contains('/') && !word.contains(['<', ' ', '*'])) {
        assert!(name.contains("NAME") || name.contains("GROUP") || root().join(name).exists(), "{name} is not there");
    }
    section.into()
}

#[test]
fn a_board_is_its_file_and_its_line_on_the_page() {
    let section = section("Adding a board");
    assert!(section.contains("`fpga/boards/NAME.toml`") && section.contains("`docs/boards.md`"));
    let (page, product) = (read("docs/boards.md"), product());
    for board in entries("fpga/boards").iter().map(|path| stem(path)) {
        assert!(page.contains(&format!("`{board}`")), "docs/boards.md has no line for {board}");
        let knows = |code: &str| {
            let lines = code.lines().filter(|line| line.contains(&format!("\"{board}\"")));
            // But for the one that is meant where none is named.
            lines.filter(|line| !line.starts_with("pub const USUAL: ")).count() > 0
        };
        let knows: Vec<&String> = product.iter().filter(|(_, code)| knows(code)).map(|(name, _)| name).collect();
        assert!(knows.is_empty(), "{board} is named in {knows:?}");
    }
}

#[test]
fn an_output_is_its_file_and_a_line_of_the_list() {
    let section = section("Adding an output");
    assert!(section.contains("`compiler/src/emit/backend.rs`") && section.contains("`driver/src/generate.rs`"));
    let list = read("compiler/src/emit/backend.rs");
    let list = list.split("const BACKENDS").nth(1).and_then(|rest| rest.split("];").next()).expect("the list");
    let mut made = 0;
    for (file, code) in product() {
        for backend in code.split("impl Backend for ").skip(1) {
            let name: String = backend.chars().take_while(|c| c.is_ascii_alphanumeric()).collect();
            assert!(list.contains(&format!("&{name}")), "{name} of {file} is not in the list");
            made += 1;
        }
        let pushes = file.starts_with("compiler/src/emit/") && code.contains("files.push(");
        assert!(!pushes, "{file} adds a file to a design, and is no backend");
    }
    assert_eq!(list.matches('&').count(), made + 1, "one is in the list twice");
    let pages = read("docs/hardware.md") + &read("docs/axi.md");
    for end in [
        ".f",
        ".json",
        ".dot",
        ".svg",
        "_registers.md",
        "_cocotb.py",
        "_litex.py",
        "_linux.c",
        "_rust_hdl.rs",
        "_data.txt",
    ] {
        assert!(pages.contains(&format!("NAME{end}")), "no page says what NAME{end} is");
    }
}

#[test]
fn a_command_is_its_file_and_two_lines_of_main() {
    let section = section("Adding a command");
    assert!(section.contains("`src/NAME.rs`") && section.contains("`src/main.rs`"));
    let main = read("src/main.rs");
    let called = main.lines().filter_map(|line| line.trim().strip_prefix("Command::")?.split_once("(args) => "));
    let called: Vec<(&str, &str)> = called.filter_map(|(c, call)| Some((c, call.split_once("::main(")?.0))).collect();
    assert!(called.len() > 8, "{called:?}");
    let product = product();
    for (command, module) in called {
        let places = [format!("src/{module}.rs"), format!("src/{module}/mod.rs")];
        assert!(places.iter().any(|p| root().join(p).exists()), "{module} is not in src");
        let calls = product.iter().filter(|(_, code)| code.contains(&format!("{module}::main(")));
        assert_eq!(calls.count(), 1, "{module}::main is called in another place, too");
        assert!(main.contains(&format!("{command}({module}::")), "{command} takes arguments of another file");
        let name = format!("samhw {}", command.to_lowercase());
        let pages = entries("docs").into_iter().chain([root().join("README.md")]);
        let mut pages = pages.filter(|path| path.extension().is_some_and(|e| e == "md"));
        assert!(pages.any(|page| read(page).contains(&name)), "no page says what `{name}` does");
    }
}

/// Code that asks a primitive what it can do, or what it takes, and makes none for a design.
const ASKS: [(&str, &str); 5] = [
    ("Alu", "compiler/src/facts/functions.rs"),
    ("Alu", "compiler/src/passes/narrow.rs"),
    ("Fifo", "compiler/src/passes/fifo.rs"),
    ("Joiner", "compiler/src/graph/joins.rs"),
    ("Relay", "compiler/src/passes/fifo.rs"),
];

#[test]
fn a_primitive_is_its_folder_and_what_the_page_lists() {
    let section = section("Adding a primitive");
    let groups = ["scan", "join", "reduce", "write", "memories", "arith", "flow", "copies"];
    groups.iter().for_each(|g| assert!(section.contains(&format!("`{g}`")), "{g}"));
    let (deadlock, product) = (read("docs/deadlock.md"), product());
    let mut asks = BTreeSet::new();
    for group in groups {
        let lines = read(format!("primitives/src/{group}/mod.rs"));
        for folder in entries(format!("primitives/src/{group}")).into_iter().filter(|path| path.is_dir()) {
            let (name, own) = (stem(&folder), folder.strip_prefix(root()).unwrap().join("").display().to_string());
            let code = product.iter().filter(|(file, _)| file.starts_with(&own)).map(|(_, code)| code.as_str());
            let types = primitives(&code.collect::<String>());
            if types.is_empty() {
                continue;
            }
            let has = |file: &str| folder.join(file).exists();
            assert!(has("mod.rs") && has("README.md") && (has("tests.rs") || has("tests")), "{own} lacks a file");
            // Its lines in the group: the module, and the forms that all checks go through.
            for line in [format!("pub mod {name};"), format!("{name}::tests::forms()")] {
                assert!(lines.contains(&line), "primitives/src/{group}/mod.rs lacks {line}");
            }
            let mut words = name.split('_');
            let named = [words.next(), words.next_back()].into_iter().flatten().any(|word| deadlock.contains(word));
            assert!(named, "docs/deadlock.md says nothing of {name}");
            // Nobody else knows it but where the compiler chooses primitives, and those it is a part of.
            for made in types {
                let names = |code: &str| uses(code, &format!("{group}::{name}::"), &made);
                let others = product.iter().filter(|(file, code)| !file.starts_with(&own) && names(code));
                let others = others.map(|(file, _)| file.as_str()).filter(|file| {
                    !file.starts_with("compiler/src/netlist/") && !groups.iter().any(|g| is_in_a_folder(file, g))
                });
                asks.extend(others.map(|file| (made.clone(), file.to_string())));
            }
        }
    }
    let expected: BTreeSet<_> = ASKS.iter().map(|(made, file)| (made.to_string(), file.to_string())).collect();
    let differ: Vec<_> = asks.symmetric_difference(&expected).collect();
    assert!(differ.is_empty(), "primitives, and what names one elsewhere: {differ:?}");
}

/// The types in `code` that are primitives.
fn primitives(code: &str) -> Vec<String> {
    let name = |rest: &str| rest.chars().take_while(char::is_ascii_alphanumeric).collect();
    code.split("impl Primitive for ").skip(1).map(name).collect()
}

/// Whether `code` takes `name` out of the module that `path` leads to.
fn uses(code: &str, path: &str, name: &str) -> bool {
    let taken = |rest: &str| {
        let list = rest.strip_prefix('{').map_or(rest, |list| list.split('}').next().unwrap_or_default());
        let mut words = list.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        if list.len() == rest.len() { words.next() == Some(name) } else { words.any(|word| word == name) }
    };
    code.split(path).skip(1).any(taken)
}

/// Whether `file` is in the folder of a primitive of `group`, or in the checks of all.
fn is_in_a_folder(file: &str, group: &str) -> bool {
    file.strip_prefix("primitives/src/").is_some_and(|rest| {
        rest.starts_with("every/") || rest.strip_prefix(group).is_some_and(|rest| rest.matches('/').count() > 1)
    })
}
