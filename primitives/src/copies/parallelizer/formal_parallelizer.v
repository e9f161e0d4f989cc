// SPDX-License-Identifier: Apache-2.0
//
// Proof, for two copies: each gets every list, with the items dealt to it and no others, each once and in
// order, and what no item is of any list; the stop of a copy's last item in a list is that list's. Items go
// to the copies in turn, in each list anew or from list to list, by their coordinate, or to any, as `turn`
// says; then an item does not wait for a copy while another has room. Of canonical streams it makes canonical
// ones; what is offered stays until it is taken; where consumers take, beats are taken and leave in time.
// by: reachability
// probe chosen = dut.sel
// case turns: DEAL=0 SPLIT=0 HEIGHT=0
// case split: DEAL=0 SPLIT=1 HEIGHT=0
// case lists: DEAL=0 SPLIT=0 HEIGHT=1
// case free: DEAL=1 SPLIT=0 HEIGHT=0
// case pieces: DEAL=1 SPLIT=1 HEIGHT=1
// case anew: DEAL=0 SPLIT=0 HEIGHT=0 OUTER=1
// case onward: DEAL=3 SPLIT=0 HEIGHT=0 OUTER=1
// case coordinate: DEAL=2 SPLIT=1 HEIGHT=0
// mutant samhw_parallelizer: assign need[c] = mine || (ends_list && !waiting[c]); => assign need[c] = mine;
// mutant of turns samhw_parallelizer: wire close = go && !need[c] && ends_list;
//     => wire close = go && ends_list && SPLIT != 0;
// mutant of free samhw_parallelizer: (settled[c] ? free[c] : go && mine); => (free[c] || (go && mine));
// mutant of turns samhw_parallelizer: (held[c] && !(settled[c] && free[c])); => (held[c] && !leave && free[c]);
// mutant of turns samhw_parallelizer: if (free[c] && !gone) begin => if (free[c]) begin
// mutant samhw_parallelizer: wire [COPIES-1:0] room = ~held | free; => wire [COPIES-1:0] room = ~held;
// mutant samhw_parallelizer: && (TURN == 0 || !ends_item || turn_free); => ;
// mutant of lists samhw_parallelizer: wire item_settled = (SPLIT != 0) || ends_list || !ends_item;
//     => wire item_settled = (SPLIT != 0) || ends_list;
// mutant of turns samhw_parallelizer: kind == DONE || (ends_list && DEAL != 3) ? => 1'b0 ?
// mutant of anew samhw_parallelizer: kind == DONE || (ends_list && DEAL != 3) ? => kind == DONE ?
// mutant of onward samhw_parallelizer: kind == DONE || (ends_list && DEAL != 3) ? => ends_list ?
// mutant of onward samhw_parallelizer: (everyone && kind != DONE && DEAL == 3) ? sel => 1'b0 ? sel
// mutant of coordinate samhw_parallelizer: (DEAL == 2 && !in_item) ? own : at; => at;
// mutant of free samhw_parallelizer: : stuck && (&h_valid) && !in_item) => : 1'b0)
`default_nettype none

module formal_parallelizer #(
    parameter DEAL   = 0,
    parameter SPLIT  = 0,
    parameter HEIGHT = 0,
    parameter OUTER  = 0
) (
    input wire       clk,
    input wire       in_valid,
    input wire [5:0] in_beat,
    input wire [1:0] out_ready,
    input wire       turn_ready,
    input wire       chosen
);

    localparam [1:0] H    = HEIGHT;
    localparam [1:0] MORE = SPLIT;

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire        in_ready;
    wire [1:0]  out_valid;
    wire [11:0] out_beat;
    wire        turn_valid;
    wire [5:0]  turn_beat;
    samhw_parallelizer #(
        .STREAMS(1), .COPIES(2), .W(2), .TURN_W(2), .STOP_W(2), .HEIGHT(HEIGHT), .DEAL(DEAL), .SPLIT(SPLIT), .TURN(1)
    ) dut (
        .clk(clk), .rst(rst),
        .in_valid(in_valid), .in_ready(in_ready), .in_beat(in_beat),
        .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat),
        .turn_valid(turn_valid), .turn_ready(turn_ready), .turn_beat(turn_beat)
    );
    wire       take = started && in_valid && in_ready;
    wire [1:0] give = {2{started}} & out_valid & out_ready;
    wire [1:0] kind = in_beat[5:4];
    wire [1:0] stop = in_beat[3:2];
    wire [1:0] hole = in_beat[1:0];

    wire       legal;
    wire [1:0] o_legal;
    wire       t_legal;
    samhw_rules #(.DEPTH(1+HEIGHT+OUTER), .STOP_W(2), .W(2)) rules (
        .clk(clk), .rst(rst), .take(take), .beat(in_beat), .legal(legal), .state(), .after());
    samhw_rules #(.DEPTH(1+HEIGHT+OUTER+SPLIT), .STOP_W(2), .W(2)) rules_0 (
        .clk(clk), .rst(rst), .take(give[0]), .beat(out_beat[5:0]), .legal(o_legal[0]), .state(), .after());
    samhw_rules #(.DEPTH(1+HEIGHT+OUTER+SPLIT), .STOP_W(2), .W(2)) rules_1 (
        .clk(clk), .rst(rst), .take(give[1]), .beat(out_beat[11:6]), .legal(o_legal[1]), .state(), .after());
    samhw_rules #(.DEPTH(1+OUTER), .STOP_W(2), .W(2)) t_rules (
        .clk(clk), .rst(rst), .take(started && turn_valid && turn_ready), .beat(turn_beat), .legal(t_legal), .state(),
        .after());
    samhw_steady #(.W(6)) steady (.clk(clk), .started(started), .valid(in_valid), .ready(in_ready), .beat(in_beat));
    always @*
        assume (!in_valid || legal);

    // What stands for no item is everyone's.
    wire       none  = kind == 2'd3 || (kind == 2'd2 && hole > H);
    wire       list  = none || stop > H;
    wire       ends  = list || stop == H;

    // Whose turn it is; to whom a beat that was taken went is told by the turn's beat a cycle later.
    reg        inside = 1'b0;
    reg        at     = 1'b0;
    wire       expected = DEAL == 2 && !inside ? in_beat[0] : at;
    wire       sel;
    wire [1:0] held;
    generate
        if (DEAL == 1) begin : g_free
            // A copy has room if it holds nothing, or what it holds can leave.
            wire [1:0] room = ~held | ~out_valid | out_ready;
            assign sel = chosen;
            samhw_soon #(.MOST(2)) passed (
                .clk(clk), .started(started),
                .waits(in_valid && !in_ready && !list && !inside && room != 2'b00 && turn_ready));
            always @*
                if (started && inside)
                    assert (sel == at);
        end else begin : g_fixed
            assign sel = expected;
        end
    endgenerate
    always @(posedge clk)
        if (take) begin
            inside <= !ends;
            if (!ends)
                at <= sel;
            else
                at <= DEAL != 3 ? !list && !sel : kind == 2'd3 ? 1'b0 : none ? sel : !sel;
        end
    wire [2:0] turns;
    samhw_owed #(.W(6), .DEPTH(1)) turn (
        .clk(clk), .started(started), .put(take && ends), .valid(turn_valid), .ready(turn_ready), .given(turn_beat),
        .count(turns),
        .beat(kind == 2'd3 ? 6'b110000 : none ? {2'd2, stop - H, hole - H} : {2'd0, stop - H, 1'b0, sel}));

    wire [1:0] end_stop = kind == 2'd3 ? 2'd0 : stop + MORE;
    genvar c;
    generate
        for (c = 0; c < 2; c = c + 1) begin : g_copy
            localparam [0:0] ME = c;
            wire       waits;
            wire       owes;
            wire       mine  = none || sel == ME;
            wire       last  = none || list || !ends || SPLIT != 0;
            // A list in which nothing waits, because nothing was dealt or all of it has left, ends with an empty one.
            wire       bare  = !mine && list && !waits;
            wire [1:0] item_stop = none || (list && SPLIT != 0) ? end_stop : SPLIT != 0 && ends ? H + 2'd1 : stop;
            samhw_filtered #(.W(4), .STOP_W(2), .DEPTH(2)) owed (
                .clk(clk), .started(started), .keep(take && (mine || bare)), .close(take && !mine && list && waits),
                .last(bare || last), .stop(mine && kind != 2'd3 ? item_stop : end_stop),
                .data(bare ? {2'd2, H + 2'd1} : none && kind == 2'd2 ? {2'd2, hole + MORE} : {kind, hole}),
                .valid(out_valid[c]), .ready(out_ready[c]),
                .given({out_beat[6*c+4 +: 2], out_beat[6*c +: 2], out_beat[6*c+2 +: 2]}), .waits(waits), .owes(owes));

            // Beats inside: one is on offer, or there is one more.
            reg  [1:0] count = 2'd0;
            always @(posedge clk)
                if (started)
                    count <= count + {1'b0, take && (mine || bare)} - {1'b0, give[c]};
            assign held[c] = count != {1'b0, out_valid[c]};
            samhw_soon #(.MOST(2)) given (.clk(clk), .started(started), .waits(owes && !out_valid[c]));
            always @*
                if (started)
                    assert (!out_valid[c] || o_legal[c]);
        end
    endgenerate
    samhw_soon #(.MOST(1)) taken (
        .clk(clk), .started(started), .waits(in_valid && !in_ready && out_ready == 2'b11 && turn_ready));

    always @*
        if (started) begin
            assert (turn_valid == (turns != 3'd0));
            assert (!turn_valid || t_legal);
        end

endmodule

`default_nettype wire
