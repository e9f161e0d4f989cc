// SPDX-License-Identifier: Apache-2.0
//
// AXI4-Lite subordinate of 32 bits: registers as plain wires.
//
//   Consumes    AXI4-Lite writes and reads. read_data: what the register at read_addr holds. write_known,
//               read_known: there is a register at write_addr, at read_addr.
//   Produces    write: 1 in the cycle in which write_data is stored at write_addr, bytes as write_strb says.
//               Responses are OKAY where there is a register, SLVERR elsewhere.
//   Throughput  a write every 3 cycles, a read every 3 cycles.
//   Parameters  ADDR_W bits of a byte address, at least 3; its two low bits are ignored.
//   Reset       valid bits.
`default_nettype none

module samhw_axi_lite #(
    parameter ADDR_W = 12
) (
    input  wire              clk,
    input  wire              rst,

    input  wire              s_axi_awvalid,
    output wire              s_axi_awready,
    input  wire [ADDR_W-1:0] s_axi_awaddr,
    input  wire              s_axi_wvalid,
    output wire              s_axi_wready,
    input  wire [31:0]       s_axi_wdata,
    input  wire [3:0]        s_axi_wstrb,
    output reg               s_axi_bvalid,
    input  wire              s_axi_bready,
    output reg  [1:0]        s_axi_bresp,

    input  wire              s_axi_arvalid,
    output wire              s_axi_arready,
    input  wire [ADDR_W-1:0] s_axi_araddr,
    output reg               s_axi_rvalid,
    input  wire              s_axi_rready,
    output reg  [31:0]       s_axi_rdata,
    output reg  [1:0]        s_axi_rresp,

    output wire              write,
    output reg  [ADDR_W-3:0] write_addr,
    output reg  [31:0]       write_data,
    output reg  [3:0]        write_strb,
    input  wire              write_known,

    output reg  [ADDR_W-3:0] read_addr,
    input  wire [31:0]       read_data,
    input  wire              read_known
);
    generate
        if (ADDR_W < 3) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    reg has_address;
    reg has_data;
    reg asked;

    assign s_axi_awready = !has_address;
    assign s_axi_wready  = !has_data;
    assign s_axi_arready = !asked && !s_axi_rvalid;
    assign write         = has_address && has_data && !s_axi_bvalid;

    always @(posedge clk) begin
        if (!has_address)
            write_addr <= s_axi_awaddr[ADDR_W-1:2];
        if (!has_data) begin
            write_data <= s_axi_wdata;
            write_strb <= s_axi_wstrb;
        end
        if (s_axi_arready)
            read_addr <= s_axi_araddr[ADDR_W-1:2];
        if (write)
            s_axi_bresp <= {!write_known, 1'b0};
        if (asked) begin
            s_axi_rdata <= read_data;
            s_axi_rresp <= {!read_known, 1'b0};
        end
        if (rst) begin
            has_address  <= 1'b0;
            has_data     <= 1'b0;
            asked        <= 1'b0;
            s_axi_bvalid <= 1'b0;
            s_axi_rvalid <= 1'b0;
        end else begin
            has_address  <= !write && (has_address || s_axi_awvalid);
            has_data     <= !write && (has_data || s_axi_wvalid);
            s_axi_bvalid <= write || (s_axi_bvalid && !s_axi_bready);
            asked        <= s_axi_arready && s_axi_arvalid;
            s_axi_rvalid <= asked || (s_axi_rvalid && !s_axi_rready);
        end
    end

    wire _unused_ok = &{1'b0, s_axi_awaddr[1:0], s_axi_araddr[1:0], 1'b0};

endmodule

`default_nettype wire
