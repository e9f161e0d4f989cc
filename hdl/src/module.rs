//! A module: header comment, ports in groups, and what is inside.

use crate::expr::{Expr, Signal};

/// Direction of a port, seen from its module.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PortDir {
    /// Driven from outside.
    In,
    /// Driven by the module.
    Out,
}

/// A port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Port {
    /// Direction.
    pub dir: PortDir,
    /// Name and width.
    pub signal: Signal,
}

impl Port {
    /// An input.
    pub fn input(name: impl Into<String>, width: u32) -> Self {
        Self { dir: PortDir::In, signal: Signal::new(name, width) }
    }
    /// An output.
    pub fn output(name: impl Into<String>, width: u32) -> Self {
        Self { dir: PortDir::Out, signal: Signal::new(name, width) }
    }
}

/// Ports that belong together, with a comment above them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PortGroup {
    /// Comment; empty for none.
    pub comment: String,
    /// The ports.
    pub ports: Vec<Port>,
}

/// A net to declare.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wire {
    /// Name and width.
    pub signal: Signal,
    /// What drives it, if that is an expression.
    pub value: Option<Expr>,
}

/// A connection of an instance: port name and what is there.
pub type Connection = (String, Expr);

/// An instance of another module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instance {
    /// Comment lines above it.
    pub comment: Vec<String>,
    /// Module.
    pub module: String,
    /// Instance name.
    pub name: String,
    /// Parameters.
    pub params: Vec<Connection>,
    /// Connections in groups that stand on a line of their own.
    pub connections: Vec<Vec<Connection>>,
}

/// What a module contains, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Item {
    /// A heading between parts of the module.
    Section(String),
    /// Nets with a comment above them (none if empty), aligned.
    Wires(String, Vec<Wire>),
    /// `assign` of outputs or of parts of nets, aligned.
    Assigns(Vec<(Expr, Expr)>),
    /// A register without reset: takes `next` at every edge of `clk`, or at those with `enable`.
    Register {
        /// The register.
        signal: Signal,
        /// When it loads.
        enable: Option<Expr>,
        /// What it loads.
        next: Expr,
    },
    /// An instance.
    Instance(Instance),
    /// Bits that nobody reads, kept from being reported.
    Unused(Vec<Expr>),
}

/// A module. Its `Display` is the whole file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Module {
    /// Name; the file is `NAME.v`.
    pub name: String,
    /// Comment lines above it.
    pub header: Vec<String>,
    /// Ports.
    pub ports: Vec<PortGroup>,
    /// Contents.
    pub items: Vec<Item>,
}
