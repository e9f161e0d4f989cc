// SPDX-License-Identifier: Apache-2.0
//
// Proof of the reducers to a scalar: by an operator of one cycle, by a program, and by a pipeline. One output
// beat for each list of the innermost level, and one for each beat that has none, in order: what the
// operator, a sum, makes of exactly the list's values, absent where it has none, with the list's stop less
// one; a hole is one lower, DONE stays. Of a canonical stream it makes a canonical one; what is offered stays
// until it is taken.
//
// A value that does not end its list is taken at once, the others as soon as the consumer allows; with a
// program, which takes as long as it likes (formal/samhw_routine_stand_in.v) and whose arguments stay
// meanwhile, when it has ended, too, except for what is first or absent. In the pipeline beats are taken and
// leave in time with a consumer that takes. There nothing depends on what values are, and it is said of
// values that are all 0 but one, any.
// by: reachability
// case cycle: UNIT=0
// case program: UNIT=1
// long case sums: UNIT=2
// long case moves: UNIT=2 MOVES=1
// probe of program ran_inside = g_program.dut.ran
// mutant of cycle samhw_reducer_scalar: acc <= folded & {VAL_W{inner}}; => acc <= folded;
// mutant of cycle samhw_reducer_scalar: some <= inner && any; => some <= inner;
// mutant of cycle samhw_reducer_scalar: {any ? DATA : EMPTY, v_stop - ONE, folded}
//     => {any ? DATA : EMPTY, v_stop, folded}
// mutant of cycle samhw_reducer_scalar: assign v_pop = inner || !out_valid || out_ready; => assign v_pop = 1'b1;
// mutant of cycle samhw_reducer_scalar: if (!out_valid || out_ready)\n                out_valid <= v_valid && !inner;
//     => out_valid <= v_valid && !inner;
// mutant of cycle samhw_reducer_scalar: {item ? EMPTY : v_kind, => {v_kind,
// mutant of program samhw_reducer_iterative: acc <= folded & {VAL_W{inner}}; => acc <= v_val & {VAL_W{inner}};
// mutant of program samhw_reducer_iterative: some <= inner && any; => some <= inner;
// mutant of program samhw_reducer_iterative: {any ? DATA : EMPTY, v_stop - ONE, folded}
//     => {any ? DATA : EMPTY, v_stop, folded}
// mutant of program samhw_reducer_iterative: assign v_pop = free && (!folds || ran); => assign v_pop = free;
// mutant of program samhw_reducer_iterative: assign v_pop = free && (!folds || ran); => assign v_pop = !folds || ran;
// mutant of program samhw_reducer_iterative: wire folds = v_kind == DATA && some; => wire folds = leaf && some;
// mutant of program samhw_reducer_iterative: {item ? EMPTY : v_kind, => {v_kind,
// mutant of sums samhw_reducer_pipelined: assign room = used != {R_W{1'b1}}; => assign room = 1'b1;
// mutant of sums samhw_pairing: in_valid && (in_last || held) => in_valid && held
// mutant of sums samhw_reducer_pipelined: turn  <= turn + {{(K-1){1'b0}}, 1'b1}; => turn  <= turn;
// mutant of sums samhw_reducer_pipelined: wire [R_W-1:0]           limit    = bases[(DEPTH-1)*R_W +: R_W];
//     => wire [R_W-1:0]           limit    = base;
// mutant of moves samhw_pairing: in_valid && (in_last || held) => in_valid && held
// mutant of moves samhw_reducer_pipelined: if (leave != limit)\n                    leave <=
//     => if (leave != limit && !e_valid)\n                    leave <=
`default_nettype none

module formal_reducer_scalar #(
    parameter UNIT  = 0,
    parameter MOVES = 0,
    parameter W     = UNIT == 2 ? 2 : 3
) (
    input wire         clk,
    input wire         val_valid,
    input wire [3+W:0] val_beat,
    input wire         out_ready,
    input wire         ran_inside
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire         val_ready;
    wire         out_valid;
    wire [3+W:0] out_beat;
    generate
        if (UNIT == 0) begin : g_cycle
            samhw_reducer_scalar #(.VAL_W(W), .STOP_W(2)) dut (
                .clk(clk), .rst(rst),
                .val_valid(val_valid), .val_ready(val_ready), .val_beat(val_beat),
                .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat)
            );
        end
        if (UNIT == 1) begin : g_program
            samhw_reducer_iterative #(.W(W), .VAL_W(W), .STOP_W(2)) dut (
                .clk(clk), .rst(rst),
                .val_valid(val_valid), .val_ready(val_ready), .val_beat(val_beat),
                .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat)
            );
        end
        if (UNIT == 2) begin : g_pipeline
            samhw_reducer_pipelined #(
                .DEPTH(1), .EXP(0), .MAN(1), .VAL_W(W), .STOP_W(2), .K(1), .R_W(2), .IDENTITY(2'd0)
            ) dut (
                .clk(clk), .rst(rst),
                .val_valid(val_valid), .val_ready(val_ready), .val_beat(val_beat),
                .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat)
            );
        end
    endgenerate
    wire take = started && val_valid && val_ready;
    wire give = started && out_valid && out_ready;

    localparam [W-1:0] ONE = 1;
    wire [1:0]   kind  = val_beat[W+2 +: 2];
    wire [1:0]   stop  = val_beat[W +: 2];
    wire [W-1:0] val   = val_beat[W-1:0];
    wire         leaf  = !kind[1];
    wire         inner = leaf && stop == 2'd0;

    // The values of the list so far.
    reg          seen = 1'b0;
    reg  [W-1:0] sum  = {W{1'b0}};
    wire         some = seen || kind == 2'd0;
    wire [W-1:0] all  = sum + val;
    always @(posedge clk)
        if (take && leaf) begin
            seen <= inner && some;
            sum  <= inner ? all : {W{1'b0}};
        end

    wire [3+W:0] result = leaf         ? {1'b0, !some, stop - 2'd1, some ? all : {W{1'b0}}}
                        : kind == 2'd3 ? val_beat
                        : val == ONE   ? {2'd1, stop - 2'd1, {W{1'b0}}}
                        :                {2'd2, stop - 2'd1, val - ONE};

    // Lists of depth 2 in, of depth 1 out.
    wire v_legal;
    wire o_legal;
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(W)) v_rules (
        .clk(clk), .rst(rst), .take(take), .beat(val_beat), .legal(v_legal), .state(), .after());
    samhw_rules #(.DEPTH(1), .STOP_W(2), .W(W)) o_rules (
        .clk(clk), .rst(rst), .take(give), .beat(out_beat), .legal(o_legal), .state(), .after());
    samhw_steady #(.W(4+W)) steady (
        .clk(clk), .started(started && UNIT == 1), .valid(val_valid), .ready(val_ready), .beat(val_beat));
    always @*
        assume (!val_valid || v_legal);

    wire [2:0] owed;
    samhw_owed #(.W(4+W), .DEPTH(UNIT == 2 ? 6 : 1)) beats (
        .clk(clk), .started(started), .put(take && !inner), .beat(result),
        .valid(out_valid), .ready(out_ready), .given(out_beat), .count(owed));

    generate
        if (UNIT == 2) begin : g_in_time
            // One value at most is not 0; where only progress is looked at, none.
            reg hit = MOVES != 0;
            always @(posedge clk)
                hit <= hit || (take && kind == 2'd0 && val != {W{1'b0}});
            always @*
                assume (!val_valid || kind != 2'd0 || val == {W{1'b0}} || (val == ONE && !hit));
            samhw_soon #(.MOST(8)) taken (
                .clk(clk), .started(started), .waits(MOVES != 0 && val_valid && !val_ready && out_ready)
            );
            samhw_soon #(.MOST(8)) moved (
                .clk(clk), .started(started), .waits(MOVES != 0 && owed != 3'd0 && !out_valid)
            );
        end else begin : g_at_once
            wire folds = UNIT == 1 && seen && kind == 2'd0;
            always @*
                if (started) begin
                    assert (out_valid == (owed != 3'd0));
                    assert (!val_valid
                            || val_ready == ((inner || owed == 3'd0 || out_ready) && (!folds || ran_inside)));
                end
        end
    endgenerate

    always @*
        if (started)
            assert (!out_valid || o_legal);

endmodule

`default_nettype wire
