// SPDX-License-Identifier: Apache-2.0
//
// Level scanner of a compressed level that gives several coordinates a cycle, in groups, to samhw_joiner_wide.
//
//   Consumes    ref, seg_rsp as samhw_scanner_compressed; crd_rsp: 2**WIDE_LOG2 neighbouring words.
//   Produces    seg_req as samhw_scanner_compressed; crd_req {addr}: one per group; out {ref, count, crd}: depth d+1,
//               a leaf for each group: all but the last of a fiber have 2**WIDE_LOG2 coordinates. ref is the
//               position of the first, count their number less one, crd the coordinates, the first lowest;
//               lanes beyond the last repeat it.
//   Throughput  one beat of out per cycle: a fiber of n coordinates takes max(1, n / 2**WIDE_LOG2) cycles (rounded
//               up), while the memory of seg answers within 2**QUEUE_LOG2 - 3 cycles.
//   Latency     7 cycles with on-chip memories (samhw_mem_pair, samhw_mem_wide).
//   In flight   up to 2**QUEUE_LOG2 segment pairs and as many fibers, and whatever groups the memory takes.
//   Parameters  REF_IN_W, REF_W, CRD_W, STOP_W, QUEUE_LOG2 as samhw_scanner_compressed; WIDE_LOG2, at least 1.
//   Reset       valid bits, queue pointers, state; payloads are not reset.
//   Source      "The Sparse Abstract Machine", section 3.1.
`default_nettype none

module samhw_scanner_wide #(
    parameter REF_IN_W   = 16,
    parameter REF_W      = 16,
    parameter CRD_W      = 16,
    parameter STOP_W     = 3,
    parameter QUEUE_LOG2 = 3,
    parameter WIDE_LOG2  = 1
) (
    input  wire                           clk,
    input  wire                           rst,

    input  wire                           ref_valid,
    output wire                           ref_ready,
    input  wire [2+STOP_W+REF_IN_W-1:0]   ref_beat,

    output wire                           seg_req_valid,
    input  wire                           seg_req_ready,
    output wire [REF_IN_W-1:0]            seg_req_beat,

    input  wire                           seg_rsp_valid,
    output wire                           seg_rsp_ready,
    input  wire [2*REF_W-1:0]             seg_rsp_beat,

    output wire                           crd_req_valid,
    input  wire                           crd_req_ready,
    output wire [REF_W:0]                 crd_req_beat,

    input  wire                           crd_rsp_valid,
    output wire                           crd_rsp_ready,
    input  wire [(CRD_W<<WIDE_LOG2)-1:0]  crd_rsp_beat,

    output wire                           out_valid,
    input  wire                           out_ready,
    output wire [2+STOP_W+REF_W+WIDE_LOG2+(CRD_W<<WIDE_LOG2)-1:0] out_beat
);
    generate
        if (REF_IN_W < 1 || REF_W < 1 || CRD_W < 1 || STOP_W < 1 || QUEUE_LOG2 < 1 || WIDE_LOG2 < 1
            || STOP_W > REF_IN_W || STOP_W > CRD_W) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    wire              valid;
    wire              ready;
    wire              list;
    wire [STOP_W-1:0] stop;
    wire [STOP_W-1:0] hole;
    wire [REF_W-1:0]  from;
    wire [REF_W-1:0]  to;
    samhw_segment_fetch #(
        .REF_IN_W(REF_IN_W), .REF_W(REF_W), .STOP_W(STOP_W), .QUEUE_LOG2(QUEUE_LOG2)
    ) u_fetch (
        .clk(clk), .rst(rst),
        .ref_valid(ref_valid), .ref_ready(ref_ready), .ref_beat(ref_beat),
        .seg_req_valid(seg_req_valid), .seg_req_ready(seg_req_ready), .seg_req_beat(seg_req_beat),
        .seg_rsp_valid(seg_rsp_valid), .seg_rsp_ready(seg_rsp_ready), .seg_rsp_beat(seg_rsp_beat),
        .out_valid(valid), .out_ready(ready),
        .out_list(list), .out_stop(stop), .out_hole(hole), .out_begin(from), .out_end(to)
    );

    samhw_window_reader #(
        .REF_W(REF_W), .CRD_W(CRD_W), .STOP_W(STOP_W), .QUEUE_LOG2(QUEUE_LOG2), .WIDE_LOG2(WIDE_LOG2)
    ) u_read (
        .clk(clk), .rst(rst),
        .in_valid(valid), .in_ready(ready),
        .in_list(list), .in_stop(stop), .in_hole(hole), .in_begin(from), .in_end(to),
        .crd_req_valid(crd_req_valid), .crd_req_ready(crd_req_ready), .crd_req_beat(crd_req_beat),
        .crd_rsp_valid(crd_rsp_valid), .crd_rsp_ready(crd_rsp_ready), .crd_rsp_beat(crd_rsp_beat),
        .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat)
    );

endmodule

`default_nettype wire
