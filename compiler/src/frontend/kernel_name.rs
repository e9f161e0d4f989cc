//! Checks of the kernel's name, which names Verilog modules and files.

use super::reader::Reader;
use super::token::is_name;
use std::ops::Range;

/// Longest name: module and file names are made from it.
const LONGEST: usize = 100;

/// The name that the file gives, reported if it cannot be a Verilog identifier.
pub(super) fn given(reader: &mut Reader, name: &str, span: Range<usize>) -> String {
    let better = of_file(name);
    if better != name {
        let shown: String = name.chars().take(LONGEST).collect();
        let why = if samhw_hdl::is_reserved(name) {
            "is a reserved word of Verilog".to_owned()
        } else if is_name(name) {
            format!("has {} characters, names of modules and files are made of it: {LONGEST} are possible", name.len())
        } else {
            "is not a Verilog identifier".to_owned()
        };
        let dots = if shown.len() < name.len() { ".." } else { "" };
        let problem = reader.at("K005", span, format!("kernel name `{}{dots}` {why}", shown.escape_debug()));
        reader.report(problem.help(format!("write `name = \"{better}\"`")));
    }
    name.to_owned()
}

/// The name of a kernel whose file has this one, without its extension: with `_` for what names
/// cannot have, `k_` before what is no name or a reserved word, and as long as names may be.
pub(super) fn of_file(stem: &str) -> String {
    let mut name: String = stem.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if samhw_hdl::is_reserved(stem) || !is_name(&name) {
        name.insert_str(0, "k_");
    }
    name.truncate(LONGEST);
    name
}
