// SPDX-License-Identifier: Apache-2.0
//
// What an output register must hold, in proofs of primitives with one: the beat that was put last, until it is taken.
//
//   Consumes    `put` with `beat`; `ready` of the output. Before `started` nothing counts.
//   Produces    `full`: a beat must be offered; `expected`: which.
//   Parameters  W bits of a beat.
`default_nettype none

module samhw_due #(
    parameter W = 8
) (
    input  wire         clk,
    input  wire         started,
    input  wire         put,
    input  wire [W-1:0] beat,
    input  wire         ready,
    output reg          full,
    output reg  [W-1:0] expected
);

    initial full = 1'b0;

    always @(posedge clk) begin
        full <= started && (put || (full && !ready));
        if (put)
            expected <= beat;
    end

endmodule

`default_nettype wire
