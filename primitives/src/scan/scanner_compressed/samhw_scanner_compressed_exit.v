// SPDX-License-Identifier: Apache-2.0
//
// samhw_scanner_compressed whose fibers an early exit ends: of one that is decided the next entry is the last.
//
//   Consumes    ref: stream of depth d, leaves DATA or EMPTY; seg_rsp {end, begin}: seg[ref+1] and
//               seg[ref], answers to seg_req; crd_rsp {crd}: words that crd_req asked for.
//               skip: hints {crd, over, fiber}, taken in every cycle; fibers are counted modulo 2**TAG_W, one for
//               each beat of ref. One that says over of the fiber at hand ends it. No other hint has an effect.
//   Produces    seg_req {addr}: one per DATA leaf; crd_req {len, addr}: parts of a fiber; out {crd, ref}: depth
//               d+1, the coordinates crd[begin..end] with their positions. An empty fiber and an EMPTY leaf give
//               an empty list.
//   Throughput  one beat of out per cycle: a fiber of n coordinates takes max(1, n) cycles, or as many as it has,
//               while memory answers within 2**QUEUE_LOG2 - 3 cycles.
//   Latency     8 cycles with on-chip memories (samhw_mem_pair, samhw_mem_burst).
//   In flight   up to 2**QUEUE_LOG2 segment pairs and as many parts.
//   Parameters  REF_IN_W bits of the references in, REF_W of positions and of the words of seg, CRD_W of
//               coordinates, STOP_W stop bits (at most REF_IN_W and CRD_W), QUEUE_LOG2; PART_LOG2, TAG_W, HINT_W as
//               in samhw_exit_reader.
//   Reset       valid bits, queue pointers, counters; payloads are not reset.
//   Source      "The Sparse Abstract Machine", section 3.1.
`default_nettype none

module samhw_scanner_compressed_exit #(
    parameter REF_IN_W   = 16,
    parameter REF_W      = 16,
    parameter CRD_W      = 16,
    parameter STOP_W     = 3,
    parameter QUEUE_LOG2 = 3,
    parameter PART_LOG2  = 0,
    parameter TAG_W      = 12,
    parameter HINT_W     = 16
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

    input  wire                            skip_valid,
    output wire                            skip_ready,
    input  wire [HINT_W+TAG_W:0]           skip_beat,

    output wire                            out_valid,
    input  wire                            out_ready,
    output wire [2+STOP_W+REF_W+CRD_W-1:0] out_beat
);
    generate
        if (REF_IN_W < 1 || REF_W < 1 || CRD_W < 1 || STOP_W < 1 || QUEUE_LOG2 < 1
            || STOP_W > REF_IN_W || STOP_W > CRD_W
            || PART_LOG2 < 0 || PART_LOG2 >= REF_W || TAG_W < 1 || HINT_W < 1) begin : g_parameters
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

    assign skip_ready = 1'b1;
    samhw_exit_reader #(
        .REF_W(REF_W), .WORD_W(CRD_W), .STOP_W(STOP_W), .QUEUE_LOG2(QUEUE_LOG2), .PART_LOG2(PART_LOG2), .TAG_W(TAG_W),
        .HINT_W(HINT_W)
    ) u_read (
        .clk(clk), .rst(rst),
        .in_valid(valid), .in_ready(ready),
        .in_list(list), .in_stop(stop), .in_hole(hole), .in_begin(from), .in_end(to),
        .req_valid(crd_req_valid), .req_ready(crd_req_ready), .req_beat(crd_req_beat),
        .rsp_valid(crd_rsp_valid), .rsp_ready(crd_rsp_ready), .rsp_beat(crd_rsp_beat),
        .skip_valid(skip_valid), .skip_beat(skip_beat),
        .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat)
    );

endmodule

`default_nettype wire
