// SPDX-License-Identifier: Apache-2.0
//
// ALU of whole numbers: a function on each leaf of one to four streams and constants.
//
//   Consumes    in[k]: STREAMS streams of one shape, any depth.
//   Produces    val: their shape; leaves are the function of the arguments. Where an argument's
//               leaf is EMPTY its fill stands for it; EMIT says where the result is EMPTY.
//   Throughput  one beat per cycle.
//   Latency     STAGES cycles.
//   Parameters  STREAMS, ARGS, FROM, FIXED, VALUES, EMIT as in samhw_alu_front; OP, W, SIGNED,
//               SATURATE, FRAC, ONE, TABLE, EXPONENT, UNIT, MUL as in samhw_word_op, STAGES its DEPTH + 1;
//               VAL_W bits of a payload, at least W and STOP_W (upper bits are 0); STOP_W. TRUE: if not 0,
//               the value where the function is not 0; the payloads that come in have IN_W bits then, and
//               VAL_W holds TRUE.
//   Reset       valid bits.
//   Source      "The Sparse Abstract Machine", section 3.5.
`default_nettype none

module samhw_alu #(
    parameter                    OP       = 0,
    parameter                    W        = 16,
    parameter                    SIGNED   = 1,
    parameter                    SATURATE = 0,
    parameter                    FRAC     = 0,
    parameter [W-1:0]            ONE      = {{(W-1){1'b0}}, 1'b1},
    parameter [7:0]              TABLE    = 8'd0,
    parameter                    EXPONENT = 3,
    parameter                    UNIT     = 1,
    parameter                    MUL      = 1,
    parameter                    VAL_W    = 16,
    parameter                    IN_W     = VAL_W,
    parameter [VAL_W-1:0]        TRUE     = {VAL_W{1'b0}},
    parameter                    STOP_W   = 3,
    parameter                    STAGES   = 1,
    parameter                    STREAMS  = 2,
    parameter                    ARGS     = 2,
    parameter [2*ARGS-1:0]       FROM     = 4'b0100,
    parameter [ARGS-1:0]         FIXED    = {ARGS{1'b0}},
    parameter [ARGS*IN_W-1:0]    VALUES   = {(ARGS*IN_W){1'b0}},
    parameter [(1<<STREAMS)-1:0] EMIT     = {{((1<<STREAMS)-1){1'b1}}, 1'b0}
) (
    input  wire                               clk,
    input  wire                               rst,

    input  wire [STREAMS-1:0]                 in_valid,
    output wire [STREAMS-1:0]                 in_ready,
    input  wire [STREAMS*(2+STOP_W+IN_W)-1:0] in_beat,

    output wire                               val_valid,
    input  wire                               val_ready,
    output wire [2+STOP_W+VAL_W-1:0]          val_beat
);
    generate
        if (W < 1
            || OP < 0 || OP > 45
            || OP == 36 || OP == 37
            || SIGNED < 0 || SIGNED > 1 || SATURATE < 0 || SATURATE > 1
            || FRAC < 0 || FRAC > W
            || EXPONENT < 1 || EXPONENT > 65535
            || UNIT < 0 || UNIT > 1
            || MUL < 0 || MUL > 7
            || STOP_W < 1 || STAGES < 1
            || STREAMS < 1 || STREAMS > 4
            || ARGS < 1 || ARGS > 4
            || IN_W < W || IN_W < STOP_W
            || VAL_W < STOP_W || (VAL_W < W && !(|TRUE))) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    wire                  valid;
    wire                  step;
    wire [1:0]            kind;
    wire [STOP_W-1:0]     stop;
    wire [STOP_W-1:0]     hole;
    wire [ARGS*IN_W-1:0]  args;
    samhw_alu_front #(
        .STREAMS(STREAMS), .ARGS(ARGS), .IN_W(IN_W), .STOP_W(STOP_W),
        .FROM(FROM), .FIXED(FIXED), .VALUES(VALUES), .EMIT(EMIT), .PASS(1)
    ) u_front (
        .clk(clk), .rst(rst),
        .in_valid(in_valid), .in_ready(in_ready), .in_beat(in_beat),
        .valid(valid), .step(step), .kind(kind), .stop(stop), .hole(hole), .args(args)
    );

    wire [W-1:0] y;
    samhw_word_op #(
        .OP(OP), .W(W), .SIGNED(SIGNED), .SATURATE(SATURATE), .FRAC(FRAC), .ONE(ONE), .TABLE(TABLE),
        .EXPONENT(EXPONENT), .UNIT(UNIT), .MUL(MUL), .DEPTH(STAGES-1)
    ) u_op (
        .clk(clk), .en(step),
        .a(args[W-1:0]), .b(args[(ARGS > 1 ? IN_W : 0) +: W]), .c(args[(ARGS > 2 ? 2*IN_W : 0) +: W]),
        .y(y)
    );

    wire [VAL_W+W-1:0] widened = {{VAL_W{1'b0}}, y};
    wire [VAL_W-1:0]   truth   = TRUE & {VAL_W{|y}};
    samhw_alu_back #(.VAL_W(VAL_W), .STOP_W(STOP_W), .STAGES(STAGES)) u_back (
        .clk(clk), .rst(rst),
        .valid(valid), .step(step), .kind(kind), .stop(stop), .hole(hole),
        .y(TRUE != {VAL_W{1'b0}} ? truth : widened[VAL_W-1:0]),
        .out_valid(val_valid), .out_ready(val_ready), .out_beat(val_beat)
    );

    wire _unused_ok = &{1'b0, args, widened, truth, 1'b0};

endmodule

`default_nettype wire
