// SPDX-License-Identifier: Apache-2.0
//
// Unpacks the words of a bitvector level: each set bit becomes a coordinate and its position.
//
//   Consumes    in: pairs (word, rank) of depth d; bit b of the w-th word of a fiber is coordinate
//               w*WIDTH + b, rank the position of the word's lowest one.
//   Produces    out: pairs (coordinate, position) of depth d.
//   Throughput  one coordinate per cycle; a word without any takes one cycle.
//   Latency     4 cycles for the last beat of a fiber; others leave with the next one.
//   Parameters  WIDTH bits of a word, 2**WIDTH_LOG2, taken in groups of 2**GROUP_LOG2; CRD_W, REF_W; STOP_W (at
//               most WIDTH).
//   Reset       valid and state bits; payloads are not reset.
//   Source      "The Sparse Abstract Machine", section 4.3.
`default_nettype none

module samhw_bits_unpack #(
    parameter WIDTH      = 64,
    parameter WIDTH_LOG2 = 6,
    parameter GROUP_LOG2 = 3,
    parameter CRD_W      = 16,
    parameter REF_W      = 16,
    parameter STOP_W     = 3
) (
    input  wire                            clk,
    input  wire                            rst,

    input  wire                            in_valid,
    output wire                            in_ready,
    input  wire [2+STOP_W+REF_W+WIDTH-1:0] in_beat,

    output wire                            out_valid,
    input  wire                            out_ready,
    output wire [2+STOP_W+REF_W+CRD_W-1:0] out_beat
);
    generate
        if (CRD_W < 1 || REF_W < 1 || STOP_W < 1
            || WIDTH_LOG2 < 1 || WIDTH != 1 << WIDTH_LOG2
            || GROUP_LOG2 < 0 || GROUP_LOG2 > WIDTH_LOG2
            || STOP_W > WIDTH) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    wire leaves;
    samhw_bits_expand #(
        .WIDTH(WIDTH), .WIDTH_LOG2(WIDTH_LOG2), .GROUP_LOG2(GROUP_LOG2), .CRD_W(CRD_W), .REF_W(REF_W), .STOP_W(STOP_W)
    ) u_expand (
        .clk(clk), .rst(rst),
        .in_valid(in_valid), .in_ready(in_ready), .in_beat(in_beat),
        .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat),
        .cut(1'b0), .leaves(leaves)
    );
    wire _unused_ok = &{1'b0, leaves, 1'b0};

endmodule

`default_nettype wire
