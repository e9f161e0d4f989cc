// SPDX-License-Identifier: Apache-2.0
//
// Proof: each list of fibers becomes one fiber, in order: its coordinates increase, each that has a value
// stands in it once, and no other; a list without a value is an empty fiber, and the last beat of each has
// the list's stop less one. Of a canonical stream it makes a canonical one; what is offered stays until it is
// taken; with a consumer that takes, input is taken and what has arrived leaves. Shown for one list of those
// that arrive, drawn and any, and one coordinate; none is special. That a coordinate's value is the fold of
// those that arrived at it is shown of the lowest bit of a sum with one operand at most that is not 0
// (values); of every fold and any operands in formal_workspace_values.v.
// with: samhw_workspace
// by: reachability
// long case shape: PART=0 WORDS=2
// case rules: PART=1 WORDS=2
// case coordinates: PART=2 WORDS=2
// long case more: PART=2
// case progress: PART=3 WORDS=2
// long case values: PART=4 WORDS=2
// mutant of shape samhw_workspace: in_above ? in_hole - ONE : ONE; => in_above ? in_hole : ONE;
// mutant of shape samhw_workspace: wire              in_last = in_done || in_stop > ONE;
//     => wire              in_last = in_stop > ONE;
// mutant of shape samhw_pair: assign go        = out_valid && out_ready; => assign go        = out_ready;
// mutant of rules samhw_workspace: in_done ? NONE : in_stop - ONE; => in_done ? NONE : in_stop;
// mutant of rules samhw_workspace_values: end_done ? DONE : NIL => end_done ? NIL : DONE
// mutant of coordinates samhw_workspace: assign acc_update[0]       = in_kind == DATA;
//     => assign acc_update[0]       = !in_kind[1];
// mutant of coordinates samhw_workspace_values: g_addr <= f_addr; => g_addr <= i_word;
// mutant of coordinates samhw_workspace_top: acc_go && here ? leaves && acc_last : fresh;
//     => acc_go && here ? acc_last : fresh;
// mutant of more samhw_workspace: assign acc_update[0]       = in_kind == DATA;
//     => assign acc_update[0]       = !in_kind[1];
// mutant of more samhw_workspace_values: g_addr <= f_addr; => g_addr <= i_word;
// mutant of progress samhw_workspace_values: (full | complete) & ~left; => full | complete;
// mutant of progress samhw_workspace_values: wire out_next = g_valid || n_valid || !go;
//     => wire out_next = g_valid || !go;
// mutant of values samhw_workspace: in_stop - ONE;\n    wire [TAIL_W-1:0] in_tail  = {end_hole, end_stop, in_val};
//     => in_stop - ONE;\n    wire [TAIL_W-1:0] in_tail  = {end_hole, end_stop, in_crd};
// mutant of values samhw_workspace_values: s2_val   <= s1_val; => s2_val   <= acc_tail;
// mutant of values samhw_fold_in_place: s2_past  <= s3_we && s3_at == next_at; => s2_past  <= 1'b0;
// mutant of values samhw_workspace_top: assign acc_fresh = first || !bits[acc_bit];
//     => assign acc_fresh = !bits[acc_bit];
`default_nettype none

module formal_reducer_vector #(
    parameter PART  = 0,
    parameter WORDS = 4
) (
    input wire       clk,
    input wire       crd_valid,
    input wire [5:0] crd_beat,
    input wire       val_valid,
    input wire [5:0] val_beat,
    input wire       pick,
    input wire       out_ready
);

    localparam [1:0] HERE = 2'd1;

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire       crd_ready;
    wire       val_ready;
    wire       out_valid;
    wire [7:0] out_beat;
    samhw_reducer_vector #(.CRD_W(2), .VAL_W(2), .STOP_W(2), .WORDS(WORDS)) dut (
        .clk(clk), .rst(rst),
        .crd_valid(crd_valid), .crd_ready(crd_ready), .crd_beat(crd_beat),
        .val_valid(val_valid), .val_ready(val_ready), .val_beat(val_beat),
        .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat)
    );
    wire take = started && crd_valid && crd_ready;
    wire give = started && out_valid && out_ready;

    // Lists of depth 3 in, of depth 2 out, and the two inputs aligned.
    wire       c_legal;
    wire       o_legal;
    samhw_rules #(.DEPTH(3), .STOP_W(2), .W(2)) c_rules (
        .clk(clk), .rst(rst), .take(take), .beat(crd_beat), .legal(c_legal), .state(), .after());
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(4)) o_rules (
        .clk(clk), .rst(rst), .take(give), .beat(out_beat), .legal(o_legal), .state(), .after());
    wire [1:0] kind  = val_beat[5:4];
    wire [1:0] stop  = crd_beat[3:2];
    wire [1:0] crd   = crd_beat[1:0];
    wire       done  = kind == 2'd3;
    wire       value = kind == 2'd0;
    wire       ends  = done || stop[1];
    wire       mine  = value && crd == HERE;
    always @* begin
        assume (!crd_valid || (c_legal && crd_beat[5:4] != 2'd1));
        assume (!crd_valid || crd_beat[5] || {30'd0, crd} < WORDS);
        assume (!crd_valid || !val_valid || (crd_beat[5] == kind[1] && crd_beat[3:2] == val_beat[3:2]));
        assume (!crd_valid || !val_valid || !kind[1] || crd_beat == val_beat);
    end

    wire [1:0] o_kind = out_beat[7:6];
    wire [1:0] o_stop = out_beat[5:4];
    wire [1:0] o_crd  = out_beat[1:0];
    wire       o_ends = o_kind == 2'd3 || o_stop != 2'd0;
    wire       now;
    wire       first;
    wire       leaves;
    wire [3:0] lists;
    samhw_watched #(.MOST(8)) watched (
        .clk(clk), .started(started), .pick(pick), .in(take), .in_ends(ends), .out(give), .out_ends(o_ends),
        .now(now), .first(first), .lists(lists), .leaves(leaves));

    // Of the list: whether it has a value, and at the coordinate; its end. What of it has left.
    reg        full;
    reg        some;
    reg  [1:0] end_stop;
    reg  [1:0] end_hole;
    reg        given;
    reg        goes;
    reg  [1:0] last;
    wire       had = !first && some;
    always @(posedge clk)
        if (now) begin
            full <= (!first && full) || value;
            some <= had || mine;
            end_stop <= done ? 2'd0 : stop - 2'd1;
            end_hole <= done ? 2'd0 : kind == 2'd2 && crd[1] ? crd - 2'd1 : 2'd1;
            {given, goes} <= 2'd0;
        end else if (leaves && give) begin
            given <= given || o_crd == HERE;
            goes  <= 1'b1;
            last  <= o_crd;
        end

    generate
        if (PART == 0) begin : g_shape
            always @*
                if (started && leaves && out_valid) begin
                    assert (full ? o_kind == 2'd0 : o_kind == {1'b1, end_hole == 2'd0});
                    assert (o_ends ? o_stop == end_stop : full);
                    assert (full || out_beat[3:0] == {2'd0, end_hole});
                end
        end
        if (PART == 1) begin : g_rules
            samhw_kept #(.W(8)) kept (
                .clk(clk), .started(started), .valid(out_valid), .ready(out_ready), .beat(out_beat)
            );
            always @*
                if (started) begin
                    assert (crd_ready == val_ready);
                    assert (!out_valid || (lists != 4'd0 && o_legal));
                end
        end
        if (PART == 2) begin : g_coordinates
            always @*
                if (started && leaves && out_valid && o_kind == 2'd0) begin
                    assert (!goes || o_crd > last);
                    assert (o_crd != HERE || some);
                    assert (!o_ends || !some || given || o_crd == HERE);
                end
        end
        if (PART == 4) begin : g_values
            reg       hit = 1'b0;
            reg [1:0] sum;
            always @(posedge clk) begin
                hit <= hit || (take && value && val_beat[1:0] != 2'd0);
                if (now && mine)
                    sum <= had ? sum + val_beat[1:0] : val_beat[1:0];
            end
            always @*
                assume (!val_valid || !value || val_beat[1:0] == 2'd0 || (val_beat[1:0] == 2'd1 && !hit));
            always @*
                if (started && leaves && out_valid && o_kind == 2'd0)
                    assert (o_crd != HERE || out_beat[2] == sum[0]);
        end
        if (PART == 3) begin : g_progress
            samhw_soon #(.MOST(16)) taken (
                .clk(clk), .started(started), .waits(crd_valid && val_valid && !crd_ready && out_ready)
            );
            samhw_soon #(.MOST(9)) given (
                .clk(clk), .started(started), .waits(lists != 4'd0 && !out_valid && out_ready)
            );
        end
    endgenerate

endmodule

`default_nettype wire
