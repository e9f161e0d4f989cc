//! A Verilog module: header comment, ports in groups, and contents.

use crate::expr::{Expr, Signal};

/// Direction of a port, seen from its module.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PortDir {
    /// Driven from outside.
    In,
    /// Driven by the module.
    Out,
}

/// A port of a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Port {
    /// Direction.
    pub dir: PortDir,
    /// Name and width.
    pub signal: Signal,
}

impl Port {
    /// Creates an input.
    pub fn input(name: impl Into<String>, width: u32) -> Self {
        Self { dir: PortDir::In, signal: Signal::new(name, width) }
    }
    /// Creates an output.
    pub fn output(name: impl Into<String>, width: u32) -> Self {
        Self { dir: PortDir::Out, signal: Signal::new(name, width) }
    }
}

/// A group of related ports with a comment above them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PortGroup {
    /// Comment above the group; empty for none.
    pub comment: String,
    /// The ports of the group.
    pub ports: Vec<Port>,
}

/// A declaration of a net.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wire {
    /// Name and width.
    pub signal: Signal,
    /// The expression that drives the net, if one does.
    pub value: Option<Expr>,
}

/// A connection of an instance: the port's name and the expression at it.
pub type Connection = (String, Expr);

/// An instance of another module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instance {
    /// Comment lines above the instance.
    pub comment: Vec<String>,
    /// Name of the instantiated module.
    pub module: String,
    /// Name of the instance.
    pub name: String,
    /// Parameters of the instance.
    pub params: Vec<Connection>,
    /// Connections in groups, one line per group.
    pub connections: Vec<Vec<Connection>>,
}

/// An item of a module; items are printed in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Item {
    /// A heading between two parts of the module.
    Section(String),
    /// Aligned declarations of nets, with a comment above them unless it is empty.
    Wires(String, Vec<Wire>),
    /// Aligned `assign` statements for outputs or for parts of nets.
    Assigns(Vec<(Expr, Expr)>),
    /// A register without reset, which takes `next` at every edge of `clk`, or only when `enable` is set.
    Register {
        /// The register's signal.
        signal: Signal,
        /// The enable, if the register has one.
        enable: Option<Expr>,
        /// The next value.
        next: Expr,
    },
    /// An instance.
    Instance(Instance),
    /// Unused bits, for which lint warnings are suppressed.
    Unused(Vec<Expr>),
}

/// A Verilog module. Its `Display` is the whole file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Module {
    /// Name of the module; its file is `NAME.v`.
    pub name: String,
    /// Comment lines above the module.
    pub header: Vec<String>,
    /// Ports in groups.
    pub ports: Vec<PortGroup>,
    /// Contents of the module.
    pub items: Vec<Item>,
}
