//! Fingerprints of the Verilog of calibrated modules.

use samhw_compiler::emit::fingerprint;
use samhw_primitives::library::closure;

/// Returns a fingerprint of `module` and of the modules in it; comments, assertions and layout do not affect it.
pub fn content(module: &str) -> String {
    let texts: Vec<String> = closure([module]).iter().map(|s| synthesised(s.text)).collect();
    let bytes = texts.iter().flat_map(|s| s.bytes());
    format!("{:016x}", fingerprint(bytes))
}

fn synthesised(text: &str) -> String {
    let mut asserts = false;
    let mut out = String::new();
    for line in text.lines().map(|l| l.split_once("//").map_or(l, |(code, _)| code)) {
        asserts |= line.trim() == "`ifdef SAMHW_ASSERT";
        for word in line.split_whitespace().filter(|_| !asserts) {
            out += word;
            out.push(' ');
        }
        asserts &= line.trim() != "`endif";
    }
    out
}
