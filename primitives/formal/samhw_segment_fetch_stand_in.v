// SPDX-License-Identifier: Apache-2.0
//
// Stands for the fetch of segments in proofs of scanners that have one: references pass at once, lists with
// the memory's answer, which has its fiber's bounds. That each reference leaves once, in order, with the
// answer to its own request is proved in scanner_compressed/formal_segment_fetch.v: whatever it lets through,
// and when, this lets through with other pauses.
`default_nettype none

module samhw_segment_fetch_stand_in #(
    parameter REF_IN_W   = 16,
    parameter REF_W      = 16,
    parameter STOP_W     = 3,
    parameter QUEUE_LOG2 = 3
) (
    input  wire                         clk,
    input  wire                         rst,

    input  wire                         ref_valid,
    output wire                         ref_ready,
    input  wire [2+STOP_W+REF_IN_W-1:0] ref_beat,

    output wire                         seg_req_valid,
    input  wire                         seg_req_ready,
    output wire [REF_IN_W-1:0]          seg_req_beat,

    input  wire                         seg_rsp_valid,
    output wire                         seg_rsp_ready,
    input  wire [2*REF_W-1:0]           seg_rsp_beat,

    output wire                         out_valid,
    input  wire                         out_ready,
    output wire                         out_list,
    output wire [STOP_W-1:0]            out_stop,
    output wire [STOP_W-1:0]            out_hole,
    output wire [REF_W-1:0]             out_begin,
    output wire [REF_W-1:0]             out_end
);

    localparam [STOP_W-1:0] ONE = 1;

    wire [1:0]        kind = ref_beat[STOP_W+REF_IN_W +: 2];
    wire [STOP_W-1:0] stop = ref_beat[REF_IN_W +: STOP_W];
    assign out_valid     = ref_valid && (seg_rsp_valid || !out_list);
    assign ref_ready     = out_valid && out_ready;
    assign seg_rsp_ready = ref_ready && out_list;
    assign out_list      = kind == 2'd0;
    assign out_stop      = kind == 2'd3 ? {STOP_W{1'b0}} : stop + ONE;
    assign out_hole      = kind == 2'd3 ? {STOP_W{1'b0}} : kind == 2'd2 ? ref_beat[STOP_W-1:0] + ONE : ONE;
    assign {out_end, out_begin} = seg_rsp_beat;

    // What is asked for is what it says of itself.
    assign seg_req_valid = ref_valid && out_list;
    assign seg_req_beat  = ref_beat[REF_IN_W-1:0];

    wire _unused_ok = &{1'b0, clk, rst, seg_req_ready, QUEUE_LOG2 != 0, 1'b0};

endmodule

`default_nettype wire
