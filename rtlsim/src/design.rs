//! The description of a design to compile: Verilog, parameters, and the signals to drive and observe.

/// Direction of a port, seen from the design.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dir {
    /// Driven by the caller.
    In,
    /// Driven by the design.
    Out,
}

/// A signal: a port of the top module, or a net inside the design.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Signal {
    /// Port name, or path of a net below the top module (`u_core.x_valid`).
    pub path: String,
    /// Width in bits.
    pub width: u32,
    /// Kind of the signal.
    pub kind: SignalKind,
}

/// The kind of a signal.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum SignalKind {
    /// A port of the top module.
    Port(Dir),
    /// A net or register declared in the named module.
    Net(String),
}

/// A Verilog design with the signals to drive and observe. Clock and reset are the ports `clk` and `rst`; they need not
/// be listed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Design {
    /// Names of files (without folder) and their texts.
    pub files: Vec<(String, String)>,
    /// Name of the top module.
    pub top: String,
    /// Parameters of the top module, as names and Verilog literals.
    pub params: Vec<(String, String)>,
    /// Macros: `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// Signals, numbered in this order.
    pub signals: Vec<Signal>,
    /// Whether waveforms are supported.
    pub trace: bool,
    /// Whether to halve the compilation time at the cost of simulation speed, for short runs.
    pub quick: bool,
}

impl Design {
    /// Creates a design without signals.
    pub fn new(top: impl Into<String>, files: Vec<(String, String)>) -> Self {
        Self { files, top: top.into(), ..Self::default() }
    }
    /// Adds a port and returns its number.
    pub fn port(&mut self, name: impl Into<String>, width: u32, dir: Dir) -> usize {
        self.signals.push(Signal { path: name.into(), width, kind: SignalKind::Port(dir) });
        self.signals.len() - 1
    }
    /// Adds a net at `path` below the top module, declared in module `module`, and returns its number.
    pub fn net(&mut self, path: impl Into<String>, module: impl Into<String>, width: u32) -> usize {
        self.signals.push(Signal { path: path.into(), width, kind: SignalKind::Net(module.into()) });
        self.signals.len() - 1
    }
    /// Returns the number of the signal at `path`.
    pub fn find(&self, path: &str) -> Option<usize> {
        self.signals.iter().position(|s| s.path == path)
    }
}
