// SPDX-License-Identifier: Apache-2.0
//
// Proof: whatever tiles are told and whenever, each request that lies within the array gets the word in
// memory that it asks for, in order and each once, whenever the memory gives its lines; what is offered stays
// until it is taken. Fetches stay until they are taken and lie within the lines of the array. A request that
// does not lie within the array is told, and nothing comes behind it. What is known of the inside: a line is
// kept where its tile says once it has come, tiles follow one another, and what is told of them lies within
// the array.
// probe cur_live = dut.cur_live
// probe cur_first = dut.cur_first
// probe cur_last = dut.cur_last
// probe cur_base = dut.cur_base
// probe cur_shift = dut.cur_shift
// probe cur_have = dut.cur_have
// probe asked = dut.asked
// probe got = dut.got
// probe asking = dut.asking
// probe fresh = dut.fresh
// probe known = dut.known
// probe planned = dut.planned
// probe burst = dut.burst
// probe ends = dut.ends
// probe new_first = dut.new_first
// probe new_last = dut.new_last
// probe new_line = dut.new_line
// probe h_valid = dut.h_valid
// probe h_first = dut.h_first
// probe h_last = dut.h_last
// probe g_valid = dut.g_valid
// probe g_first = dut.g_first
// probe g_last = dut.g_last
// probe w_valid = dut.w_valid
// probe w_word = dut.w_word
// probe stays = steady.stays
// probe w_out = dut.w_out
// probe s_line = dut.s_line
// probe end_line = dut.last
// probe ask = dut.ask
// probe line_0 = dut.lines[0]
// probe line_1 = dut.lines[1]
// probe s_valid = dut.u_lane.s_valid
// probe s_lane = dut.u_lane.s_lane
// probe t_count = dut.u_told.count
// probe t_filled = dut.u_told.filled
// probe t_head = dut.u_told.head
// probe t_tail = dut.u_told.tail
// probe told_0 = dut.u_told.words[0]
// probe told_1 = dut.u_told.words[1]
// probe a_count = dut.u_ahead.count
// probe a_filled = dut.u_ahead.filled
// probe a_head = dut.u_ahead.head
// probe a_tail = dut.u_ahead.tail
// probe fetched = bus.fetches.fibers
// probe n_fetched = bus.fetches.count
// probe requests = owed.fibers
// probe n_requests = owed.count
// probe ahead_0 = dut.u_ahead.words[0]
// probe ahead_1 = dut.u_ahead.words[1]
// probe ahead_2 = dut.u_ahead.words[2]
// probe ahead_3 = dut.u_ahead.words[3]
// probe ahead_4 = dut.u_ahead.words[4]
// probe ahead_5 = dut.u_ahead.words[5]
// probe ahead_6 = dut.u_ahead.words[6]
// probe ahead_7 = dut.u_ahead.words[7]
// probe ahead_8 = dut.u_ahead.words[8]
// probe ahead_9 = dut.u_ahead.words[9]
// probe ahead_10 = dut.u_ahead.words[10]
// probe ahead_11 = dut.u_ahead.words[11]
// probe ahead_12 = dut.u_ahead.words[12]
// probe ahead_13 = dut.u_ahead.words[13]
// probe ahead_14 = dut.u_ahead.words[14]
// probe ahead_15 = dut.u_ahead.words[15]
// mutant samhw_axi_tiles: hint_end > {1'b0, hint_start} && hint_end <= words; => hint_end > {1'b0, hint_start};
// mutant samhw_axi_words: wire              q_inside = q_end <= words; => wire              q_inside = q_end < words;
// mutant samhw_axi_tiles: wire [WORD_W-1:0] hint_last  = {{(WORD_W-ADDR_W-1){1'b0}}, hint_end} + shift -
//     => wire [WORD_W-1:0] hint_last  = {{(WORD_W-ADDR_W-1){1'b0}}, hint_end} -
`default_nettype none

module formal_axi_tiles (
    input wire        clk,
    input wire [7:0]  bits,
    input wire [1:0]  begins,
    input wire [2:0]  size,
    input wire        hint_valid,
    input wire [3:0]  hint,
    input wire        req_valid,
    input wire [1:0]  addr,
    input wire        rsp_ready,
    input wire        fetch_ready_in,
    input wire        goes,
    input wire [15:0] rest,
    input wire        cur_live,
    input wire [9:0]  cur_first,
    input wire [9:0]  cur_last,
    input wire [2:0]  cur_base,
    input wire        cur_shift,
    input wire [1:0]  cur_have,
    input wire [2:0]  asked,
    input wire [2:0]  got,
    input wire        asking,
    input wire        fresh,
    input wire        known,
    input wire        planned,
    input wire [8:0]  burst,
    input wire        ends,
    input wire [9:0]  new_first,
    input wire [9:0]  new_last,
    input wire [9:0]  new_line,
    input wire        h_valid,
    input wire [9:0]  h_first,
    input wire [9:0]  h_last,
    input wire        g_valid,
    input wire [9:0]  g_first,
    input wire [9:0]  g_last,
    input wire        w_valid,
    input wire [10:0] w_word,
    input wire        stays,
    input wire        w_out,
    input wire [15:0] s_line,
    input wire [9:0]  end_line,
    input wire        ask,
    input wire [15:0] line_0,
    input wire [15:0] line_1,
    input wire        s_valid,
    input wire        s_lane,
    input wire [1:0]  t_count,
    input wire        t_filled,
    input wire        t_head,
    input wire        t_tail,
    input wire [19:0] told_0,
    input wire [19:0] told_1,
    input wire [4:0]  a_count,
    input wire        a_filled,
    input wire [3:0]  a_head,
    input wire [3:0]  a_tail,
    input wire [32:0] fetched,
    input wire [2:0]  n_fetched,
    input wire [27:0] requests,
    input wire [2:0]  n_requests,
    input wire [22:0] ahead_0,
    input wire [22:0] ahead_1,
    input wire [22:0] ahead_2,
    input wire [22:0] ahead_3,
    input wire [22:0] ahead_4,
    input wire [22:0] ahead_5,
    input wire [22:0] ahead_6,
    input wire [22:0] ahead_7,
    input wire [22:0] ahead_8,
    input wire [22:0] ahead_9,
    input wire [22:0] ahead_10,
    input wire [22:0] ahead_11,
    input wire [22:0] ahead_12,
    input wire [22:0] ahead_13,
    input wire [22:0] ahead_14,
    input wire [22:0] ahead_15
);

    reg started = 1'b0;
    reg ready   = 1'b0;
    always @(posedge clk)
        {started, ready} <= {1'b1, started};
    wire rst = !ready;

    // What the memory's bytes are, one bit of each; where the array begins, its words.
    wire [7:0] memory;
    wire [1:0] base;
    wire [2:0] words;

    wire        req_ready, rsp_valid, fetch_valid, beyond;
    wire [17:0] fetch_beat;
    wire        some;
    wire        data_valid;
    wire [15:0] data;
    wire        fetch_ready;
    wire        answer;
    samhw_axi_tiles #(
        .ADDR_W(2), .DATA_W(1), .SIZE_LOG2(0), .BUS_LOG2(1), .AXI_W(10), .HINTS_LOG2(1), .LINES_LOG2(1), .BURST_LOG2(0)
    ) dut (
        .clk(clk), .rst(rst), .base({8'd0, base}), .words(words), .beyond(beyond),
        .hint_valid(hint_valid && ready), .hint_beat(hint),
        .read_req_valid(req_valid && ready), .read_req_ready(req_ready), .read_req_beat(addr),
        .read_rsp_valid(rsp_valid), .read_rsp_ready(rsp_ready), .read_rsp_beat(answer),
        .fetch_valid(fetch_valid), .fetch_ready(fetch_ready), .fetch_beat(fetch_beat),
        .data_valid(data_valid), .data_beat(data)
    );
    wire give  = ready && rsp_valid && rsp_ready;

    wire [2:0] open;
    wire [9:0]  from;
    wire [9:0]  to;
    wire [1:0]  last_line;
    samhw_lines #(.DEPTH(3)) bus (
        .clk(clk), .started(ready), .drawn(started), .bits(bits), .begins(begins), .size(size), .memory(memory),
        .base(base), .words(words),
        .last_line(last_line), .goes(goes), .rest(rest), .fetch_ready_in(fetch_ready_in),
        .fetch_valid(fetch_valid), .fetch_ready(fetch_ready), .fetch_beat(fetch_beat), .from(from), .to(to),
        .data_valid(data_valid), .data(data), .some(some), .open(open));

    // Requests count as soon as they are there.
    samhw_steady #(.W(2)) steady (
        .clk(clk), .started(ready), .valid(req_valid), .ready(req_ready), .beat(addr));
    reg        seen = 1'b0;
    reg        lost = 1'b0;
    wire       comes  = ready && req_valid && !seen;
    wire [2:0] behind = {1'b0, addr} + 3'd1;
    wire       fits   = behind <= words && !lost;
    always @(posedge clk)
        if (ready) begin
            seen <= req_valid && !req_ready;
            lost <= lost || (comes && !fits);
        end
    wire       any;
    wire [1:0] place;
    samhw_fibers #(.W(2), .STOP_W(1), .DEPTH(4)) owed (
        .clk(clk), .started(ready), .put(comes && fits), .list(1'b1), .stop(1'b0), .hole(1'b0), .first(addr),
        .len(2'd1), .step(give), .many(2'd1),
        .any(any), .kind(), .stop_at(), .hole_at(), .place(place), .left());
    samhw_kept #(.W(1)) kept (.clk(clk), .started(ready), .valid(rsp_valid), .ready(rsp_ready), .beat(answer));

    wire [2:0] at   = {1'b0, base} + {1'b0, place};

    always @*
        if (ready) begin
            assert (!rsp_valid || any);
            assert (!rsp_valid || answer == memory[at]);
            assert (!fetch_valid || to == from);
            assert (!beyond || lost);
        end

    // The lines that were asked for last, by where they are kept, and whether there is one; those on their way.
    reg  [9:0] kept_0;
    reg  [9:0] kept_1;
    reg  [1:0] ever   = 2'd0;
    wire [9:0] b_line = {9'd0, base[1]};
    wire [9:0] e_line = b_line + end_line;
    wire [2:0] flying = asked - got;
    wire       newest = !asked[0];
    wire [1:0] comes_ = flying == 3'd2 ? 2'd3 : flying == 3'd1 ? (newest ? 2'd2 : 2'd1) : 2'd0;
    wire [2:0] used   = asked - cur_base;
    wire [2:0] there  = got - cur_base;
    always @(posedge clk)
        if (ready && ask)
            if (asked[0])
                {ever[1], kept_1} <= {1'b1, b_line + new_line};
            else
                {ever[0], kept_0} <= {1'b1, b_line + new_line};
    function is_line(input [15:0] data_, input [1:0] at_, input [7:0] all);
        is_line = data_[0] == all[{at_, 1'b0}] && data_[8] == all[{at_, 1'b1}];
    endfunction
    wire [9:0] oldest_kept = got[0] ? kept_1 : kept_0;
    wire [9:0] other_kept  = got[0] ? kept_0 : kept_1;
    wire [9:0] newest_kept = newest ? kept_1 : kept_0;
    always @*
        if (ready) begin
            assert (words == 3'd0 || (e_line == {8'd0, last_line} && end_line <= 10'd2));
            assert (flying <= 3'd2 && used <= 3'd2 && n_fetched <= 3'd2 && n_requests <= 3'd3
                    && n_fetched + {2'd0, fetch_valid} == flying && open == n_fetched);
            assert (n_fetched == 3'd0 || fetched[7:0] == {oldest_kept[3:0], 4'd1});
            assert (n_fetched <= 3'd1 || fetched[18:11] == {other_kept[3:0], 4'd1});
            assert (!fetch_valid || fetch_beat == {8'd0, newest_kept << 1});
            assert (!ever[0] || (words != 3'd0 && kept_0 >= b_line && kept_0 <= e_line));
            assert (!ever[1] || (words != 3'd0 && kept_1 >= b_line && kept_1 <= e_line));
            assert ((flying == 3'd0 && used == 3'd0) || ever[newest]);
            assert ((flying <= 3'd1 && used <= 3'd1) || ever == 2'd3);
            assert (!ever[0] || comes_[0] || is_line(line_0, kept_0[1:0], memory));
            assert (!ever[1] || comes_[1] || is_line(line_1, kept_1[1:0], memory));
        end

    always @*
        assert (started || !ready);
    always @*
        if (!ready)
            assert (ever == 2'd0 && n_fetched == 3'd0 && n_requests == 3'd0 && open == 3'd0 && !seen && !lost
                    && (!started || words <= 3'd4));

    // Tiles: the one in use, those ahead of it, the one begun last. Each begins where the one before it ends.
    function tile(input [9:0] first_, input [9:0] last_, input [9:0] most);
        tile = first_ <= last_ && last_ <= most && last_ - first_ <= 10'd1;
    endfunction
    function [2:0] size_of(input [9:0] first_, input [9:0] last_);
        size_of = last_[0] == first_[0] ? 3'd1 : 3'd2;
    endfunction
    // What was asked for of a tile is kept where it is looked for.
    function kept_well(input [9:0] first_, input [9:0] last_, input [2:0] base_, input [2:0] asked_, input [9:0] line_,
                       input [9:0] k0, input [9:0] k1);
        kept_well = (asked_ == base_ || (base_[0] ? k1 : k0) == line_ + first_)
                    && (asked_ - base_ < 3'd2 || last_ == first_ || (base_[0] ? k0 : k1) == line_ + first_ + 10'd1);
    endfunction
    wire [367:0] all_ahead = {ahead_15, ahead_14, ahead_13, ahead_12, ahead_11, ahead_10, ahead_9, ahead_8,
                              ahead_7, ahead_6, ahead_5, ahead_4, ahead_3, ahead_2, ahead_1, ahead_0};
    wire [3:0]   head_1 = a_head + 4'd1;
    wire [3:0]   head_2 = a_head + 4'd2;
    wire [9:0]   first_0, last_0, first_1, last_1, first_2, last_2;
    wire [2:0]   base_0, base_1, base_2;
    assign {first_0, last_0, base_0} = all_ahead[a_head*23 +: 23];
    assign {first_1, last_1, base_1} = all_ahead[head_1*23 +: 23];
    assign {first_2, last_2, base_2} = all_ahead[head_2*23 +: 23];
    wire [22:0]  back = a_count == 5'd3 ? {first_2, last_2, base_2} : a_count == 5'd2 ? {first_1, last_1, base_1}
                      : a_count == 5'd1 ? {first_0, last_0, base_0} : {cur_first, cur_last, cur_base};
    wire [2:0]   back_end = back[2:0] + size_of(back[22:13], back[12:3]);
    wire [9:0]   word_line = w_word[10:1];
    wire         leaves = w_valid && !(cur_live && word_line >= cur_first && word_line <= cur_last);
    wire         alone  = a_count == 5'd0 && !fresh;
    wire [2:0]   new_base = fresh ? asked : back[2:0];
    wire [2:0]   new_has  = asked - new_base;
    always @*
        if (ready) begin
            assert (a_count <= 5'd3 && a_filled == (a_count != 5'd0) && a_tail - a_head == a_count[3:0]);
            assert (words != 3'd0 || !(cur_live || known || t_count != 2'd0 || h_valid || g_valid || w_valid));
            assert (!cur_live || (tile(cur_first, cur_last, end_line) && cur_shift == cur_base[0] ^ cur_first[0]));
            assert (cur_live || (asked == 3'd0 && got == 3'd0 && cur_base == 3'd0 && (known == !alone)));
            assert (a_count == 5'd0 || (tile(first_0, last_0, end_line) && asked - base_0 <= used));
            assert (a_count <= 5'd1 || (tile(first_1, last_1, end_line) && asked - base_1 <= used
                                        && base_1 == base_0 + size_of(first_0, last_0)));
            assert (a_count <= 5'd2 || (tile(first_2, last_2, end_line) && asked - base_2 <= used
                                        && base_2 == base_1 + size_of(first_1, last_1)));
            assert (!fresh || a_count == 5'd0 || asked == back_end);
            assert (alone || !cur_live || leaves
                    || (a_count == 5'd0 ? asked : base_0) == cur_base + size_of(cur_first, cur_last));
            assert (!known || (tile(new_first, new_last, end_line) && (fresh || {new_first, new_last} == back[22:3])));
            assert (!known || (asking ? new_line == new_first + {7'd0, new_has} && new_line <= new_last
                               : new_has == size_of(new_first, new_last)));
            assert (known || (alone && !asking && (!cur_live || leaves)));
            assert (!fresh || (known && asking && !planned));
            assert (!planned || (asking && burst == 9'd1 && ends == (new_line == new_last)));
            assert (!cur_live || leaves || kept_well(cur_first, cur_last, cur_base, asked, b_line, kept_0, kept_1));
            assert (a_count == 5'd0 || kept_well(first_0, last_0, base_0, asked, b_line, kept_0, kept_1));
            assert (a_count <= 5'd1 || kept_well(first_1, last_1, base_1, asked, b_line, kept_0, kept_1));
            assert (a_count <= 5'd2 || kept_well(first_2, last_2, base_2, asked, b_line, kept_0, kept_1));
            assert (!cur_live || (there[2] ? cur_have == 2'd0 : cur_have <= there[1:0]));
        end

    // What is told lies within the array.
    always @*
        if (ready) begin
            assert (!h_valid || (h_first <= h_last && h_last <= end_line));
            assert (!g_valid || tile(g_first, g_last, end_line));
            assert (t_count <= 2'd2 && t_filled == (t_count != 2'd0) && (t_head ^ t_tail) == t_count[0]);
            assert (t_count == 2'd0 || (t_head ? tile(told_1[19:10], told_1[9:0], end_line)
                                        : tile(told_0[19:10], told_0[9:0], end_line)));
            assert (t_count != 2'd2 || (t_head ? tile(told_0[19:10], told_0[9:0], end_line)
                                        : tile(told_1[19:10], told_1[9:0], end_line)));
        end

    // The words of requests: the one whose line was read, the one that is looked for, the one that is offered.
    wire [1:0] place_w = s_valid ? requests[10:9] : requests[3:2];
    wire [1:0] place_q = n_requests == 3'd3 ? requests[17:16] : n_requests == 3'd2 ? requests[10:9] : requests[3:2];
    wire [2:0] at_w    = {1'b0, base} + {1'b0, place_w};
    always @*
        if (ready) begin
            assert (n_requests == {2'd0, s_valid} + {2'd0, w_valid} + {2'd0, seen && !lost});
            assert (!s_valid || (s_lane == at[0] && is_line(s_line, at[2:1], memory)));
            assert (!w_valid
                    || ({b_line, 1'b0} + w_word == {8'd0, at_w} && {1'b0, place_w} < words && word_line <= end_line));
            assert (n_requests == 3'd0 || {requests[6], requests[1:0]} == 3'd5);
            assert (n_requests <= 3'd1 || {requests[13], requests[8:7]} == 3'd5);
            assert (n_requests <= 3'd2 || {requests[20], requests[15:14]} == 3'd5);
            assert ((n_fetched == 3'd0 || fetched[10]) && (n_fetched <= 3'd1 || fetched[21]));
            assert (stays == seen && (!lost || (seen && req_valid && {1'b0, addr} >= words)));
            assert (rsp_valid == s_valid && (!w_valid || w_out) && words <= 3'd4);
            assert (!(seen && !lost) || (place_q == addr && {1'b0, addr} < words && req_valid));
        end

endmodule

`default_nettype wire
