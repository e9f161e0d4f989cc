// SPDX-License-Identifier: Apache-2.0
//
// Level scanner of a level without segments: each reference says itself where its fiber lies.
//
//   Consumes    ref: stream of depth d, leaves DATA or EMPTY: a range {end, begin}, not empty,
//               of half the bits each; UNIT 1: a position, whose fiber is that one entry.
//               crd_rsp {crd}: words that crd_req asked for.
//   Produces    crd_req {len, addr}: one per DATA leaf; out {crd, ref}: depth d+1, the
//               coordinates crd[begin..end] with their positions. GROUP 1: neighbours with equal
//               coordinates are one leaf, whose ref is the range of their positions
//               {end, begin}. An EMPTY leaf gives an empty list.
//   Throughput  one entry per cycle, across groups and fibers, while the memory answers within
//               2**QUEUE_LOG2 - 3 cycles.
//   Latency     4 cycles with an on-chip memory (samhw_mem_burst), 3 more than the answer takes;
//               with GROUP 1 for the last leaf of a fiber one more, others leave when the next
//               one begins.
//   In flight   up to 2**QUEUE_LOG2 bursts.
//   Parameters  REF_IN_W bits of the references in, REF_W of positions, CRD_W of coordinates,
//               STOP_W stop bits (at most REF_IN_W and CRD_W), QUEUE_LOG2, UNIT, GROUP.
//   Reset       valid bits, queue pointers, place in the fiber; payloads are not reset.
//   Source      "The Sparse Abstract Machine", section 3.1; singleton levels of "Format
//               Abstraction for Sparse Tensor Algebra Compilers", section 3.
`default_nettype none

module samhw_scanner_range #(
    parameter REF_IN_W   = 32,
    parameter REF_W      = 16,
    parameter CRD_W      = 16,
    parameter STOP_W     = 3,
    parameter QUEUE_LOG2 = 3,
    parameter UNIT       = 0,
    parameter GROUP      = 0
) (
    input  wire                         clk,
    input  wire                         rst,

    input  wire                         ref_valid,
    output wire                         ref_ready,
    input  wire [2+STOP_W+REF_IN_W-1:0] ref_beat,

    output wire                         crd_req_valid,
    input  wire                         crd_req_ready,
    output wire [2*REF_W-1:0]           crd_req_beat,

    input  wire                         crd_rsp_valid,
    output wire                         crd_rsp_ready,
    input  wire [CRD_W-1:0]             crd_rsp_beat,

    output wire                         out_valid,
    input  wire                         out_ready,
    output wire [2+STOP_W+(REF_W<<GROUP)+CRD_W-1:0] out_beat
);
    generate
        if (REF_IN_W < 1 || REF_W < 1 || CRD_W < 1 || STOP_W < 1 || QUEUE_LOG2 < 1
            || STOP_W > REF_IN_W || STOP_W > CRD_W
            || UNIT < 0 || UNIT > 1 || GROUP < 0 || GROUP > 1
            || (UNIT == 0 && REF_IN_W % 2 != 0)) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    // Bits of a position in ref.
    localparam POS_W = UNIT != 0 ? REF_IN_W : REF_IN_W / 2;
    localparam [REF_W-1:0] NEXT = 1;

    wire                valid;
    wire                ready;
    wire                list;
    wire [STOP_W-1:0]   stop;
    wire [STOP_W-1:0]   hole;
    wire [REF_IN_W-1:0] bounds;
    samhw_ref_skid #(.REF_W(REF_IN_W), .STOP_W(STOP_W)) u_ref (
        .clk(clk), .rst(rst),
        .ref_valid(ref_valid), .ref_ready(ref_ready), .ref_beat(ref_beat),
        .out_valid(valid), .out_ready(ready),
        .out_list(list), .out_stop(stop), .out_hole(hole), .out_ref(bounds)
    );

    // As wide as the positions of this level.
    wire [REF_W+POS_W-1:0] low  = {{REF_W{1'b0}}, bounds[POS_W-1:0]};
    wire [REF_W+POS_W-1:0] high = {{REF_W{1'b0}}, bounds[REF_IN_W-1 -: POS_W]};
    wire [REF_W-1:0]       from = low[REF_W-1:0];
    wire [REF_W-1:0]       to   = UNIT != 0 ? from + NEXT : high[REF_W-1:0];

    samhw_fiber_reader #(
        .REF_W(REF_W), .CRD_W(CRD_W), .STOP_W(STOP_W), .QUEUE_LOG2(QUEUE_LOG2), .GROUP(GROUP)
    ) u_read (
        .clk(clk), .rst(rst),
        .in_valid(valid), .in_ready(ready),
        .in_list(list), .in_stop(stop), .in_hole(hole), .in_begin(from), .in_end(to),
        .crd_req_valid(crd_req_valid), .crd_req_ready(crd_req_ready), .crd_req_beat(crd_req_beat),
        .crd_rsp_valid(crd_rsp_valid), .crd_rsp_ready(crd_rsp_ready), .crd_rsp_beat(crd_rsp_beat),
        .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat)
    );

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst && valid && ready && list && from == to) begin
            $display("samhw_scanner_range: a range is empty");
            $stop;
        end
`endif

    wire _unused_ok = &{1'b0, low[REF_W +: POS_W], high, 1'b0};

endmodule

`default_nettype wire
