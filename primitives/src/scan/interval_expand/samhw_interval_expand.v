// SPDX-License-Identifier: Apache-2.0
//
// Makes coordinates of what a joiner of intervals lets through: each interval becomes its coordinates, each
// with a position.
//
//   Consumes    in: pairs (interval {last, first}, ref) of depth d, leaves DATA, or EMPTY: coordinates
//               without a position.
//   Produces    out: pairs (coordinate, position) of depth d: first to last, all with ref as their position;
//               with FOLLOWS each with ref and itself, modulo 2**REF_W.
//   Throughput  one coordinate per cycle.
//   Latency     one cycle.
//   Parameters  CRD_W, REF_W of the pairs out; FOLLOWS; STOP_W, at most CRD_W.
//   Reset       valid bits, place in the interval; payloads are not reset.
//   Source      "Looplets" (Ahrens et al., CGO'23); not in the SAM paper.
`default_nettype none

module samhw_interval_expand #(
    parameter CRD_W   = 16,
    parameter REF_W   = 16,
    parameter FOLLOWS = 0,
    parameter STOP_W  = 3
) (
    input  wire                              clk,
    input  wire                              rst,

    input  wire                              in_valid,
    output wire                              in_ready,
    input  wire [2+STOP_W+REF_W+2*CRD_W-1:0] in_beat,

    output reg                               out_valid,
    input  wire                              out_ready,
    output reg  [2+STOP_W+REF_W+CRD_W-1:0]   out_beat
);
    generate
        if (CRD_W < 1 || REF_W < 1 || STOP_W < 1
            || STOP_W > CRD_W
            || FOLLOWS < 0 || FOLLOWS > 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    // A coordinate as a position: what lies beyond those wraps.
    localparam W = CRD_W > REF_W ? CRD_W : REF_W + 1;
    `include "samhw_kinds.vh"
    localparam [STOP_W-1:0] NO_STOP  = 0;
    localparam [CRD_W-1:0]  NEXT     = 1;

    wire              free = !out_valid || out_ready;
    wire              ends;
    wire              s_valid;
    wire [1:0]        s_kind;
    wire [STOP_W-1:0] s_stop;
    wire [REF_W-1:0]  s_ref;
    wire [CRD_W-1:0]  last;
    wire [CRD_W-1:0]  first;
    samhw_skid #(.W(2+STOP_W+REF_W+2*CRD_W), .PASS(1)) u_in (
        .clk(clk), .rst(rst),
        .in_valid(in_valid), .in_ready(in_ready), .in_beat(in_beat),
        .out_valid(s_valid), .out_ready(free && ends), .out_beat({s_kind, s_stop, s_ref, last, first})
    );

    // What is no leaf has upper bits that are 0, as its ref is.
    reg               going;
    reg  [CRD_W-1:0]  on;
    wire [CRD_W-1:0]  crd  = going ? on : first;
    wire [W-1:0]      wide = {{(W-CRD_W){1'b0}}, crd};
    wire              there = s_kind == DATA;
    wire [REF_W-1:0]  at   = FOLLOWS != 0 && there ? s_ref + wide[REF_W-1:0] : s_ref;
    wire              step = s_valid && free;
    assign ends = s_kind[1] || crd == last;

    always @(posedge clk) begin
        if (step) begin
            out_beat <= {s_kind, ends ? s_stop : NO_STOP, at, crd};
            on       <= crd + NEXT;
        end
        if (rst) begin
            out_valid <= 1'b0;
            going     <= 1'b0;
        end else begin
            if (free)
                out_valid <= s_valid;
            if (step)
                going <= !ends;
        end
    end

    wire _unused_ok = &{1'b0, wide, 1'b0};

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst && step && !s_kind[1] && last < first) begin
            $display("samhw_interval_expand: an interval ends before it begins");
            $stop;
        end
`endif

endmodule

`default_nettype wire
