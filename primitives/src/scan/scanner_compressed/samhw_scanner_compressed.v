// SPDX-License-Identifier: Apache-2.0
//
// Level scanner of a compressed level: each reference becomes its fiber of coordinates.
//
//   Consumes    ref: stream of depth d, leaves DATA or EMPTY; seg_rsp {end, begin}: seg[ref+1] and
//               seg[ref], answers to seg_req; crd_rsp {crd}: words that crd_req asked for.
//   Produces    seg_req {addr}: one per DATA leaf; crd_req {len, addr}: one per fiber that is not
//               empty (BACK: one per coordinate); out {crd, ref}: depth d+1, the coordinates crd[begin..end] with their
//               positions. An empty fiber and an EMPTY leaf give an empty list.
//   Throughput  one beat of out per cycle: a fiber of n coordinates takes max(1, n) cycles, while
//               each memory answers within 2**QUEUE_LOG2 - 3 cycles.
//   Latency     7 cycles with on-chip memories (samhw_mem_pair, samhw_mem_burst), 5 more than
//               the two answers take together.
//   In flight   up to 2**QUEUE_LOG2 segment pairs and as many bursts.
//   Parameters  REF_IN_W bits of the references in, REF_W of positions and of the words of seg,
//               CRD_W of coordinates, STOP_W stop bits (at most REF_IN_W and CRD_W), QUEUE_LOG2;
//               GROUP 1: neighbours with equal coordinates are one leaf, whose ref is the range
//               {end, begin} of their positions (samhw_run_group; a leaf leaves when the next
//               one begins, or 11 cycles after ref). BACK 1: each fiber from its last coordinate
//               to its first, each with a request of its own; without GROUP.
//   Reset       valid bits, queue pointers, place in the fiber; payloads are not reset.
//   Source      "The Sparse Abstract Machine", section 3.1.
`default_nettype none

module samhw_scanner_compressed #(
    parameter REF_IN_W   = 16,
    parameter REF_W      = 16,
    parameter CRD_W      = 16,
    parameter STOP_W     = 3,
    parameter QUEUE_LOG2 = 3,
    parameter GROUP      = 0,
    parameter BACK       = 0
) (
    input  wire                            clk,
    input  wire                            rst,

    input  wire                            ref_valid,
    output wire                            ref_ready,
    input  wire [2+STOP_W+REF_IN_W-1:0]    ref_beat,

    output wire                            seg_req_valid,
    input  wire                            seg_req_ready,
    output wire [REF_IN_W-1:0]             seg_req_beat,

    input  wire                            seg_rsp_valid,
    output wire                            seg_rsp_ready,
    input  wire [2*REF_W-1:0]              seg_rsp_beat,

    output wire                            crd_req_valid,
    input  wire                            crd_req_ready,
    output wire [2*REF_W-1:0]              crd_req_beat,

    input  wire                            crd_rsp_valid,
    output wire                            crd_rsp_ready,
    input  wire [CRD_W-1:0]                crd_rsp_beat,

    output wire                            out_valid,
    input  wire                            out_ready,
    output wire [2+STOP_W+(REF_W<<GROUP)+CRD_W-1:0] out_beat
);
    generate
        if (REF_IN_W < 1 || REF_W < 1 || CRD_W < 1 || STOP_W < 1 || QUEUE_LOG2 < 1
            || STOP_W > REF_IN_W || STOP_W > CRD_W
            || GROUP < 0 || GROUP > 1 || BACK < 0 || BACK > 1 || GROUP + BACK > 1) begin : g_parameters
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

    samhw_fiber_reader #(
        .REF_W(REF_W), .CRD_W(CRD_W), .STOP_W(STOP_W), .QUEUE_LOG2(QUEUE_LOG2), .GROUP(GROUP), .BACK(BACK)
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
