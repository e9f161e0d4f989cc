// SPDX-License-Identifier: Apache-2.0
//
// Proof of the ALUs: of integers, of floats, by a program, and of functions of one operand. One output beat
// for each tuple of aligned beats, in order, with their structure, none lost or repeated however the consumer
// stops the pipeline: of a leaf what the function (a sum, a product, formal/samhw_float_op_stand_in.v,
// samhw_float_real_stand_in.v) makes of just these values, an absent one read as its fill, itself absent
// where the table says so. Of canonical streams it makes a canonical one; what is offered stays until it is
// taken; the pipeline takes a tuple whenever its end moves, and holds no more than its registers.
//
// A program takes as long as it likes (formal/samhw_routine_stand_in.v), and its arguments stay meanwhile;
// for what has no value none runs; a leaf is taken when its program has ended, all else as soon as the
// consumer allows.
// by: reachability
// case integer: UNIT=0
// case float: UNIT=1
// case deep: UNIT=1 STAGES=3
// case program: UNIT=2
// case product: UNIT=4 STAGES=2
// case dense: UNIT=3 STAGES=3 EMIT=3
// case sparse: UNIT=3 STAGES=3 EMIT=2
// probe of program ran_inside = g_program.dut.done
// mutant of integer samhw_alu_front: h_empty[SOURCE] ? VALUES[k*IN_W +: IN_W] : h_val => h_val
// mutant of integer samhw_alu_front: !emit[~h_empty] => h_empty[0]
// mutant of integer samhw_alu_back: assign step = !out_valid || out_ready; => assign step = out_ready;
// mutant of integer samhw_alu_back: y & {VAL_W{y_kind == DATA}} => y
// mutant of float samhw_alu_float: .DEPTH(STAGES-1)) => .DEPTH(STAGES))
// mutant of float samhw_alu_back: assign step = !out_valid || out_ready; => assign step = 1'b1;
// mutant of float samhw_alu_front: .out_valid(h_valid[k]), .out_ready(step && valid),
//     => .out_valid(h_valid[k]), .out_ready(step),
// mutant of deep samhw_alu_float: .clk(clk), .en(step), => .clk(clk), .en(1'b1),
// mutant of deep samhw_alu_back: else if (step)\n                    valids => else\n                    valids
// mutant of deep samhw_alu_back: if (step)\n                    metas => if (valid)\n                    metas
// mutant of program samhw_alu_program: wire                  go   = free && (!data || done);
//     => wire                  go   = free;
// mutant of program samhw_alu_program: wire                  go   = free && (!data || done);
//     => wire                  go   = !data || done;
// mutant of program samhw_alu_program: .valid(valid && (!data || done)) => .valid(valid)
// mutant of program samhw_alu_program: .args(args), .done(done), .take(free)
//     => .args(args), .done(done), .take(1'b1)
// mutant of program samhw_alu_program: .start(valid && data), .args(args) => .start(valid), .args(args)
// mutant of program samhw_alu_program: wire                  data = kind == DATA;
//     => wire                  data = !kind[1];
// mutant of product samhw_narrow_mul: x <= b;\n                    z <= a; => x <= b;\n                    z <= b;
// mutant of product samhw_alu_product: wire [A_W:0] a = {1'b0, args[A_W-1:0]};
//     => wire [A_W:0] a = {1'b1, args[A_W-1:0]};
// mutant of product samhw_alu_product: .clk(clk), .en(step), => .clk(clk), .en(1'b1),
// mutant of product samhw_alu_product: .STAGES(STAGES)) u_back => .STAGES(STAGES-1)) u_back
// mutant of product samhw_alu_back: y & {VAL_W{y_kind == DATA}} => y
// mutant of dense samhw_alu_real: .DEPTH(STAGES-1)\n => .DEPTH(STAGES)\n
// mutant of dense samhw_alu_real: .FROM(FROM), .FIXED(FIXED), .VALUES(VALUES), .EMIT(EMIT)
//     => .FROM(FROM), .FIXED(FIXED), .EMIT(EMIT)
// mutant of sparse samhw_alu_real: .clk(clk), .en(step), => .clk(clk), .en(1'b1),
// mutant of sparse samhw_alu_back: y & {VAL_W{y_kind == DATA}} => y
`default_nettype none

module formal_alu #(
    parameter UNIT   = 0,
    parameter STAGES = 1,
    parameter EMIT   = 14
) (
    input wire        clk,
    input wire [1:0]  in_valid,
    input wire [13:0] in_beat,
    input wire        val_ready,
    input wire        ran_inside
);

    localparam [31:0] TABLE = EMIT;

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    // Of one operand the other is a copy.
    wire [1:0] in_ready;
    wire       val_valid;
    wire [6:0] val_beat;
    wire       other_valid = UNIT == 3 ? in_valid[0] : in_valid[1];
    wire [6:0] beat        = in_beat[6:0];
    wire [6:0] other       = UNIT == 3 ? beat : in_beat[13:7];
    wire [2:0] second      = UNIT == 3 ? 3'd1 : other[5] ? 3'd6 : other[2:0];
    generate
        if (UNIT == 0) begin : g_integer
            samhw_alu #(
                .OP(0), .W(3), .SIGNED(0), .VAL_W(3), .STOP_W(2), .STAGES(STAGES), .STREAMS(2), .ARGS(2),
                .FROM(4'b0100), .FIXED(2'b00),
                .VALUES({3'd6, 3'd5}), .EMIT(TABLE[3:0])
            ) dut (
                .clk(clk), .rst(rst), .in_valid(in_valid), .in_ready(in_ready), .in_beat(in_beat),
                .val_valid(val_valid), .val_ready(val_ready), .val_beat(val_beat)
            );
        end
        if (UNIT == 1) begin : g_float
            samhw_alu_float #(
                .OP(0), .EXP(1), .MAN(1), .VAL_W(3), .STOP_W(2), .STAGES(STAGES), .STREAMS(2), .ARGS(2), .FROM(4'b0100),
                .FIXED(2'b00),
                .VALUES({3'd6, 3'd5}), .EMIT(TABLE[3:0])
            ) dut (
                .clk(clk), .rst(rst), .in_valid(in_valid), .in_ready(in_ready), .in_beat(in_beat),
                .val_valid(val_valid), .val_ready(val_ready), .val_beat(val_beat)
            );
        end
        if (UNIT == 2) begin : g_program
            samhw_alu_program #(
                .W(3), .VAL_W(3), .STOP_W(2), .STREAMS(2), .ARGS(2), .FROM(4'b0100), .FIXED(2'b00),
                .VALUES({3'd6, 3'd5}), .EMIT(TABLE[3:0])
            ) dut (
                .clk(clk), .rst(rst), .in_valid(in_valid), .in_ready(in_ready), .in_beat(in_beat),
                .val_valid(val_valid), .val_ready(val_ready), .val_beat(val_beat)
            );
        end
        if (UNIT == 4) begin : g_product
            samhw_alu_product #(
                .A_W(2), .A_SIGNED(0), .B_W(2), .B_SIGNED(1), .W(3), .IN_W(3), .VAL_W(3), .STOP_W(2), .STAGES(STAGES),
                .STREAMS(2), .ARGS(2),
                .FROM(4'b0100), .FIXED(2'b00), .VALUES({3'd6, 3'd5}), .EMIT(TABLE[3:0])
            ) dut (
                .clk(clk), .rst(rst), .in_valid(in_valid), .in_ready(in_ready), .in_beat(in_beat),
                .val_valid(val_valid), .val_ready(val_ready), .val_beat(val_beat)
            );
        end
        if (UNIT == 3) begin : g_real
            samhw_alu_real #(
                .EXP(1), .MAN(1), .VAL_W(3), .STOP_W(2), .STAGES(STAGES), .STREAMS(1), .ARGS(1), .FROM(2'b00),
                .FIXED(1'b0),
                .VALUES(3'd5), .EMIT(TABLE[1:0])
            ) dut (
                .clk(clk), .rst(rst), .in_valid(in_valid[0]), .in_ready(in_ready[0]), .in_beat(beat),
                .val_valid(val_valid), .val_ready(val_ready), .val_beat(val_beat)
            );
            assign in_ready[1] = in_ready[0];
        end
    endgenerate
    wire all  = in_valid[0] && other_valid;
    wire take = started && in_valid[0] && in_ready[0];
    wire give = started && val_valid && val_ready;

    wire legal;
    wire other_legal;
    wire o_legal;
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(3)) rules (
        .clk(clk), .rst(rst), .take(take), .beat(beat), .legal(legal), .state(), .after());
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(3)) other_rules (
        .clk(clk), .rst(rst), .take(take), .beat(other), .legal(other_legal), .state(), .after());
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(3)) o_rules (
        .clk(clk), .rst(rst), .take(give), .beat(val_beat), .legal(o_legal), .state(), .after());
    samhw_steady #(.W(7)) steady (
        .clk(clk), .started(started && UNIT == 2), .valid(in_valid[0]), .ready(in_ready[0]), .beat(beat));
    samhw_steady #(.W(7)) other_steady (
        .clk(clk), .started(started && UNIT == 2), .valid(other_valid), .ready(in_ready[1]), .beat(other));
    always @* begin
        assume (!in_valid[0] || legal);
        assume (!other_valid || other_legal);
        // Equal but for the leaves' values.
        assume (!all || (beat[6] == other[6] && beat[4:3] == other[4:3] && (!beat[6] || beat == other)));
    end

    // The table: of which operands are there.
    wire       there = TABLE[{UNIT != 3 && !other[5], !beat[5]}];
    wire [2:0] first = beat[5] ? 3'd5 : beat[2:0];
    wire [2:0] value = UNIT == 4 ? {1'b0, first[1:0]} * {second[1], second[1:0]} : first + second;
    wire       runs  = UNIT == 2 && !beat[6] && there;
    wire [2:0] owed;
    samhw_owed #(.W(7), .DEPTH(STAGES)) beats (
        .clk(clk), .started(started), .put(take), .valid(val_valid), .ready(val_ready), .given(val_beat), .count(owed),
        .beat(beat[6] ? beat : {1'b0, !there, beat[4:3], there ? value : 3'd0}));
    samhw_soon #(.MOST(STAGES)) moved (.clk(clk), .started(started), .waits(owed != 3'd0 && !val_valid));

    // A program that has ended is not run again.
    reg        ran = 1'b0;
    always @(posedge clk)
        ran <= started && ran_inside && !take;

    always @*
        if (started) begin
            assert (take == (other_valid && in_ready[1]));
            assert (!val_valid || o_legal);
            assert (!(all && (!val_valid || val_ready) && (!runs || ran_inside)) || take);
            assert (!take || !runs || ran_inside);
            assert (UNIT != 2 || !ran || ran_inside);
            assert (UNIT != 2 || !ran_inside || (all && runs));
        end

endmodule

`default_nettype wire
