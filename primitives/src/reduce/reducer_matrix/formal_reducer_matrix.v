// SPDX-License-Identifier: Apache-2.0
//
// Proof: each list of two-level fibers becomes one: its outer coordinates increase, and in each the inner
// ones; a position that has a value stands in it once, with the fold of its values, and no other; a list
// without a value is empty, and the last beats have the list's stop less one. Of canonical streams it makes
// two canonical streams of aligned lists; what is offered stays until it is taken; with consumers that take,
// input is taken and what has arrived leaves. Shown for one list of those that arrive, drawn and any, and one
// position of two by two; none is special.
// by: reachability
// case rules: PART=0
// long case positions: PART=1
// long case values: PART=2
// case progress: PART=3
// mutant of rules samhw_reducer_matrix: .WORDS(DIM1 << CRD0_W) => .WORDS(DIM1)
// mutant of rules samhw_collapse_core: vanish ? ONE : i_hole - ONE; => vanish ? ONE : i_hole;
// mutant of rules samhw_pair: assign go        = out_valid && out_ready; => assign go        = out_ready;
// mutant of positions samhw_reducer_matrix: .SIZE0(1 << CRD0_W) => .SIZE0(1)
// mutant of positions samhw_divide_core: h_key[KEY_W-1:SHIFT]}; => h_key[KEY_W-1-SHIFT:0]};
// mutant of values samhw_pair: v_kind[1] ? {VAL_W{1'b0}} : v_val => {VAL_W{1'b0}}
// mutant of values samhw_pair: : v_val, c_crd}; => : c_crd, c_crd};
// mutant of progress samhw_divide_core: (in_valid || !open) => in_valid
// mutant of progress samhw_collapse_core: .last(ends || !leaf) => .last(!leaf)
`default_nettype none

module formal_reducer_matrix #(
    parameter PART = 0
) (
    input wire       clk,
    input wire       crd1_valid,
    input wire [5:0] crd1_beat,
    input wire       crd0_valid,
    input wire [5:0] crd0_beat,
    input wire       val_valid,
    input wire [5:0] val_beat,
    input wire       pick,
    input wire       outer_ready,
    input wire       inner_ready
);

    localparam [1:0] HERE = 2'd1;

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire       crd1_ready;
    wire       crd0_ready;
    wire       val_ready;
    wire       outer_valid;
    wire [5:0] outer_beat;
    wire       inner_valid;
    wire [7:0] inner_beat;
    samhw_reducer_matrix #(.CRD1_W(2), .CRD0_W(2), .VAL_W(2), .STOP_W(2), .DIM1(2)) dut (
        .clk(clk), .rst(rst),
        .crd1_valid(crd1_valid), .crd1_ready(crd1_ready), .crd1_beat(crd1_beat),
        .crd0_valid(crd0_valid), .crd0_ready(crd0_ready), .crd0_beat(crd0_beat),
        .val_valid(val_valid), .val_ready(val_ready), .val_beat(val_beat),
        .outer_valid(outer_valid), .outer_ready(outer_ready), .outer_beat(outer_beat),
        .inner_valid(inner_valid), .inner_ready(inner_ready), .inner_beat(inner_beat)
    );
    wire take  = started && crd0_valid && crd0_ready;
    wire next  = started && crd1_valid && crd1_ready;
    wire give  = started && inner_valid && inner_ready;
    wire above = started && outer_valid && outer_ready;

    // Outer coordinates of depth 2, inner ones and values of depth 3; of what comes out each is a level less.
    wire       c1_legal;
    wire       c0_legal;
    wire       o_legal;
    wire       i_legal;
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) c1_rules (
        .clk(clk), .rst(rst), .take(next), .beat(crd1_beat), .legal(c1_legal), .state(), .after());
    samhw_rules #(.DEPTH(3), .STOP_W(2), .W(2)) c0_rules (
        .clk(clk), .rst(rst), .take(take), .beat(crd0_beat), .legal(c0_legal), .state(), .after());
    samhw_rules #(.DEPTH(1), .STOP_W(2), .W(2)) o_rules (
        .clk(clk), .rst(rst), .take(above), .beat(outer_beat), .legal(o_legal), .state(), .after());
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(4)) i_rules (
        .clk(clk), .rst(rst), .take(give), .beat(inner_beat), .legal(i_legal), .state(), .after());
    wire [1:0] kind1   = crd1_beat[5:4];
    wire [1:0] stop1   = crd1_beat[3:2];
    wire [1:0] crd1    = crd1_beat[1:0];
    wire [1:0] stop    = crd0_beat[3:2];
    wire [1:0] crd0    = crd0_beat[1:0];
    wire [1:0] kind    = val_beat[5:4];
    wire [1:0] val     = val_beat[1:0];
    wire       done    = kind == 2'd3;
    wire       hollow  = kind == 2'd2 && crd0 == 2'd1;
    wire       ends    = done || stop == 2'd3;
    wire       value   = kind == 2'd0;
    wire       mine    = value && crd1 == HERE && crd0 == HERE;
    wire       aligned = done              ? kind1 == 2'd3
                       : !kind[1] || hollow ? kind1 == 2'd0 && (stop == 2'd0 || stop == stop1 + 2'd1)
                       :                     kind1 == 2'd2 && stop == stop1 + 2'd1 && crd0 == crd1 + 2'd1;
    always @* begin
        assume (!crd1_valid || (c1_legal && kind1 != 2'd1 && (kind1[1] || !crd1[1])));
        assume (!crd0_valid || (c0_legal && crd0_beat[5:4] != 2'd1 && (crd0_beat[5] || !crd0[1])));
        assume (!crd0_valid || !val_valid || (crd0_beat[5] == kind[1] && crd0_beat[3:2] == val_beat[3:2]));
        assume (!crd0_valid || !val_valid || !kind[1] || crd0_beat == val_beat);
        assume (!crd1_valid || !crd0_valid || !val_valid || aligned);
    end

    wire [1:0] i_kind = inner_beat[7:6];
    wire [1:0] i_stop = inner_beat[5:4];
    wire [1:0] i_crd  = inner_beat[1:0];
    wire       i_done = i_kind == 2'd3;
    wire       i_ends = i_done || i_stop[1];
    wire       now;
    wire       first;
    wire       leaves;
    wire [3:0] lists;
    samhw_watched #(.MOST(10)) watched (
        .clk(clk), .started(started), .pick(pick), .in(take), .in_ends(ends), .out(give), .out_ends(i_ends),
        .now(now), .first(first), .lists(lists), .leaves(leaves));

    // Of the list: whether it has a value, and at the position; their fold; its end.
    reg        full;
    reg        some;
    reg  [1:0] sum;
    reg        over;
    wire       had = !first && some;
    // What of it has left: in the inner list at hand, and in all.
    reg        run_has;
    reg  [1:0] run_sum;
    reg        goes;
    reg  [1:0] last;
    reg        given;
    reg        follows;
    reg  [1:0] last1;
    wire       runs   = i_stop != 2'd0;
    wire       at     = i_crd == HERE;
    wire       has    = at || (goes && run_has);
    always @(posedge clk)
        if (now) begin
            full <= (!first && full) || value;
            some <= had || mine;
            over <= done;
            if (mine)
                sum <= had ? sum + val : val;
            {given, follows, goes} <= 3'd0;
        end else if (leaves && give) begin
            run_has <= has;
            run_sum <= at ? inner_beat[3:2] : run_sum;
            last    <= i_crd;
            goes    <= !runs;
            if (runs) begin
                given   <= given || outer_beat[1:0] == HERE;
                follows <= 1'b1;
                last1   <= outer_beat[1:0];
            end
        end

    generate
        if (PART == 0) begin : g_rules
            samhw_kept #(.W(6)) outer_kept (
                .clk(clk), .started(started), .valid(outer_valid), .ready(outer_ready), .beat(outer_beat));
            samhw_kept #(.W(8)) inner_kept (
                .clk(clk), .started(started), .valid(inner_valid), .ready(inner_ready), .beat(inner_beat));
            always @*
                if (started) begin
                    assert (crd0_ready == val_ready);
                    assert (next == (take && (stop != 2'd0 || done)));
                    assert (!inner_valid || (lists != 4'd0 && i_legal));
                    assert (!outer_valid || o_legal);
                    assert (!(leaves && inner_valid) || i_kind == (full ? 2'd0 : {1'b1, over}));
                end
        end else if (PART == 3) begin : g_progress
            samhw_soon #(.MOST(24)) taken (.clk(clk), .started(started),
                .waits(crd1_valid && crd0_valid && val_valid && !crd0_ready && outer_ready && inner_ready));
            samhw_soon #(.MOST(12)) moved (.clk(clk), .started(started),
                .waits(lists != 4'd0 && !inner_valid && inner_ready && outer_ready && !(take && !ends)));
        end else begin : g_contents
            // The consumer takes an outer coordinate with the end of its list.
            always @*
                assume (outer_ready == (inner_valid && inner_ready && (i_stop != 2'd0 || i_done)));
            if (PART == 1) begin : g_positions
                always @*
                    if (started && leaves && inner_valid && i_kind == 2'd0) begin
                        assert (!runs || (outer_valid && outer_beat[5:4] == 2'd0));
                        assert (!goes || i_crd > last);
                        assert (!runs || !follows || outer_beat[1:0] > last1);
                        assert (!runs || outer_beat[1:0] != HERE || has == some);
                        assert (!i_ends || !some || given || outer_beat[1:0] == HERE);
                    end
            end else begin : g_values
                // One value at most is not 0.
                reg hit = 1'b0;
                always @(posedge clk)
                    hit <= hit || (take && value && val != 2'd0);
                always @*
                    assume (!val_valid || !value || val == 2'd0 || (val == 2'd1 && !hit));
                always @*
                    if (started && leaves && inner_valid && i_kind == 2'd0)
                        assert (!runs || outer_beat[1:0] != HERE || !has
                                || (at ? inner_beat[2] : run_sum[0]) == sum[0]);
            end
        end
    endgenerate

endmodule

`default_nettype wire
