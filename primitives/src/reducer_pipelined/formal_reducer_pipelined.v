// SPDX-License-Identifier: Apache-2.0
//
// Proof: one output beat for each list of the innermost level, and one for each beat that has none, in order: the sum of exactly the list's
// values, absent where it has none, with the list's stop less one; a hole is one lower, DONE stays. Of a canonical stream it makes a canonical
// one; what is offered stays until it is taken. With a consumer that takes, beats are taken and leave.
//
// Nothing depends on what values are, and the operator is a sum: so it is said of values that are all 0 but one, any.
// by: reachability
// long case sums: MOVES=0
// long case moves: MOVES=1
// mutant samhw_reducer_pipelined: assign room = used != {R_W{1'b1}}; => assign room = 1'b1;
// mutant samhw_pairing: in_valid && (in_last || held) => in_valid && held
// mutant of sums samhw_reducer_pipelined: turn  <= turn + {{(K-1){1'b0}}, 1'b1}; => turn  <= turn;
// mutant of sums samhw_reducer_pipelined: wire [R_W-1:0]           limit    = bases[(DEPTH-1)*R_W +: R_W]; => wire [R_W-1:0]           limit    = base;
// mutant of moves samhw_reducer_pipelined: if (leave != limit)\n                    leave <= => if (leave != limit && !e_valid)\n                    leave <=
`default_nettype none

module formal_reducer_pipelined #(
    parameter MOVES = 0
) (
    input wire       clk,
    input wire       val_valid,
    input wire [5:0] val_beat,
    input wire       out_ready
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire       val_ready;
    wire       out_valid;
    wire [5:0] out_beat;
    samhw_reducer_pipelined #(.DEPTH(1), .EXP(0), .MAN(1), .VAL_W(2), .STOP_W(2), .K(1), .R_W(2), .IDENTITY(2'd0)) dut (
        .clk(clk), .rst(rst),
        .val_valid(val_valid), .val_ready(val_ready), .val_beat(val_beat),
        .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat)
    );
    wire take = started && val_valid && val_ready;
    wire give = started && out_valid && out_ready;

    wire [1:0] kind  = val_beat[5:4];
    wire [1:0] stop  = val_beat[3:2];
    wire [1:0] val   = val_beat[1:0];
    wire       leaf  = !kind[1];
    wire       inner = leaf && stop == 2'd0;

    // The values of the list so far.
    reg        seen = 1'b0;
    reg  [1:0] sum  = 2'd0;
    wire       some = seen || kind == 2'd0;
    wire [1:0] all  = sum + val;
    always @(posedge clk)
        if (take && leaf) begin
            seen <= inner && some;
            sum  <= inner ? all : 2'd0;
        end

    wire [5:0] result = leaf         ? {1'b0, !some, stop - 2'd1, some ? all : 2'd0}
                      : kind == 2'd3 ? val_beat
                      : val == 2'd1  ? {2'd1, stop - 2'd1, 2'd0}
                      :                {2'd2, stop - 2'd1, val - 2'd1};

    // Lists of depth 2 in, of depth 1 out.
    wire       v_legal;
    wire       o_legal;
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) v_rules (
        .clk(clk), .rst(rst), .take(take), .beat(val_beat), .legal(v_legal), .state(), .after());
    samhw_rules #(.DEPTH(1), .STOP_W(2), .W(2)) o_rules (
        .clk(clk), .rst(rst), .take(give), .beat(out_beat), .legal(o_legal), .state(), .after());
    always @*
        assume (!val_valid || v_legal);
    // One value at most is not 0; where only progress is looked at, none.
    reg hit = MOVES != 0;
    always @(posedge clk)
        hit <= hit || (take && kind == 2'd0 && val != 2'd0);
    always @*
        assume (!val_valid || kind != 2'd0 || val == 2'd0 || (val == 2'd1 && !hit));

    wire [2:0] owed;
    samhw_owed #(.W(6), .DEPTH(6)) beats (
        .clk(clk), .started(started), .put(take && !inner), .beat(result),
        .valid(out_valid), .ready(out_ready), .given(out_beat), .count(owed));
    samhw_soon #(.MOST(8)) taken (.clk(clk), .started(started), .waits(MOVES != 0 && val_valid && !val_ready && out_ready));
    samhw_soon #(.MOST(8)) moved (.clk(clk), .started(started), .waits(MOVES != 0 && owed != 3'd0 && !out_valid));

    always @*
        if (started)
            assert (!out_valid || o_legal);

endmodule

`default_nettype wire
