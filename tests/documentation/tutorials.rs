//! Tutorials and other pages are run as they stand, each in an empty folder; a picture that a page
//! makes is the one in `docs/images`. `SAMHW_BLESS=1` writes what they print and the pictures.

use crate::pages::{Block, Scratch, blocks};
use crate::root;
use std::fs;

/// Whether a block needs a tool that is not here: its second word without an extension is the
/// tool's name.
fn lacks_a_tool(block: &Block, scratch: &Scratch) -> bool {
    let tool = block.info.split_once(' ').map(|(_, word)| word).filter(|word| !word.contains('.'));
    let lacks = tool.is_some_and(|tool| !scratch.run(&format!("command -v {tool}")).0);
    assert!(!lacks || std::env::var_os("SAMHW_REQUIRE_TOOLS").is_none(), "{tool:?} is missing");
    lacks
}

/// Pictures that the page has made, in its folder or one below, and that are not those of `docs/images`.
pub fn pictures(page: &str, scratch: &Scratch, bless: bool) -> Vec<String> {
    let (mut wrong, mut made) = (Vec::new(), Vec::new());
    for path in fs::read_dir(scratch.path()).unwrap().map(|entry| entry.unwrap().path()) {
        let below = fs::read_dir(&path).ok().filter(|_| !path.is_symlink());
        made.extend(below.into_iter().flatten().map(|entry| entry.unwrap().path()).chain([path]));
    }
    for made in made.into_iter().filter(|path| path.is_file()) {
        let name = made.file_name().unwrap();
        let kept = root().join("docs/images").join(name);
        if !page.contains(&format!("images/{})", name.to_string_lossy())) {
            continue;
        }
        if bless {
            fs::copy(&made, &kept).unwrap();
        }
        if fs::read(&made).unwrap() != fs::read(&kept).unwrap_or_default() {
            wrong.push(format!("{} is another picture: run this with SAMHW_BLESS=1", kept.display()));
        }
    }
    wrong
}

fn run(name: &str) {
    let path = root().join(format!("docs/{name}.md"));
    let mut page = fs::read_to_string(&path).unwrap();
    let scratch = Scratch::new(&name.replace('/', "-"));
    // Where a page says that it needs the repository, its folders are there.
    if page.contains("You need the repository") {
        std::os::unix::fs::symlink(root().join("primitives"), scratch.path().join("primitives")).unwrap();
    }
    let (mut wrong, bless) = (Vec::new(), std::env::var_os("SAMHW_BLESS").is_some());
    for block in blocks(&page).iter().filter(|block| !lacks_a_tool(block, &scratch)) {
        match scratch.block(block) {
            (_, Err(_)) if bless && block.info.starts_with("console") => {
                page = page.replace(&block.text, &scratch.recorded(block));
            }
            (_, Err(e)) => wrong.push(format!("{}: {e}", block.section)),
            (_, Ok(())) => {}
        }
    }
    wrong.extend(pictures(&page, &scratch, bless));
    if bless {
        fs::write(path, page).unwrap();
    }
    assert!(wrong.is_empty(), "{name}:\n{}", wrong.join("\n"));
}

#[test]
fn first_accelerator() {
    run("tutorials/first-accelerator");
}

#[test]
fn which_dataflow() {
    run("tutorials/which-dataflow");
}

#[test]
fn core_in_your_soc() {
    run("tutorials/core-in-your-soc");
}

#[test]
fn model() {
    run("tutorials/model");
}

#[test]
fn adding_a_primitive() {
    run("tutorials/adding-a-primitive");
}

#[test]
fn from_other_tools() {
    run("tutorials/from-other-tools");
}

#[test]
fn schedules_and_formats() {
    run("schedules-and-formats");
}

#[test]
fn every_tutorial_is_run() {
    let source = fs::read_to_string(root().join("tests/documentation/tutorials.rs")).unwrap();
    for page in fs::read_dir(root().join("docs/tutorials")).unwrap().map(|e| e.unwrap().path()) {
        let name = page.file_stem().unwrap().to_string_lossy().into_owned();
        assert!(source.contains(&format!("run(\"tutorials/{name}\")")), "{name} is not run");
    }
}
