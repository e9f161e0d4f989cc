//! Every Verilog module samhw ships, by name, with the modules it instantiates.

/// A module's text.
#[derive(Debug, Clone, Copy)]
pub struct Source {
    /// Module name; the file is `NAME.v`.
    pub name: &'static str,
    /// Verilog.
    pub text: &'static str,
    /// Modules it instantiates.
    pub uses: &'static [&'static str],
}

/// All of them, by name: every file `samhw_*.v` in the folders here, as `build.rs` finds them.
pub const MODULES: &[Source] = include!(concat!(env!("OUT_DIR"), "/modules.rs"));

/// The modules `names` need, themselves included, sorted by name; unknown names are left out.
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
