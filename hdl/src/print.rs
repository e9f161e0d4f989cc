//! Printing of modules: four spaces of indentation, aligned declarations, lines of at most [`WIDTH`] characters where
//! names allow it.

use crate::expr::{Expr, Signal};
use crate::module::{Connection, Instance, Item, Module, PortDir, Wire};
use std::fmt;

const WIDTH: usize = 110;

impl fmt::Display for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in &self.header {
            comment(f, "", line)?;
        }
        write!(f, "`default_nettype none\n\nmodule {} (", self.name)?;
        ports(f, self)?;
        writeln!(f, "\n);")?;
        let mut before: Option<&Item> = None;
        for item in &self.items {
            if !(matches!(item, Item::Register { .. }) && matches!(before, Some(Item::Register { .. }))) {
                writeln!(f)?;
            }
            print(f, item)?;
            before = Some(item);
        }
        writeln!(f, "\nendmodule\n\n`default_nettype wire")
    }
}

fn comment(f: &mut fmt::Formatter<'_>, indent: &str, line: &str) -> fmt::Result {
    writeln!(f, "{}", format!("{indent}// {line}").trim_end())
}

fn range(s: &Signal) -> String {
    if s.width == 1 { String::new() } else { format!("[{}:0]", s.width - 1) }
}

fn ports(f: &mut fmt::Formatter<'_>, module: &Module) -> fmt::Result {
    let all = || module.ports.iter().flat_map(|g| &g.ports);
    let widest = all().map(|p| range(&p.signal).len()).max().unwrap_or(0);
    let mut left = all().count();
    for (n, group) in module.ports.iter().enumerate() {
        writeln!(f)?;
        if n > 0 {
            writeln!(f)?;
        }
        if !group.comment.is_empty() {
            comment(f, "    ", &group.comment)?;
        }
        for (k, p) in group.ports.iter().enumerate() {
            left -= 1;
            let dir = if p.dir == PortDir::In { "input " } else { "output" };
            let (start, end) = (if k > 0 { "\n" } else { "" }, if left > 0 { "," } else { "" });
            write!(f, "{start}    {dir} wire {:widest$} {}{end}", range(&p.signal), p.signal.name)?;
        }
    }
    Ok(())
}

fn print(f: &mut fmt::Formatter<'_>, item: &Item) -> fmt::Result {
    match item {
        Item::Section(text) => {
            comment(f, "    ", &"-".repeat(60))?;
            comment(f, "    ", text)
        }
        Item::Wires(text, wires) => {
            if !text.is_empty() {
                comment(f, "    ", text)?;
            }
            declare(f, wires)
        }
        Item::Assigns(list) => {
            let widest = list.iter().map(|(to, _)| to.to_string().len()).max().unwrap_or(0);
            list.iter().try_for_each(|(to, value)| {
                let to = to.to_string();
                writeln!(f, "{};", wrapped(&format!("    assign {to:widest$} = "), value))
            })
        }
        Item::Register { signal, enable, next } => {
            let range = range(signal);
            let gap = if range.is_empty() { "" } else { " " };
            writeln!(f, "    reg {range}{gap}{};", signal.name)?;
            writeln!(f, "    always @(posedge clk)")?;
            let mut at = "        ";
            if let Some(enable) = enable {
                writeln!(f, "{at}if ({enable})")?;
                at = "            ";
            }
            writeln!(f, "{};", wrapped(&format!("{at}{} <= ", signal.name), next))
        }
        Item::Instance(i) => instance(f, i),
        Item::Unused(bits) => {
            let zero = || Expr::literal(1, 0);
            let all = std::iter::once(zero()).chain(bits.iter().cloned()).chain([zero()]).collect();
            writeln!(f, "{};", wrapped("    wire _unused_ok = &", &Expr::Concat(all)))
        }
    }
}

fn declare(f: &mut fmt::Formatter<'_>, wires: &[Wire]) -> fmt::Result {
    let widest = wires.iter().map(|w| range(&w.signal).len()).max().unwrap_or(0);
    let gap = if widest > 0 { " " } else { "" };
    let longest = wires.iter().filter(|w| w.value.is_some()).map(|w| w.signal.name.len()).max().unwrap_or(0);
    for w in wires {
        let head = format!("    wire {:widest$}{gap}", range(&w.signal));
        match &w.value {
            None => writeln!(f, "{head}{};", w.signal.name)?,
            Some(v) => writeln!(f, "{};", wrapped(&format!("{head}{:longest$} = ", w.signal.name), v))?,
        }
    }
    Ok(())
}

/// `head` and the expression after it; a concatenation that is too long gets a line per few parts.
fn wrapped(head: &str, e: &Expr) -> String {
    let line = format!("{head}{e}");
    match e {
        Expr::Concat(parts) if line.len() > WIDTH => {
            let indent = " ".repeat(head.len() - head.trim_start().len() + 4);
            let parts: Vec<String> = parts.iter().map(ToString::to_string).collect();
            format!("{head}{{\n{}\n{}}}", filled(&indent, &parts), &indent[4..])
        }
        Expr::Binary(..) if line.len() > WIDTH => {
            let mut parts = Vec::new();
            let op = chain(e, &mut parts);
            let indent = " ".repeat(head.trim_end().len() + 1 - op.len());
            format!("{head}{}", parts.join(&format!("\n{indent}{op} ")))
        }
        _ => line,
    }
}

/// The operands of a chain of one operator, from the left.
fn chain(e: &Expr, parts: &mut Vec<String>) -> &'static str {
    let Expr::Binary(a, op, b) = e else { return "" };
    match a.as_ref() {
        Expr::Binary(_, inner, _) if inner == op => {
            chain(a, parts);
        }
        Expr::Binary(..) | Expr::Choice(..) => parts.push(format!("({a})")),
        _ => parts.push(a.to_string()),
    }
    match b.as_ref() {
        Expr::Binary(..) | Expr::Choice(..) => parts.push(format!("({b})")),
        _ => parts.push(b.to_string()),
    }
    op
}

/// Parts with commas between them, as many on a line as fit.
fn filled(indent: &str, parts: &[String]) -> String {
    let mut lines = vec![indent.to_string()];
    for (k, p) in parts.iter().enumerate() {
        let text = format!("{p}{}", if k + 1 < parts.len() { "," } else { "" });
        match lines.last_mut() {
            Some(line) if line.trim().is_empty() => line.push_str(&text),
            Some(line) if line.len() + 1 + text.len() <= WIDTH => {
                line.push(' ');
                line.push_str(&text);
            }
            _ => lines.push(format!("{indent}{text}")),
        }
    }
    lines.join("\n")
}

fn instance(f: &mut fmt::Formatter<'_>, i: &Instance) -> fmt::Result {
    i.comment.iter().try_for_each(|line| comment(f, "    ", line))?;
    let named = |(port, e): &Connection| format!(".{port}({e})");
    let params: Vec<String> = i.params.iter().map(named).collect();
    let all = params.join(", ");
    if params.is_empty() {
        writeln!(f, "    {} {} (", i.module, i.name)?;
    } else if all.len() + i.module.len() + i.name.len() + 12 <= WIDTH {
        writeln!(f, "    {} #({all}) {} (", i.module, i.name)?;
    } else {
        writeln!(f, "    {} #(\n{}\n    ) {} (", i.module, filled("        ", &params), i.name)?;
    }
    let group = |group: &Vec<Connection>| {
        let line = format!("        {}", group.iter().map(named).collect::<Vec<_>>().join(", "));
        if line.len() <= WIDTH {
            return line;
        }
        let own_line = |(port, e): &Connection| wrapped(&format!("        .{port}("), e) + ")";
        group.iter().map(own_line).collect::<Vec<_>>().join(",\n")
    };
    let groups: Vec<String> = i.connections.iter().map(group).collect();
    writeln!(f, "{}\n    );", groups.join(",\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::module::{Port, PortGroup};

    fn ones(names: &[&str]) -> Vec<Expr> {
        names.iter().map(|n| Signal::new(*n, 1).all()).collect()
    }

    #[test]
    fn a_module_prints_as_one_would_write_it() {
        let x = Signal::new("x", 4);
        let module = Module {
            name: "top".into(),
            header: vec!["SPDX-License-Identifier: Apache-2.0".into(), String::new(), "top: passes a on.".into()],
            ports: vec![
                PortGroup { comment: String::new(), ports: vec![Port::input("clk", 1), Port::input("a", 4)] },
                PortGroup { comment: "The copy.".into(), ports: vec![Port::output("b", 4)] },
            ],
            items: vec![
                Item::Wires("between".into(), vec![Wire { signal: x.clone(), value: None }]),
                Item::Instance(Instance {
                    comment: vec!["a register".into()],
                    module: "leaf".into(),
                    name: "u_leaf".into(),
                    params: vec![("W".into(), Expr::Integer(4))],
                    connections: vec![
                        vec![("clk".into(), Signal::new("clk", 1).all())],
                        vec![("in".into(), Signal::new("a", 4).all()), ("out".into(), x.all())],
                    ],
                }),
                Item::Register { signal: Signal::new("r", 1), enable: Some(x.bits(0, 1)), next: x.bits(1, 1) },
                Item::Register { signal: Signal::new("late", 1), enable: None, next: Signal::new("r", 1).all() },
                Item::Assigns(vec![(Signal::new("b", 4).all(), x.all())]),
                Item::Unused(ones(&["r"])),
            ],
        };
        let text = "\
// SPDX-License-Identifier: Apache-2.0
//
// top: passes a on.
`default_nettype none

module top (
    input  wire       clk,
    input  wire [3:0] a,

    // The copy.
    output wire [3:0] b
);

    // between
    wire [3:0] x;

    // a register
    leaf #(.W(4)) u_leaf (
        .clk(clk),
        .in(a), .out(x)
    );

    reg r;
    always @(posedge clk)
        if (x[0])
            r <= x[1];
    reg late;
    always @(posedge clk)
        late <= r;

    assign b = x;

    wire _unused_ok = &{1'b0, r, 1'b0};

endmodule

`default_nettype wire
";
        assert_eq!(module.to_string(), text);
    }

    #[test]
    fn long_lines_are_wrapped() {
        let names: Vec<String> = (0..12).map(|n| format!("a_rather_long_name_{n}")).collect();
        let parts: Vec<Expr> = names.iter().map(|n| Signal::new(n, 1).all()).collect();
        let chain = parts.clone().into_iter().reduce(|a, b| a.binary("|", b)).unwrap();
        for e in [Expr::Concat(parts), chain] {
            let text = wrapped("    assign x = ", &e);
            assert!(text.lines().count() > 2 && text.lines().all(|l| l.len() <= WIDTH), "{text}");
        }
    }
}
