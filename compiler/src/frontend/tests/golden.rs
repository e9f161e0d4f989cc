//! Every `cases/NAME.toml` must give exactly `cases/NAME.txt`. To add a test, add the input, run with
//! `SAMHW_BLESS=1`, and read the text that appears.

use super::shown;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn cases() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/frontend/tests/cases")
}

/// Every input.
pub(super) fn inputs() -> Vec<PathBuf> {
    let files = fs::read_dir(cases()).expect("the folder of cases").map(|entry| entry.expect("a file").path());
    let mut inputs: Vec<_> = files.filter(|path| path.extension().is_some_and(|e| e == "toml")).collect();
    inputs.sort();
    inputs
}

#[test]
fn cases_give_what_is_recorded() {
    let mut wrong = Vec::new();
    for input in inputs() {
        let name = input.file_name().expect("a name").to_string_lossy().into_owned();
        let found = shown(&name, &fs::read_to_string(&input).expect("readable"));
        let golden = input.with_extension("txt");
        if env::var_os("SAMHW_BLESS").is_some() {
            fs::write(&golden, &found).expect("writable");
        }
        let expected = fs::read_to_string(&golden).unwrap_or_default();
        if found != expected {
            wrong.push(format!("{name}: expected\n{expected}\nfound\n{found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The frontend's codes (`K0..`, `E0..`, `S1..`, `W0..`) are documented if and only if they are given.
#[test]
fn codes_are_documented_and_have_a_case() {
    let documented = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/diagnostics.md");
    let documented: BTreeSet<String> = fs::read_to_string(documented)
        .expect("docs/diagnostics.md")
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.split(' ').next())
        .filter(|code| code.len() == 4 && ["K0", "E0", "S1", "W0"].iter().any(|ours| code.starts_with(ours)))
        .map(str::to_owned)
        .collect();
    // K000 and K032 to K036 are the command line's, W005 and W006 of what is emitted (`emit::axi::waste`). The
    // others are too large for a file of their own: see `limits_are_diagnosed`.
    let elsewhere = ["K000", "K017", "K018", "K032", "K033", "K034", "K035", "K036", "W005", "W006"];
    let mut given: BTreeSet<String> = elsewhere.map(str::to_owned).into();
    for input in inputs() {
        let text = fs::read_to_string(input.with_extension("txt")).unwrap_or_default();
        let code =
            |line: &str| Some(["error[", "warning["].iter().find_map(|s| line.strip_prefix(s))?.get(..4)?.to_owned());
        given.extend(text.lines().filter_map(code));
    }
    assert_eq!(documented, given);
}

#[test]
fn limits_are_diagnosed() {
    let long = shown("k.toml", &"#".repeat(70_000));
    assert!(long.starts_with("error[K017]"), "{long}");
    let many: String = (0..150).map(|n| format!("x{n} = 1\n")).collect();
    let many = shown("k.toml", &many);
    assert!(many.contains("error[K018]: 51 more problems in this file"), "{many}");
}
