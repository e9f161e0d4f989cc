// SPDX-License-Identifier: Apache-2.0
//
// Proof: one output beat for each list of the innermost level, and one for each beat that has none: the sum of the list's values, absent
// where it has no value, with the list's stop less one; a hole is one lower, DONE stays. Of a canonical stream it makes a
// canonical one; a value that does not end its list is taken at once, the others as soon as the consumer allows; what is offered stays.
// probe some_inside = dut.some
// probe acc_inside = dut.acc
// mutant samhw_reducer_scalar: acc <= folded & {VAL_W{inner}}; => acc <= folded;
// mutant samhw_reducer_scalar: some <= inner && any; => some <= inner;
// mutant samhw_reducer_scalar: {any ? DATA : EMPTY, v_stop - ONE, folded} => {any ? DATA : EMPTY, v_stop, folded}
// mutant samhw_reducer_scalar: assign v_pop = inner || !out_valid || out_ready; => assign v_pop = 1'b1;
// mutant samhw_reducer_scalar: if (!out_valid || out_ready)\n                out_valid <= v_valid && !inner; => out_valid <= v_valid && !inner;
// mutant samhw_reducer_scalar: {item ? EMPTY : v_kind, => {v_kind,
`default_nettype none

module formal_reducer_scalar (
    input wire       clk,
    input wire       val_valid,
    input wire [6:0] val_beat,
    input wire       out_ready,
    input wire       some_inside,
    input wire [2:0] acc_inside
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire       val_ready;
    wire       out_valid;
    wire [6:0] out_beat;
    samhw_reducer_scalar #(.OP(0), .VAL_W(3), .SIGNED(0), .STOP_W(2)) dut (
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

    wire [6:0] result = leaf             ? {1'b0, !some, stop - 2'd1, some ? all : 3'd0}
                      : kind == 2'd3     ? val_beat
                      : val[1:0] == 2'd1 ? {2'd1, stop - 2'd1, 3'd0}
                      :                    {2'd2, stop - 2'd1, val - 3'd1};

    // Lists of depth 2 in, of depth 1 out.
    wire       v_legal;
    wire [2:0] v_state;
    wire       o_legal;
    wire [2:0] o_state;
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(3)) v_rules (
        .clk(clk), .rst(rst), .take(take), .beat(val_beat), .legal(v_legal), .state(v_state), .after());
    samhw_rules #(.DEPTH(1), .STOP_W(2), .W(3)) o_rules (
        .clk(clk), .rst(rst), .take(take && !inner), .beat(result), .legal(o_legal), .state(o_state), .after());
    always @*
        assume (!val_valid || v_legal);

    wire       full;
    wire [6:0] expected;
    samhw_due #(.W(7)) due (
        .clk(clk), .started(started), .put(take && !inner), .ready(out_ready), .full(full), .expected(expected),
        .beat(result));

    always @*
        if (started) begin
            assert (out_valid == full);
            assert (!full || out_beat == expected);
            assert (some_inside == seen && acc_inside == sum);
            assert (!(take && !inner) || o_legal);
            assert (!val_valid || val_ready == (inner || !full || out_ready));
            assert (o_state[2] == v_state[2] && o_state[1:0] <= 2'd1);
            assert (v_state[1:0] == 2'd0 || o_state[1:0] == v_state[1:0] - 2'd1);
            assert (seen || sum == 3'd0);
            assert (!seen || v_state == 3'd0);
        end

endmodule

`default_nettype wire
