// SPDX-License-Identifier: Apache-2.0
//
// Folds each list of items pairwise, into half as many: the first with the second, the third with the
// fourth; an odd last one stays. The order stays too.
//
//   Consumes    in: items of lists, `last` on the last of each, with its meta.
//   Produces    out, a register.
//   Throughput  an item per cycle with en = 1; with en = 0 nothing moves.
//   Latency     DEPTH + 1 cycles.
//   Parameters  OP, DEPTH, W, SIGNED, SATURATE, FRAC, EXP, MAN, MUL as in samhw_pipelined_op; IDENTITY of OP;
//               META_W.
//   Reset       valid bits.
`default_nettype none

module samhw_pairing #(
    parameter         OP       = 0,
    parameter         DEPTH    = 7,
    parameter         W        = 32,
    parameter         SIGNED   = 1,
    parameter         SATURATE = 0,
    parameter         FRAC     = 0,
    parameter         EXP      = 8,
    parameter         MAN      = 23,
    parameter         MUL      = 2,
    parameter [W-1:0] IDENTITY = {W{1'b0}},
    parameter         META_W   = 5
) (
    input  wire              clk,
    input  wire              rst,
    input  wire              en,

    input  wire              in_valid,
    input  wire              in_last,
    input  wire [META_W-1:0] in_meta,
    input  wire [W-1:0]      in_val,

    output reg               out_valid,
    output reg               out_last,
    output reg  [META_W-1:0] out_meta,
    output reg  [W-1:0]      out_val
);
    generate
        if (OP < 0 || OP > 46
            || DEPTH < 0
            || W < 1
            || SIGNED < 0 || SIGNED > 1 || SATURATE < 0 || SATURATE > 1
            || FRAC < 0 || FRAC > W
            || EXP < 0 || MAN < 0
            || (MAN != 0 && W != 1 + EXP + MAN)
            || MUL < 0 || MUL > 7
            || META_W < 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    reg          held;
    reg  [W-1:0] first;
    wire         send = in_valid && (in_last || held);
    wire [W-1:0] y;
    samhw_pipelined_op #(
        .OP(OP), .DEPTH(DEPTH), .W(W), .SIGNED(SIGNED), .SATURATE(SATURATE), .FRAC(FRAC), .EXP(EXP), .MAN(MAN),
        .MUL(MUL)
    ) u_op (.clk(clk), .en(en), .a(held ? first : in_val), .b(held ? in_val : IDENTITY), .y(y));

    localparam S_W = META_W + 1;
    reg  [DEPTH-1:0]         sent;
    reg  [DEPTH*S_W-1:0]     side;
    wire [DEPTH:0]           sent_in = {sent, send};
    wire [(DEPTH+1)*S_W-1:0] side_in = {side, in_last, in_meta};

    always @(posedge clk) begin
        if (en) begin
            side     <= side_in[DEPTH*S_W-1:0];
            out_last <= side_in[(DEPTH+1)*S_W-1];
            out_meta <= side_in[DEPTH*S_W +: META_W];
            out_val  <= y;
            if (in_valid)
                first <= in_val;
        end
        if (rst) begin
            held      <= 1'b0;
            sent      <= {DEPTH{1'b0}};
            out_valid <= 1'b0;
        end else if (en) begin
            if (in_valid)
                held <= !held && !in_last;
            sent      <= sent_in[DEPTH-1:0];
            out_valid <= sent_in[DEPTH];
        end
    end

endmodule

`default_nettype wire
