//! A reader of the class that Verilator generates: the signals and their widths.

use crate::design::Dir;

/// A signal in the generated class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Member {
    /// C++ name.
    pub name: String,
    /// Bits.
    pub width: u32,
    /// Direction, for ports of the top module.
    pub dir: Option<Dir>,
}

/// The signals of the class in `text` (`Vtop___024root.h`).
pub(crate) fn members(text: &str) -> Vec<Member> {
    text.lines().filter_map(|l| port(l.trim()).or_else(|| variable(l.trim()))).collect()
}

/// `VL_IN8(name,7,0);`, `VL_OUTW(name,74,0,3);`
fn port(line: &str) -> Option<Member> {
    let rest = line.strip_prefix("VL_")?;
    let (kind, rest) = rest.split_once('(')?;
    let dir = match kind.trim_end_matches(|c: char| c.is_ascii_digit() || c == 'W') {
        "IN" => Dir::In,
        "OUT" => Dir::Out,
        _ => return None,
    };
    let mut fields = rest.split(')').next()?.split(',').map(|f| f.trim().trim_start_matches('&'));
    let name = fields.next()?.to_string();
    let msb: i64 = fields.next()?.parse().ok()?;
    let lsb: i64 = fields.next()?.parse().ok()?;
    Some(Member { name, width: u32::try_from((msb - lsb).abs() + 1).ok()?, dir: Some(dir) })
}

/// `CData/*7:0*/ name;`, `VlWide<3>/*74:0*/ name;`
fn variable(line: &str) -> Option<Member> {
    let (kind, rest) = line.split_once("/*")?;
    if !(kind.starts_with("VlWide<") || matches!(kind, "CData" | "SData" | "IData" | "QData")) {
        return None;
    }
    let (range, name) = rest.split_once("*/ ")?;
    let (msb, lsb) = range.split_once(':')?;
    let (msb, lsb): (i64, i64) = (msb.parse().ok()?, lsb.parse().ok()?);
    let width = u32::try_from((msb - lsb).abs() + 1).ok()?;
    Some(Member { name: name.trim_end_matches(';').to_string(), width, dir: None })
}

/// A Verilog identifier as Verilator spells it in C++: `__` is `___05F`.
pub(crate) fn encode(name: &str) -> String {
    let mut out = String::new();
    let mut chars = name.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '_' && chars.peek() == Some(&'_') {
            chars.next();
            out.push_str("___05F");
        } else if c == '_' || c.is_ascii_alphanumeric() {
            out.push(c);
        } else {
            out.push_str(&format!("__{:03X}", u32::from(c)));
        }
    }
    out
}

/// The C++ name of the net at `path` below module `top`, in a flattened design.
pub(crate) fn net(top: &str, path: &str) -> String {
    std::iter::once(top).chain(path.split('.')).map(encode).collect::<Vec<_>>().join("__DOT__")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_ports_and_variables() {
        let text = "    VL_IN8(clk,0,0);\n    VL_OUTW(out_beat,74,0,3);\n    VL_IN(crd,20,0);\n    \
                    CData/*0:0*/ t__DOT__go;\n    VlWide<3>/*74:0*/ t__DOT__h;\n    \
                    VlUnpacked<QData/*63:0*/, 1> __VactTriggered;\n";
        let m = |name: &str, width, dir| Member { name: name.into(), width, dir };
        let want = [
            m("clk", 1, Some(Dir::In)),
            m("out_beat", 75, Some(Dir::Out)),
            m("crd", 21, Some(Dir::In)),
            m("t__DOT__go", 1, None),
            m("t__DOT__h", 75, None),
        ];
        assert_eq!(members(text), want);
    }

    #[test]
    fn spells_names_as_verilator_does() {
        assert_eq!(net("top", "u_a.x__y"), "top__DOT__u_a__DOT__x___05Fy");
    }
}
