// SPDX-License-Identifier: Apache-2.0
//
// Words of blocks as intervals: each word {base, last, first} becomes the interval of its coordinates and the position
// at which coordinate 0 of the block would stand. Of every part of the interval that says where its coordinates are.
//
//   Consumes    in: pairs (word, ref) of depth d, leaves DATA: {base, last, first} of a block, base the
//               position of the first coordinate; ref is not used.
//   Produces    out: pairs (interval {last, first}, origin) of depth d; origin is base - first modulo 2**REF_W.
//   Throughput  one beat per cycle.
//   Latency     one cycle.
//   Parameters  CRD_W; REF_W of base and origin; AT_W bits of ref; STOP_W, at most CRD_W.
//   Reset       valid bits; payloads are not reset.
//   Source      block levels of "Looplets" (Ahrens et al., CGO'23); not in the SAM paper.
`default_nettype none

module samhw_runs_origin #(
    parameter CRD_W  = 16,
    parameter REF_W  = 16,
    parameter AT_W   = 16,
    parameter STOP_W = 3
) (
    input  wire                                 clk,
    input  wire                                 rst,

    input  wire                                 in_valid,
    output wire                                 in_ready,
    input  wire [2+STOP_W+AT_W+REF_W+2*CRD_W-1:0] in_beat,

    output reg                                  out_valid,
    input  wire                                 out_ready,
    output reg  [2+STOP_W+REF_W+2*CRD_W-1:0]    out_beat
);
    generate
        if (CRD_W < 1 || REF_W < 1 || AT_W < 1 || STOP_W < 1 || STOP_W > CRD_W) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    // A coordinate as a position: what lies beyond those wraps.
    localparam W = CRD_W > REF_W ? CRD_W : REF_W;

    wire               free = !out_valid || out_ready;
    wire               s_valid;
    wire [1:0]         s_kind;
    wire [STOP_W-1:0]  s_stop;
    wire [AT_W-1:0]    s_at;
    wire [REF_W-1:0]   base;
    wire [2*CRD_W-1:0] interval;
    samhw_skid #(.W(2+STOP_W+AT_W+REF_W+2*CRD_W), .PASS(1)) u_in (
        .clk(clk), .rst(rst),
        .in_valid(in_valid), .in_ready(in_ready), .in_beat(in_beat),
        .out_valid(s_valid), .out_ready(free), .out_beat({s_kind, s_stop, s_at, base, interval})
    );

    wire [W-1:0]     first;
    generate
        if (W > CRD_W) begin : g_wide
            assign first = {{(W-CRD_W){1'b0}}, interval[CRD_W-1:0]};
        end else begin : g_same
            assign first = interval[CRD_W-1:0];
        end
    endgenerate
    // What is no block has no position.
    wire [REF_W-1:0] origin = s_kind[1] ? {REF_W{1'b0}} : base - first[REF_W-1:0];
    wire             _unused_ok = &{1'b0, s_at, first, 1'b0};

    always @(posedge clk) begin
        if (free)
            out_beat <= {s_kind, s_stop, origin, interval};
        if (rst)
            out_valid <= 1'b0;
        else if (free)
            out_valid <= s_valid;
    end

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst && s_valid && !s_kind[1] && interval[2*CRD_W-1:CRD_W] < interval[CRD_W-1:0]) begin
            $display("samhw_runs_origin: a block ends before it begins");
            $stop;
        end
`endif

endmodule

`default_nettype wire
