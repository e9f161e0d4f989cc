// SPDX-License-Identifier: Apache-2.0
//
// Proof: of a level whose fibers rise below the size nothing is called wrong, however it is read: fiber after
// fiber, in each any places in any order, any number of times (sound). What does not fit is called wrong five
// cycles after its answer: a coordinate beside the one read before it in the fiber, or between the last two;
// one that leaves too little room up to an end of the fiber; of pairs, the second beside the first, and a
// pair that follows the one before in turn (seen).
// by: reachability
// long case sound: PAIRS=0 SEEN=0
// case sound_pairs: PAIRS=1 SEEN=0
// long case repeats: PAIRS=0 SEEN=0 REPEATS=1
// case seen: PAIRS=0 SEEN=1
// long case seen_pairs: PAIRS=1 SEEN=1
// probe dut_place = dut.place
// probe s_valid = dut.s_valid
// probe s_crd = dut.s_crd
// probe f_valid = dut.f_valid
// probe f_begin = dut.f_begin
// probe f_end = dut.f_end
// probe b_told = dut.b_told
// probe b_some = dut.b_some
// probe b_fresh = dut.b_fresh
// probe b_bounds = dut.b_bounds
// probe b_former = dut.b_former
// probe here = dut.some
// probe begins = dut.begins
// probe ends = dut.ends
// probe c_valid = dut.c_valid
// probe c_first = dut.c_first
// probe c_lost = dut.c_lost
// probe c_place = dut.c_place
// probe of sound c_begin = dut.c_begin
// probe of sound_pairs c_begin = dut.c_begin
// probe of seen c_begin = dut.c_begin
// probe of seen_pairs c_begin = dut.c_begin
// probe of sound c_end = dut.c_end
// probe of sound_pairs c_end = dut.c_end
// probe of seen c_end = dut.c_end
// probe of seen_pairs c_end = dut.c_end
// probe c_crd = dut.c_crd
// probe k_valid = dut.k_valid
// probe k_first = dut.k_first
// probe k_lost = dut.k_lost
// probe k_place = dut.k_place
// probe k_key = dut.k_key
// probe of sound k_low = dut.k_low
// probe of sound_pairs k_low = dut.k_low
// probe of seen k_low = dut.k_low
// probe of seen_pairs k_low = dut.k_low
// probe k_top = dut.k_top
// probe d_valid = dut.d_valid
// probe d_lost = dut.d_lost
// probe falls = dut.falls
// probe entries = answers.fibers
// probe count = answers.count
// probe f_count = dut.u_fibers.count
// probe f_head = dut.u_fibers.head
// probe f_tail = dut.u_fibers.tail
// probe f_word0 = dut.u_fibers.words[0]
// probe f_word1 = dut.u_fibers.words[1]
// probe q_count = dut.u_asked.u_asked.count
// probe q_filled = dut.u_asked.u_asked.filled
// probe q_head = dut.u_asked.u_asked.head
// probe q_tail = dut.u_asked.u_asked.tail
// probe q_word0 = dut.u_asked.u_asked.words[0]
// probe q_word1 = dut.u_asked.u_asked.words[1]
// probe of sound q_going = dut.u_asked.g_bursts.going
// probe of sound q_next = dut.u_asked.g_bursts.next
// probe of sound q_left = dut.u_asked.g_bursts.left
// probe of repeats q_going = dut.u_asked.g_bursts.going
// probe of repeats q_next = dut.u_asked.g_bursts.next
// probe of repeats q_left = dut.u_asked.g_bursts.left
// probe of seen q_going = dut.u_asked.g_bursts.going
// probe of seen q_next = dut.u_asked.g_bursts.next
// probe of seen q_left = dut.u_asked.g_bursts.left
// probe of sound at = dut.g_search.at
// probe of sound at_key = dut.g_search.at_key
// probe of sound below_ok = dut.g_search.below_ok
// probe of sound below = dut.g_search.below
// probe of sound below_key = dut.g_search.below_key
// probe of sound above_ok = dut.g_search.above_ok
// probe of sound above = dut.g_search.above
// probe of sound above_key = dut.g_search.above_key
// probe of repeats at = dut.g_search.at
// probe of repeats at_key = dut.g_search.at_key
// probe of repeats below_ok = dut.g_search.below_ok
// probe of repeats below = dut.g_search.below
// probe of repeats below_key = dut.g_search.below_key
// probe of repeats above_ok = dut.g_search.above_ok
// probe of repeats above = dut.g_search.above
// probe of repeats above_key = dut.g_search.above_key
// probe of seen at = dut.g_search.at
// probe of seen at_key = dut.g_search.at_key
// probe of seen below_ok = dut.g_search.below_ok
// probe of seen below = dut.g_search.below
// probe of seen below_key = dut.g_search.below_key
// probe of seen above_ok = dut.g_search.above_ok
// probe of seen above = dut.g_search.above
// probe of seen above_key = dut.g_search.above_key
// probe of seen_pairs turn = dut.g_chain.turn
// probe of seen_pairs turn_key = dut.g_chain.turn_key
// mutant of sound samhw_axi_places: if (down)\n                        above <= at;
//     => if (down && !above_ok)\n                        above <= at;
// mutant of sound samhw_axi_places: b_told && b_bounds[ADDR_W-1:0] < b_bounds
//     => b_told && b_bounds[ADDR_W-1:0] <= b_bounds
// mutant of sound samhw_axi_places: wire                     up    = !k_first && k_place > at;
//     => wire                     up    = k_place > at;
// mutant of repeats samhw_axi_places: k_top   <= REPEATS != 0 ? wide_limit - UNIT :
//     => k_top   <= REPEATS != 0 ? wide_limit - UNIT - UNIT :
// mutant of repeats samhw_axi_places: k_key   <= REPEATS != 0 ? wide_crd : wide_crd - wide_place;
//     => k_key   <= wide_crd - wide_place;
// mutant of sound_pairs samhw_axi_places: k_two    <= rest != ONE; => k_two    <= 1'b1;
// mutant of sound_pairs samhw_axi_places: wire                     on     = !anew && !back;
//     => wire                     on     = !anew;
// mutant of seen samhw_axi_places: under_key = up ? at_key : below_key; => under_key = up ? below_key : at_key;
// mutant of seen samhw_axi_places: assign falls = d_key < d_low || d_top < d_key;
//     => assign falls = d_key < d_low || d_top < d_low;
// mutant of seen samhw_axi_places: wire signed [KEY_W-1:0]  over_key  = down ? at_key : above_key;
//     => wire signed [KEY_W-1:0]  over_key  = down ? above_key : at_key;
// mutant of seen samhw_axi_places: wire                     over  = down || (!k_first && above_ok && above > k_place);
//     => wire                     over  = down || (!k_first && above_ok && above < k_place);
// mutant of seen_pairs samhw_axi_places: assign falls = d_low < d_from || d_key < d_low || d_high < d_key || d_top <
//     d_high; => assign falls = d_low < d_from || d_key < d_low || d_top < d_high;
// mutant of seen_pairs samhw_axi_places: d_low < d_from || d_key < d_low || d_high < d_key
//     => d_low < d_from || d_high < d_key
`default_nettype none

module formal_axi_places #(
    parameter PAIRS   = 0,
    parameter SEEN    = 0,
    parameter REPEATS = 0
) (
    input wire        clk,
    input wire [15:0] any,
    input wire [2:0]  size,
    input wire [2:0]  s0,
    input wire [2:0]  s1,
    input wire [2:0]  s2,
    input wire        bound_in,
    input wire [1:0]  what,
    input wire        asked,
    input wire        onward,
    input wire [2:0]  addr,
    input wire [2:0]  len_in,
    input wire        told_in,
    input wire [3:0]  answer,
    input wire [2:0]  dut_place,
    input wire        s_valid,
    input wire [(PAIRS != 0 ? 3 : 1):0] s_crd,
    input wire        f_valid,
    input wire [2:0]  f_begin,
    input wire [2:0]  f_end,
    input wire        b_told,
    input wire        b_some,
    input wire        b_fresh,
    input wire [5:0]  b_bounds,
    input wire [5:0]  b_former,
    input wire [43:0] entries,
    input wire [2:0]  count,
    input wire [1:0]  f_count,
    input wire        f_head,
    input wire        f_tail,
    input wire [5:0]  f_word0,
    input wire [5:0]  f_word1,
    input wire [1:0]  q_count,
    input wire        q_filled,
    input wire        q_head,
    input wire        q_tail,
    input wire [(PAIRS != 0 ? 2 : 5):0] q_word0,
    input wire [(PAIRS != 0 ? 2 : 5):0] q_word1,
    input wire        q_going,
    input wire [2:0]  q_next,
    input wire [2:0]  q_left,
    input wire        here,
    input wire [2:0]  begins,
    input wire [2:0]  ends,
    input wire        c_valid,
    input wire        c_first,
    input wire        c_lost,
    input wire [2:0]  c_place,
    input wire [2:0]  c_begin,
    input wire [2:0]  c_end,
    input wire [(PAIRS != 0 ? 3 : 1):0] c_crd,
    input wire        k_valid,
    input wire        k_first,
    input wire        k_lost,
    input wire [2:0]  k_place,
    input wire [4:0]  k_key,
    input wire [4:0]  k_low,
    input wire [4:0]  k_top,
    input wire        d_valid,
    input wire        d_lost,
    input wire        falls,
    input wire [2:0]  at,
    input wire [4:0]  at_key,
    input wire        below_ok,
    input wire [2:0]  below,
    input wire [4:0]  below_key,
    input wire        above_ok,
    input wire [2:0]  above,
    input wire [4:0]  above_key,
    input wire [2:0]  turn,
    input wire [4:0]  turn_key
);

    reg started = 1'b0;
    reg ready   = 1'b0;
    always @(posedge clk)
        {started, ready} <= {1'b1, started};
    wire rst = !ready;

    // A level of two fibers: its coordinates, its segments; the size.
    reg  [15:0] level;
    reg  [2:0]  limit;
    reg  [2:0]  seg0;
    reg  [2:0]  seg1;
    reg  [2:0]  seg2;
    always @(posedge clk)
        if (!started)
            {level, limit, seg0, seg1, seg2} <= {any, size, s0, s1, s2};
    reg     rises;
    integer p;
    always @* begin
        rises = 1'b1;
        for (p = 0; p < 4; p = p + 1) begin
            if (p >= seg0 && p < seg2 && {1'b0, level[2*p +: 2]} >= limit)
                rises = 1'b0;
            if (p >= seg0 && p + 1 < seg2 && p + 1 != seg1
                && (REPEATS != 0 ? level[2*p +: 2] > level[2*p+2 +: 2] : level[2*p +: 2] >= level[2*p+2 +: 2]))
                rises = 1'b0;
        end
    end
    always @* begin
        assume (!ready || (seg0 <= seg1 && seg1 <= seg2 && seg2 <= 3'd4));
        assume (!ready || SEEN != 0 || rises);
    end

    // Fibers that are told; again, or without coordinates, they are no others.
    reg        some = 1'b0;
    reg        newest;
    reg  [1:0] todo = 2'd0;   // that were told and not asked for
    reg  [1:0] held = 2'd0;   // that were told and have no answer
    wire       bound = ready && bound_in;
    wire [5:0] bounds = what == 2'd0 ? {seg1, seg0} : what == 2'd1 ? {seg2, seg1} : {addr, addr};
    wire       new_   = bound && !what[1] && bounds[5:3] != bounds[2:0] && !(some && newest == what[0]);

    // Requests within the fiber at hand or the next one.
    reg        begun = 1'b0;
    reg        cur;
    wire       id    = onward ? newest ^ todo[1] : cur;
    wire [2:0] lo    = id ? seg1 : seg0;
    wire [2:0] hi    = id ? seg2 : seg1;
    wire [2:0] len   = PAIRS != 0 ? 3'd1 : len_in;
    wire       ask   = ready && asked;
    wire       there;
    wire       fiber;
    wire       first;
    wire [2:0] place;
    wire [2:0] left;
    wire       told  = ready && told_in;

    // Answers count from the cycle behind them on, and so do fibers.
    reg        g_told = 1'b0;
    reg  [3:0] g_crd;
    reg        g_new  = 1'b0;
    reg        g_some = 1'b0;
    reg        g_newest;
    reg        going  = 1'b0;  // the request's first answer has come
    reg        same   = 1'b0;  // so has the fiber's
    reg  [1:0] waits  = 2'd0;
    wire       opens  = g_told && first && !same;
    always @(posedge clk) begin
        g_told <= told;
        g_crd  <= answer;
        g_new  <= new_;
        if (ready) begin
            todo  <= todo + {1'b0, new_} - {1'b0, ask && onward};
            held  <= held + {1'b0, g_new} - {1'b0, opens};
            waits <= waits + {1'b0, ask} - {1'b0, g_told && !going};
            if (new_)
                {some, newest} <= {1'b1, what[0]};
            if (g_new)
                {g_some, g_newest} <= {some, newest};
            if (ask)
                {begun, cur} <= {1'b1, id};
            if (g_told) begin
                going <= left != 3'd1;
                same  <= first && left != 3'd1;
            end
        end
    end
    always @* begin
        assume (!g_new || held < 2'd2);
        assume (!ask || (waits < 2'd2 && (onward ? todo != 2'd0 : begun)));
        assume (!ask || (addr >= lo && addr < hi && len != 3'd0 && len <= hi - addr));
        assume (!g_told || there);
        assume (!g_told || SEEN != 0 || g_crd == {level[2*place+2 +: 2], level[2*place +: 2]});
    end
    samhw_fibers #(.W(3), .STOP_W(2), .DEPTH(4)) answers (
        .clk(clk), .started(ready), .put(ask), .list(1'b1), .stop(2'd0), .hole({id, onward}), .first(addr), .len(len),
        .step(g_told), .many(3'd1), .any(there), .kind(), .stop_at(), .hole_at({fiber, first}), .place(place),
        .left(left));

    wire [3:0] crd = answer;
    wire       wrong;
    samhw_axi_places #(.ADDR_W(3), .DATA_W(2), .LIMIT_W(3), .PAIRS(PAIRS), .REPEATS(REPEATS), .WAIT_LOG2(1)) dut (
        .clk(clk), .rst(rst), .limit(limit), .bound(bound), .bounds(bounds),
        .asked(ask), .asked_beat(PAIRS != 0 ? {3'd0, addr} : {len, addr}), .told(told),
        .crd(PAIRS != 0 ? crd : {2'd0, crd[1:0]}),
        .wrong(wrong)
    );

    // The fiber of an answer; answers on their way to where they are compared.
    reg        g_any = 1'b0;
    reg        g_cur;
    reg        g_c   = 1'b0;
    reg  [8:0] c_beat;
    reg        g_k   = 1'b0;
    reg        k_opens;
    reg        k_id;
    reg  [2:0] k_at;
    reg  [3:0] k_crd;
    always @(posedge clk)
        if (ready) begin
            g_c    <= g_told;
            c_beat <= {opens, fiber, place, g_crd};
            g_k    <= g_c;
            {k_opens, k_id, k_at, k_crd} <= c_beat;
            if (g_told)
                {g_any, g_cur} <= {1'b1, fiber};
        end
    function [5:0] range(input which, input [2:0] a, input [2:0] b, input [2:0] c);
        range = which ? {c, b} : {b, a};
    endfunction
    function [4:0] key(input [1:0] c, input [2:0] at_);
        key = REPEATS != 0 ? {3'd0, c} : {3'd0, c} - {2'd0, at_};
    endfunction
    wire [2:0] k_begin_ = k_id ? seg1 : seg0;
    wire [2:0] k_end_   = k_id ? seg2 : seg1;
    wire       k_both   = PAIRS != 0 && k_at + 3'd1 < k_end_;

    // Requests whose answers are to come: each lies in its fiber, and fibers take turns.
    wire [5:0] oldest = range(g_newest ^ held[1], seg0, seg1, seg2);
    wire [5:0] latest = range(g_newest, seg0, seg1, seg2);
    wire       o0 = count > 3'd0 && entries[6] && !same;
    wire       o1 = count > 3'd1 && entries[17];
    wire       o2 = count > 3'd2 && entries[28];
    wire [1:0] fresh_ = {1'b0, o0} + {1'b0, o1} + {1'b0, o2};
    wire       id0 = entries[7];
    wire       id1 = entries[18];
    wire       id2 = entries[29];
    wire [5:0] head0 = {entries[2:0], entries[5:3]};
    wire [5:0] head1 = {entries[13:11], entries[16:14]};
    wire [5:0] head2 = {entries[24:22], entries[27:25]};
    function lies(input which, input [5:0] e, input [2:0] a, input [2:0] b, input [2:0] c);
        lies = e[2:0] >= (which ? b : a) && e[5:3] != 3'd0 && {1'b0, e[2:0]} + {1'b0, e[5:3]} <= {1'b0, which ? c : b};
    endfunction
    wire [5:0] next0 = going ? head1 : head0;
    wire [5:0] next1 = going ? head2 : head1;
    always @*
        if (ready) begin
            assert (count <= 3'd3 && waits == count[1:0] - {1'b0, going} && waits <= 2'd2
                    && (count != 3'd0 || !(going || same)));
            assert (!same || (going && first));
            assert (PAIRS == 0 || !going);
            assert (held <= 2'd2 && {1'b0, todo} + {1'b0, fresh_} == {1'b0, held} + {2'd0, g_new});
            assert (!begun || (some && cur == newest ^ todo[0]));
            assert (begun == (g_any || count != 3'd0) && (begun || !o0) && (g_any || count == 3'd0 || o0));
            assert (count == 3'd0 || (lies(id0, head0, seg0, seg1, seg2) && (!g_any || g_cur == id0 ^ o0)
                                      && (count > 3'd1 || id0 == cur)));
            assert (count <= 3'd1
                    || (lies(id1, head1, seg0, seg1, seg2) && id0 == id1 ^ o1 && (count > 3'd2 || id1 == cur)));
            assert (count <= 3'd2 || (lies(id2, head2, seg0, seg1, seg2) && id1 == id2 ^ o2 && id2 == cur));
            assert (count != 3'd0 || !begun || g_cur == cur);
            assert (!g_new ? g_some == some && (!some || g_newest == newest) : some && (!g_some || g_newest != newest));
            assert (!some || (seg0 != seg1 || newest) && (seg1 != seg2 || !newest));
            assert (g_some || held == 2'd0);
            assert (held != 2'd2 || (seg0 != seg1 && seg1 != seg2));
            assert (g_some || !begun);
        end

    // What the module holds of them.
    wire [5:0] new_range = range(newest, seg0, seg1, seg2);
    wire [5:0] now_range = range(g_cur, seg0, seg1, seg2);
    wire [5:0] c_range   = range(c_beat[7], seg0, seg1, seg2);
    always @*
        if (ready) begin
            assert (s_valid == g_told && (!g_told || s_crd == (PAIRS != 0 ? g_crd : {2'd0, g_crd[1:0]})));
            assert (b_fresh == g_new && (!g_new || b_bounds == new_range) && b_some == g_some
                    && (!g_some || b_former == latest));
            assert (f_count == held && f_valid == (held != 2'd0) && (f_head ^ f_tail) == held[0]);
            assert (held == 2'd0 || {f_end, f_begin} == oldest);
            assert (held != 2'd2 || (f_head ? f_word0 : f_word1) == latest);
            assert (here == g_any && (!g_any || {ends, begins} == now_range));
            assert (q_count == waits && q_filled == (waits != 2'd0) && (q_head ^ q_tail) == waits[0]);
            assert (waits == 2'd0 || (q_head ? q_word1 : q_word0) == (PAIRS != 0 ? {3'd0, next0[2:0]} : next0));
            assert (waits != 2'd2 || (q_head ? q_word0 : q_word1) == (PAIRS != 0 ? {3'd0, next1[2:0]} : next1));
            assert (PAIRS != 0 || (q_going == going && (!going || {q_left, q_next} == head0)));
            assert (!there || dut_place == place);
            assert (c_valid == g_c && (!g_c || (c_first == c_beat[8] && !c_lost && c_place == c_beat[6:4])));
            assert (REPEATS != 0 || !g_c || {c_end, c_begin} == c_range);
            assert (!g_c || c_crd == (PAIRS != 0 ? c_beat[3:0] : {2'd0, c_beat[1:0]}));
            assert (!g_c || lies(c_beat[7], {3'd1, c_beat[6:4]}, seg0, seg1, seg2));
            assert (k_valid == g_k
                    && (!g_k || (k_first == k_opens && !k_lost && k_place == k_at && k_key == key(k_crd[1:0], k_at))));
            assert (!g_k || lies(k_id, {3'd1, k_at}, seg0, seg1, seg2));
            assert (REPEATS != 0 || !g_k || k_low == 5'd0 - {2'd0, k_begin_});
            assert (!g_k || k_top == (REPEATS != 0 ? {2'd0, limit} - 5'd1 : {2'd0, limit} - {2'd0, k_end_}));
            assert (!d_valid || !d_lost);
        end

    // The fiber that was compared last.
    reg k_any = 1'b0;
    reg k_cur;
    always @(posedge clk)
        if (ready && g_k)
            {k_any, k_cur} <= {1'b1, k_id};
    wire       was   = k_any;
    wire [2:0] w_lo  = k_cur ? seg1 : seg0;
    wire [2:0] w_hi  = k_cur ? seg2 : seg1;
    wire       c_cur = g_k ? k_id : k_cur;
    always @*
        if (ready) begin
            assert (!g_k || (k_opens ? !k_any || k_id != k_cur : k_any && k_id == k_cur));
            assert (!g_c || (c_beat[8] ? !(k_any || g_k) || c_beat[7] != c_cur : (k_any || g_k) && c_beat[7] == c_cur));
            assert (g_any == (k_any || g_k || g_c) && (!g_any || g_cur == (g_c ? c_beat[7] : c_cur)));
        end

    // What is remembered of the level, as it is there.
    wire [4:0] key_at    = key(level[2*at +: 2], at);
    wire [4:0] key_below = key(level[2*below +: 2], below);
    wire [4:0] key_above = key(level[2*above +: 2], above);
    generate
        if (SEEN == 0) begin : g_sound
            always @*
                if (ready)
                    assert (!wrong && (!d_valid || !falls));
            always @*
                if (ready) begin
                    assert (!g_c || c_beat[3:0] == {level[2*c_beat[6:4]+2 +: 2], level[2*c_beat[6:4] +: 2]});
                    assert (!g_k || k_crd == {level[2*k_at+2 +: 2], level[2*k_at +: 2]});
                end
            if (PAIRS == 0) begin : g_search
                always @*
                    if (ready && was) begin
                        assert (at >= w_lo && at < w_hi && at_key == key_at);
                        assert (!below_ok || (below >= w_lo && below < w_hi && below_key == key_below));
                        assert (!above_ok || (above >= w_lo && above < w_hi && above_key == key_above));
                    end
            end
        end else begin : g_seen
            // What was read of the fiber: the place read last and the one before it; of pairs, how far they
            // came in turn, and the coordinate there.
            reg  [2:0] at1;
            reg  [1:0] crd1;
            reg        two_;
            reg  [2:0] at2;
            reg  [1:0] crd2;
            reg        in_turn;
            wire [2:0] high   = k_both ? k_at + 3'd1 : k_at;
            wire [1:0] top    = k_both ? k_crd[3:2] : k_crd[1:0];
            wire       next   = !k_opens && in_turn && k_at == at1 + 3'd1;
            always @(posedge clk)
                if (g_k) begin
                    {at1, crd1} <= {high, top};
                    {at2, crd2} <= {at1, crd1};
                    two_    <= !k_opens;
                    in_turn <= k_at == k_begin_ || next;
                end

            // There are at least as many coordinates between two as places.
            function fits(input [2:0] a, input [1:0] c, input [2:0] b, input [1:0] d);
                fits = {3'd0, d} + {2'd0, a} >= {3'd0, c} + {2'd0, b};
            endfunction
            wire up      = !k_opens && k_at > at1;
            wire down    = !k_opens && k_at < at1;
            wire between = !k_opens && two_ && (up ? at2 > k_at : down && at2 < k_at);
            wire room    = {2'd0, k_crd[1:0]} + {1'b0, k_begin_} >= {1'b0, k_at}
                           && {2'd0, top} + {1'b0, k_end_} <= {1'b0, limit} + {1'b0, high};
            wire beside  = !(up && !fits(at1, crd1, k_at, k_crd[1:0])) && !(down && !fits(k_at, k_crd[1:0], at1, crd1));
            wire inside  = !between || (up ? fits(k_at, k_crd[1:0], at2, crd2) : fits(at2, crd2, k_at, k_crd[1:0]));
            wire well    = room && (PAIRS == 0 ? beside && inside
                                               : !(next && !fits(at1, crd1, k_at, k_crd[1:0]))
                                               && !(k_both && !fits(k_at, k_crd[1:0], high, top)));
            reg  [1:0] bad = 2'd0;
            always @(posedge clk)
                bad <= {bad[0], ready && g_k && !well};
            always @*
                if (ready) begin
                    assert (!bad[1] || wrong);
                    assert (!bad[0] || wrong || (d_valid && falls));
                end
            if (PAIRS == 0) begin : g_search
                // What is remembered has room on either side, or was called wrong.
                wire signed [4:0] low_  = 5'd0 - {2'd0, w_lo};
                wire signed [4:0] top_  = {2'd0, limit} - {2'd0, w_hi};
                wire              told_ = wrong || (d_valid && falls);
                always @*
                    if (ready && was) begin
                        assert (told_ || ($signed(at_key) >= low_ && $signed(at_key) <= top_));
                        assert (told_ || !below_ok || ($signed(below_key) >= low_ && $signed(below_key) <= top_));
                        assert (told_ || !above_ok || ($signed(above_key) >= low_ && $signed(above_key) <= top_));
                        assert (at == at1 && at_key == key(crd1, at1) && at1 >= w_lo && at1 < w_hi);
                        assert (!two_ || at2 == at1
                                || (at2 < at1 ? below_ok && below == at2 && below_key == key(crd2, at2)
                                              : above_ok && above == at2 && above_key == key(crd2, at2)));
                    end
            end else begin : g_chain
                always @*
                    if (ready && was && in_turn)
                        assert (turn == at1 && turn_key == key(crd1, at1));
            end
        end
    endgenerate

endmodule

`default_nettype wire
