// SPDX-License-Identifier: Apache-2.0
//
// Level scanner of linked lists: each reference becomes the coordinates of its list, in the order in which
// they were written.
//
//   Consumes    ref: stream of depth d, leaves DATA or EMPTY; seg_rsp {end, begin}: the list of a reference, answers
//               to seg_req; next_rsp {place} and crd_rsp {crd}: words that next_req and crd_req asked for.
//   Produces    seg_req {addr}: one per DATA leaf; crd_req and next_req {addr}: as samhw_list_reader; out
//               {crd, ref}: depth d+1, the coordinates of the list with their places. An empty list and an EMPTY
//               leaf give an empty list.
//   Throughput  a list of n coordinates takes max(1, 3n-2) cycles with on-chip memories, while seg and crd answer
//               within 2**QUEUE_LOG2 - 3 cycles.
//   Latency     7 cycles with on-chip memories, 5 more than the answers of seg and crd take together.
//   Parameters  REF_IN_W bits of the references in, REF_W of places, CRD_W of coordinates, STOP_W stop bits (at
//               most REF_IN_W and CRD_W), QUEUE_LOG2: lists, and coordinates, in flight.
//   Reset       valid bits, queue pointers, whether a list is under way; payloads are not reset.
//   Source      "OuterSPACE" (Pal and others, HPCA 2018), section 4.
`default_nettype none

module samhw_scanner_list #(
    parameter REF_IN_W   = 16,
    parameter REF_W      = 16,
    parameter CRD_W      = 16,
    parameter STOP_W     = 3,
    parameter QUEUE_LOG2 = 3
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

    output wire                            next_req_valid,
    input  wire                            next_req_ready,
    output wire [REF_W-1:0]                next_req_beat,

    input  wire                            next_rsp_valid,
    output wire                            next_rsp_ready,
    input  wire [REF_W-1:0]                next_rsp_beat,

    output wire                            crd_req_valid,
    input  wire                            crd_req_ready,
    output wire [REF_W-1:0]                crd_req_beat,

    input  wire                            crd_rsp_valid,
    output wire                            crd_rsp_ready,
    input  wire [CRD_W-1:0]                crd_rsp_beat,

    output wire                            out_valid,
    input  wire                            out_ready,
    output wire [2+STOP_W+REF_W+CRD_W-1:0] out_beat
);
    generate
        if (REF_IN_W < 1 || REF_W < 1 || CRD_W < 1 || STOP_W < 1 || QUEUE_LOG2 < 1
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

    samhw_list_reader #(
        .REF_W(REF_W), .CRD_W(CRD_W), .STOP_W(STOP_W), .QUEUE_LOG2(QUEUE_LOG2)
    ) u_read (
        .clk(clk), .rst(rst),
        .in_valid(valid), .in_ready(ready),
        .in_list(list), .in_stop(stop), .in_hole(hole), .in_begin(from), .in_end(to),
        .next_req_valid(next_req_valid), .next_req_ready(next_req_ready), .next_req_beat(next_req_beat),
        .next_rsp_valid(next_rsp_valid), .next_rsp_ready(next_rsp_ready), .next_rsp_beat(next_rsp_beat),
        .crd_req_valid(crd_req_valid), .crd_req_ready(crd_req_ready), .crd_req_beat(crd_req_beat),
        .crd_rsp_valid(crd_rsp_valid), .crd_rsp_ready(crd_rsp_ready), .crd_rsp_beat(crd_rsp_beat),
        .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat)
    );

endmodule

`default_nettype wire
