// SPDX-License-Identifier: Apache-2.0
//
// Memory of one bank of the workspace: one write port, one registered read port.
//
//   Consumes    a write and a read address each cycle.
//   Produces    rdata: the word at raddr one cycle ago; undefined if it was written in that
//               cycle (so that a block RAM needs no logic around it): the user forwards.
//   Parameters  W bits of a word, DEPTH words, ADDR_W address bits.
//   Reset       none: whoever reads knows whether the word was written.
`default_nettype none

module samhw_workspace_ram #(
    parameter W      = 16,
    parameter DEPTH  = 256,
    parameter ADDR_W = 8
) (
    input  wire              clk,
    input  wire              we,
    input  wire [ADDR_W-1:0] waddr,
    input  wire [W-1:0]      wdata,
    input  wire [ADDR_W-1:0] raddr,
    output reg  [W-1:0]      rdata
);
    generate
        if (W < 1 || DEPTH < 1 || ADDR_W < 1 || (ADDR_W < 31 && DEPTH > 1 << ADDR_W)) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    reg [W-1:0] words [0:DEPTH-1];

    always @(posedge clk) begin
        if (we)
            words[waddr] <= wdata;
        rdata <= (we && waddr == raddr) ? {W{1'bx}} : words[raddr];
    end

endmodule

`default_nettype wire
