//! A design to compile: Verilog, its parameters, and the signals to be driven and seen.

/// Direction of a port, seen from the design.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dir {
    /// Driven by the caller.
    In,
    /// Driven by the design.
    Out,
}

/// A signal: a port of the top module, or a net somewhere inside.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Signal {
    /// Port name, or path of a net below the top module (`u_core.x_valid`).
    pub path: String,
    /// Bits.
    pub width: u32,
    /// What kind of signal it is.
    pub kind: SignalKind,
}

/// Port or net.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum SignalKind {
    /// Port of the top module.
    Port(Dir),
    /// Net or register, declared in the module named.
    Net(String),
}

/// Verilog with what the caller wants to do with it. Clock and reset are the ports `clk` and
/// `rst`; they need not be listed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Design {
    /// File names (without folder) and texts.
    pub files: Vec<(String, String)>,
    /// Top module.
    pub top: String,
    /// Parameters of the top module: name and Verilog literal.
    pub params: Vec<(String, String)>,
    /// Macros: `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// Signals, numbered in this order.
    pub signals: Vec<Signal>,
    /// Built with support for waves.
    pub trace: bool,
    /// Compiled in half the time and runs slower: for short runs.
    pub quick: bool,
}

impl Design {
    /// A design without signals yet.
    pub fn new(top: impl Into<String>, files: Vec<(String, String)>) -> Self {
        Self { files, top: top.into(), ..Self::default() }
    }
    /// Adds a port; returns its number.
    pub fn port(&mut self, name: impl Into<String>, width: u32, dir: Dir) -> usize {
        self.signals.push(Signal { path: name.into(), width, kind: SignalKind::Port(dir) });
        self.signals.len() - 1
    }
    /// Adds a net at `path` below the top module, declared in module `module`; returns its number.
    pub fn net(&mut self, path: impl Into<String>, module: impl Into<String>, width: u32) -> usize {
        self.signals.push(Signal { path: path.into(), width, kind: SignalKind::Net(module.into()) });
        self.signals.len() - 1
    }
    /// Number of the signal at `path`.
    pub fn find(&self, path: &str) -> Option<usize> {
        self.signals.iter().position(|s| s.path == path)
    }
}
