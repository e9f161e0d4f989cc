// SPDX-License-Identifier: Apache-2.0
//
// samhw_level_writer_at without the crd array: crd gives the structure only.
`default_nettype none

module samhw_seg_writer_at #(
    parameter CRD_W      = 16,
    parameter REF_IN_W   = 16,
    parameter REF_W      = 16,
    parameter STOP_W     = 3,
    parameter CHAIN      = 1,
    parameter SEG_HEIGHT = 1,
    parameter SKIP       = 0
) (
    input  wire                         clk,
    input  wire                         rst,

    input  wire [REF_IN_W-1:0]          seg_capacity,
    input  wire [REF_IN_W-1:0]          chunk,

    input  wire                         crd_valid,
    output wire                         crd_ready,
    input  wire [2+STOP_W+CRD_W-1:0]    crd_beat,

    input  wire                         pos_valid,
    output wire                         pos_ready,
    input  wire [2+STOP_W+REF_IN_W-1:0] pos_beat,

    output wire                         seg_write_valid,
    input  wire                         seg_write_ready,
    output wire [REF_W+REF_IN_W-1:0]    seg_write_beat,

    output wire                         finished_valid,
    input  wire                         finished_ready,
    output wire                         finished_beat,

    output wire [REF_W-1:0]             count,
    output wire                         overflow
);

    wire                   unused_valid;
    wire [CRD_W+REF_W-1:0] unused_beat;

    samhw_level_writer_at #(
        .CRD_W(CRD_W), .REF_IN_W(REF_IN_W), .REF_W(REF_W), .STOP_W(STOP_W), .CHAIN(CHAIN),
        .SEG_HEIGHT(SEG_HEIGHT), .SKIP(SKIP)
    ) u_writer (
        .clk(clk), .rst(rst), .seg_capacity(seg_capacity), .crd_capacity({REF_W{1'b1}}), .chunk(chunk),
        .crd_valid(crd_valid), .crd_ready(crd_ready), .crd_beat(crd_beat),
        .pos_valid(pos_valid), .pos_ready(pos_ready), .pos_beat(pos_beat),
        .seg_write_valid(seg_write_valid), .seg_write_ready(seg_write_ready), .seg_write_beat(seg_write_beat),
        .crd_write_valid(unused_valid), .crd_write_ready(1'b1), .crd_write_beat(unused_beat),
        .finished_valid(finished_valid), .finished_ready(finished_ready), .finished_beat(finished_beat),
        .count(count), .overflow(overflow)
    );

    wire _unused_ok = &{1'b0, unused_valid, unused_beat, 1'b0};

endmodule

`default_nettype wire
