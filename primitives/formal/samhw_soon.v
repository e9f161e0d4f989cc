// SPDX-License-Identifier: Apache-2.0
//
// Progress, in proofs: what `waits` for something to move, though all it needs is there, waits for less than
// MOST cycles.
`default_nettype none

module samhw_soon #(
    parameter MOST = 2
) (
    input wire clk,
    input wire started,
    input wire waits
);

    localparam [31:0] LIMIT = MOST;

    reg [4:0] cycles = 5'd0;
    always @(posedge clk)
        cycles <= started && waits ? cycles + 5'd1 : 5'd0;

    always @*
        if (started)
            assert (cycles != LIMIT[4:0]);

endmodule

`default_nettype wire
