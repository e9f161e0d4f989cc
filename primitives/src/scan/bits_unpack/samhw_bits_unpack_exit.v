// SPDX-License-Identifier: Apache-2.0
//
// samhw_bits_unpack whose fibers an early exit ends: of one that is decided each word gives one coordinate
// more at most, the current one two.
//
//   Consumes    in: pairs (word, rank) of depth d; bit b of the w-th word of a fiber is coordinate w*WIDTH
//               + b, rank the position of the word's lowest one. skip: hints {crd, over, fiber}, taken in
//               every cycle; fibers are counted modulo 2**TAG_W.
//   Produces    out: pairs (coordinate, position) of depth d.
//   Throughput  one coordinate per cycle; a word without any takes one cycle.
//   Latency     4 cycles for the last beat of a fiber; others leave with the next one.
//   Parameters  WIDTH bits of a word, 2**WIDTH_LOG2, taken in groups of 2**GROUP_LOG2; CRD_W, REF_W; STOP_W
//               (at most WIDTH); TAG_W bits of a fiber's number.
//   Reset       valid and state bits, the fiber's number; payloads are not reset.
//   Source      "The Sparse Abstract Machine", section 4.3.
`default_nettype none

module samhw_bits_unpack_exit #(
    parameter WIDTH      = 64,
    parameter WIDTH_LOG2 = 6,
    parameter GROUP_LOG2 = 3,
    parameter CRD_W      = 16,
    parameter REF_W      = 16,
    parameter STOP_W     = 3,
    parameter TAG_W      = 12
) (
    input  wire                            clk,
    input  wire                            rst,

    input  wire                            in_valid,
    output wire                            in_ready,
    input  wire [2+STOP_W+REF_W+WIDTH-1:0] in_beat,

    input  wire                            skip_valid,
    output wire                            skip_ready,
    input  wire [CRD_W+TAG_W:0]            skip_beat,

    output wire                            out_valid,
    input  wire                            out_ready,
    output wire [2+STOP_W+REF_W+CRD_W-1:0] out_beat
);
    generate
        if (CRD_W < 1 || REF_W < 1 || STOP_W < 1 || TAG_W < 1
            || WIDTH_LOG2 < 1 || WIDTH != 1 << WIDTH_LOG2
            || GROUP_LOG2 < 0 || GROUP_LOG2 > WIDTH_LOG2
            || STOP_W > WIDTH) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    wire over;
    wire leaves;
    assign skip_ready = 1'b1;
    samhw_fiber_over #(.TAG_W(TAG_W), .CRD_W(CRD_W)) u_over (
        .clk(clk), .rst(rst), .skip_valid(skip_valid), .skip_beat(skip_beat), .leaves(leaves), .over(over)
    );
    samhw_bits_expand #(
        .WIDTH(WIDTH), .WIDTH_LOG2(WIDTH_LOG2), .GROUP_LOG2(GROUP_LOG2), .CRD_W(CRD_W), .REF_W(REF_W), .STOP_W(STOP_W)
    ) u_expand (
        .clk(clk), .rst(rst),
        .in_valid(in_valid), .in_ready(in_ready), .in_beat(in_beat),
        .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat),
        .cut(over), .leaves(leaves)
    );

endmodule

`default_nettype wire
