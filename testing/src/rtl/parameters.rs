//! Checks that modules refuse parameters out of their ranges when they are elaborated.

use super::{cache, tool};
use samhw_primitives::library::REFUSED;
use samhw_rtlsim as rtl;
use std::collections::BTreeSet;

/// A module whose parameters are looked at.
struct Checked<'a> {
    name: &'a str,
    text: &'a str,
    /// Parameters that are declared without a width, so that nothing else says what they may be.
    plain: Vec<&'a str>,
}

impl<'a> Checked<'a> {
    fn new(name: &'a str, text: &'a str) -> Self {
        let declared = text.lines().filter_map(|l| l.trim_start().strip_prefix("parameter "));
        let plain = declared.map(str::trim_start).filter(|l| !l.starts_with('['));
        let plain = plain.filter_map(|l| l.split([' ', '=']).next()).collect();
        Self { name, text, plain }
    }
    /// Where the block that refuses begins and ends, and the line of what is not there.
    fn block(&self) -> Option<(usize, usize, usize)> {
        let at = self.text.find(REFUSED)?;
        let from = self.text[..at].rfind("generate")?;
        let to = at + self.text[at..].find("endgenerate")? + "endgenerate".len();
        Some((from, to, self.text[..at].lines().count()))
    }
    /// Every parameter is in the block's condition.
    fn all_are_named(&self) {
        let Some((from, to, _)) = self.block() else {
            assert!(self.plain.is_empty(), "{} refuses no value of {:?}", self.name, self.plain);
            return;
        };
        let words = self.text[from..to].split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let words: BTreeSet<&str> = words.collect();
        let missing: Vec<_> = self.plain.iter().filter(|p| !words.contains(*p)).collect();
        assert!(missing.is_empty(), "{} refuses no value of {missing:?}", self.name);
    }
    /// The module without what follows the block: nothing in it can refuse in its place.
    fn cut(&self) -> String {
        let to = self.block().map_or(self.text.len(), |(_, to, _)| to);
        format!("{}\nendmodule\n", &self.text[..to])
    }
}

/// What slang says of these files, named without an ending, and of instances of modules in them.
fn said(files: Vec<(String, String)>, instances: &str) -> Option<String> {
    let mut files: Vec<_> = files.into_iter().map(|(name, text)| (format!("{name}.v"), text)).collect();
    files.push(("instances.v".into(), format!("module instances;\n{instances}endmodule\n")));
    let said = match rtl::lint_slang(&rtl::Design::new("instances", files), &cache()) {
        Ok(()) => Ok(String::new()),
        Err(rtl::Error::Failed { output, .. }) => Ok(output),
        Err(e) => Err(e),
    };
    tool("parameters", said)
}

/// Checks that each of `modules`, names and texts, which instantiate no others, takes its defaults; and that
/// it refuses
/// -1 of each of its parameters that has no width.
pub fn parameters_are_checked(modules: &[(&str, &str)]) {
    let all: Vec<Checked> = modules.iter().map(|(name, text)| Checked::new(name, text)).collect();
    all.iter().for_each(Checked::all_are_named);

    let whole = modules.iter().map(|(name, text)| (name.to_string(), text.to_string())).collect();
    let defaults: String = all.iter().map(|m| format!("{0} u_{0} ();\n", m.name)).collect();
    let Some(output) = said(whole, &defaults) else { return };
    let errors: Vec<&str> = output.lines().filter(|l| l.contains(": error: ")).collect();
    assert!(errors.is_empty(), "defaults: {errors:#?}");

    // A copy of the module for each of its parameters, so that the line says which one was refused.
    let copies = || all.iter().flat_map(|m| m.plain.iter().map(move |p| (m, *p, format!("{}__{p}", m.name))));
    let renamed =
        |m: &Checked, copy: &str| m.cut().replacen(&format!("module {} ", m.name), &format!("module {copy} "), 1);
    let cut = copies().map(|(m, _, copy)| (copy.clone(), renamed(m, &copy))).collect();
    let low: String = copies().map(|(_, p, copy)| format!("{copy} #(.{p}(-1)) u_{copy} ();\n")).collect();
    let Some(output) = said(cut, &low) else { return };
    for (m, p, copy) in copies() {
        let place = format!("{copy}.v:{}:", m.block().map_or(0, |(_, _, line)| line));
        let refused = output.lines().any(|l| l.starts_with(&place) && l.contains(REFUSED));
        assert!(refused, "{} takes {p} = -1", m.name);
    }
}
