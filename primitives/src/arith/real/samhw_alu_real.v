// SPDX-License-Identifier: Apache-2.0
//
// ALU of functions of real numbers of IEEE floats: a function on each leaf.
//
//   Consumes    in[k]: STREAMS streams of one shape, any depth.
//   Produces    val: their shape; leaves are the function of the arguments. Where a leaf is EMPTY its fill stands
//               for it; EMIT says where the result is EMPTY.
//   Throughput  one beat per cycle.
//   Latency     STAGES cycles.
//   Parameters  STREAMS, ARGS, FROM, FIXED, VALUES, EMIT as in samhw_alu_front; EXP to P_MUL as in
//               samhw_float_real, STAGES its DEPTH + 1; VAL_W = 1 + EXP + MAN bits of a payload; STOP_W.
//   Reset       valid bits.
//   Source      "The Sparse Abstract Machine", section 3.5.
`default_nettype none

module samhw_alu_real #(
    parameter                    EXP     = 8,
    parameter                    MAN     = 23,
    parameter                    SHAPE   = 0,
    parameter                    TURNED  = 0,
    parameter                    FRAC    = 28,
    parameter                    LEAST   = 0,
    parameter                    MOST    = 0,
    parameter [EXP+FRAC-1:0]     FACTOR  = {(EXP+FRAC){1'b0}},
    parameter                    LINES   = 2,
    parameter                    WORD_W  = 18,
    parameter [LINES*WORD_W-1:0] WORDS   = {(LINES*WORD_W){1'b0}},
    parameter                    MUL     = 2,
    parameter                    X       = 18,
    parameter                    PIECES  = 2,
    parameter                    PIECE_W = 1,
    parameter                    W0      = 8,
    parameter                    W1      = 8,
    parameter                    W2      = 8,
    parameter [PIECES*W0-1:0]    C0      = {(PIECES*W0){1'b0}},
    parameter [PIECES*W1-1:0]    C1      = {(PIECES*W1){1'b0}},
    parameter [PIECES*W2-1:0]    C2      = {(PIECES*W2){1'b0}},
    parameter                    FALLS   = 0,
    parameter                    BENDS   = 0,
    parameter                    P_MUL   = 0,
    parameter                    VAL_W    = 32,
    parameter                    STOP_W   = 3,
    parameter                    STAGES   = 8,
    parameter                    STREAMS  = 1,
    parameter                    ARGS     = 1,
    parameter [2*ARGS-1:0]       FROM     = 2'b00,
    parameter [ARGS-1:0]         FIXED    = {ARGS{1'b0}},
    parameter [ARGS*VAL_W-1:0]   VALUES   = {(ARGS*VAL_W){1'b0}},
    parameter [(1<<STREAMS)-1:0] EMIT     = {{((1<<STREAMS)-1){1'b1}}, 1'b0}
) (
    input  wire                               clk,
    input  wire                               rst,

    input  wire [STREAMS-1:0]                 in_valid,
    output wire [STREAMS-1:0]                 in_ready,
    input  wire [STREAMS*(2+STOP_W+VAL_W)-1:0] in_beat,

    output wire                               val_valid,
    input  wire                               val_ready,
    output wire [2+STOP_W+VAL_W-1:0]          val_beat
);
    generate
        if (EXP < 1 || MAN < 1
            || SHAPE < 0 || SHAPE > 4
            || TURNED < 0 || TURNED > 1
            || LEAST < 0 || MOST < 0
            || FRAC < 1 || LINES < 1 || WORD_W < 1
            || MUL < 0 || MUL > 5
            || X < 1 || PIECES < 1 || PIECE_W < 1 || W0 < 1 || W1 < 1 || W2 < 1
            || PIECES > 1 << PIECE_W
            || FALLS < 0 || FALLS > 1 || BENDS < 0 || BENDS > 1
            || P_MUL < 0 || P_MUL > 5
            || STOP_W < 1 || STAGES < 1
            || STREAMS < 1 || STREAMS > 4
            || ARGS < 1 || ARGS > 4
            || VAL_W < 1 + EXP + MAN || VAL_W < STOP_W) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    wire                  valid;
    wire                  step;
    wire [1:0]            kind;
    wire [STOP_W-1:0]     stop;
    wire [STOP_W-1:0]     hole;
    wire [ARGS*VAL_W-1:0] args;
    samhw_alu_front #(
        .STREAMS(STREAMS), .ARGS(ARGS), .IN_W(VAL_W), .STOP_W(STOP_W),
        .FROM(FROM), .FIXED(FIXED), .VALUES(VALUES), .EMIT(EMIT), .PASS(1)
    ) u_front (
        .clk(clk), .rst(rst),
        .in_valid(in_valid), .in_ready(in_ready), .in_beat(in_beat),
        .valid(valid), .step(step), .kind(kind), .stop(stop), .hole(hole), .args(args)
    );

    wire [VAL_W-1:0] y;
    samhw_float_real #(
        .EXP(EXP), .MAN(MAN), .SHAPE(SHAPE), .TURNED(TURNED), .FRAC(FRAC), .LEAST(LEAST), .MOST(MOST),
        .FACTOR(FACTOR), .LINES(LINES), .WORD_W(WORD_W), .WORDS(WORDS), .MUL(MUL), .X(X), .PIECES(PIECES),
        .PIECE_W(PIECE_W), .W0(W0), .W1(W1), .W2(W2), .C0(C0), .C1(C1), .C2(C2), .FALLS(FALLS), .BENDS(BENDS),
        .P_MUL(P_MUL), .DEPTH(STAGES-1)
    ) u_op (
        .clk(clk), .en(step),
        .a(args[VAL_W-1:0]), .b(args[(ARGS-1)*VAL_W +: VAL_W]), .c(args[VAL_W-1:0]), .y(y)
    );

    samhw_alu_back #(.VAL_W(VAL_W), .STOP_W(STOP_W), .STAGES(STAGES)) u_back (
        .clk(clk), .rst(rst),
        .valid(valid), .step(step), .kind(kind), .stop(stop), .hole(hole), .y(y),
        .out_valid(val_valid), .out_ready(val_ready), .out_beat(val_beat)
    );

    wire _unused_ok = &{1'b0, args, 1'b0};

endmodule

`default_nettype wire
