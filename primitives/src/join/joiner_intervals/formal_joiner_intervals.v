// SPDX-License-Identifier: Apache-2.0
//
// Proof, an intersection and a union of two operands: when a fiber ends, the pieces emitted of it
// cover what both operands have, or one of them, each coordinate once and in increasing order; a
// piece begins and ends where the operands do, and has the positions of those that have it; the
// last carries the fiber's stop, a fiber of none is empty. A step lets go of the intervals that end
// with the piece, or, of an intersection, of one that ends before the other begins. Of aligned
// canonical streams it makes canonical ones; what an output offers stays until it is taken; with
// consumers that take, leaves are used up and what is settled leaves.
// by: reachability
// case intersection: UNION=0
// case union: UNION=1
// probe go = dut.go
// mutant samhw_joiner_intervals: taken <= ends ? {N{1'b0}} : (taken | shut); => taken <= {N{1'b0}};
// mutant samhw_joiner_intervals: assign h_pop = {N{go}} & ({N{ends}} | (take & ~closes));
//     => assign h_pop = {N{go}} & ({N{ends}} | take);
// mutant samhw_joiner_intervals: go && (emit || (ends && !waiting)); => go && emit;
// mutant samhw_joiner_intervals: {last, 1'b0} < {h_last[j*CRD_W +: CRD_W], 1'b1}; => last < h_last[j*CRD_W +: CRD_W];
// mutant samhw_joiner_intervals: = {first, 1'b0} < {other, 1'b1}; => = first < other;
// mutant samhw_joiner_intervals: if (rst || (go && ends))\n            at => if (rst)\n            at
// mutant samhw_joiner_intervals: behind = h_last[i*CRD_W +: CRD_W] + NEXT; => behind = h_last[i*CRD_W +: CRD_W];
// mutant samhw_joiner_intervals: {held_behind - NEXT, held_first} => {held_behind, held_first}
// mutant of union samhw_joiner_intervals: has[k] && KEEP_K[has] && !h_low[k]; => KEEP_K[has] && !h_low[k];
// mutant of intersection samhw_joiner_intervals: assign leads[k]  = REQUIRED[k] && !begun[k] && (&reached);
//     => assign leads[k]  = 1'b0;
// mutant of intersection samhw_joiner_intervals: emit   = !dead && !skips && EMIT[has]; => emit   = !dead && EMIT[has];
// mutant of union samhw_joiner_intervals: (leaf & begun) == {N{1'b0}} && (&(begins => (&(begins
// mutant of union samhw_joiner_intervals: has[j] ? ends_by[k*N + j] : precedes[k*N + j] => ends_by[k*N + j]
`default_nettype none

module formal_joiner_intervals #(
    parameter UNION = 0
) (
    input wire        clk,
    input wire [1:0]  in_valid,
    input wire [19:0] in_beat,
    input wire [2:0]  ready,
    input wire        go
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire [1:0]  in_ready;
    wire [2:0]  valid;
    wire [7:0]  interval_beat;
    wire [11:0] ref_beat;
    samhw_joiner_intervals #(
        .N(2), .CRD_W(2), .REF_W(2), .STOP_W(2), .EMIT(UNION != 0 ? 4'b1110 : 4'b1000), .KEEP(8'b11111111),
        .ALIVE(UNION != 0 ? 4'b1111 : 4'b1001), .USED(3'b111), .POINTS(2'b00), .REQUIRED(UNION != 0 ? 2'b00 : 2'b11)
    ) dut (
        .clk(clk), .rst(rst),
        .in_valid(in_valid), .in_ready(in_ready), .in_beat(in_beat),
        .interval_valid(valid[0]), .interval_ready(ready[0]), .interval_beat(interval_beat),
        .ref_valid(valid[2:1]), .ref_ready(ready[2:1]), .ref_beat(ref_beat)
    );
    wire [1:0] take = {2{started}} & in_valid & in_ready;

    // Heads: {kind, stop, ref, last, first}.
    wire [9:0] x = in_beat[9:0];
    wire [9:0] y = in_beat[19:10];
    wire [1:0] legal;
    wire       o_legal;
    samhw_steady #(.W(10)) x_steady (.clk(clk), .started(started), .valid(in_valid[0]), .ready(in_ready[0]), .beat(x));
    samhw_steady #(.W(10)) y_steady (.clk(clk), .started(started), .valid(in_valid[1]), .ready(in_ready[1]), .beat(y));
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) x_rules (
        .clk(clk), .rst(rst), .take(take[0]), .beat({x[9:6], x[1:0]}), .legal(legal[0]), .state(), .after());
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) y_rules (
        .clk(clk), .rst(rst), .take(take[1]), .beat({y[9:6], y[1:0]}), .legal(legal[1]), .state(), .after());
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(4)) o_rules (
        .clk(clk), .rst(rst), .take(started && valid[0] && ready[0]), .beat(interval_beat), .legal(o_legal), .state(),
        .after());

    // Coordinates, a bit each: of the heads, of what was used up of the fiber, of what was emitted
    // of it.
    wire       x_leaf = !x[9];
    wire       y_leaf = !y[9];
    wire       x_ends = x[7:6] != 2'd0;
    wire       y_ends = y[7:6] != 2'd0;
    wire       x_up   = !x_leaf && (x[8] || x[1:0] != 2'd1);
    wire       y_up   = !y_leaf && (y[8] || y[1:0] != 2'd1);
    wire [3:0] x_has  = (4'd15 << x[1:0]) & (4'd15 >> (2'd3 - x[3:2]));
    wire [3:0] y_has  = (4'd15 << y[1:0]) & (4'd15 >> (2'd3 - y[3:2]));
    reg  [1:0] taken  = 2'd0;
    reg  [3:0] x_had  = 4'd0;
    reg  [3:0] y_had  = 4'd0;
    reg  [3:0] met    = 4'd0;
    reg  [3:0] left   = 4'd15;
    always @* begin
        assume (!in_valid[0] || (legal[0] && x[9:8] != 2'd1 && (x_leaf ? x[3:2] >= x[1:0] : x[5:2] == 4'd0)));
        assume (!in_valid[1] || (legal[1] && y[9:8] != 2'd1 && (y_leaf ? y[3:2] >= y[1:0] : y[5:2] == 4'd0)));
        // Intervals increase, and lists are aligned.
        assume (!in_valid[0] || !x_leaf || taken[0] || (4'd1 << x[1:0]) > x_had);
        assume (!in_valid[1] || !y_leaf || taken[1] || (4'd1 << y[1:0]) > y_had);
        assume (in_valid != 2'b11 || !((x_ends || !x_leaf) && (y_ends || !y_leaf)) || x[7:6] == y[7:6]);
        assume (in_valid != 2'b11 || x_up == y_up);
        assume (in_valid != 2'b11 || !x_up || {x[9:6], x[1:0]} == {y[9:6], y[1:0]});
    end

    // A step: the piece from the lowest coordinate that counts on, as long as the same operands
    // have it.
    wire       x_here = x_leaf && !taken[0];
    wire       y_here = y_leaf && !taken[1];
    wire [3:0] xs     = x_here ? x_has & left : 4'd0;
    wire [3:0] ys     = y_here ? y_has & left : 4'd0;
    wire [3:0] counts = UNION != 0 ? xs | ys : xs & ys;
    wire [3:0] lowest = counts & (~counts + 4'd1);
    wire       x_in   = (xs & lowest) != 4'd0;
    wire       y_in   = (ys & lowest) != 4'd0;
    wire [3:0] same   = (x_in ? xs : ~xs) & (y_in ? ys : ~ys) & ~(lowest - 4'd1);
    wire [3:0] piece  = counts == 4'd0 ? 4'd0 : same & ~(same + lowest);
    wire [3:0] top    = piece & ~(piece >> 1);
    wire       emit   = counts != 4'd0;
    // Of an intersection what meets nothing: the one that ends first, or all that is left.
    wire       x_late = UNION == 0 && x_here && (!y_here || x[3:2] < y[1:0]);
    wire       y_late = UNION == 0 && y_here && (!x_here || y[3:2] < x[1:0]);
    wire       x_use  = emit ? x_in && top == (4'd1 << x[3:2]) : x_late;
    wire       y_use  = emit ? y_in && top == (4'd1 << y[3:2]) : y_late;
    wire       over   = (!x_here || (x_use && x_ends)) && (!y_here || (y_use && y_ends));
    wire       step   = started && go;
    wire [3:0] x_all  = x_had | (x_here ? x_has : 4'd0);
    wire [3:0] y_all  = y_had | (y_here ? y_has : 4'd0);
    always @(posedge clk)
        if (step) begin
            taken <= over ? 2'd0 : taken | {y_use && y_ends, x_use && x_ends};
            x_had <= over ? 4'd0 : x_use ? x_all : x_had;
            y_had <= over ? 4'd0 : y_use ? y_all : y_had;
            met   <= over ? 4'd0 : met | piece;
            left  <= over ? 4'd15 : left & ~(piece | (emit ? lowest - 4'd1 : 4'd0));
        end

    wire       waits;
    wire       keep  = step && (emit || (over && !waits));
    wire       close = step && over && !emit && waits;
    wire [1:0] stop  = over ? x[7:6] : 2'd0;
    wire [3:0] none  = x_up ? {x[9:8], x[1:0]} : {2'd2, 2'd1};
    wire [1:0] from  = lowest[0] ? 2'd0 : lowest[1] ? 2'd1 : lowest[2] ? 2'd2 : 2'd3;
    wire [1:0] to    = top[0] ? 2'd0 : top[1] ? 2'd1 : top[2] ? 2'd2 : 2'd3;
    wire [2:0] owes;
    samhw_filtered #(.W(6), .STOP_W(2), .DEPTH(2)) pieces (
        .clk(clk), .started(started), .keep(keep), .close(close), .last(over), .stop(stop),
        .data(emit ? {2'd0, to, from} : {none[3:2], 2'd0, none[1:0]}),
        .valid(valid[0]), .ready(ready[0]), .given({interval_beat[7:6], interval_beat[3:0], interval_beat[5:4]}),
        .waits(waits),
        .owes(owes[0]));
    samhw_filtered #(.W(4), .STOP_W(2), .DEPTH(2)) refs_x (
        .clk(clk), .started(started), .keep(keep), .close(close), .last(over), .stop(stop),
        .data(!emit ? none : x_in ? {2'd0, x[5:4]} : 4'b0100),
        .valid(valid[1]), .ready(ready[1]), .given({ref_beat[5:4], ref_beat[1:0], ref_beat[3:2]}), .waits(),
        .owes(owes[1]));
    samhw_filtered #(.W(4), .STOP_W(2), .DEPTH(2)) refs_y (
        .clk(clk), .started(started), .keep(keep), .close(close), .last(over), .stop(stop),
        .data(!emit ? none : y_in ? {2'd0, y[5:4]} : 4'b0100),
        .valid(valid[2]), .ready(ready[2]), .given({ref_beat[11:10], ref_beat[7:6], ref_beat[9:8]}), .waits(),
        .owes(owes[2]));
    samhw_soon #(.MOST(2)) given (
        .clk(clk), .started(started), .waits(owes != 3'd0 && valid == 3'd0 && ready == 3'b111));
    samhw_soon #(.MOST(1)) used (
        .clk(clk), .started(started), .waits(in_valid == 2'b11 && !go && ready == 3'b111));

    always @*
        if (started) begin
            assert (!step || in_valid == 2'b11);
            assert (take == {step && (over || (y_use && !y_ends)), step && (over || (x_use && !x_ends))});
            // A piece lies behind all that were emitted; at the end they are all that counts.
            assert (!step || !emit || lowest > met);
            assert (!step || !over || (met | piece) == (UNION != 0 ? x_all | y_all : x_all & y_all));
            assert (!valid[0] || o_legal);
        end

endmodule

`default_nettype wire
