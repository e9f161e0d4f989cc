// SPDX-License-Identifier: Apache-2.0
//
// Unpacks the words of a level that is stored in runs: each run becomes its coordinates with their positions.
//
//   Consumes    in: pairs (word, ref) of depth d, leaves DATA: coordinates {last, first} of a run, ref its
//               position; without SHARED the word is {base, last, first}, base the position of the first
//               coordinate.
//   Produces    out: pairs (coordinate, position) of depth d: first to last, all with the run's position;
//               without SHARED from base on.
//   Throughput  one coordinate per cycle.
//   Latency     one cycle.
//   Parameters  CRD_W, REF_W of the pairs out; AT_W bits of ref, REF_W with SHARED; STOP_W, at most CRD_W.
//   Reset       valid bits, place in the run; payloads are not reset.
//   Source      run-length and block levels of "Looplets" (Ahrens et al., CGO'23); not in the SAM paper.
`default_nettype none

module samhw_runs_unpack #(
    parameter CRD_W  = 16,
    parameter REF_W  = 16,
    parameter AT_W   = 16,
    parameter SHARED = 0,
    parameter STOP_W = 3
) (
    input  wire                            clk,
    input  wire                            rst,

    input  wire                            in_valid,
    output wire                            in_ready,
    input  wire [2+STOP_W+AT_W+2*CRD_W+(SHARED != 0 ? 0 : REF_W)-1:0] in_beat,

    output wire                            out_valid,
    input  wire                            out_ready,
    output wire [2+STOP_W+REF_W+CRD_W-1:0] out_beat
);
    generate
        if (CRD_W < 1 || REF_W < 1 || AT_W < 1 || STOP_W < 1
            || STOP_W > CRD_W
            || SHARED < 0 || SHARED > 1
            || (SHARED != 0 && AT_W != REF_W)) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    wire leaves;
    samhw_runs_walk #(.CRD_W(CRD_W), .REF_W(REF_W), .AT_W(AT_W), .SHARED(SHARED), .STOP_W(STOP_W)) u_walk (
        .clk(clk), .rst(rst),
        .in_valid(in_valid), .in_ready(in_ready), .in_beat(in_beat),
        .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat),
        .cut(1'b0), .leaves(leaves)
    );
    wire _unused_ok = &{1'b0, leaves, 1'b0};

endmodule

`default_nettype wire
