// SPDX-License-Identifier: Apache-2.0
//
// Level scanner of a compressed level up to a bound of each fiber: it asks for the first coordinates of the next
// fibers while it goes through one, so that a fiber of which little or nothing is needed costs one beat.
//
//   Consumes    ref: stream of depth d; bound {hi}: a whole number for each beat of ref, EMPTY: nothing is needed;
//               seg_rsp {end, begin}: seg[ref+1] and seg[ref]; crd_rsp {crd[addr+1], crd[addr]}: answers to seg_req
//               and crd_req.
//   Produces    seg_req {addr}; crd_req {addr}; out {ref, crd}: depth d+1, of each fiber the coordinates up to the
//               bound (HI 1), or below it (HI 2), with their positions. A fiber of which nothing is needed is empty.
//   Throughput  one beat of out per cycle, while the pairs of coordinates that are read (samhw_until_reader) are no
//               more than one per cycle.
//   Latency     7 cycles with on-chip memories (samhw_mem_pair).
//   Parameters  REF_IN_W, REF_W, CRD_W, STOP_W (at most BOUND_W and CRD_W), QUEUE_LOG2 as in samhw_scanner_compressed;
//               HI, BOUND_W, SIGNED, ITEMS_LOG2, MORE_LOG2 as in samhw_until_reader.
//   Parts       samhw_segment_fetch gives fibers, samhw_until_reader reads them.
//   Reset       valid bits, pointers, counters, state; payloads are not reset.
//   Source      masks as bounds of loops; not in the SAM paper.
`default_nettype none

module samhw_scanner_until #(
    parameter REF_IN_W   = 16,
    parameter REF_W      = 16,
    parameter CRD_W      = 16,
    parameter STOP_W     = 3,
    parameter QUEUE_LOG2 = 3,
    parameter HI         = 2,
    parameter BOUND_W    = 16,
    parameter SIGNED     = 0,
    parameter ITEMS_LOG2 = 3,
    parameter MORE_LOG2  = 3
) (
    input  wire                            clk,
    input  wire                            rst,

    input  wire                            ref_valid,
    output wire                            ref_ready,
    input  wire [2+STOP_W+REF_IN_W-1:0]    ref_beat,

    input  wire                            bound_valid,
    output wire                            bound_ready,
    input  wire [2+STOP_W+BOUND_W-1:0]     bound_beat,

    output wire                            seg_req_valid,
    input  wire                            seg_req_ready,
    output wire [REF_IN_W-1:0]             seg_req_beat,

    input  wire                            seg_rsp_valid,
    output wire                            seg_rsp_ready,
    input  wire [2*REF_W-1:0]              seg_rsp_beat,

    output wire                            crd_req_valid,
    input  wire                            crd_req_ready,
    output wire [REF_W-1:0]                crd_req_beat,

    input  wire                            crd_rsp_valid,
    output wire                            crd_rsp_ready,
    input  wire [2*CRD_W-1:0]              crd_rsp_beat,

    output wire                            out_valid,
    input  wire                            out_ready,
    output wire [2+STOP_W+REF_W+CRD_W-1:0] out_beat
);
    generate
        if (REF_IN_W < 1 || REF_W < 1 || CRD_W < 1 || STOP_W < 1 || QUEUE_LOG2 < 1
            || HI < 1 || HI > 2
            || SIGNED < 0 || SIGNED > 1
            || BOUND_W < 1 || ITEMS_LOG2 < 1 || MORE_LOG2 < 1
            || STOP_W > REF_IN_W || STOP_W > BOUND_W || STOP_W > CRD_W) begin : g_parameters
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

    samhw_until_reader #(
        .REF_W(REF_W), .CRD_W(CRD_W), .STOP_W(STOP_W), .HI(HI), .BOUND_W(BOUND_W), .SIGNED(SIGNED),
        .ITEMS_LOG2(ITEMS_LOG2), .MORE_LOG2(MORE_LOG2)
    ) u_read (
        .clk(clk), .rst(rst),
        .in_valid(valid), .in_ready(ready),
        .in_list(list), .in_stop(stop), .in_hole(hole), .in_begin(from), .in_end(to),
        .bound_valid(bound_valid), .bound_ready(bound_ready), .bound_beat(bound_beat),
        .crd_req_valid(crd_req_valid), .crd_req_ready(crd_req_ready), .crd_req_beat(crd_req_beat),
        .crd_rsp_valid(crd_rsp_valid), .crd_rsp_ready(crd_rsp_ready), .crd_rsp_beat(crd_rsp_beat),
        .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat)
    );

endmodule

`default_nettype wire
