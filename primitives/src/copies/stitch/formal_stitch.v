// SPDX-License-Identifier: Apache-2.0
//
// Proof: a lane's items leave in order, but the first, which goes back; the next lane's item is added to the
// last where their coordinates are equal and else follows it, whichever of the two is then the first going
// back. Each output's lists are canonical; what is offered stays until it is taken; with all inputs there and
// consumers that take, something moves. An operator of several cycles holds its two parts until their sum is
// there.
// by: reachability
// case now: OP=0
// case later: OP=4 DEPTH=2
// mutant samhw_stitch: wire same   = held && item[CRD_W-1:0] == n_item[CRD_W-1:0];
//     => wire same   = item[CRD_W-1:0] == n_item[CRD_W-1:0];
// mutant samhw_stitch: wire last   = phase == LAST && free0 && (!back || free1);
//     => wire last   = phase == LAST && free0;
// mutant samhw_stitch: first <= last || (first && !leave); => first <= last;
// mutant of now samhw_fold_once: assign y = a + b; => assign y = a;
// mutant of later samhw_fold_once: assign done = there_in[DEPTH]; => assign done = there_in[DEPTH-1];
// mutant samhw_stitch: o_kind == DONE && free0 && free1; => o_kind == DONE && free0;
// mutant samhw_stitch: alone || drop; => alone;
`default_nettype none

module formal_stitch #(
    parameter OP    = 0,
    parameter DEPTH = 0
) (
    input wire        clk,
    input wire [1:0]  in_valid,
    input wire [15:0] in_beat,
    input wire [1:0]  out_ready
);

    localparam [7:0]   FOLDS = OP;
    localparam [7:0]   LATE  = DEPTH;
    localparam [127:0] FOLD  = {64'd1, 16'h0100, 8'd1, 8'd0, 8'd0, LATE, 8'd0, FOLDS};

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire [1:0]  in_ready;
    wire [1:0]  out_valid;
    wire [15:0] out_beat;
    samhw_stitch #(.CRD_W(2), .VAL_W(2), .STOP_W(2), .NEXT(1), .PREV(1), .FOLD(FOLD)) dut (
        .clk(clk), .rst(rst),
        .in_valid(in_valid), .in_ready(in_ready), .in_beat(in_beat),
        .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat)
    );
    wire [1:0] take = {2{started}} & in_valid & in_ready;
    wire [1:0] give = {2{started}} & out_valid & out_ready;
    wire [7:0] own  = in_beat[7:0];
    wire [7:0] next = in_beat[15:8];

    wire [3:0] legal;
    samhw_rules #(.DEPTH(1), .STOP_W(2), .W(4)) own_rules (
        .clk(clk), .rst(rst), .take(take[0]), .beat(own), .legal(legal[0]), .state(), .after());
    samhw_rules #(.DEPTH(1), .STOP_W(2), .W(4)) next_rules (
        .clk(clk), .rst(rst), .take(take[1]), .beat(next), .legal(legal[1]), .state(), .after());
    samhw_rules #(.DEPTH(1), .STOP_W(2), .W(4)) out_rules (
        .clk(clk), .rst(rst), .take(give[0]), .beat(out_beat[7:0]), .legal(legal[2]), .state(), .after());
    samhw_rules #(.DEPTH(1), .STOP_W(2), .W(4)) prev_rules (
        .clk(clk), .rst(rst), .take(give[1]), .beat(out_beat[15:8]), .legal(legal[3]), .state(), .after());
    samhw_steady #(.W(8)) own_steady (
        .clk(clk), .started(started), .valid(in_valid[0]), .ready(in_ready[0]), .beat(own));
    samhw_steady #(.W(8)) next_steady (
        .clk(clk), .started(started), .valid(in_valid[1]), .ready(in_ready[1]), .beat(next));

    // The list at hand: an item that is not out yet, whether it is the first, whether the next lane's item is
    // awaited, and whether it was there. A DONE of the next lane is taken at any time.
    reg        held   = 1'b0;
    reg        first  = 1'b1;
    reg        ending = 1'b0;
    reg        last   = 1'b0;
    reg  [3:0] item;
    wire       leaf_o = take[0] && !own[7];
    wire       leaf_n = take[1] && !next[7];
    wire       same   = held && next[1:0] == item[1:0];
    wire       pass   = held && (leaf_o || (leaf_n && !same));
    wire       done_o = take[0] && own[7:6] == 2'd3;
    wire       part_n = take[1] && next[7:6] != 2'd3;
    always @* begin
        assume (!in_valid[0] || (legal[0] && own[7:6] != 2'd1));
        assume (!in_valid[1] || (legal[1] && next[7:6] != 2'd1 && (next[7] || next[5:4] == 2'd1)));
    end
    always @(posedge clk)
        if (started) begin
            held   <= (held && !last) || leaf_o || leaf_n;
            first  <= last || (first && !pass);
            ending <= (ending && !part_n) || (take[0] && (own[7:6] == 2'd2 || (leaf_o && own[5:4] != 2'd0)));
            last   <= part_n;
            if (leaf_o)
                item <= own[3:0];
            else if (leaf_n && !same)
                item <= next[3:0];
            else if (leaf_n)
                item[3:2] <= item[3:2] + next[3:2];
        end

    localparam [7:0] EMPTY = {2'd2, 2'd1, 4'd1};
    localparam [7:0] DONE  = {2'd3, 2'd0, 4'd0};
    wire [2:0] count;
    wire [2:0] prev_count;
    samhw_owed #(.W(8), .DEPTH(3)) owed (
        .clk(clk), .started(started), .put((pass && !first) || last || done_o),
        .beat(pass ? {4'd0, item} : !last ? DONE : held && !first ? {2'd0, 2'd1, item} : EMPTY),
        .valid(out_valid[0]), .ready(out_ready[0]), .given(out_beat[7:0]), .count(count));
    samhw_owed #(.W(8), .DEPTH(3)) prev_owed (
        .clk(clk), .started(started), .put((pass || last) && first || done_o),
        .beat(pass || last ? (held ? {2'd0, 2'd1, item} : EMPTY) : DONE),
        .valid(out_valid[1]), .ready(out_ready[1]), .given(out_beat[15:8]), .count(prev_count));
    samhw_soon #(.MOST(3+DEPTH)) moved (
        .clk(clk), .started(started), .waits(in_valid == 2'b11 && out_ready == 2'b11 && take == 2'b00));
    samhw_soon #(.MOST(3+DEPTH)) given (
        .clk(clk), .started(started), .waits(count != 3'd0 && !out_valid[0] && out_ready == 2'b11));
    samhw_soon #(.MOST(3+DEPTH)) prev_given (
        .clk(clk), .started(started), .waits(prev_count != 3'd0 && !out_valid[1] && out_ready == 2'b11));

    always @*
        if (started) begin
            assert (!out_valid[0] || legal[2]);
            assert (!out_valid[1] || legal[3]);
            assert (!part_n || ending);
        end

endmodule

`default_nettype wire
