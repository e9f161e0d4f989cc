// SPDX-License-Identifier: Apache-2.0
//
// Stands for the skid buffer of beats that come late in proofs of primitives: beats pass at once. The buffer
// is proved to be a queue (blocks/formal_skid_pass.v): whatever it lets through, and when, this lets through
// with other pauses of the producer.
`default_nettype none

module samhw_skid_late_stand_in #(
    parameter W = 8
) (
    input  wire         clk,
    input  wire         rst,

    input  wire         in_valid,
    output wire         in_ready,
    input  wire [W-1:0] in_beat,

    output wire         out_valid,
    input  wire         out_ready,
    output wire [W-1:0] out_beat
);

    assign in_ready  = out_ready;
    assign out_valid = in_valid;
    assign out_beat  = in_beat;

    wire _unused_ok = &{1'b0, clk, rst, 1'b0};

endmodule

`default_nettype wire
