//! The design for a board: `NAME_uart`, the kernel with its memories behind a serial line, and
//! `NAME_board` around it, whose ports are the board's pins.

use crate::board::{Active, Board};
use crate::design::Kernel;
use samhw_hdl::{Connection, Expr, Instance, Item, Module, Port, PortGroup, Signal, Wire};

/// The modules of this crate in every board design, as file names and texts.
pub const MODULES: [(&str, &str); 7] = [
    ("samhw_board_reset.v", include_str!("../rtl/samhw_board_reset.v")),
    ("samhw_crc32.v", include_str!("../rtl/samhw_crc32.v")),
    ("samhw_device.v", include_str!("../rtl/samhw_device.v")),
    ("samhw_link_rx.v", include_str!("../rtl/samhw_link_rx.v")),
    ("samhw_link_tx.v", include_str!("../rtl/samhw_link_tx.v")),
    ("samhw_uart_rx.v", include_str!("../rtl/samhw_uart_rx.v")),
    ("samhw_uart_tx.v", include_str!("../rtl/samhw_uart_tx.v")),
];

/// Returns all Verilog files of `kernel` on `board`, the top module first.
pub fn verilog(kernel: &Kernel, board: &Board) -> Vec<(String, String)> {
    let own = [board_top(kernel, board), uart_top(kernel, board)];
    let mut files: Vec<(String, String)> = own.iter().map(|m| (format!("{}.v", m.name), m.to_string())).collect();
    files.extend(kernel.verilog.iter().cloned());
    files.extend(MODULES.map(|(name, text)| (name.to_string(), text.to_string())));
    files
}

fn connect(name: &str, to: Expr) -> Connection {
    (name.to_string(), to)
}

fn wire(name: &str, width: u32) -> Wire {
    Wire { signal: Signal::new(name, width), value: None }
}

fn bit(name: &str) -> Expr {
    Signal::new(name, 1).all()
}

/// `NAME_uart`: nothing in it depends on the board but the divisor of the serial line.
fn uart_top(kernel: &Kernel, board: &Board) -> Module {
    let m = &kernel.manifest;
    let word = kernel.word();
    let count = |n: usize| n.max(1) as u32;
    let (configs, statuses) = (count(m.config.len()), count(m.status.len()));
    let config = Signal::new("config_words", configs * word);
    let status = Signal::new("status_words", statuses * word);
    let (addr, data) = (m.host.addr_width, m.host.data_width);

    let mut wires: Vec<Wire> =
        ["kernel_rst", "start_valid", "start_ready", "done_valid", "done_ready", "host_write", "host_read"]
            .map(|name| wire(name, 1))
            .into();
    wires.extend([wire("host_addr", addr), wire("host_wdata", data), wire("host_rdata", data)]);
    wires.push(Wire { signal: config.clone(), value: None });
    // A word per status output, the first lowest.
    let states: Vec<Signal> = m.status.iter().map(|s| Signal::new(format!("out_{}", s.name), s.width)).collect();
    let padded = states.iter().rev().flat_map(|s| {
        let zeros = (s.width < word).then(|| Expr::zeros(word - s.width));
        [zeros, Some(s.all())]
    });
    let value = if states.is_empty() { Expr::zeros(word) } else { Expr::concat(padded) };
    wires.extend(states.iter().map(|s| Wire { signal: s.clone(), value: None }));
    wires.push(Wire { signal: status.clone(), value: Some(value) });

    let shared = ["start_valid", "start_ready", "done_valid", "done_ready"];
    let host = [("host_write", 1), ("host_read", 1), ("host_addr", addr), ("host_wdata", data), ("host_rdata", data)];
    let tokens = || shared.map(|n| connect(n, bit(n))).to_vec();
    let memory = || host.map(|(n, w)| connect(n, Signal::new(n, w).all())).to_vec();
    let inputs = m.config.iter().enumerate();
    let inputs = inputs.map(|(n, c)| connect(&c.name, config.bits(n as u32 * word, c.width))).collect();
    let outputs = m.status.iter().zip(&states).map(|(s, to)| connect(&s.name, to.all())).collect();
    let ram = Instance {
        comment: vec![],
        module: format!("{}_ram", kernel.name),
        name: "u_ram".into(),
        params: vec![],
        connections: [
            vec![connect("clk", bit("clk")), connect("rst", bit("kernel_rst"))],
            tokens(),
            inputs,
            memory(),
            outputs,
        ]
        .into_iter()
        .filter(|g: &Vec<Connection>| !g.is_empty())
        .collect(),
    };
    let number = |n: u32| Expr::Integer(n);
    let device = Instance {
        comment: vec![],
        module: "samhw_device".into(),
        name: "u_device".into(),
        params: vec![
            connect("DIVISOR", number(board.divisor() as u32)),
            connect("WORD", number(word)),
            connect("ADDR_W", number(addr)),
            connect("DATA_W", number(data)),
            connect("CONFIGS", number(configs)),
            connect("STATUSES", number(statuses)),
            connect("ID", Expr::literal(32, u64::from(kernel.id))),
        ],
        connections: vec![
            ["clk", "rst", "rx", "tx", "running", "kernel_rst"].map(|n| connect(n, bit(n))).into(),
            tokens(),
            memory(),
            vec![connect("config_words", config.all()), connect("status_words", status.all())],
        ],
    };
    Module {
        name: format!("{}_uart", kernel.name),
        header: vec![
            "SPDX-License-Identifier: Apache-2.0".into(),
            String::new(),
            format!("{0}_uart: {0}_ram behind a serial line. The protocol: docs/fpga.md of samhw.", kernel.name),
            String::new(),
            format!("  rx, tx      {} clock cycles per bit, 8N1.", board.divisor()),
            "  running     1 while a run is going on.".into(),
        ],
        ports: vec![
            PortGroup { comment: String::new(), ports: vec![Port::input("clk", 1), Port::input("rst", 1)] },
            PortGroup {
                comment: "Serial line.".into(),
                ports: vec![Port::input("rx", 1), Port::output("tx", 1), Port::output("running", 1)],
            },
        ],
        items: vec![
            Item::Wires(String::new(), wires),
            Item::Instance(ram),
            Item::Instance(device),
            Item::Unused(vec![config.all()]),
        ],
    }
}

/// `NAME_board`: ports are pins.
fn board_top(kernel: &Kernel, board: &Board) -> Module {
    let mut ports = vec![Port::input("clk", 1)];
    let mut items = Vec::new();
    let pressed = match &board.button {
        None => Expr::literal(1, 0),
        Some(b) => {
            ports.push(Port::input("rst", 1));
            if b.active == Active::High { bit("rst") } else { Expr::Not(Box::new(bit("rst"))) }
        }
    };
    ports.extend([Port::input("rx", 1), Port::output("tx", 1)]);
    let mut assigns = Vec::new();
    if let Some(led) = &board.led {
        ports.push(Port::output("led", 1));
        let lit = bit("running");
        assigns.push((bit("led"), if led.active == Active::High { lit } else { Expr::Not(Box::new(lit)) }));
    } else {
        items.push(Item::Unused(vec![bit("running")]));
    }
    for name in board.high.keys() {
        ports.push(Port::output(name, 1));
        assigns.push((bit(name), Expr::literal(1, 1)));
    }
    let plain = |module: String, name: &str, params, connections| {
        Item::Instance(Instance { comment: vec![], module, name: name.into(), params, connections: vec![connections] })
    };
    let mut all = vec![Item::Wires(String::new(), vec![wire("reset", 1), wire("running", 1)])];
    all.push(plain(
        "samhw_board_reset".into(),
        "u_reset",
        vec![],
        vec![connect("clk", bit("clk")), connect("button", pressed), connect("rst", bit("reset"))],
    ));
    all.push(plain(
        format!("{}_uart", kernel.name),
        "u_uart",
        vec![],
        vec![
            connect("clk", bit("clk")),
            connect("rst", bit("reset")),
            connect("rx", bit("rx")),
            connect("tx", bit("tx")),
            connect("running", bit("running")),
        ],
    ));
    all.extend(items);
    if !assigns.is_empty() {
        all.push(Item::Assigns(assigns));
    }
    Module {
        name: format!("{}_board", kernel.name),
        header: vec![
            "SPDX-License-Identifier: Apache-2.0".into(),
            String::new(),
            format!("{}_board: the kernel on {}; ports are pins.", kernel.name, board.title),
            String::new(),
            format!("  clk         {} MHz.", board.clock.mhz),
            format!("  rx, tx      serial line, {} baud, 8N1.", board.baud),
        ],
        ports: vec![PortGroup { comment: String::new(), ports }],
        items: all,
    }
}
