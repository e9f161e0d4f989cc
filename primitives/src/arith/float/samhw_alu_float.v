// SPDX-License-Identifier: Apache-2.0
//
// ALU of IEEE floats: a function on each leaf of one to four streams and constants.
//
//   Consumes    in[k]: STREAMS streams of one shape, any depth.
//   Produces    val: their shape; leaves are the function of the arguments. Where an argument's
//               leaf is EMPTY its fill stands for it; EMIT says where the result is EMPTY.
//   Throughput  one beat per cycle.
//   Latency     STAGES cycles.
//   Parameters  STREAMS, ARGS, FROM, FIXED, VALUES, EMIT as in samhw_alu_front; OP, EXP, MAN, MUL as in
//               samhw_float_op, STAGES its DEPTH + 1; VAL_W = 1 + EXP + MAN bits of a payload; STOP_W. TRUE: if not
//               0, the value where the function is not 0, of VAL_W bits; IN_W those of the payloads that come in.
//   Reset       valid bits.
//   Source      "The Sparse Abstract Machine", section 3.5.
`default_nettype none

module samhw_alu_float #(
    parameter                    OP       = 0,
    parameter                    EXP      = 8,
    parameter                    MAN      = 23,
    parameter                    MUL      = 2,
    parameter                    VAL_W    = 32,
    parameter                    IN_W     = VAL_W,
    parameter [VAL_W-1:0]        TRUE     = {VAL_W{1'b0}},
    parameter                    STOP_W   = 3,
    parameter                    STAGES   = 8,
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
        if (EXP < 1 || MAN < 1
            || OP < 0 || OP > 46
            || MUL < 0 || MUL > 5
            || STOP_W < 1 || STAGES < 1
            || STREAMS < 1 || STREAMS > 4
            || ARGS < 1 || ARGS > 4
            || IN_W < 1 + EXP + MAN || IN_W < STOP_W
            || VAL_W < STOP_W || (VAL_W < 1 + EXP + MAN && !(|TRUE))) begin : g_parameters
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

    localparam   W = 1 + EXP + MAN;
    wire [W-1:0] y;
    samhw_float_op #(.OP(OP), .EXP(EXP), .MAN(MAN), .MUL(MUL), .DEPTH(STAGES-1)) u_op (
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
