// SPDX-License-Identifier: Apache-2.0
//
// Conversion: each leaf of a stream as a value of another type.
//
//   Consumes    in: a stream of any depth.
//   Produces    val: its shape; leaves converted. Where a leaf is EMPTY the fill VALUES stands for it; EMIT says
//               where the result is EMPTY.
//   Throughput  one beat per cycle.
//   Latency     1 + STAGES cycles.
//   Parameters  FROM_W, FROM_EXP, FROM_MAN, FROM_SIGNED, FROM_FRAC, TO_W, TO_EXP, TO_MAN, TO_SIGNED, TO_FRAC, HOW as
//               in samhw_convert_op, STAGES its DEPTH + 1; IN_W, VAL_W bits of the payloads, at least FROM_W,
//               TO_W and STOP_W (upper bits are 0); STOP_W; VALUES, EMIT as in samhw_alu_front.
//   Reset       valid bits.
`default_nettype none

module samhw_convert #(
    parameter            FROM_W      = 32,
    parameter            FROM_EXP    = 0,
    parameter            FROM_MAN    = 0,
    parameter            FROM_SIGNED = 1,
    parameter            FROM_FRAC   = 0,
    parameter            TO_W        = 32,
    parameter            TO_EXP      = 8,
    parameter            TO_MAN      = 23,
    parameter            TO_SIGNED   = 1,
    parameter            TO_FRAC     = 0,
    parameter            HOW         = 0,
    parameter            IN_W        = 32,
    parameter            VAL_W       = 32,
    parameter            STOP_W      = 3,
    parameter            STAGES      = 5,
    parameter [IN_W-1:0] VALUES      = {IN_W{1'b0}},
    parameter [1:0]      EMIT        = 2'b10
) (
    input  wire                       clk,
    input  wire                       rst,

    input  wire                       in_valid,
    output wire                       in_ready,
    input  wire [2+STOP_W+IN_W-1:0]   in_beat,

    output wire                       val_valid,
    input  wire                       val_ready,
    output wire [2+STOP_W+VAL_W-1:0]  val_beat
);
    generate
        if (FROM_W < 1 || TO_W < 1
            || (FROM_EXP != 0 && (FROM_EXP < 3 || FROM_MAN < 1 || FROM_W != 1 + FROM_EXP + FROM_MAN))
            || (FROM_EXP == 0 && FROM_MAN != 0)
            || (TO_EXP != 0 && (TO_EXP < 3 || TO_MAN < 1 || TO_W != 1 + TO_EXP + TO_MAN))
            || (TO_EXP == 0 && TO_MAN != 0)
            || FROM_SIGNED < 0 || FROM_SIGNED > 1 || TO_SIGNED < 0 || TO_SIGNED > 1
            || FROM_FRAC < 0 || FROM_FRAC > FROM_W || TO_FRAC < 0 || TO_FRAC > TO_W
            || HOW < 0 || HOW > 4
            || (HOW == 0 && TO_EXP == 0)
            || STOP_W < 1 || STAGES < 1
            || IN_W < FROM_W || IN_W < STOP_W
            || VAL_W < TO_W || VAL_W < STOP_W) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    wire              valid;
    wire              step;
    wire [1:0]        kind;
    wire [STOP_W-1:0] stop;
    wire [STOP_W-1:0] hole;
    wire [IN_W-1:0]   x;
    samhw_alu_front #(
        .STREAMS(1), .ARGS(1), .IN_W(IN_W), .STOP_W(STOP_W), .FROM(2'b00), .FIXED(1'b0), .VALUES(VALUES), .EMIT(EMIT)
    ) u_front (
        .clk(clk), .rst(rst),
        .in_valid(in_valid), .in_ready(in_ready), .in_beat(in_beat),
        .valid(valid), .step(step), .kind(kind), .stop(stop), .hole(hole), .args(x)
    );

    wire [TO_W-1:0] y;
    samhw_convert_op #(
        .FROM_W(FROM_W), .FROM_EXP(FROM_EXP), .FROM_MAN(FROM_MAN), .FROM_SIGNED(FROM_SIGNED), .FROM_FRAC(FROM_FRAC),
        .TO_W(TO_W), .TO_EXP(TO_EXP), .TO_MAN(TO_MAN), .TO_SIGNED(TO_SIGNED), .TO_FRAC(TO_FRAC), .HOW(HOW),
        .DEPTH(STAGES-1)
    ) u_op (.clk(clk), .en(step), .x(x[FROM_W-1:0]), .y(y));

    wire [VAL_W:0] widened = {{(VAL_W-TO_W+1){1'b0}}, y};
    samhw_alu_back #(.VAL_W(VAL_W), .STOP_W(STOP_W), .STAGES(STAGES)) u_back (
        .clk(clk), .rst(rst),
        .valid(valid), .step(step), .kind(kind), .stop(stop), .hole(hole), .y(widened[VAL_W-1:0]),
        .out_valid(val_valid), .out_ready(val_ready), .out_beat(val_beat)
    );

    wire _unused_ok = &{1'b0, x, widened[VAL_W], 1'b0};

endmodule

`default_nettype wire
