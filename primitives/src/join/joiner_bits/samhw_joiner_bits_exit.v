// SPDX-License-Identifier: Apache-2.0
//
// samhw_joiner_bits whose fibers an early exit ends: of one that is decided each word gives one coordinate
// more at most, the current one two.
//
//   Consumes    in[k]: pairs (word, rank) of depth d, aligned leaf by leaf; bit b of the w-th word of a
//               fiber is coordinate w*WIDTH + b, rank its operand's position of the lowest one. Of fibers that
//               are over some may have fewer words than others.
//               skip: hints {crd, over, fiber}, taken in every cycle; fibers are counted modulo 2**TAG_W.
//   Produces    as samhw_joiner: crd: the coordinates with EMIT[P]; ref[k]: the position of operand k
//               where P has it and KEEP[k][P] is set, EMPTY elsewhere. All of depth d.
//   Throughput  one coordinate per cycle; a word without any takes one cycle.
//   Latency     4 cycles for the last beat of a fiber; others leave with the next one.
//   Parameters  N operands; WIDTH bits of a word, 2**WIDTH_LOG2, taken in groups of 2**GROUP_LOG2; CRD_W,
//               REF_W; STOP_W (at most WIDTH); EMIT, KEEP, USED as in samhw_joiner; TAG_W bits of a fiber's
//               number.
//   Reset       valid and state bits, the fiber's number; payloads are not reset.
//   Source      "The Sparse Abstract Machine", section 4.3.
`default_nettype none

module samhw_joiner_bits_exit #(
    parameter N          = 2,
    parameter WIDTH      = 64,
    parameter WIDTH_LOG2 = 6,
    parameter GROUP_LOG2 = 3,
    parameter CRD_W      = 16,
    parameter REF_W      = 16,
    parameter STOP_W     = 3,
    parameter [(1<<N)-1:0] EMIT = {1'b1, {((1<<N)-1){1'b0}}},
    parameter [(N<<N)-1:0] KEEP = {(N<<N){1'b1}},
    parameter [N:0]        USED = {(N+1){1'b1}},
    parameter TAG_W      = 12
) (
    input  wire                                clk,
    input  wire                                rst,

    input  wire [N-1:0]                        in_valid,
    output wire [N-1:0]                        in_ready,
    input  wire [N*(2+STOP_W+REF_W+WIDTH)-1:0] in_beat,

    input  wire                                skip_valid,
    output wire                                skip_ready,
    input  wire [CRD_W+TAG_W:0]                skip_beat,

    output wire                                crd_valid,
    input  wire                                crd_ready,
    output wire [2+STOP_W+CRD_W-1:0]           crd_beat,

    output wire [N-1:0]                        ref_valid,
    input  wire [N-1:0]                        ref_ready,
    output wire [N*(2+STOP_W+REF_W)-1:0]       ref_beat
);
    generate
        if (N < 1 || CRD_W < 1 || REF_W < 1 || STOP_W < 1 || TAG_W < 1
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
    samhw_bits_join #(
        .N(N), .WIDTH(WIDTH), .WIDTH_LOG2(WIDTH_LOG2), .GROUP_LOG2(GROUP_LOG2), .CRD_W(CRD_W), .REF_W(REF_W),
        .STOP_W(STOP_W),
        .EMIT(EMIT), .KEEP(KEEP), .USED(USED), .UNEVEN(1)
    ) u_join (
        .clk(clk), .rst(rst),
        .in_valid(in_valid), .in_ready(in_ready), .in_beat(in_beat),
        .crd_valid(crd_valid), .crd_ready(crd_ready), .crd_beat(crd_beat),
        .ref_valid(ref_valid), .ref_ready(ref_ready), .ref_beat(ref_beat),
        .cut(over), .leaves(leaves)
    );

endmodule

`default_nettype wire
