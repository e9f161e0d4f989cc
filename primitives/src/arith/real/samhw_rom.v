// SPDX-License-Identifier: Apache-2.0
//
// Words that never change.
//
//   Throughput  one per cycle with en = 1; with en = 0 nothing moves.
//   Latency     2 cycles: block RAM is slow, what it feeds need not wait for it.
//   Parameters  W bits of a word; LINES words in DATA, the first one lowest; ADDR_W bits of an address, enough for
//               LINES. What is
//               at an address from LINES on means nothing.
//   Reset       none, so that it becomes block RAM where it is large.
`default_nettype none

module samhw_rom #(
    parameter                W      = 8,
    parameter                LINES  = 2,
    parameter                ADDR_W = 1,
    parameter [LINES*W-1:0]  DATA   = {(LINES*W){1'b0}}
) (
    input  wire              clk,
    input  wire              en,
    input  wire [ADDR_W-1:0] addr,
    output reg  [W-1:0]      q
);
    generate
        if (W < 1 || LINES < 1 || ADDR_W < 1 || LINES > 1 << ADDR_W) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    reg [W-1:0] words [0:(1<<ADDR_W)-1];
    integer i;
    initial
        for (i = 0; i < (1 << ADDR_W); i = i + 1)
            words[i] = i < LINES ? DATA[W*(i < LINES ? i : 0) +: W] : {W{1'b0}};

    reg [W-1:0] word;
    always @(posedge clk)
        if (en) begin
            word <= words[addr];
            q    <= word;
        end

endmodule

`default_nettype wire
