// SPDX-License-Identifier: Apache-2.0
//
// Proof, with pairs of rising coordinates (so if the second of one stays the first does, and both do of one
// that is not final) that come whenever their list was put: of each list the coordinates that stay come out,
// those of its first pair and of pairs behind it up to the final one, each once and in order, with its
// position; the last one has the list's stop. A list without any is empty. Of what a canonical stream of
// references gives it makes a canonical stream; what is offered stays until it is taken. A pair finds a place
// if no more than two of `more` are not used up. With a consumer that takes, what is there moves in every
// cycle.
// by: reachability
// probe go = dut.go
// mutant samhw_until_give: push    = go && (given || !i_list || !waiting); => push    = go && (given || !i_list);
// mutant samhw_until_give: close   = go && i_list && !p_stays0 && waiting; => close   = 1'b0;
// mutant samhw_until_give: half    = i_list && p_stays1 && !second; => half    = i_list && !p_final && !second;
// mutant samhw_until_give: (!half && p_final) => p_final
// mutant samhw_until_give: behind <= !ends; => behind <= i_list && !p_final && !behind;
// mutant samhw_until_give: .in_stop(ends ? i_stop : NO_STOP), => .in_stop(i_stop),
// mutant samhw_until_give: second ? p_at + ONE : p_at => p_at
// mutant samhw_until_give: second <= half; => second <= half && !behind;
// mutant samhw_until_give: nil = {1'b1, !i_list && i_stop == NO_STOP}; => nil = {1'b1, 1'b0};
`default_nettype none

module formal_until_give (
    input wire       clk,
    input wire       ref_valid,
    input wire [5:0] ref_beat,
    input wire       needed,
    input wire       began,
    input wire       more,
    input wire [8:0] pair,
    input wire       out_ready,
    input wire       go
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    // As samhw_ref_skid gives the references of lists of depth 1.
    wire [1:0] r_kind = ref_beat[5:4];
    wire       list   = r_kind == 2'd0;
    wire       some   = list && needed;
    wire [1:0] stop   = r_kind == 2'd3 ? 2'd0 : ref_beat[3:2] + 2'd1;
    wire [1:0] hole   = r_kind == 2'd3 ? 2'd0 : r_kind == 2'd2 ? ref_beat[1:0] + 2'd1 : 2'd1;

    wire       room;
    wire       put = started && ref_valid && room;
    wire       taken;
    wire       out_valid;
    wire [7:0] out_beat;
    samhw_until_give #(.REF_W(2), .CRD_W(2), .STOP_W(2), .ITEMS_LOG2(1), .MORE_LOG2(1)) dut (
        .clk(clk), .rst(rst),
        .put(put), .room(room), .some(some), .in_stop(stop), .in_hole(hole),
        .began(started && began), .more(started && more), .pair(pair), .taken(taken),
        .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat)
    );
    wire give = started && out_valid && out_ready;

    wire legal;
    wire o_legal;
    samhw_rules #(.DEPTH(1), .STOP_W(2), .W(2)) rules (
        .clk(clk), .rst(rst), .take(put), .beat(ref_beat), .legal(legal), .state(), .after());
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) o_rules (
        .clk(clk), .rst(rst), .take(give), .beat({out_beat[7:4], out_beat[1:0]}), .legal(o_legal), .state(), .after());
    always @*
        assume (!ref_valid || legal);

    // What was put, first pairs and pairs behind them that are not through, the oldest lowest; lists whose
    // first pair, or whose final one behind it, is to come.
    reg  [1:0]  items  = 2'd0;
    reg  [1:0]  firsts = 2'd0;
    reg  [1:0]  mores  = 2'd0;
    reg  [1:0]  due    = 2'd0;
    reg  [1:0]  wants  = 2'd0;
    reg  [9:0]  item;
    reg  [17:0] first;
    reg  [17:0] next;
    reg         behind = 1'b0;
    reg         second = 1'b0;
    wire        stays1 = pair[8];
    wire        stays0 = pair[7];
    wire        final_ = pair[6];
    always @* begin
        assume (!(began && more));
        assume (!began || due != 2'd0);
        assume (!more || (wants != 2'd0 && mores < 2'd2));
        assume ((!stays1 || stays0) && (final_ || stays1));
    end

    // What is done with the oldest.
    wire        is_list;
    wire [1:0]  item_stop;
    wire [1:0]  item_hole;
    wire        s1;
    wire        s0;
    wire        last;
    wire [1:0]  at;
    wire [1:0]  c1;
    wire [1:0]  c0;
    assign {is_list, item_stop, item_hole} = item[4:0];
    assign {s1, s0, last, at, c1, c0} = behind ? next[8:0] : first[8:0];
    wire        there = items != 2'd0 && (!is_list || (behind ? mores != 2'd0 : firsts != 2'd0));
    wire        step  = started && go;
    wire        half  = is_list && s1 && !second;
    wire        ends  = !is_list || (!half && last);
    wire        pop   = step && is_list && !half;
    wire        waits;
    wire        owes;
    wire        none  = !is_list || (!s0 && !waits);   // what is no list, or an empty one
    samhw_filtered #(.W(6), .STOP_W(2)) filtered (
        .clk(clk), .started(started), .keep(step && (none || s0)), .close(step && !none && !s0), .last(ends),
        .stop(ends ? item_stop : 2'd0),
        .data(none ? {1'b1, !is_list && item_stop == 2'd0, 2'd0, item_hole} : second ? {2'd0, at + 2'd1, c1} : {2'd0,
        at, c0}),
        .valid(out_valid), .ready(out_ready), .given({out_beat[7:6], out_beat[3:0], out_beat[5:4]}),
        .waits(waits), .owes(owes));

    wire        i_pop  = step && ends;
    wire        f_pop  = pop && !behind;
    wire        m_pop  = pop && behind;
    wire [1:0]  i_rest = items - {1'b0, i_pop};
    wire [1:0]  f_rest = firsts - {1'b0, f_pop};
    wire [1:0]  m_rest = mores - {1'b0, m_pop};
    wire [9:0]  i_left = i_pop ? item >> 5 : item;
    wire [17:0] f_left = f_pop ? first >> 9 : first;
    wire [17:0] m_left = m_pop ? next >> 9 : next;
    wire [4:0]  new_   = {some, stop, hole};
    always @(posedge clk)
        if (started) begin
            items  <= i_rest + {1'b0, put};
            item   <= !put ? i_left : i_rest == 2'd0 ? {5'd0, new_} : {new_, i_left[4:0]};
            firsts <= f_rest + {1'b0, began};
            first  <= !began ? f_left : f_rest == 2'd0 ? {9'd0, pair} : {pair, f_left[8:0]};
            mores  <= m_rest + {1'b0, more};
            next   <= !more ? m_left : m_rest == 2'd0 ? {9'd0, pair} : {pair, m_left[8:0]};
            due    <= due + {1'b0, put && some} - {1'b0, began};
            wants  <= wants + {1'b0, began && !final_} - {1'b0, more && final_};
            if (step)
                second <= half;
            if (step && !half)
                behind <= !ends;
        end
    samhw_soon #(.MOST(2)) moved (.clk(clk), .started(started), .waits(there && !go && out_ready));
    samhw_soon #(.MOST(3)) given (.clk(clk), .started(started), .waits(owes && !out_valid));

    always @*
        if (started) begin
            assert (!go || there);
            assert (taken == (pop && behind));
            assert (room == (items < 2'd2));
            assert (!began || f_rest != 2'd2);
            assert (!out_valid || o_legal);
        end

endmodule

`default_nettype wire
