// SPDX-License-Identifier: Apache-2.0
//
// ALU for products of whole numbers that are narrower than the result.
//
//   Consumes    in[k]: STREAMS streams of one shape, any depth.
//   Produces    val: their shape; leaves are the product of the two arguments, exact but for bits beyond W. Where an
//               argument's leaf is EMPTY its fill stands for it; EMIT says where the result is EMPTY.
//   Throughput  one beat per cycle.
//   Latency     STAGES cycles.
//   Parameters  STREAMS, FROM, FIXED, VALUES, EMIT as in samhw_alu_front, of two arguments; A_W, A_SIGNED,
//               B_W, B_SIGNED: bits of these, and whether they are two's complement; IN_W bits of their
//               payloads, at least A_W, B_W and STOP_W; W bits of the product; VAL_W bits of its payload, at
//               least W and STOP_W (upper bits are 0); STOP_W; STAGES: DEPTH of samhw_narrow_mul, and 1, of
//               numbers that have a bit more if they are not signed.
//   Reset       valid bits.
//   Source      not in the SAM paper; decision 57.
`default_nettype none

module samhw_alu_product #(
    parameter                    A_W      = 16,
    parameter                    A_SIGNED = 1,
    parameter                    B_W      = 16,
    parameter                    B_SIGNED = 1,
    parameter                    W        = 32,
    parameter                    IN_W     = 16,
    parameter                    VAL_W    = 32,
    parameter                    STOP_W   = 3,
    parameter                    STAGES   = 2,
    parameter                    STREAMS  = 2,
    parameter                    ARGS     = 2,
    parameter [2*ARGS-1:0]       FROM     = 4'b0100,
    parameter [ARGS-1:0]         FIXED    = {ARGS{1'b0}},
    parameter [ARGS*IN_W-1:0]    VALUES   = {(ARGS*IN_W){1'b0}},
    parameter [(1<<STREAMS)-1:0] EMIT     = {{((1<<STREAMS)-1){1'b1}}, 1'b0}
) (
    input  wire                                clk,
    input  wire                                rst,

    input  wire [STREAMS-1:0]                  in_valid,
    output wire [STREAMS-1:0]                  in_ready,
    input  wire [STREAMS*(2+STOP_W+IN_W)-1:0]  in_beat,

    output wire                                val_valid,
    input  wire                                val_ready,
    output wire [2+STOP_W+VAL_W-1:0]           val_beat
);
    generate
        if (A_W < 1 || B_W < 1 || W < 1 || STOP_W < 1
            || A_SIGNED < 0 || A_SIGNED > 1 || B_SIGNED < 0 || B_SIGNED > 1
            || (A_W > (A_SIGNED != 0 ? 35 : 34) || B_W > (B_SIGNED != 0 ? 35 : 34))
            || IN_W < A_W || IN_W < B_W || IN_W < STOP_W
            || VAL_W < W || VAL_W < STOP_W
            || STAGES < 2 || STAGES > 4
            || STREAMS < 1 || STREAMS > 4
            || ARGS != 2) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam A_X = A_SIGNED != 0 ? A_W : A_W + 1;
    localparam B_X = B_SIGNED != 0 ? B_W : B_W + 1;

    wire                 valid;
    wire                 step;
    wire [1:0]           kind;
    wire [STOP_W-1:0]    stop;
    wire [STOP_W-1:0]    hole;
    wire [ARGS*IN_W-1:0] args;
    samhw_alu_front #(
        .STREAMS(STREAMS), .ARGS(ARGS), .IN_W(IN_W), .STOP_W(STOP_W),
        .FROM(FROM), .FIXED(FIXED), .VALUES(VALUES), .EMIT(EMIT), .PASS(1)
    ) u_front (
        .clk(clk), .rst(rst),
        .in_valid(in_valid), .in_ready(in_ready), .in_beat(in_beat),
        .valid(valid), .step(step), .kind(kind), .stop(stop), .hole(hole), .args(args)
    );

    // Without a sign a number gets a 0 in front.
    wire [A_W:0] a = {1'b0, args[A_W-1:0]};
    wire [B_W:0] b = {1'b0, args[IN_W +: B_W]};
    wire [W-1:0] y;
    samhw_narrow_mul #(.A_W(A_X), .B_W(B_X), .W(W), .DEPTH(STAGES-1)) u_mul (
        .clk(clk), .en(step), .a(a[A_X-1:0]), .b(b[B_X-1:0]), .y(y)
    );

    wire [VAL_W:0] widened = {{(VAL_W-W+1){1'b0}}, y};
    samhw_alu_back #(.VAL_W(VAL_W), .STOP_W(STOP_W), .STAGES(STAGES)) u_back (
        .clk(clk), .rst(rst),
        .valid(valid), .step(step), .kind(kind), .stop(stop), .hole(hole), .y(widened[VAL_W-1:0]),
        .out_valid(val_valid), .out_ready(val_ready), .out_beat(val_beat)
    );

    wire _unused_ok = &{1'b0, args, a, b, widened[VAL_W], 1'b0};

endmodule

`default_nettype wire
