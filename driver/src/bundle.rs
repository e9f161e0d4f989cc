//! Other layouts of a design's files: all Verilog in one file, or a prefix for the shared modules.

use samhw_compiler::emit::Design;
use samhw_primitives::library;

/// The layout of a design's files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Bundle {
    /// Prefix of the names of the library's modules.
    pub prefix: String,
    /// Whether all Verilog is in one file, `NAME.v`.
    pub single_file: bool,
}

impl Bundle {
    /// Changes the layout of a design's files.
    pub fn lay_out(&self, design: &mut Design) {
        if !self.prefix.is_empty() {
            for (name, text) in &mut design.files {
                (*name, *text) = (self.renamed(name), self.renamed(text));
            }
        }
        if self.single_file {
            one_file(design);
        }
    }

    /// A text with the library's modules under their other names.
    fn renamed(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let in_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let mut rest = text;
        while let Some(start) = rest.find(in_word) {
            let (before, from) = rest.split_at(start);
            let (word, after) = from.split_at(from.find(|c| !in_word(c)).unwrap_or(from.len()));
            out += before;
            if library::MODULES.iter().any(|module| module.name == word) {
                out += &self.prefix;
            }
            out += word;
            rest = after;
        }
        out + rest
    }
}

/// Puts all Verilog into `NAME.v`, which lists of files name instead.
fn one_file(design: &mut Design) {
    let (name, list) = (format!("{}.v", design.name), format!("{}.f", design.name));
    let verilog: Vec<(String, String)> = design.verilog().cloned().collect();
    let text: String = verilog.iter().map(|(_, text)| text.trim_end().to_owned() + "\n\n").collect();
    design.files.retain(|(name, _)| !name.ends_with(".v"));
    for (file, text) in &mut design.files {
        if *file == list {
            *text = format!("{name}\n");
        } else if file.ends_with("_rust_hdl.rs") {
            let included = |file: &str| format!("    include_str!(\"{file}\"),\n");
            let old: String = verilog.iter().map(|(file, _)| included(file)).collect();
            *text = text.replace(&old, &included(&name));
        }
    }
    design.files.insert(0, (name, text.trim_end().to_owned() + "\n"));
}
