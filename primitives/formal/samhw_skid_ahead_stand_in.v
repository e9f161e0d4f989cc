// SPDX-License-Identifier: Apache-2.0
//
// Stands for the buffer of two that shows both in proofs of primitives: beats pass at once (see samhw_skid.v), so
// none is behind the one at hand.
`default_nettype none

module samhw_skid_ahead_stand_in #(
    parameter W     = 8,
    parameter SHOWN = W
) (
    input  wire         clk,
    input  wire         rst,

    input  wire         in_valid,
    output wire         in_ready,
    input  wire [W-1:0] in_beat,

    output wire         out_valid,
    input  wire         out_ready,
    output wire [W-1:0] out_beat,

    output wire             next_valid,
    output wire [SHOWN-1:0] next_beat
);

    assign in_ready  = out_ready;
    assign out_valid = in_valid;
    assign out_beat  = in_beat;

    assign next_valid = 1'b0;
    assign next_beat  = in_beat[W-1 -: SHOWN];

    wire _unused_ok = &{1'b0, clk, rst, 1'b0};

endmodule

`default_nettype wire
