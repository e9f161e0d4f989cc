// SPDX-License-Identifier: Apache-2.0
//
// Proof, of a level in distributed RAM and of one in block RAM (VAST): arrivals pass in order, each once and
// as it came, and one is fresh where none of its list was at its address as far as the word's bit; of a
// list's items each word that is read leaves as its bits, from the lowest on, each that arrived once and no
// other, in the order of the items, a `none` item as it is, the last as such, with its bank. Shown for one
// list of those that arrive, drawn and any, and one bit of one word. What is offered stays until it is taken;
// with consumers that take, arrivals are taken unless two lists have not been read, and items of a list that
// has arrived. Which bits leave a level in block RAM needs to be told what is under way: what the stages of
// the way down will make of a bank's word, what is in RAM, and what the words that are read and wait hold of
// it.
// by: reachability
// case down: PART=0 HERE=5 VAST=0
// case order: PART=1 VAST=0
// case up: PART=2 HERE=5 VAST=0
// long case low: PART=2 HERE=0 VAST=0
// case progress: PART=3 VAST=0
// case vast_down: PART=0 HERE=5 VAST=1
// case vast_order: PART=1 VAST=1
// case vast_up: PART=2 HERE=5 VAST=1
// case vast_low: PART=2 HERE=0 VAST=1
// case vast_progress: PART=3 VAST=1
// probe of vast_up,vast_low begins = arrived.begins
// probe of vast_up,vast_low picked = arrived.picked
// probe of vast_up,vast_low arrives = arrived.arrives
// probe of vast_up,vast_low read_owed = arrived.owed
// probe of vast_up,vast_low read_ahead = arrived.ahead
// probe of vast_up,vast_low walk_begins = walked.begins
// probe of vast_up,vast_low walk_picked = walked.picked
// probe of vast_up,vast_low walk_arrives = walked.arrives
// probe of vast_up,vast_low walk_owed = walked.owed
// probe of vast_up,vast_low walk_ahead = walked.ahead
// probe of vast_up,vast_low holds = g_dut.dut.full
// probe of vast_up,vast_low s1_valid = g_dut.dut.s1_valid
// probe of vast_up,vast_low s1_fresh = g_dut.dut.s1_fresh
// probe of vast_up,vast_low s1 = g_dut.dut.s1
// probe of vast_up,vast_low s2_valid = g_dut.dut.s2_valid
// probe of vast_up,vast_low s2_new = g_dut.dut.s2_new
// probe of vast_up,vast_low s2_fresh = g_dut.dut.s2_fresh
// probe of vast_up,vast_low s2_hit = g_dut.dut.s2_hit
// probe of vast_up,vast_low s2_past = g_dut.dut.s2_past
// probe of vast_up,vast_low s2 = g_dut.dut.s2
// probe of vast_up,vast_low w_valid = g_dut.dut.w_valid
// probe of vast_up,vast_low w = g_dut.dut.w
// probe of vast_up,vast_low w_old = g_dut.dut.w_old
// probe of vast_up,vast_low w_word = g_dut.dut.w_word
// probe of vast_up,vast_low written = g_dut.dut.written
// probe of vast_up,vast_low answers = g_dut.dut.bank_word
// probe of vast_up,vast_low f_valid = g_dut.dut.f_valid
// probe of vast_up,vast_low f_hit = g_dut.dut.f_hit
// probe of vast_up,vast_low f_past = g_dut.dut.f_past
// probe of vast_up,vast_low f_tag = g_dut.dut.f_tag
// probe of vast_up,vast_low g_valid = g_dut.dut.g_valid
// probe of vast_up,vast_low g_tag = g_dut.dut.g_tag
// probe of vast_up,vast_low g_bits = g_dut.dut.g_bits
// probe of vast_up,vast_low n_valid = g_dut.dut.n_valid
// probe of vast_up,vast_low n_tag = g_dut.dut.n_tag
// probe of vast_up,vast_low n_word = g_dut.dut.n_word
// probe of vast_up,vast_low m_valid = g_dut.dut.m_valid
// probe of vast_up,vast_low m_tag = g_dut.dut.m_tag
// probe of vast_up,vast_low m_word = g_dut.dut.m_word
// probe of vast_up,vast_low two = g_dut.dut.two
// probe of vast_up,vast_low w_ready = g_dut.dut.w_ready
// probe of vast_up,vast_low walked_bits = g_dut.dut.u_walk.past
// probe of vast_up words_0 = g_dut.dut.g_words[0].u_ram.words[1]
// probe of vast_low words_0 = g_dut.dut.g_words[0].u_ram.words[0]
// probe of vast_up words_1 = g_dut.dut.g_words[1].u_ram.words[1]
// probe of vast_low words_1 = g_dut.dut.g_words[1].u_ram.words[0]
// mutant of down samhw_workspace_level: s2_hit <= s2_we && s2_bank == s1_bank && s2_pre == s1_pre; => s2_hit <= 1'b0;
// mutant of down samhw_workspace_level: s2_fresh || (s2_new && !s2_old[s2_bit]); => s2_fresh || !s2_old[s2_bit];
// mutant of down samhw_workspace_level: s2_fresh <= found; => s2_fresh <= s2_fresh;
// mutant of order samhw_workspace_level: assign walk_last = walk_ends && walk_over; => assign walk_last = walk_over;
// mutant of order samhw_workspace_level: wire room = w_ready || !(n_valid || f_valid); => wire room = 1'b1;
// mutant of order samhw_workspace_level: assign i_ready = full[i_bank] && room; => assign i_ready = room;
// mutant of up samhw_workspace_level: f_hit <= s2_we && s2_bank == i_bank && s2_pre == i_word; => f_hit <= 1'b0;
// mutant of up samhw_workspace_level: s2_fresh ? {N{1'b0}} : s2_old; => s2_old;
// mutant of low samhw_workspace_level: s2_fresh ? {N{1'b0}} : s2_old; => s2_old;
// mutant of low samhw_workspace_level: .raddr(full[k] ? i_word : s1_pre) => .raddr(s1_pre)
// mutant of up samhw_workspace_level: .raddr(full[k] ? i_word : s1_pre) => .raddr(s1_pre)
// mutant of progress samhw_workspace_level: full     <= (full | arrived) & ~left; => full     <= full | arrived;
// mutant of progress samhw_workspace_level: s1_valid && !full[s1_bank] && => s1_valid && full == {BANKS{1'b0}} &&
// mutant of vast_down samhw_workspace_vast_level: s2_hit  <= s2_we && s2_bank == s1_bank && s2_pre == s1_pre;
//     => s2_hit  <= 1'b0;
// mutant of vast_down samhw_workspace_vast_level: s2_past <= w_we && w_bank == s1_bank && w_pre == s1_pre;
//     => s2_past <= 1'b0;
// mutant of vast_down samhw_workspace_vast_level: w_hit ? written : w_past ? past :
//     => w_past ? past : w_hit ? written :
// mutant of vast_down samhw_workspace_vast_level: s2_fresh <= s2_found; => s2_fresh <= s2_fresh;
// mutant of vast_down samhw_workspace_vast_level: s2_fresh || (w_valid && !s3_new && absent); => s2_fresh;
// mutant of vast_down samhw_workspace_vast_level: s3_fresh || (s3_new && absent); => s3_fresh || absent;
// mutant of vast_down samhw_workspace_vast_level: s3_new <= s2_go && s2_new; => s3_new <= s2_go;
// mutant of vast_down samhw_workspace_vast_level: s3_fresh <= found; => s3_fresh <= s3_fresh;
// mutant of vast_order samhw_workspace_vast_level: assign walk_last = walk_ends && walk_over;
//     => assign walk_last = walk_over;
// mutant of vast_order samhw_workspace_vast_level: (!two || w_ready); => 1'b1;
// mutant of vast_order samhw_workspace_vast_level: assign i_ready = full[i_bank] && => assign i_ready =
// mutant of vast_order samhw_workspace_vast_level: n_valid && (m_valid || g_valid); => n_valid && g_valid;
// mutant of vast_up,vast_low samhw_workspace_vast_level: f_hit  <= s2_we && s2_bank == i_bank && s2_pre == i_word;
//     => f_hit  <= 1'b0;
// mutant of vast_up samhw_workspace_vast_level: f_past <= w_we && w_bank == i_bank && w_pre == i_word;
//     => f_past <= 1'b0;
// mutant of vast_up,vast_low samhw_workspace_vast_level: g_hit ? written : g_past ? past :
//     => g_past ? past : g_hit ? written :
// mutant of vast_up,vast_low samhw_workspace_vast_level: w_fresh ? {N{1'b0}} : w_old; => w_old;
// mutant of vast_up,vast_low samhw_workspace_vast_level: .raddr(full[k] ? i_word : s1_pre) => .raddr(s1_pre)
// mutant of vast_up samhw_workspace_vast_level: past   <= written; => past   <= w_word;
// mutant of vast_low samhw_workspace_vast_level: n_word <= m_valid ? m_word : g_word;
//     => n_word <= m_valid ? g_word : m_word;
// mutant of vast_progress samhw_workspace_vast_level: full     <= (full | arrived) & ~left;
//     => full     <= full | arrived;
// mutant of vast_progress samhw_workspace_vast_level: s1_valid && !full[s1_bank] &&
//     => s1_valid && full == {BANKS{1'b0}} &&
// mutant of vast_progress samhw_workspace_vast_level: <= two ? !leaves || f_go : => <= two ? 1'b1 :
`default_nettype none

module formal_workspace_level #(
    parameter PART = 0,
    parameter HERE = 0,
    parameter VAST = 0
) (
    input wire       clk,
    input wire       acc_valid,
    input wire [2:0] acc_addr,
    input wire       acc_update,
    input wire       acc_fresh,
    input wire       acc_last,
    input wire       below_ready,
    input wire       item_valid,
    input wire       item_word,
    input wire       item_none,
    input wire       item_last,
    input wire       walk_ready,
    input wire       pick,
    input wire begins, picked, arrives, read_owed, walk_begins, walk_picked, walk_arrives, walk_owed, s1_valid,
               s1_fresh, s2_valid, s2_new,
              s2_fresh, s2_hit, s2_past, w_valid, f_valid, f_hit, f_past, g_valid, n_valid, m_valid, two, w_ready,
    input wire [1:0] holds,
    input wire [3:0] read_ahead, walk_ahead, w_old, w_word, written, f_tag, g_tag, g_bits, n_tag, m_tag, walked_bits,
                     words_0, words_1,
    input wire [5:0] w,
    input wire [7:0] s1, s2, answers,
    input wire [9:0] n_word, m_word
);

    localparam [31:0] AT   = HERE;
    localparam [2:0]  here = AT[2:0];

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    // Arrivals carry along what they must find.
    reg        acc_bank  = 1'b0;
    reg        item_bank = 1'b0;
    wire       mine;
    wire       had;
    wire       acc_ready;
    wire       below_valid;
    wire       below_bank;
    wire [2:0] below_addr;
    wire       below_update;
    wire       below_fresh;
    wire       below_last;
    wire [1:0] below_tail;
    wire       item_ready;
    wire       walk_valid;
    wire       walk_bank;
    wire [2:0] walk_word;
    wire       walk_none;
    wire       walk_last;
    generate
        if (VAST == 0) begin : g_dut
            samhw_workspace_level #(.ADDR_W(3), .PRE_W(1), .BIT_W(2), .DEPTH(2), .TAIL_W(2)) dut (
                .clk(clk), .rst(rst),
                .acc_valid(acc_valid), .acc_ready(acc_ready), .acc_bank(acc_bank), .acc_addr(acc_addr),
                .acc_update(acc_update),
                .acc_fresh(acc_fresh), .acc_last(acc_last), .acc_tail({mine, had}),
                .below_valid(below_valid), .below_ready(below_ready), .below_bank(below_bank), .below_addr(below_addr),
                .below_update(below_update), .below_fresh(below_fresh), .below_last(below_last),
                .below_tail(below_tail),
                .item_valid(item_valid), .item_ready(item_ready), .item_bank(item_bank), .item_word(item_word),
                .item_none(item_none), .item_last(item_last),
                .walk_valid(walk_valid), .walk_ready(walk_ready), .walk_bank(walk_bank), .walk_word(walk_word),
                .walk_none(walk_none), .walk_last(walk_last)
            );
        end else begin : g_dut
            samhw_workspace_vast_level #(.ADDR_W(3), .PRE_W(1), .BIT_W(2), .DEPTH(2), .TAIL_W(2)) dut (
                .clk(clk), .rst(rst),
                .acc_valid(acc_valid), .acc_ready(acc_ready), .acc_bank(acc_bank), .acc_addr(acc_addr),
                .acc_update(acc_update),
                .acc_fresh(acc_fresh), .acc_last(acc_last), .acc_tail({mine, had}),
                .below_valid(below_valid), .below_ready(below_ready), .below_bank(below_bank), .below_addr(below_addr),
                .below_update(below_update), .below_fresh(below_fresh), .below_last(below_last),
                .below_tail(below_tail),
                .item_valid(item_valid), .item_ready(item_ready), .item_bank(item_bank), .item_word(item_word),
                .item_none(item_none), .item_last(item_last),
                .walk_valid(walk_valid), .walk_ready(walk_ready), .walk_bank(walk_bank), .walk_word(walk_word),
                .walk_none(walk_none), .walk_last(walk_last)
            );
        end
    endgenerate
    wire in   = started && acc_valid && acc_ready;
    wire read = started && item_valid && item_ready;
    wire out  = started && walk_valid && walk_ready;

    wire       now;
    wire       first;
    wire       reads;
    wire       leaves;
    wire [3:0] lists;
    wire [3:0] walks;
    samhw_watched #(.MOST(3)) arrived (
        .clk(clk), .started(started), .pick(pick), .in(in), .in_ends(acc_last), .out(read), .out_ends(item_last),
        .now(now), .first(first), .lists(lists), .leaves(reads));
    samhw_watched #(.MOST(VAST == 0 ? 6 : 8)) walked (
        .clk(clk), .started(started), .pick(pick), .in(in), .in_ends(acc_last), .out(out), .out_ends(walk_last),
        .now(), .first(), .lists(walks), .leaves(leaves));

    // Of the list: the word that is watched, its bit, and anything; what has been read and has left.
    reg        word;
    reg        bit_;
    reg        full;
    reg        bank;
    reg        asked;
    reg        begun;
    reg        past;
    reg        given;
    reg        goes;
    reg  [2:0] last;
    wire       there = acc_update && acc_addr[2] == here[2];
    assign     mine  = now && acc_update && acc_addr == here;
    assign     had   = !first && bit_;
    always @(posedge clk)
        if (started) begin
            if (in)
                acc_bank <= acc_bank ^ acc_last;
            if (read)
                item_bank <= item_bank ^ item_last;
            if (now) begin
                word <= (!first && word) || there;
                bit_ <= had || mine;
                full <= (!first && full) || acc_update;
                bank <= acc_bank;
                {asked, begun, given, goes} <= 4'd0;
            end
            if (reads && read) begin
                asked <= asked || item_word == here[2];
                begun <= 1'b1;
                past  <= item_word;
            end
            if (leaves && out) begin
                given <= given || walk_word == here;
                goes  <= 1'b1;
                last  <= walk_word;
            end
        end

    // Arrivals are fresh where their word is; items are the words of the list, in order.
    samhw_steady #(.W(3)) steady (
        .clk(clk), .started(started), .valid(item_valid), .ready(item_ready), .beat({item_word, item_none, item_last})
    );
    always @* begin
        assume (!now || !there || acc_fresh == !(!first && word));
        if (reads && read) begin
            assume (item_none == !full && (full || item_last));
            assume (!begun || item_word > past);
            assume (!full || item_word != here[2] || word);
            assume (!item_last || !word || asked || item_word == here[2]);
        end
    end

    generate
        if (PART == 0) begin : g_down
            wire [2:0] count;
            samhw_owed #(.W(8), .DEPTH(VAST == 0 ? 2 : 3)) owed (
                .clk(clk), .started(started), .put(in), .beat({acc_bank, acc_addr, acc_update, acc_last, mine, had}),
                .valid(below_valid), .ready(below_ready),
                .given({below_bank, below_addr, below_update, below_last, below_tail}), .count(count));
            samhw_kept #(.W(1)) kept (
                .clk(clk), .started(started), .valid(below_valid), .ready(below_ready), .beat(below_fresh)
            );
            always @*
                if (started)
                    assert (!below_valid || !below_tail[1] || below_fresh == !below_tail[0]);
        end
        if (PART == 1) begin : g_order
            samhw_kept #(.W(6)) kept (.clk(clk), .started(started), .valid(walk_valid), .ready(walk_ready),
                .beat({walk_bank, walk_word, walk_none, walk_last}));
            always @*
                if (started) begin
                    assert (!read || lists != 4'd0);
                    if (leaves && walk_valid) begin
                        assert (walk_bank == bank);
                        assert (walk_none == !full && (full || walk_last));
                        assert (!full || !goes || walk_word > last);
                    end
                end
        end
        if (PART == 2) begin : g_up
            always @*
                if (started && leaves && walk_valid) begin
                    assert (!full || walk_word != here || bit_);
                    assert (!walk_last || !bit_ || given || walk_word == here);
                end
        end
        if (PART == 2 && VAST == 1) begin : g_held
            // What is read and not walked over yet, of the list that is watched or not.
            reg  s1_mine = 1'b0;
            reg  f_mine  = 1'b0;
            reg  g_mine  = 1'b0;
            reg  n_mine  = 1'b0;
            reg  m_mine  = 1'b0;
            reg  mid     = 1'b0;
            always @(posedge clk)
                if (started) begin
                    if (acc_ready)
                        s1_mine <= now;
                    if (read)
                        mid <= !item_last;
                    f_mine <= read && reads;
                    g_mine <= f_mine;
                    if (!n_valid || w_ready)
                        n_mine <= m_valid ? m_mine : g_mine;
                    if (!m_valid)
                        m_mine <= g_mine;
                end

            // Two at most: the older (a) and the newer (b), with the tags' last bit and the watched word.
            wire       a_valid = n_valid || g_valid || f_valid;
            wire       b_valid = n_valid ? m_valid || g_valid || f_valid : g_valid && f_valid;
            wire [3:0] a_tag   = n_valid ? n_tag : g_valid ? g_tag : f_tag;
            wire [3:0] b_tag   = f_valid ? f_tag : m_valid ? m_tag : g_tag;
            wire       a_mine  = a_valid && (n_valid ? n_mine : g_valid ? g_mine : f_mine);
            wire       b_mine  = b_valid && (f_valid ? f_mine : m_valid ? m_mine : g_mine);
            wire       a_here  = a_mine && a_tag[2] == here[2];
            wire       b_here  = b_mine && b_tag[2] == here[2];
            wire       a_other = a_valid && a_tag[0] && !a_mine;
            wire       b_other = b_valid && b_tag[0] && !b_mine;
            wire       head    = n_valid || g_valid;
            wire [3:0] n_bits  = n_word[3:0];
            wire [3:0] m_bits  = m_word[3:0];
            function [9:0] groups(input [3:0] bits, input none);
                groups = {none ? 6'd0 : {3'd0, bits != 4'd0, (bits & (bits - 4'd1)) != 4'd0, bits != 4'd0}, bits};
            endfunction

            // The watched word of either bank, and of the list's bank what stages w, 2 and 1 will make of it.
            wire [7:0] words = {words_1, words_0};
            wire       w_we    = w_valid && w[5];
            wire       w_pre   = w[2];
            wire       w_at    = w_we && w_pre == here[2];
            wire       two_at  = s2_valid && s2_new && s2[4] && s2[3] == here[2] && s2[0] == bank;
            wire       one_at  = s1_valid && s1_mine && s1[4] && s1[3] == here[2];
            wire [3:0] three   = w_at && w[3] == bank ? w_word : words[4*bank +: 4];
            wire [3:0] then    = !two_at ? three : (s2_fresh ? 4'd0 : three) | (4'd1 << s2[2:1]);
            wire [3:0] at_last = !one_at ? then : (s1_fresh ? 4'd0 : then) | (4'd1 << s1[2:1]);
            wire       active  = arrives || read_owed;

            always @*
                if (started) begin
                    // Lists that arrive and that are read, and their banks.
                    assert (begins == walk_begins && picked == walk_picked && arrives == walk_arrives);
                    assert (picked || !(active || walk_owed || s1_mine || f_mine || g_mine || n_mine || m_mine));
                    assert (!arrives || !(begins || read_owed || walk_owed || f_mine || g_mine || a_mine || b_mine));
                    assert (lists == {3'd0, holds[0]} + {3'd0, holds[1]} + {3'd0, s1_valid && s1[5]});
                    assert (holds == 2'd0 || holds[item_bank]);
                    assert ((acc_bank ^ item_bank) == lists[0]);
                    assert (!s1_valid || s1[0] == (acc_bank ^ s1[5]));
                    assert (begins || !s1_valid || !s1[5]);
                    assert (active || read_ahead == 4'd0);
                    assert (!arrives || (read_ahead == lists && bank == acc_bank && (!s1_valid || s1_mine)));
                    assert (!read_owed || read_ahead < lists);
                    assert (!active || bank == (item_bank ^ read_ahead[0]));
                    assert (!read_owed || !(s1_valid && s1_mine) || (s1[5] && read_ahead + 4'd1 == lists));
                    assert (!read_owed || (s1_valid && s1_mine) || holds[bank]);
                    assert (!(s1_valid && s1_mine) || (active && s1[0] == bank));
                    // What is read and not walked over.
                    assert (two == b_valid && !(n_valid && m_valid && (g_valid || f_valid))
                            && !(n_valid && g_valid && f_valid));
                    assert (n_valid || !m_valid);
                    assert (walks == lists + {3'd0, a_valid && a_tag[0]} + {3'd0, b_valid && b_tag[0]});
                    assert (!b_valid || (a_mine == b_mine ? !a_mine || !a_tag[0] : a_tag[0]));
                    assert (!a_valid || (b_valid ? b_tag[0] : a_tag[0]) == !mid);
                    assert (!mid || lists != 4'd0);
                    assert (!(read_owed && read_ahead == 4'd0) || begun == mid);
                    assert (!(arrives || (read_owed && read_ahead != 4'd0)) || !begun);
                    assert (!(read_owed && begun && a_valid) || (b_valid ? b_mine : a_mine));
                    assert (!(a_mine || b_mine) || walk_owed);
                    assert (!read_owed || begun || !(a_mine || b_mine));
                    assert (!read_owed || (walk_owed && !(a_mine && a_tag[0]) && !(b_mine && b_tag[0])));
                    assert (!walk_owed || read_owed || (a_mine && a_tag[0]) || (b_mine && b_tag[0]));
                    assert (walk_ahead
                            == (active ? read_ahead + {3'd0, a_other} + {3'd0, b_other} : {3'd0, b_mine && a_other}));
                    assert (!a_mine || (a_tag[3] == bank && a_tag[1] == !full));
                    assert (!b_mine || (b_tag[3] == bank && b_tag[1] == !full));
                    // The word in RAM and on its way there and from there.
                    if (s2_valid && s2_new && s2[3] == here[2]) begin
                        assert ((s2_past ? written : answers[4*s2[0] +: 4]) == words[4*s2[0] +: 4]);
                        assert (s2_hit == (w_at && w[3] == s2[0]));
                    end
                    assert (!w_valid || w_pre != here[2] || w_old == words[4*w[3] +: 4]);
                    if (f_valid && f_tag[2] == here[2]) begin
                        assert ((f_past ? written : answers[4*f_tag[3] +: 4]) == words[4*f_tag[3] +: 4]);
                        assert (f_hit == (w_at && w[3] == f_tag[3]));
                    end
                    assert (!g_valid || g_tag[2] != here[2] || g_bits == words[4*g_tag[3] +: 4]);
                    assert (!n_valid || n_word == groups(n_bits, n_tag[1]));
                    assert (!m_valid || m_word == groups(m_bits, m_tag[1]));
                    // The bit in it.
                    assert (!picked || !bit_ || word);
                    assert (!picked || !word || full);
                    assert (!active || !word || asked || (at_last[here[1:0]] == bit_ && at_last != 4'd0));
                    if (full) begin
                        assert (!(f_valid && f_mine) || f_tag[2] != here[2]
                                || (three[here[1:0]] == bit_ && three != 4'd0));
                        assert (!(g_valid && g_mine) || g_tag[2] != here[2]
                                || (g_bits[here[1:0]] == bit_ && g_bits != 4'd0));
                        assert (!(n_valid && n_mine) || n_tag[2] != here[2]
                                || (n_bits[here[1:0]] == bit_ && n_bits != 4'd0));
                        assert (!(m_valid && m_mine) || m_tag[2] != here[2]
                                || (m_bits[here[1:0]] == bit_ && m_bits != 4'd0));
                    end
                    // Whether it has left.
                    assert (walked_bits == 4'd0 || head);
                    assert (!active || !asked || begun);
                    assert (!read_owed || !asked || past >= here[2]);
                    assert (!(a_here || b_here) || asked);
                    assert (!(a_here && b_here));
                    assert (!walk_owed || asked || !given);
                    assert (!(walk_owed && asked && bit_) || a_here || b_here || given);
                    assert (!b_here || !given);
                    assert (!a_here || !bit_ || given == (head && walked_bits[here[1:0]]));
                    assert (!((a_mine && a_tag[0]) || (b_mine && b_tag[0])) || !word || asked);
                end
        end
        if (PART == 3) begin : g_progress
            samhw_soon #(.MOST(3)) taken (
                .clk(clk), .started(started), .waits(acc_valid && !acc_ready && below_ready && lists <= 4'd1)
            );
            samhw_soon #(.MOST(12)) asked_for (.clk(clk), .started(started),
                .waits(item_valid && !item_ready && walk_ready && below_ready && lists != 4'd0));
            samhw_soon #(.MOST(3)) given_out (
                .clk(clk), .started(started), .waits(!walk_valid && walk_ready && walks > lists)
            );
        end
    endgenerate

endmodule

`default_nettype wire
