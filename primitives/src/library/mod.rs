//! Every Verilog module of samhw by name, with the modules that it instantiates: all, or with given parameters.

mod parse;
mod reach;
mod tokens;
mod value;

pub use reach::reached;

/// A module that does not exist: a module instantiates it where a parameter is out of range, so that every
/// tool stops.
pub const REFUSED: &str = "samhw_parameter_out_of_range";

/// The source of a Verilog module.
#[derive(Debug, Clone, Copy)]
pub struct Source {
    /// Name of the module; its file is `NAME.v`.
    pub name: &'static str,
    /// Text of the module, with what it needs of the headers that its file includes.
    pub text: &'static str,
    /// Names of the modules that it instantiates, whatever its parameters.
    pub uses: &'static [&'static str],
}

/// All modules by name: every file `samhw_*.v` in this crate's folders, collected by `build.rs`.
pub const MODULES: &[Source] = include!(concat!(env!("OUT_DIR"), "/modules.rs"));

/// Returns the modules in `names` and all modules that these instantiate with any parameters, sorted by name; unknown
/// names are ignored.
pub fn closure<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<&'static Source> {
    let mut todo: Vec<&str> = names.into_iter().collect();
    let mut found: Vec<&'static Source> = Vec::new();
    while let Some(name) = todo.pop() {
        if found.iter().any(|s| s.name == name) {
            continue;
        }
        if let Some(s) = MODULES.iter().find(|s| s.name == name) {
            found.push(s);
            todo.extend(s.uses);
        }
    }
    found.sort_by_key(|s| s.name);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use samhw_streams::Kind;

    /// Words of the language that the modules are written with.
    const WORDS: &str = "always assign begin case casez default else end endcase endfunction endgenerate endmodule for function generate \
        genvar if initial inout input integer localparam module negedge or output parameter posedge reg signed while wire";

    /// The header's kinds are those of the streams, and no module has numbers of its own for them.
    #[test]
    fn kinds_of_beats_are_those_of_the_header() {
        let header = include_str!("../samhw_kinds.vh");
        let kinds = [("DATA", Kind::Data), ("EMPTY", Kind::Empty), ("NIL", Kind::Nil), ("DONE", Kind::Done)];
        let line = |(name, kind): (&str, Kind)| format!("localparam [1:0] {name:<5} = 2'd{};", kind as u8);
        let lines = kinds.map(line);
        let declared = |text: &'static str| {
            let of =
                |l: &&str| kinds.iter().any(|(name, _)| l.contains("localparam") && l.contains(&format!("] {name} ")));
            text.lines().filter(of).map(|l| l.split_inclusive(';').next().unwrap_or(l).trim())
        };
        assert!(declared(header).eq(lines.iter().map(String::as_str)), "{header}");
        for m in MODULES {
            assert!(declared(m.text).all(|l| lines.iter().any(|k| k == l)), "{} declares kinds of its own", m.name);
            assert!(!m.text.contains("`include"), "{} needs another file", m.name);
        }
    }

    /// Tools that take `.v` for SystemVerilog, as Verilator does unless told, have more words.
    #[test]
    fn no_name_is_a_word_of_system_verilog() {
        for m in MODULES {
            let code: String = m.text.lines().map(|l| l.split("//").next().unwrap_or(l).to_string() + "\n").collect();
            // Texts of assertions.
            let code: String = code.split('"').step_by(2).collect();
            for (k, line) in code.lines().enumerate() {
                let mut names = line.split(|c: char| !c.is_ascii_alphanumeric() && !"_$'`".contains(c));
                let bad = names.find(|n| samhw_hdl::is_reserved(n) && !WORDS.split_ascii_whitespace().any(|w| w == *n));
                assert_eq!(bad, None, "{}, line {}", m.name, k + 1);
            }
        }
    }
}
