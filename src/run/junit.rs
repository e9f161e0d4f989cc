//! Runs as test cases of a JUnit report, as CI systems read it.

use crate::Failure;
use anstream::adapter::strip_str;
use samhw_sim::tensor::cannot_write;
use samhw_system::replace;
use std::fmt::Write;
use std::path::Path;

/// A run.
pub struct Case {
    /// The kernel as it was given.
    pub kernel: String,
    /// Name of the run.
    pub name: String,
    /// Wall time.
    pub seconds: f64,
    /// Why it failed: an error in the input, or a wrong result.
    pub failure: Option<(&'static str, String)>,
}

/// Writes all cases, whole or not at all.
pub fn write(path: &Path, cases: &[Case]) -> Result<(), Failure> {
    let text = report(cases);
    replace(path, |out| out.write_all(text.as_bytes())).map_err(|e| cannot_write(path, &e).into())
}

fn report(cases: &[Case]) -> String {
    let failed = |kind: &str| cases.iter().filter(|c| c.failure.as_ref().is_some_and(|(k, _)| *k == kind)).count();
    let seconds: f64 = cases.iter().map(|case| case.seconds).sum();
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"samhw run\" tests=\"{}\" failures=\"{}\" errors=\"{}\" time=\"{seconds:.3}\">\n",
        cases.len(),
        failed("failure"),
        failed("error")
    );
    for case in cases {
        let (kernel, name) = (escaped(&case.kernel), escaped(&case.name));
        let _ = write!(out, "  <testcase classname=\"{kernel}\" name=\"{name}\" time=\"{:.3}\"", case.seconds);
        let _ = match &case.failure {
            None => writeln!(out, "/>"),
            Some((kind, text)) => {
                let first = escaped(text.lines().next().unwrap_or_default());
                let text = escaped(text);
                writeln!(out, ">\n    <{kind} message=\"{first}\">{text}</{kind}>\n  </testcase>")
            }
        };
    }
    out + "</testsuite>\n"
}

/// Text as XML has it; colours, and characters that it cannot have, are left out.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in strip_str(text).to_string().chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_counts_and_escapes() {
        let case = |failure| Case { kernel: "a&b.toml".into(), name: "seed 1".into(), seconds: 0.5, failure };
        let text = report(&[case(None), case(Some(("failure", "y: 1 < 2\nmore".into())))]);
        for part in [
            "tests=\"2\" failures=\"1\" errors=\"0\" time=\"1.000\"",
            "classname=\"a&amp;b.toml\" name=\"seed 1\" time=\"0.500\"/>",
            "<failure message=\"y: 1 &lt; 2\">y: 1 &lt; 2\nmore</failure>",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
    }
}
