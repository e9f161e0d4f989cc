// SPDX-License-Identifier: Apache-2.0
//
// Proof: each key of the input makes an inner coordinate, its low part, with the value; each run of keys of
// one high part in a list makes an outer coordinate, and an inner list of its own. Inner stops are one higher
// than the input's, an inner list's end is a stop of 1 at least; the outer coordinate has the input's stop;
// holes of the inner stream are one higher. Of a canonical stream with keys increasing it makes two canonical
// streams of aligned lists. A beat moves on when the next one tells whether its run goes on, and the outputs
// it needs are free; what is offered stays until it is taken.
// probe h_valid = dut.u_core.h_valid
// probe h_beat = dut.u_core.h_beat
// mutant samhw_divide_core: wire more    = open && in_beat => wire more    = leaf && in_beat
// mutant samhw_divide_core: (in_valid || !open) => in_valid
// mutant samhw_divide_core: wire o_load  = i_load && !more; => wire o_load  = i_load;
// mutant samhw_divide_core: (more || o_free) => 1'b1
// mutant samhw_divide_core: (more || h_kind == DONE) ? NONE : h_stop + ONE => more ? NONE : h_stop + ONE
// mutant samhw_divide_core: h_kind == NIL ? h_hole + ONE : NONE => h_hole
`default_nettype none

module formal_divide (
    input wire       clk,
    input wire       in_valid,
    input wire [9:0] in_beat,
    input wire [1:0] ready,
    input wire       h_valid,
    input wire [9:0] h_beat
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    // Keys of four bits, the upper half outer; lists of depth 1 in and outer, of depth 2 inner.
    wire       in_ready;
    wire [1:0] valid;
    wire [5:0] outer_beat;
    wire [7:0] inner_beat;
    samhw_divide #(.KEY_W(4), .SIZE0(4), .CRD1_W(2), .CRD0_W(2), .X_W(2), .STOP_W(2)) dut (
        .clk(clk), .rst(rst),
        .in_valid(in_valid), .in_ready(in_ready), .in_beat(in_beat),
        .outer_valid(valid[0]), .outer_ready(ready[0]), .outer_beat(outer_beat),
        .inner_valid(valid[1]), .inner_ready(ready[1]), .inner_beat(inner_beat)
    );
    wire take = started && in_valid && in_ready;

    wire       i_legal;
    wire [2:0] i_state;
    wire [2:0] i_after;
    samhw_rules #(.DEPTH(1), .STOP_W(2), .W(4)) i_rules (.clk(clk), .rst(rst), .take(take),
        .beat({in_beat[9:6], in_beat[3:0]}), .legal(i_legal), .state(i_state), .after(i_after));
    // The payload's unused bits are 0, a leaf of keys is never absent, and keys increase.
    always @* begin
        assume (!in_valid || (i_legal && (!in_beat[9] || in_beat[5:4] == 2'd0) && in_beat[9:8] != 2'd1));
        assume (!in_valid || in_beat[9] || i_state[1:0] != 2'd0 || in_beat[3:0] > last);
    end
    reg  [3:0] last;
    always @(posedge clk)
        if (take)
            last <= in_beat[3:0];

    // The beat at hand, and the beats offered.
    reg        full = 1'b0;
    reg  [9:0] item;
    reg  [1:0] offers = 2'd0;
    reg  [5:0] outer;
    reg  [7:0] inner;
    wire       inside = !item[9] && item[7:6] == 2'd0;
    wire       same   = inside && in_beat[3:2] == item[3:2];
    wire [1:0] free   = ~offers | ready;
    wire       go     = full && (!inside || in_valid) && free[1] && (same || free[0]);
    wire       done   = item[9:8] == 2'd3;
    wire [1:0] above  = item[7:6] + 2'd1;
    wire [5:0] next_outer = {item[9:8], item[7:6], item[9] ? item[1:0] : item[3:2]};
    wire [7:0] next_inner = item[9] ? {item[9:8], done ? 2'd0 : above, 2'd0, done ? 2'd0 : item[1:0] + 2'd1}
                                    : {2'd0, same ? 2'd0 : above, item[5:4], item[1:0]};
    always @(posedge clk)
        if (started) begin
            full   <= take || (full && !go);
            offers <= {go || !free[1], (go && !same) || !free[0]};
            if (take)
                item <= in_beat;
            if (go)
                inner <= next_inner;
            if (go && !same)
                outer <= next_outer;
        end

    // What is loaded is legal; the outer stream is as far as the inner one.
    wire       o_legal;
    wire [2:0] o_state;
    wire       n_legal;
    wire [2:0] n_state;
    samhw_rules #(.DEPTH(1), .STOP_W(2), .W(2)) o_rules (.clk(clk), .rst(rst), .take(go && !same),
        .beat(next_outer), .legal(o_legal), .state(o_state), .after());
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) n_rules (.clk(clk), .rst(rst), .take(go),
        .beat({next_inner[7:4], next_inner[1:0]}), .legal(n_legal), .state(n_state), .after());
    wire [2:0] item_after = item[9:8] == 2'd3 ? 3'd1 : {item[7:6] == 2'd1, item[7:6]};

    always @*
        if (started) begin
            assert (h_valid == full && (!full || h_beat == item));
            assert (!in_valid || in_ready == (!full || go));
            assert (valid == offers);
            assert (!offers[0] || outer_beat == outer);
            assert (!offers[1] || inner_beat == inner);
            assert (!go || n_legal);
            assert (!(go && !same) || o_legal);
            assert (!full || i_state == item_after);
            assert (!full || item[7:6] <= 2'd1);
            assert (i_state[1:0] <= 2'd1 && (i_state[1:0] != 2'd0 || !i_state[2]));
            assert (!full || inside || item[9] || item[7:6] == 2'd1);
            assert (!full || !item[9] || (item[9:8] == 2'd3 ? item == 10'b1100000000 : item == 10'b1001000001));
            assert (!full || !item[9] || o_state[2] == (item[9:8] == 2'd3));
            assert (!full || !item[9] || n_state == {o_state[2], 2'd2});
            assert (!full || item[9] || (!o_state[2] && !n_state[2]));
            assert (!full || item[9] || item[8] == 1'b0);
            assert (full || (o_state == i_state && n_state == {i_state[2], 2'd2}));
            assert (full || i_state[1:0] == 2'd1);
            assert (o_state[1:0] <= 2'd1 && n_state[1:0] != 2'd3);
            assert (i_state[1:0] != 2'd0 || last == item[3:0]);
        end

    wire _unused_ok = &{1'b0, i_after, 1'b0};

endmodule

`default_nettype wire
