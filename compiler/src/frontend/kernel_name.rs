//! The kernel's name: it becomes the name of Verilog modules and files.

use super::declaration::is_name;
use super::reader::Reader;
use std::ops::Range;

/// Longest name: module and file names are made from it.
const LONGEST: usize = 100;

/// Reports a name that cannot be a Verilog identifier. Without a place the name came from the file's path.
pub(super) fn check(reader: &mut Reader, name: &str, span: Option<Range<usize>>) {
    let reserved = samhw_hdl::is_reserved(name);
    if is_name(name) && !reserved && name.len() <= LONGEST {
        return;
    }
    let shown: String = name.chars().take(LONGEST).collect();
    let why = if reserved { "is a reserved word of Verilog" } else { "is not a Verilog identifier" };
    let (message, span) = match span {
        Some(span) => (format!("kernel name `{}` {why}", shown.escape_debug()), span),
        None => (format!("the file's name `{}`, which names the kernel, {why}", shown.escape_debug()), 0..0),
    };
    let mut better: String = shown.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if reserved || !is_name(&better) {
        better.insert_str(0, "k_");
    }
    better.truncate(LONGEST);
    let problem = reader.at("K005", span, message).help(format!("write `name = \"{better}\"`"));
    reader.report(problem);
}
