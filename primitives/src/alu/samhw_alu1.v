// SPDX-License-Identifier: Apache-2.0
//
// ALU of one stream, and a constant where the function takes two operands.
//
//   Consumes    val0: any depth.
//   Produces    val: the shape of val0; leaves are f(val0, CONST), or f(CONST, val0) if SWAP.
//               EMPTY reads as FILL0. Bit 1 of EMIT: a DATA leaf gives a value, else EMPTY;
//               bit 0: the same for an EMPTY leaf.
//   Throughput  one beat per cycle.
//   Latency     1 + STAGES cycles.
//   Parameters  FUN, VAL_W, SIGNED, STOP_W, STAGES as in samhw_alu_pipe; EMIT, FILL0, CONST, SWAP.
//   Reset       valid bits.
//   Source      "The Sparse Abstract Machine", section 3.5.
`default_nettype none

module samhw_alu1 #(
    parameter             FUN    = 0,
    parameter             VAL_W  = 16,
    parameter             SIGNED = 1,
    parameter             STOP_W = 3,
    parameter             STAGES = 1,
    parameter [1:0]       EMIT   = 2'b10,
    parameter [VAL_W-1:0] FILL0  = {VAL_W{1'b0}},
    parameter [VAL_W-1:0] CONST  = {VAL_W{1'b0}},
    parameter             SWAP   = 0
) (
    input  wire                      clk,
    input  wire                      rst,

    input  wire                      val0_valid,
    output wire                      val0_ready,
    input  wire [2+STOP_W+VAL_W-1:0] val0_beat,

    output wire                      val_valid,
    input  wire                      val_ready,
    output wire [2+STOP_W+VAL_W-1:0] val_beat
);

    wire              x_valid;
    wire              step;
    wire [1:0]        x_kind;
    wire [STOP_W-1:0] x_stop;
    wire [VAL_W-1:0]  x_val;
    samhw_skid #(.W(2+STOP_W+VAL_W)) u_val0 (
        .clk(clk), .rst(rst),
        .in_valid(val0_valid), .in_ready(val0_ready), .in_beat(val0_beat),
        .out_valid(x_valid), .out_ready(step), .out_beat({x_kind, x_stop, x_val})
    );

    wire [1:0]       emit = EMIT;
    wire             leaf = !x_kind[1];
    wire [VAL_W-1:0] x    = x_kind[0] ? FILL0 : x_val;

    samhw_alu_pipe #(.FUN(FUN), .VAL_W(VAL_W), .SIGNED(SIGNED), .STOP_W(STOP_W), .STAGES(STAGES)) u_pipe (
        .clk(clk), .rst(rst),
        .valid(x_valid), .step(step),
        .kind(leaf ? {1'b0, !emit[!x_kind[0]]} : x_kind), .stop(x_stop), .hole(x_val[STOP_W-1:0]),
        .a(SWAP != 0 ? CONST : x), .b(SWAP != 0 ? x : CONST),
        .out_valid(val_valid), .out_ready(val_ready), .out_beat(val_beat)
    );

endmodule

`default_nettype wire
