// SPDX-License-Identifier: Apache-2.0
//
// Proof of the whole, around its parts: requests, answers, the queue of items and what is given are the
// modules themselves; of the buffer, the look ahead, the hints and the fetch of segments there is what their
// own proofs assert of them, and all that those assume is asserted here. Each reference becomes a fiber, in
// order and once, whose last beat has the stop one level up; what is no list, or has no coordinates, one
// beat; what is offered stays until it is taken (stops). Of a fiber its own positions are given and no
// others, in order and none twice (places), with the coordinates that the memory has there (words). A
// position that is not given is below what was needed while its fiber was at hand, or its fiber was ended
// before it, because nothing else was needed or nothing beyond (needed). `last` tells of each fiber its last
// coordinate and its number, once (last). Never are more requests under way than there is room for. With a
// memory that answers and consumers that take, whatever hints come, something moves within 20 cycles: a beat
// or an item leaves, a pair is passed over or asked for (progress).
//
// One item is watched, drawn from all that come and any, and one word of the memory.
// by: reachability
// case stops: PART=0 STOP_W=2 CRD_W=2 REF_W=2
// case places: PART=1
// long case words: PART=2
// long case needed: PART=3
// case last: PART=4
// case progress: PART=5
// long case wide_stops: PART=0 WIDE=1 STOP_W=2
// long case wide_places: PART=1 WIDE=1 REF_W=4
// case wide_words: PART=2 WIDE=1
// long case wide_needed: PART=3 WIDE=1 REF_W=4
// long case wide_last: PART=4 WIDE=1 REF_W=4
// long case wide_progress: PART=5 WIDE=1
// mutant of stops samhw_scanner_skip: .in_valid(f_valid && ready), .in_ready(room), .in_data({f_some, f_stop, f_hole})
//     => .in_valid(f_valid && ready), .in_ready(room), .in_data({f_list, f_stop, f_hole})
// mutant samhw_scanner_skip: .out_ready(ready && room) => .out_ready(ready)
// mutant of stops samhw_scanner_skip: .in_valid(f_valid && ready), .in_ready(room)
//     => .in_valid(f_valid), .in_ready(room)
// mutant of stops samhw_scanner_skip: .item_stop(i_stop), .item_hole(i_hole) => .item_stop(i_hole), .item_hole(i_stop)
// mutant of stops samhw_scanner_skip: .out_valid(i_valid), .out_ready(leave) => .out_valid(i_valid), .out_ready(drop)
// mutant of stops,last,wide_stops samhw_scanner_skip: .OPEN_LOG2(BUFFER_LOG2), .WIDE_LOG2(WIDE_LOG2)) u_ask
//     => .OPEN_LOG2(BUFFER_LOG2+1), .WIDE_LOG2(WIDE_LOG2)) u_ask
// mutant of stops samhw_scanner_skip: .credit(credit), .reserve(reserve),\n        .note_valid
//     => .credit(1'b1), .reserve(reserve),\n        .note_valid
// mutant samhw_scanner_skip: .in_valid(f_valid && room) => .in_valid(f_valid)
// mutant of places,words,needed,last,wide_places samhw_scanner_skip: .note(note_valid && note_store)
//     => .note(note_valid)
// mutant samhw_scanner_skip: .out_begin(f_begin), .out_end(f_end) => .out_begin(f_end), .out_end(f_begin)
// mutant of places samhw_scanner_skip: .passed(leap || sweep) => .passed(leap)
// mutant of places samhw_scanner_skip: .sweep(sweep), .leap(leap)\n    );\n\n    samhw_skip_give
//     => .sweep(sweep), .leap(1'b0)\n    );\n\n    samhw_skip_give
// mutant of places samhw_scanner_skip: .leave(leave), .drop(drop), .current(current),\n        .begins
//     => .leave(drop), .drop(drop), .current(current),\n        .begins
// mutant of places samhw_scanner_skip: .probe(probe), .leap(leap), .leap_to(leap_to)\n    );\n\n    wire store;
//     => .probe(probe), .leap(1'b0), .leap_to(leap_to)\n    );\n\n    wire store;
// mutant of wide_words samhw_scanner_skip: {{WIDE_LOG2{1'b0}}, addr}; => {addr, {WIDE_LOG2{1'b0}}};
// mutant of words samhw_scanner_skip: assign crd_req_beat = addr; => assign crd_req_beat = next;
// mutant of words samhw_scanner_skip: .store_pair(crd_rsp_beat)
//     => .store_pair({crd_rsp_beat[GROUP-1:0], crd_rsp_beat[2*GROUP-1:GROUP]})
// mutant of words samhw_scanner_skip: .store(store), .store_pair => .store(crd_rsp_valid), .store_pair
// mutant of words samhw_scanner_skip: .note_valid(note_valid), .note_store(note_store), .note_tail(note_tail),
//     .note_tells(note_tells),\n        .note_tag(note_tag), .note_left
//     => .note_valid(note_valid && note_store), .note_store(note_store), .note_tail(note_tail),
//     .note_tells(note_tells),\n        .note_tag(note_tag), .note_left
// mutant of needed,wide_needed samhw_scanner_skip: .crd(crd_rsp_beat[2*GROUP-1 -: CRD_W])
//     => .crd(crd_rsp_beat[GROUP-1 -: CRD_W])
// mutant of needed,wide_needed samhw_scanner_skip: .ends(ends), .low(low), .closes(closes), .passed
//     => .ends(ends), .low(~low), .closes(closes), .passed
// mutant of needed samhw_scanner_skip: .over(over),\n        .here => .over(over || here),\n        .here
// mutant of needed samhw_scanner_skip: .store(store), .answer(answer), .crd => .store(answer), .answer(store), .crd
// mutant of needed samhw_scanner_skip: .lowest(lowest), .capped(capped), .cap(cap),\n        .here
//     => .lowest(cap), .capped(capped), .cap(lowest),\n        .here
// mutant of needed samhw_scanner_skip: .lowest(lowest), .leave(leave), => .lowest(lowest), .leave(1'b0),
// mutant of last samhw_scanner_skip: .note_store(note_store), .note_tail(note_tail),
//     .note_tells(note_tells),\n        .note_tag(note_tag), .note_left
//     => .note_store(note_store), .note_tail(note_tells), .note_tells(note_tail),\n        .note_tag(note_tag),
//     .note_left
// mutant of last samhw_scanner_skip: .note_tag(note_tag), .note_left => .note_tag({TAG_W{1'b0}}), .note_left
// mutant of last samhw_scanner_skip: .note_left(note_left),\n        .rsp_valid
//     => .note_left(next),\n        .rsp_valid
// mutant of progress samhw_scanner_skip: .hold(hold),\n        .probe_wanted => .hold(1'b1),\n        .probe_wanted
// mutant of progress samhw_scanner_skip: .item_valid(i_valid) => .item_valid(i_valid && last_ready)
// mutant of progress samhw_scanner_skip: .credit(credit), .reserve(reserve),\n        .note_valid
//     => .credit(credit && last_ready), .reserve(reserve),\n        .note_valid
// probe leave = dut.leave
// probe items = dut.u_items.count
// probe list_now = dut.i_list
// probe more = dut.u_ask.more
// probe next = dut.u_ask.next
// probe stop_at = dut.u_ask.stop_at
// probe open = dut.u_ask.open
// probe note_valid = dut.note_valid
// probe note_store = dut.note_store
// probe note_tail = dut.note_tail
// probe waiting = dut.u_answers.u_asked.count
// probe memory = mem.count
// probe pairs = dut.u_buffer.all
// probe last_pair = dut.u_buffer.last
// probe count = dut.u_buffer.count
// probe came = dut.u_buffer.came
// probe held = dut.u_buffer.held
// probe owed = dut.u_buffer.owed
// probe of needed,progress,wide_needed,wide_progress here = dut.here
// probe of words,needed,wide_words,wide_needed m_addr = mem.addr1
// probe of words,needed,wide_words,wide_needed front = dut.u_buffer.pairs
// probe of needed,wide_needed lowest = dut.lowest
// probe of progress,wide_progress through = dut.through
// probe of progress,wide_progress passes = dut.u_give.passed
// probe of progress,wide_progress leap = dut.leap
// probe of progress,wide_progress reserve = dut.reserve
// probe of progress,wide_progress credit = dut.credit
// probe of needed,wide_needed over = dut.over
// probe of needed,wide_needed capped = dut.capped
// probe of needed,wide_needed cap = dut.cap
// probe of needed,wide_needed second = dut.u_give.second
// probe of needed,wide_needed newest = dut.u_look.s_crd
// probe of needed,wide_needed probes = dut.u_look.probes
// probe of needed,wide_needed probing = dut.u_look.count
// probe of needed,wide_needed told = dut.u_look.told
// probe of needed,wide_needed told_mine = dut.u_look.t_mine
// probe of needed,wide_needed told_addr = dut.u_look.t_addr
// probe of needed,wide_needed told_crd = dut.u_look.t_crd
`default_nettype none

module formal_scanner_skip #(
    parameter PART   = 0,
    parameter WIDE   = 0,
    parameter REF_W  = 3,
    parameter CRD_W  = 1,
    parameter STOP_W = 1
) (
    input wire                       clk,
    input wire                       ref_valid,
    input wire [2+2*STOP_W-1:0]      ref_beat,
    input wire                       seg_rsp_valid,
    input wire [REF_W-1:0]           from,
    input wire [REF_W-1:0]           to,
    input wire                       crd_req_ready,
    input wire                       goes,
    input wire [(2*CRD_W<<WIDE)-1:0] crds,
    input wire                       pick,
    input wire [REF_W-1:0]           any_word,
    input wire [CRD_W-1:0]           any_crd,
    input wire                       last_ready,
    input wire                       out_ready,
    input wire                       leave,
    input wire [1:0]                 items,
    input wire                       list_now,
    input wire                       more,
    input wire [REF_W-1:0]           next,
    input wire [REF_W-1:0]           stop_at,
    input wire [1:0]                 open,
    input wire                       note_valid,
    input wire                       note_store,
    input wire                       note_tail,
    input wire [1:0]                 waiting,
    input wire [1:0]                 memory,
    input wire [4*B-1:0]             pairs,
    input wire [3:0]                 last_pair,
    input wire [3:0]                 count,
    input wire [3:0]                 came,
    input wire [3:0]                 held,
    input wire [3:0]                 owed,
    input wire [REF_W-1:0]           m_addr,
    input wire [4*B-1:0]             front,
    input wire                       here,
    input wire                       through,
    input wire                       passes,
    input wire                       leap,
    input wire                       reserve,
    input wire                       credit,
    input wire [CRD_W-1:0]           lowest,
    input wire                       over,
    input wire                       capped,
    input wire [CRD_W-1:0]           cap,
    input wire                       second,
    input wire [CRD_W-1:0]           newest,
    input wire [2*REF_W+1:0]         probes,
    input wire [1:0]                 probing,
    input wire                       told,
    input wire                       told_mine,
    input wire [REF_W-1:0]           told_addr,
    input wire [CRD_W-1:0]           told_crd
);

    localparam LANES = 2 << WIDE;
    localparam G     = CRD_W << WIDE;
    localparam W     = 2 + STOP_W + REF_W + WIDE + G;
    localparam B     = 2 * G + 2 * REF_W;
    localparam [REF_W:0]    PAIR = LANES;
    localparam [REF_W-1:0]  LEFT = LANES;
    localparam [REF_W-1:0]  ONE  = 1;
    localparam [STOP_W-1:0] UP   = 1;

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire                  ref_ready, seg_rsp_ready, crd_req_valid, crd_rsp_valid, crd_rsp_ready, last_valid, out_valid;
    wire [REF_W+WIDE-1:0] crd_req_beat;
    wire [CRD_W+2:0]      last_beat;
    wire [W-1:0]          out_beat;
    samhw_scanner_skip #(
        .REF_IN_W(STOP_W), .REF_W(REF_W), .CRD_W(CRD_W), .STOP_W(STOP_W), .TAG_W(2), .QUEUE_LOG2(1), .BUFFER_LOG2(1),
        .LEAP_LOG2(3),
        .WIDE_LOG2(WIDE)
    ) dut (
        .clk(clk), .rst(rst),
        .ref_valid(ref_valid), .ref_ready(ref_ready), .ref_beat(ref_beat),
        .seg_req_valid(), .seg_req_ready(1'b1), .seg_req_beat(),
        .seg_rsp_valid(seg_rsp_valid), .seg_rsp_ready(seg_rsp_ready), .seg_rsp_beat({to, from}),
        .crd_req_valid(crd_req_valid), .crd_req_ready(crd_req_ready), .crd_req_beat(crd_req_beat),
        .crd_rsp_valid(crd_rsp_valid), .crd_rsp_ready(crd_rsp_ready), .crd_rsp_beat(crds),
        .skip_valid(1'b0), .skip_ready(), .skip_beat({(CRD_W+3){1'b0}}),
        .bound_valid(1'b0), .bound_ready(), .bound_beat({(CRD_W+3){1'b0}}),
        .last_valid(last_valid), .last_ready(last_ready), .last_beat(last_beat),
        .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat)
    );
    wire take = started && ref_valid && ref_ready;
    wire give = started && out_valid && out_ready;

    // References of depth STOP_W - 1, each list with its bounds.
    wire [1:0] kind = ref_beat[2*STOP_W +: 2];
    wire       list = kind == 2'd0;
    wire       fill = list && from != to;
    wire       legal;
    samhw_rules #(.DEPTH(STOP_W-1), .STOP_W(STOP_W), .W(STOP_W)) rules (
        .clk(clk), .rst(rst), .take(take), .beat(ref_beat), .legal(legal), .state(), .after());
    samhw_steady #(.W(2+2*STOP_W+2*REF_W)) steady (
        .clk(clk), .started(started), .valid(ref_valid && (seg_rsp_valid || !list)), .ready(ref_ready),
        .beat({ref_beat, from, to}));
    always @*
        assume (!ref_valid || (legal && from <= to));

    // The memory answers when it likes; a word of it.
    wire             room;
    wire [REF_W-1:0] at;
    reg  [REF_W-1:0] word;
    reg  [CRD_W-1:0] crd;
    samhw_answers #(.ADDR_W(REF_W), .LEN_W(1)) mem (
        .clk(clk), .started(started), .req_valid(crd_req_valid), .req_ready(crd_req_ready),
        .addr(crd_req_beat[REF_W-1:0]), .len(1'b1),
        .room(room), .go(goes), .rsp_valid(crd_rsp_valid), .rsp_ready(crd_rsp_ready), .at(at));
    always @(posedge clk)
        if (!started)
            {word, crd} <= {any_word, any_crd};

    samhw_kept #(.W(REF_W+WIDE)) req_kept (
        .clk(clk), .started(started), .valid(crd_req_valid), .ready(crd_req_ready), .beat(crd_req_beat));
    samhw_kept #(.W(CRD_W+3)) last_kept (
        .clk(clk), .started(started), .valid(last_valid), .ready(last_ready), .beat(last_beat));
    samhw_kept #(.W(W)) out_kept (.clk(clk), .started(started), .valid(out_valid), .ready(out_ready), .beat(out_beat));
    always @*
        if (started) begin
            assert (seg_rsp_ready == (take && list) && crd_rsp_ready);
            // No more requests than there is room for; each is under way at memory, and noted.
            assert (!crd_req_valid || room);
            assert (crd_req_beat >> REF_W == 0);
            assert (memory + {1'b0, crd_req_valid} == open);
            assert (waiting + {1'b0, note_valid} == open);
        end

    // The items that have not left: fibers with coordinates, and their bounds.
    reg  [1:0]       n = 2'd0;
    reg              some0, some1;
    reg  [REF_W-1:0] from0, to0, from1, to1;
    wire             only   = n == {1'b0, leave};
    wire             some_n = n[1] ? some1 : some0;
    wire [REF_W-1:0] from_n = n[1] ? from1 : from0;
    wire [REF_W-1:0] to_n   = n[1] ? to1 : to0;
    always @(posedge clk)
        if (started) begin
            n <= n + {1'b0, take} - {1'b0, leave};
            if (leave || n == 2'd0)
                {some0, from0, to0} <= only ? {fill, from, to} : {some1, from1, to1};
            if (take && !only)
                {some1, from1, to1} <= {fill, from, to};
        end

    // What the parts hold of them: pairs in order up to their ends, and behind them what is being asked for.
    wire [1:0] ended  = {1'b0, last_pair[0]} + {1'b0, last_pair[1]} + {1'b0, last_pair[2]} + {1'b0, last_pair[3]};
    wire [1:0] fibers = {1'b0, n != 2'd0 && some0} + {1'b0, n[1] && some1};
    reg  [REF_W-1:0] left_of_last;
    integer          e;
    always @* begin
        left_of_last = {REF_W{1'b0}};
        for (e = 0; e < 4; e = e + 1)
            if (count == e[3:0] + 4'd1)
                left_of_last = pairs[e*B +: REF_W];
    end
    always @*
        if (started) begin
            assert (n == items && (n == 2'd0 || list_now == some0));
            assert (!leave || n != 2'd0);
            assert (ended + {1'b0, more} == fibers);
            assert (!more || (n != 2'd0 && some_n && stop_at == to_n && next > from_n && next < stop_at));
            assert (!more || count == 4'd0 || left_of_last - LEFT == stop_at - next);
        end
    genvar i;
    generate
        for (i = 0; i < 4; i = i + 1) begin : g_pair
            localparam [3:0] AT = i;
            wire [REF_W-1:0] left  = pairs[i*B +: REF_W];
            wire [REF_W-1:0] place = pairs[i*B+REF_W +: REF_W];
            wire             later = (last_pair & ((4'd1 << i) - 4'd1)) != 4'd0 || !some0;
            wire [REF_W-1:0] begins = later ? from1 : from0;
            wire [REF_W-1:0] ends   = later ? to1 : to0;
            always @*
                if (started && AT < count)
                    assert (left != {REF_W{1'b0}} && left <= ends - begins && place == ends - left);
            if (i < 3) begin : g_next
                always @*
                    if (started && AT + 4'd1 < count && !last_pair[i])
                        assert (pairs[(i+1)*B +: REF_W] == left - LEFT);
            end
        end
    endgenerate

    // Requests without an answer: {whether it tells the last coordinate, in which lane, number of the fiber;
    // a probe's, stored; place}.
    localparam U = 2 + WIDE + 2 + 2 + REF_W;
    reg  [1:0]       under = 2'd0;
    reg  [U-1:0]     under0, under1;
    reg  [1:0]       number = 2'd0;
    reg              untold = 1'b0;
    wire [REF_W-1:0] addr   = crd_req_beat[REF_W-1:0];
    wire [REF_W-1:0] to_end = end_n - ONE - addr;
    reg  [REF_W-1:0] end_n;
    wire             covers = to_end < LEFT;
    wire [U-1:0]     new_   = {untold && covers, to_end[WIDE:0], number - 2'd1, !note_store && !note_tail, note_store,
                               addr};
    wire [U-1:0]     now0   = under == 2'd0 ? new_ : under0;
    wire [U-1:0]     now1   = under[1] ? under1 : new_;
    always @(posedge clk)
        if (started) begin
            under  <= under + {1'b0, note_valid} - {1'b0, crd_rsp_valid};
            under0 <= crd_rsp_valid ? now1 : now0;
            under1 <= now1;
            if (take) begin
                number <= number + 2'd1;
                untold <= fill;
                end_n  <= to;
            end else if (note_valid && covers)
                untold <= 1'b0;
        end

    // The item that is watched.
    wire [1:0]        o_kind = out_beat[W-1 -: 2];
    wire [STOP_W-1:0] o_stop = out_beat[W-3 -: STOP_W];
    wire [REF_W-1:0]  first  = out_beat[G+WIDE +: REF_W];
    wire [REF_W-1:0]  most   = WIDE == 0 ? {REF_W{1'b0}}
                               : out_beat[G +: (WIDE == 0 ? 1 : WIDE)];   // coordinates of a group, less one
    wire [REF_W-1:0]  off    = word - first;
    wire              now, leaves;
    wire [3:0]        lists;
    samhw_watched #(.MOST(4)) watched (
        .clk(clk), .started(started), .pick(pick), .in(take), .in_ends(1'b1),
        .out(give), .out_ends(o_kind != 2'd0 || o_stop != {STOP_W{1'b0}}),
        .now(now), .first(), .lists(lists), .leaves(leaves));
    reg              some;
    reg [STOP_W-1:0] stop, hole;
    reg [REF_W-1:0]  begin_, end_, before;
    reg              follows;
    always @(posedge clk)
        if (now) begin
            {some, begin_, end_} <= {fill, from, to};
            stop    <= kind == 2'd3 ? {STOP_W{1'b0}} : ref_beat[STOP_W +: STOP_W] + UP;
            hole    <= kind == 2'd3 ? {STOP_W{1'b0}} : kind == 2'd2 ? ref_beat[STOP_W-1:0] + UP : UP;
            follows <= 1'b0;
        end else if (leaves && give) begin
            follows <= 1'b1;
            before  <= first;
        end

    generate
        if (PART == 0) begin : g_stops
            always @*
                if (started && leaves && out_valid) begin
                    assert (some || out_beat == {1'b1, stop == {STOP_W{1'b0}}, stop, {(W-2-2*STOP_W){1'b0}}, hole});
                    assert (!some || (o_kind == 2'd0 && (o_stop == {STOP_W{1'b0}} || o_stop == stop)));
                end
        end
        if (PART == 1) begin : g_places
            always @*
                if (started && leaves && out_valid && some) begin
                    assert (first >= begin_ && first < end_);
                    assert (!follows || first > before);
                end
        end
        if (PART == 2 || PART == 3) begin : g_words
            // What is under way, and the pairs that it is for; those that came have the word.
            wire [REF_W-1:0] addr0 = now0[REF_W-1:0];
            wire [REF_W-1:0] addr1 = now1[REF_W-1:0];
            wire             for0  = under != 2'd0 && now0[REF_W];
            wire             for1  = under[1] && now1[REF_W];
            always @*
                if (started) begin
                    assert (waiting == under);
                    assert (owed == {3'd0, for0} + {3'd0, for1});
                    assert (memory == 2'd0 || at == addr0);
                    assert (!memory[1] || m_addr == addr1);
                    assert (!crd_req_valid || addr == (memory == 2'd0 ? addr0 : addr1));
                end
            for (i = 0; i < LANES; i = i + 1) begin : g_lane
                localparam [REF_W-1:0] L = i;
                wire [REF_W-1:0] of = at + L;
                always @*
                    assume (!crd_rsp_valid || of != word || crds[i*CRD_W +: CRD_W] == crd);
            end
            for (i = 0; i < 4; i = i + 1) begin : g_came
                localparam [3:0] AT = i;
                wire [REF_W-1:0] place = front[i*B+REF_W +: REF_W];
                wire [REF_W-1:0] off   = word - place;
                always @*
                    if (started) begin
                        assert (AT >= came || off >= LEFT || front[i*B+2*REF_W+off*CRD_W +: CRD_W] == crd);
                        assert (!(for0 && held == owed + AT) || place == addr0);
                        assert (!(for1 && held + {3'd0, for0} == owed + AT) || place == addr1);
                    end
            end
            always @*
                if (started && out_valid && o_kind == 2'd0)
                    assert (off > most || out_beat[off*CRD_W +: CRD_W] == crd);
        end
        if (PART == 3) begin : g_needed
            // The watched item among those at hand; the word is one of its own.
            reg  in   = 1'b0;
            reg  late = 1'b0;
            wire at_hand = in && !late;
            wire own     = some && word >= begin_ && word < end_;
            always @(posedge clk)
                if (now)
                    {in, late} <= {1'b1, !only};
                else if (leave)
                    {in, late} <= {in && late, 1'b0};
            // Within a fiber coordinates do not fall.
            for (i = 0; i < LANES; i = i + 1) begin : g_lane
                localparam [REF_W-1:0] L = i;
                wire [REF_W-1:0] of = at + L;
                always @*
                    assume (!crd_rsp_valid || !in || of < word || of >= end_ || crds[i*CRD_W +: CRD_W] >= crd);
            end

            // Whether the word was not needed once while its fiber was at hand, or nothing behind it; whether
            // it was given.
            reg  excused, enough, given;
            wire gives = given || (leaves && out_valid && some && off <= most);
            always @(posedge clk)
                if (now)
                    {excused, enough, given} <= 3'd0;
                else begin
                    excused <= excused || (at_hand && lowest > crd);
                    enough  <= enough || (at_hand && (over || (capped && cap <= crd)));
                    given   <= gives;
                end
            always @*
                if (started && leaves && out_valid && own) begin
                    assert (given || excused || first <= word);
                    assert (off != most || o_stop == {STOP_W{1'b0}} || word + ONE == end_ || enough);
                end

            // Until then it is still to be asked for, or in a pair that is held.
            wire       mine = more && in && late == n[1];
            wire [3:0] holds, past;
            for (i = 0; i < 4; i = i + 1) begin : g_holds
                localparam [3:0] AT = i;
                wire [REF_W-1:0] place = pairs[i*B+REF_W +: REF_W];
                wire             later = (last_pair & ((4'd1 << i) - 4'd1)) != 4'd0 || !some0;
                assign holds[i] = AT < count && later == late && word - place < LEFT;
                assign past[i]  = AT < came && later == late && {1'b0, place} + PAIR > {1'b0, word};
            end
            wire [REF_W-1:0] front_off = word - front[REF_W +: REF_W];
            wire             probe0 = under + {1'b0, note_valid} != 2'd0 && now0[REF_W+1];
            wire             probe1 = (under[1] || (under[0] && note_valid)) && now1[REF_W+1];
            wire [REF_W:0]   second_probe = probe0 ? probes[REF_W+1 +: REF_W+1] : probes[0 +: REF_W+1];
            always @*
                if (started) begin
                    assert (!in || !own || excused || gives || (mine && next <= word) || holds != 4'd0);
                    assert (!second || !here || !at_hand || !own || front_off >= (LEFT >> 1) || gives || excused);
                    assert (!mine || !own || past == 4'd0 || newest >= crd);
                    assert (probing == {1'b0, probe0} + {1'b0, probe1});
                    assert (!probe0 || !probes[REF_W] || probes[REF_W-1:0] == now0[REF_W-1:0]);
                    assert (!probe1 || !second_probe[REF_W] || second_probe[REF_W-1:0] == now1[REF_W-1:0]);
                    assert (!told || !told_mine || !mine || late || !own || word >= told_addr + LEFT
                            || told_crd >= crd);
                end
        end
        if (PART == 5) begin : g_progress
            // As the buffer's proof has it: a pair that came is the front soon, and where nothing is held
            // there is credit.
            reg [1:0] unseen  = 2'd0;
            reg [2:0] refused = 3'd0;
            always @(posedge clk) begin
                unseen  <= started && came != 4'd0 && !here && !leap ? unseen + 2'd1 : 2'd0;
                refused <= started && count == 4'd0 && open == 2'd0 && !credit ? refused + 3'd1 : 3'd0;
            end
            always @*
                assume (!started || (unseen != 2'd3 && refused != 3'd4 && out_ready && crd_req_ready && goes));
            wire moves = give || leave || (through && here) || passes || reserve;
            samhw_soon #(.MOST(8)) taken (
                .clk(clk), .started(started), .waits(n == 2'd0 && ref_valid && (seg_rsp_valid || !list) && !ref_ready));
            samhw_soon #(.MOST(20)) moved (.clk(clk), .started(started), .waits(n != 2'd0 && !moves));
        end
        if (PART == 4) begin : g_last
            wire [2:0] owes;
            wire       tells = crd_rsp_valid && now0[U-1];
            samhw_owed #(.W(CRD_W+3), .DEPTH(1)) lasts (
                .clk(clk), .started(started), .put(tells && (owes == 3'd0 || last_ready)),
                .beat({crds[now0[REF_W+4 +: WIDE+1]*CRD_W +: CRD_W], 1'b0, now0[REF_W+2 +: 2]}),
                .valid(last_valid), .ready(last_ready), .given(last_beat), .count(owes));
            always @*
                if (started) begin
                    assert (waiting == under);
                    assert (last_valid == (owes != 3'd0));
                end
        end
    endgenerate

endmodule

`default_nettype wire
