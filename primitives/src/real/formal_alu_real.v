// SPDX-License-Identifier: Apache-2.0
//
// Proof: one output beat for each beat, in order, with its structure, none lost or repeated however the consumer stops the pipeline: of a leaf what
// the function (formal/samhw_float_real.v) makes of just this value, an absent one read as its fill or itself absent, as the table says. Of
// a canonical stream it makes a canonical one; what is offered stays until it is taken; the pipeline takes a beat whenever its end moves,
// and holds no more than its registers.
// by: reachability
// case dense: EMIT=3
// case sparse: EMIT=2
// mutant samhw_alu_real: .DEPTH(STAGES-1)\n => .DEPTH(STAGES)\n
// mutant samhw_alu_real: .clk(clk), .en(step), => .clk(clk), .en(1'b1),
// mutant of dense samhw_alu_real: .FROM(FROM), .FIXED(FIXED), .VALUES(VALUES), .EMIT(EMIT) => .FROM(FROM), .FIXED(FIXED), .EMIT(EMIT)
// mutant samhw_alu_back: else if (step)\n                    valids => else\n                    valids
// mutant samhw_alu_back: y & {VAL_W{y_kind == DATA}} => y
`default_nettype none

module formal_alu_real #(
    parameter EMIT = 3
) (
    input wire       clk,
    input wire       in_valid,
    input wire [6:0] in_beat,
    input wire       val_ready
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    localparam [31:0] TABLE = EMIT;

    wire       in_ready;
    wire       val_valid;
    wire [6:0] val_beat;
    samhw_alu_real #(
        .EXP(1), .MAN(1), .VAL_W(3), .STOP_W(2), .STAGES(3), .STREAMS(1), .ARGS(1), .FROM(2'b00), .FIXED(1'b0), .VALUES(3'd5),
        .EMIT(TABLE[1:0])
    ) dut (
        .clk(clk), .rst(rst), .in_valid(in_valid), .in_ready(in_ready), .in_beat(in_beat),
        .val_valid(val_valid), .val_ready(val_ready), .val_beat(val_beat)
    );
    wire take = started && in_valid && in_ready;
    wire give = started && val_valid && val_ready;

    wire legal;
    wire o_legal;
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(3)) rules (
        .clk(clk), .rst(rst), .take(take), .beat(in_beat), .legal(legal), .state(), .after());
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(3)) o_rules (
        .clk(clk), .rst(rst), .take(give), .beat(val_beat), .legal(o_legal), .state(), .after());
    always @*
        assume (!in_valid || legal);

    // EMIT 11: always there; 10: where the value is.
    wire       there = !in_beat[5] || EMIT == 3;
    wire [2:0] value = (in_beat[5] ? 3'd5 : in_beat[2:0]) + 3'd1;
    wire [2:0] owed;
    samhw_owed #(.W(7), .DEPTH(3)) beats (
        .clk(clk), .started(started), .put(take), .valid(val_valid), .ready(val_ready), .given(val_beat), .count(owed),
        .beat(in_beat[6] ? in_beat : {1'b0, !there, in_beat[4:3], there ? value : 3'd0}));
    samhw_soon #(.MOST(3)) moved (.clk(clk), .started(started), .waits(owed != 3'd0 && !val_valid));

    always @*
        if (started) begin
            assert (!val_valid || o_legal);
            assert (!(in_valid && (!val_valid || val_ready)) || take);
        end

endmodule

`default_nettype wire
