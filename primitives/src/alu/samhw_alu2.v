// SPDX-License-Identifier: Apache-2.0
//
// ALU of two streams.
//
//   Consumes    val0, val1: aligned leaf by leaf.
//   Produces    val: their shape; leaves are f(val0, val1). EMPTY reads as FILL0, FILL1. With P
//               the set of streams whose leaf is DATA (val0 is bit 0), a leaf is EMPTY where bit
//               P of EMIT is 0.
//   Throughput  one beat per cycle.
//   Latency     1 + STAGES cycles.
//   Parameters  FUN, VAL_W, SIGNED, STOP_W, STAGES as in samhw_alu_pipe; EMIT, FILL0, FILL1.
//   Reset       valid bits.
//   Source      "The Sparse Abstract Machine", section 3.5.
`default_nettype none

module samhw_alu2 #(
    parameter             FUN    = 0,
    parameter             VAL_W  = 16,
    parameter             SIGNED = 1,
    parameter             STOP_W = 3,
    parameter             STAGES = 1,
    parameter [3:0]       EMIT   = 4'b1110,
    parameter [VAL_W-1:0] FILL0  = {VAL_W{1'b0}},
    parameter [VAL_W-1:0] FILL1  = {VAL_W{1'b0}}
) (
    input  wire                      clk,
    input  wire                      rst,

    input  wire                      val0_valid,
    output wire                      val0_ready,
    input  wire [2+STOP_W+VAL_W-1:0] val0_beat,

    input  wire                      val1_valid,
    output wire                      val1_ready,
    input  wire [2+STOP_W+VAL_W-1:0] val1_beat,

    output wire                      val_valid,
    input  wire                      val_ready,
    output wire [2+STOP_W+VAL_W-1:0] val_beat
);

    wire              step;
    wire              x_valid;
    wire [1:0]        x_kind;
    wire [STOP_W-1:0] x_stop;
    wire [VAL_W-1:0]  x_val;
    wire              y_valid;
    wire [1:0]        y_kind;
    wire [VAL_W-1:0]  y_val;

    wire both = x_valid && y_valid;
    samhw_skid #(.W(2+STOP_W+VAL_W)) u_val0 (
        .clk(clk), .rst(rst),
        .in_valid(val0_valid), .in_ready(val0_ready), .in_beat(val0_beat),
        .out_valid(x_valid), .out_ready(step && y_valid), .out_beat({x_kind, x_stop, x_val})
    );
    // The shape is that of val0.
    samhw_skid #(.W(2+VAL_W)) u_val1 (
        .clk(clk), .rst(rst),
        .in_valid(val1_valid), .in_ready(val1_ready),
        .in_beat({val1_beat[VAL_W+STOP_W +: 2], val1_beat[VAL_W-1:0]}),
        .out_valid(y_valid), .out_ready(step && x_valid), .out_beat({y_kind, y_val})
    );

    wire [3:0] emit = EMIT;
    wire       leaf = !x_kind[1];

    samhw_alu_pipe #(.FUN(FUN), .VAL_W(VAL_W), .SIGNED(SIGNED), .STOP_W(STOP_W), .STAGES(STAGES)) u_pipe (
        .clk(clk), .rst(rst),
        .valid(both), .step(step),
        .kind(leaf ? {1'b0, !emit[{!y_kind[0], !x_kind[0]}]} : x_kind), .stop(x_stop), .hole(x_val[STOP_W-1:0]),
        .a(x_kind[0] ? FILL0 : x_val), .b(y_kind[0] ? FILL1 : y_val),
        .out_valid(val_valid), .out_ready(val_ready), .out_beat(val_beat)
    );

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst && both && (x_kind[1] != y_kind[1]
                             || (x_kind[1] && (x_kind != y_kind || x_val[STOP_W-1:0] != y_val[STOP_W-1:0])))) begin
            $display("samhw_alu2: val0 and val1 are not aligned");
            $stop;
        end
`endif

    wire _unused_ok = &{1'b0, val1_beat[VAL_W +: STOP_W], y_kind[1], 1'b0};

endmodule

`default_nettype wire
