// SPDX-License-Identifier: Apache-2.0
//
// Proof: one output beat for each list of the innermost level, and one for each beat that has none: what the operator makes of the
// list's values from left to right, absent where it has none, with the list's stop less one; a hole is one lower, DONE stays. The
// operator is a sum that takes as long as it likes (formal/samhw_program.v), and whose arguments stay meanwhile. Of a canonical
// stream it makes a canonical one; a value is taken as soon as its operator has ended, a first or absent one at once, and what
// ends a list as soon as the consumer allows, too; what is offered stays.
// by: reachability
// probe ran_inside = dut.ran
// mutant samhw_reducer_iterative: acc <= folded & {VAL_W{inner}}; => acc <= v_val & {VAL_W{inner}};
// mutant samhw_reducer_iterative: some <= inner && any; => some <= inner;
// mutant samhw_reducer_iterative: {any ? DATA : EMPTY, v_stop - ONE, folded} => {any ? DATA : EMPTY, v_stop, folded}
// mutant samhw_reducer_iterative: assign v_pop = free && (!folds || ran); => assign v_pop = free;
// mutant samhw_reducer_iterative: assign v_pop = free && (!folds || ran); => assign v_pop = !folds || ran;
// mutant samhw_reducer_iterative: wire folds = v_kind == DATA && some; => wire folds = leaf && some;
// mutant samhw_reducer_iterative: {item ? EMPTY : v_kind, => {v_kind,
`default_nettype none

module formal_reducer_iterative (
    input wire       clk,
    input wire       val_valid,
    input wire [6:0] val_beat,
    input wire       out_ready,
    input wire       ran_inside
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire       val_ready;
    wire       out_valid;
    wire [6:0] out_beat;
    samhw_reducer_iterative #(.W(3), .VAL_W(3), .STOP_W(2)) dut (
        .clk(clk), .rst(rst),
        .val_valid(val_valid), .val_ready(val_ready), .val_beat(val_beat),
        .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat)
    );
    wire take = started && val_valid && val_ready;

    wire [1:0] kind  = val_beat[6:5];
    wire [1:0] stop  = val_beat[4:3];
    wire [2:0] val   = val_beat[2:0];
    wire       leaf  = !kind[1];
    wire       inner = leaf && stop == 2'd0;

    // The values of the list so far.
    reg        seen = 1'b0;
    reg  [2:0] sum  = 3'd0;
    wire       some = seen || kind == 2'd0;
    wire [2:0] all  = sum + val;
    always @(posedge clk)
        if (take && leaf) begin
            seen <= inner && some;
            sum  <= inner ? all : 3'd0;
        end
    wire       folds = seen && kind == 2'd0;

    wire [6:0] result = leaf             ? {1'b0, !some, stop - 2'd1, some ? all : 3'd0}
                      : kind == 2'd3     ? val_beat
                      : val[1:0] == 2'd1 ? {2'd1, stop - 2'd1, 3'd0}
                      :                    {2'd2, stop - 2'd1, val - 3'd1};

    // Lists of depth 2 in, of depth 1 out.
    wire       v_legal;
    wire       o_legal;
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(3)) v_rules (
        .clk(clk), .rst(rst), .take(take), .beat(val_beat), .legal(v_legal), .state(), .after());
    samhw_rules #(.DEPTH(1), .STOP_W(2), .W(3)) o_rules (
        .clk(clk), .rst(rst), .take(take && !inner), .beat(result), .legal(o_legal), .state(), .after());
    always @*
        assume (!val_valid || v_legal);
    samhw_steady #(.W(7)) v_steady (
        .clk(clk), .started(started), .valid(val_valid), .ready(val_ready), .beat(val_beat));

    wire       full;
    wire [6:0] expected;
    samhw_due #(.W(7)) due (
        .clk(clk), .started(started), .put(take && !inner), .ready(out_ready), .full(full), .expected(expected),
        .beat(result));

    always @*
        if (started) begin
            assert (out_valid == full);
            assert (!full || out_beat == expected);
            assert (!(take && !inner) || o_legal);
            assert (!val_valid || val_ready == ((inner || !full || out_ready) && (!folds || ran_inside)));
        end

endmodule

`default_nettype wire
