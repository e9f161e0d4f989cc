//! A design of rust-hdl around a generated block: a wire for every input. Prints its Verilog.

mod kernel;

use kernel::MvAxi;
use rust_hdl::prelude::*;

/// The design.
#[derive(LogicBlock, Default)]
struct Soc {
    clk: Signal<In, Clock>,
    rst: Signal<In, Bit>,
    irq: Signal<Out, Bit>,
    kernel: MvAxi,
}

impl Logic for Soc {
    #[hdl_gen]
    fn update(&mut self) {
        self.kernel.clk.next = self.clk.val();
        self.kernel.rst.next = self.rst.val();
        self.kernel.s_axi_awvalid.next = false;
        self.kernel.s_axi_awaddr.next = 0.into();
        self.kernel.s_axi_wvalid.next = false;
        self.kernel.s_axi_wdata.next = 0.into();
        self.kernel.s_axi_wstrb.next = 0.into();
        self.kernel.s_axi_bready.next = true;
        self.kernel.s_axi_arvalid.next = false;
        self.kernel.s_axi_araddr.next = 0.into();
        self.kernel.s_axi_rready.next = true;
        self.kernel.m_axi_arready.next = true;
        self.kernel.m_axi_rvalid.next = false;
        self.kernel.m_axi_rid.next = 0.into();
        self.kernel.m_axi_rdata.next = 0.into();
        self.kernel.m_axi_rresp.next = 0.into();
        self.kernel.m_axi_rlast.next = false;
        self.kernel.m_axi_awready.next = true;
        self.kernel.m_axi_wready.next = true;
        self.kernel.m_axi_bvalid.next = false;
        self.kernel.m_axi_bid.next = 0.into();
        self.kernel.m_axi_bresp.next = 0.into();
        self.irq.next = self.kernel.irq.val();
    }
}

fn main() {
    let mut soc = Soc::default();
    soc.clk.connect();
    soc.rst.connect();
    soc.connect_all();
    print!("{}", generate_verilog(&soc));
}
