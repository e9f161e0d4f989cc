//! Fingerprints of the Verilog of calibrated modules.

use samhw_compiler::emit::fingerprint;
use samhw_primitives::library::{REFUSED, closure};

/// Returns a fingerprint of `module` and of the modules in it; comments, assertions, layout and what
/// refuses parameters do not affect it.
pub fn content(module: &str) -> String {
    let texts: Vec<String> = closure([module]).iter().map(|s| synthesised(s.text)).collect();
    let bytes = texts.iter().flat_map(|s| s.bytes());
    format!("{:016x}", fingerprint(bytes))
}

fn synthesised(text: &str) -> String {
    let mut asserts = false;
    let mut words = Vec::new();
    for line in text.lines().map(|l| l.split_once("//").map_or(l, |(code, _)| code)) {
        asserts |= line.trim() == "`ifdef SAMHW_ASSERT";
        words.extend(line.split_whitespace().filter(|_| !asserts));
        asserts &= line.trim() != "`endif";
    }
    let mut out = String::new();
    let mut left = words.as_slice();
    while let [word, after @ ..] = left {
        // A block is from `generate` to `endgenerate`.
        let end = (*word == "generate").then(|| after.iter().position(|w| *w == "endgenerate")).flatten();
        let refuses = end.filter(|end| after[..*end].contains(&REFUSED));
        if refuses.is_none() {
            out += word;
            out.push(' ');
        }
        left = &after[refuses.map_or(0, |end| end + 1)..];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_refuses_parameters_is_no_change() {
        let module = |block: &str| {
            let other = "    generate\n        if (W > 1) begin : g_wide\n        end\n    endgenerate\n";
            synthesised(&format!("module m #(parameter W = 2) ();\n{block}    // Wide?\n{other}endmodule\n"))
        };
        let refuses = format!(
            "    generate\n        if (W < 1) begin : g_parameters\n            {REFUSED} refused ();\n        end\n    \
             endgenerate\n"
        );
        assert_eq!(module(&refuses), module(""));
        let words = "module m #(parameter W = 2) (); generate if (W > 1) begin : g_wide end endgenerate endmodule ";
        assert_eq!(module(""), words);
    }
}
