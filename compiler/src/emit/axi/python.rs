//! Generated Python: a bench for cocotb and a module for LiteX. Both take widths and registers from `NAME.json`.

use crate::emit::Context;

/// `NAME_cocotb.py`, `NAME_litex.py`.
pub(super) fn files(cx: &Context) -> [(String, String); 2] {
    [("cocotb", include_str!("templates/cocotb.py")), ("litex", include_str!("templates/litex.py"))]
        .map(|(what, text)| (format!("{}_{what}.py", cx.name), text.replace("@FILE", cx.name)))
}
