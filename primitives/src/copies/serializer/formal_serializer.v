// SPDX-License-Identifier: Apache-2.0
//
// Proof: the items of two copies leave in the order of the turns, each whole and from the copy whose turn it
// is, in the lists of the turns; the ends of a copy's own lists vanish. Of canonical streams it makes a
// canonical one; what is offered stays until it is taken; where the copy at hand has its item and the
// consumer takes, something is taken.
// by: reachability
// case leaves: HEIGHT=0
// case lists: HEIGHT=1
// mutant of lists samhw_serializer: ends ? H + t_stop : b_stop => H + t_stop
// mutant samhw_serializer: assign t_pop  = (take && ends) || finish || none; => assign t_pop  = take || finish;
// mutant samhw_serializer: assign c_pop[c] = bare[c] || finish || (take && sel == c[CW-1:0]);
//     => assign c_pop[c] = bare[c] || finish || take;
// mutant samhw_serializer: else if (out_ready)\n            out_valid <= 1'b0; => else\n            out_valid <= 1'b0;
// mutant samhw_serializer: && kind == NIL && c_beat => && c_beat
`default_nettype none

module formal_serializer #(
    parameter HEIGHT = 0
) (
    input wire        clk,
    input wire        turn_valid,
    input wire [5:0]  turn_beat,
    input wire [1:0]  in_valid,
    input wire [11:0] in_beat,
    input wire        out_ready
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire       turn_ready;
    wire [1:0] in_ready;
    wire       out_valid;
    wire [5:0] out_beat;
    samhw_serializer #(.COPIES(2), .W(2), .TURN_W(2), .STOP_W(2), .HEIGHT(HEIGHT)) dut (
        .clk(clk), .rst(rst),
        .turn_valid(turn_valid), .turn_ready(turn_ready), .turn_beat(turn_beat),
        .in_valid(in_valid), .in_ready(in_ready), .in_beat(in_beat),
        .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat)
    );
    wire       t_take = started && turn_valid && turn_ready;
    wire [1:0] take   = {2{started}} & in_valid & in_ready;
    wire       give   = started && out_valid && out_ready;

    samhw_steady #(.W(6)) steady (
        .clk(clk), .started(started), .valid(turn_valid), .ready(turn_ready), .beat(turn_beat));

    localparam [1:0] H = HEIGHT;

    wire       t_legal;
    wire [1:0] c_legal;
    wire       legal;
    samhw_rules #(.DEPTH(1), .STOP_W(2), .W(2)) t_rules (
        .clk(clk), .rst(rst), .take(t_take), .beat(turn_beat), .legal(t_legal), .state(), .after());
    samhw_rules #(.DEPTH(1+HEIGHT), .STOP_W(2), .W(2)) rules_0 (
        .clk(clk), .rst(rst), .take(take[0]), .beat(in_beat[5:0]), .legal(c_legal[0]), .state(), .after());
    samhw_rules #(.DEPTH(1+HEIGHT), .STOP_W(2), .W(2)) rules_1 (
        .clk(clk), .rst(rst), .take(take[1]), .beat(in_beat[11:6]), .legal(c_legal[1]), .state(), .after());
    samhw_rules #(.DEPTH(1+HEIGHT), .STOP_W(2), .W(2)) rules (
        .clk(clk), .rst(rst), .take(give), .beat(out_beat), .legal(legal), .state(), .after());

    // A copy has an item while a turn is its, and none when the turns are over.
    wire [1:0] t_kind = turn_beat[5:4];
    wire [1:0] t_stop = turn_beat[3:2];
    wire       turn   = turn_beat[0];
    wire [5:0] beat   = turn ? in_beat[11:6] : in_beat[5:0];
    wire [1:0] stop   = beat[3:2];
    wire [1:0] over   = {in_beat[11:10] == 2'd3, in_beat[5:4] == 2'd3};
    wire [1:0] bare   = {in_beat[11:10] == 2'd2 && in_beat[7:6] > H, in_beat[5:4] == 2'd2 && in_beat[1:0] > H};
    always @* begin
        assume (!turn_valid || (t_legal && t_kind != 2'd1 && (t_kind != 2'd0 || !turn_beat[1])));
        assume ((~in_valid | c_legal) == 2'b11);
        assume (!turn_valid || t_kind != 2'd0 || !in_valid[turn] || !over[turn]);
        assume (!turn_valid || t_kind != 2'd3 || (~in_valid | over | bare) == 2'b11);
    end

    wire       item = t_kind == 2'd0;
    wire       ends = stop >= H;
    wire       due  = started && (item ? take[turn] && !bare[turn] : t_take);
    wire [2:0] count;
    samhw_owed #(.W(6), .DEPTH(1)) owed (
        .clk(clk), .started(started), .put(due), .valid(out_valid), .ready(out_ready), .given(out_beat), .count(count),
        .beat(item ? {beat[5:4], ends ? t_stop + H : stop, beat[1:0]}
                   : {t_kind, t_kind == 2'd2 ? {t_stop + H, turn_beat[1:0] + H} : 4'd0}));
    wire       ready_ = item ? in_valid[turn] : t_kind == 2'd2 || (in_valid == 2'b11 && over == 2'b11);
    samhw_soon #(.MOST(1)) taken (
        .clk(clk), .started(started), .waits(turn_valid && ready_ && out_ready && take == 2'b00 && !t_take));

    always @*
        if (started) begin
            assert (out_valid == (count != 3'd0));
            assert (!out_valid || legal);
            // Nothing is taken but what leaves or vanishes, and turns only with their items.
            assert ((take & ~bare & ~over) == (due && item ? {turn, !turn} : 2'b00));
            assert (!item || t_take == (due && ends));
            assert ((take & over) == (t_take && t_kind == 2'd3 ? 2'b11 : 2'b00));
        end

endmodule

`default_nettype wire
