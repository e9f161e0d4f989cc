//! Bad input: each file of `bad/` is a command with its input files and what it must say: exit status 2,
//! nothing on standard output, no file written or changed.
//!
//! `SAMHW_BLESS=1` writes what is said into the files; read the difference before you commit it.

use crate::support::{Folder, SPMV};
use std::fs;
use std::path::Path;

/// Parts of a case: `== file NAME` and its content, `== run ARGUMENTS` and what is said.
struct Case {
    files: Vec<(String, String)>,
    args: String,
    said: String,
    /// The text up to what is said.
    head: String,
}

fn parse(text: &str) -> Case {
    let mut case = Case { files: vec![], args: String::new(), said: String::new(), head: String::new() };
    for line in text.split_inclusive('\n') {
        if let Some(name) = line.strip_prefix("== file ") {
            case.files.push((name.trim().into(), String::new()));
        } else if let Some(args) = line.strip_prefix("== run ") {
            case.args = args.trim().into();
        } else if !case.args.is_empty() {
            case.said += line;
            continue;
        } else if let Some((_, content)) = case.files.last_mut() {
            *content += line;
        }
        case.head += line;
    }
    case
}

/// Runs a case: what was said, and what else is wrong.
fn run(case: &Case) -> Result<String, String> {
    let folder = Folder::new();
    folder.write("spmv.toml", SPMV).write("taken", "a file\n");
    for (name, content) in &case.files {
        folder.write(name, content);
    }
    fs::create_dir(folder.path().join("folder.mtx")).unwrap();
    let before = folder.content();
    let args: Vec<&str> = case.args.split_whitespace().collect();
    let ran = folder.run(&args);
    if folder.content() != before {
        return Err("files were written".into());
    }
    if ran.status != 2 || !ran.out.is_empty() {
        return Err(format!("not refused: {ran:?}"));
    }
    Ok(ran.err)
}

#[test]
fn refused_with_a_way_out() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/bad");
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    paths.sort();
    let mut wrong = Vec::new();
    for path in &paths {
        let case = parse(&fs::read_to_string(path).unwrap());
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        match run(&case) {
            Ok(said) if said == case.said => {}
            Ok(said) if std::env::var_os("SAMHW_BLESS").is_some() => fs::write(path, case.head + &said).unwrap(),
            Ok(said) => wrong.push(format!("{name} says\n{said}instead of\n{}", case.said)),
            Err(e) => wrong.push(format!("{name}: {e}")),
        }
    }
    assert!(paths.len() > 40 && wrong.is_empty(), "{} of {} cases:\n{}", wrong.len(), paths.len(), wrong.join("\n"));
}
