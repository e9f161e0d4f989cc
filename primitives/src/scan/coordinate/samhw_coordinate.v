// SPDX-License-Identifier: Apache-2.0
//
// One coordinate: AT at every leaf of a stream.
//
//   Consumes    in: references of depth d, leaves DATA or EMPTY.
//   Produces    out: coordinates of the same shape, every leaf AT.
//   Throughput  one beat per cycle.
//   Latency     2 cycles.
//   Parameters  REF_W, CRD_W payload bits, STOP_W stop bits (at most both), AT.
//   Reset       valid bits; payloads are not reset.
//   Source      constant indices, docs/kernel-files.md, "Slices".
`default_nettype none

module samhw_coordinate #(
    parameter REF_W  = 16,
    parameter CRD_W  = 16,
    parameter STOP_W = 3,
    parameter [CRD_W-1:0] AT = 0
) (
    input  wire                      clk,
    input  wire                      rst,

    input  wire                      in_valid,
    output wire                      in_ready,
    input  wire [2+STOP_W+REF_W-1:0] in_beat,

    output reg                       out_valid,
    input  wire                      out_ready,
    output reg  [2+STOP_W+CRD_W-1:0] out_beat
);
    generate
        if (REF_W < 1 || CRD_W < 1 || STOP_W < 1 || STOP_W > REF_W || STOP_W > CRD_W) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    `include "samhw_kinds.vh"

    // Of a reference only what it says of an empty list matters.
    wire              s_valid;
    wire [1:0]        s_kind;
    wire [STOP_W-1:0] s_stop;
    wire [STOP_W-1:0] s_hole;
    wire              step = !out_valid || out_ready;
    samhw_skid #(.W(2+2*STOP_W)) u_in (
        .clk(clk), .rst(rst),
        .in_valid(in_valid), .in_ready(in_ready),
        .in_beat({in_beat[2+STOP_W+REF_W-1 -: 2+STOP_W], in_beat[STOP_W-1:0]}),
        .out_valid(s_valid), .out_ready(step), .out_beat({s_kind, s_stop, s_hole})
    );

    wire [CRD_W+STOP_W-1:0] hole = {{CRD_W{1'b0}}, s_kind == NIL ? s_hole : {STOP_W{1'b0}}};

    always @(posedge clk) begin
        if (step)
            out_beat <= s_kind[1] ? {s_kind, s_stop, hole[CRD_W-1:0]} : {DATA, s_stop, AT};
        if (rst)
            out_valid <= 1'b0;
        else if (step)
            out_valid <= s_valid;
    end

    wire _unused_ok = &{1'b0, in_beat, hole, 1'b0};

endmodule

`default_nettype wire
