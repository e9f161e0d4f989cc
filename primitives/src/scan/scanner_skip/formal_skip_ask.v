// SPDX-License-Identifier: Apache-2.0
//
// Proof: of each list with coordinates, one after the other, there are asked for: the first pair; the last
// coordinates, if it has more than two pairs; the pairs behind the first, each a pair further or where a leap
// leads, until all is asked for up to the list's end, or it is dropped while it is asked for. Each request is
// made once and stays until it is taken, a probe's where it is taken. A cycle later the note says what it
// was, its place, how many coordinates are left from it on, and the list's number. Something is asked for
// whenever there is room in the register and among the requests under way, and credit and hold allow it.
// by: reachability
// case one: WIDE=0
// case groups: WIDE=1
// mutant samhw_skip_ask: tail <= many; => tail <= several;
// mutant samhw_skip_ask: more <= further; => more <= left != 0;
// mutant samhw_skip_ask: if (rst || (drop && current)) => if (rst || drop)
// mutant samhw_skip_ask: wire              free    = (!req_valid || req_ready) && !open[OPEN_LOG2];
//     => wire              free    = !open[OPEN_LOG2];
// mutant samhw_skip_ask: note_tells <= !more || (ask && short); => note_tells <= !more || ask;
// mutant samhw_skip_ask: note_tag   <= more ? newest - NEXT : newest; => note_tag   <= newest;
// mutant samhw_skip_ask: {lead - NEXT, lead == NEXT + NEXT}; => {lead - NEXT, lead == NEXT};
// mutant samhw_skip_ask: end else if (leap)\n            next <= leap_to;
//     => end else if (leap && !onward)\n            next <= leap_to;
`default_nettype none

module formal_skip_ask #(
    parameter WIDE = 0
) (
    input wire       clk,
    input wire       in_valid,
    input wire       in_list,
    input wire [3:0] in_begin,
    input wire [3:0] in_end,
    input wire       req_ready,
    input wire       came,
    input wire       credit,
    input wire       leave,
    input wire       drop,
    input wire       hold,
    input wire       probe_wanted,
    input wire [3:0] probe_addr,
    input wire       leap,
    input wire [3:0] leap_to
);

    localparam [4:0] PAIR = 5'd2 << WIDE;

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire       in_ready, in_some, req_valid, reserve, note_valid, note_store, note_tail, note_tells;
    wire       current, begins, onward, probe;
    wire [3:0] req_addr, note_place, note_left, next, stop_at;
    wire [1:0] note_tag;
    samhw_skip_ask #(.REF_W(4), .TAG_W(2), .OPEN_LOG2(1), .WIDE_LOG2(WIDE)) dut (
        .clk(clk), .rst(rst),
        .in_valid(in_valid), .in_ready(in_ready), .in_list(in_list), .in_begin(in_begin), .in_end(in_end),
        .in_some(in_some),
        .req_valid(req_valid), .req_ready(req_ready), .req_addr(req_addr), .came(came), .credit(credit),
        .reserve(reserve),
        .note_valid(note_valid), .note_store(note_store), .note_tail(note_tail), .note_tells(note_tells),
        .note_tag(note_tag),
        .note_place(note_place), .note_left(note_left), .leave(leave), .drop(drop), .current(current),
        .begins(begins), .onward(onward), .next(next), .stop_at(stop_at), .hold(hold),
        .probe_wanted(probe_wanted), .probe_addr(probe_addr), .probe(probe), .leap(leap), .leap_to(leap_to)
    );
    wire start = started && in_valid && in_ready;
    samhw_steady #(.W(9)) steady (
        .clk(clk), .started(started), .valid(in_valid), .ready(in_ready), .beat({in_list, in_begin, in_end}));

    // The list that is asked for: the place of its next pair, its end, whether its last coordinates are still
    // to be asked for, whether those are no others than a second pair's; items that were begun, those that
    // have not left; requests without an answer.
    reg        going = 1'b0;
    reg  [4:0] place;
    reg  [4:0] stop;
    reg        tail;
    reg        short;
    reg  [1:0] number = 2'd0;
    reg  [1:0] items  = 2'd0;
    reg  [1:0] open   = 2'd0;
    wire [4:0] len    = {1'b0, in_end} - {1'b0, in_begin};
    wire       some   = in_list && len != 5'd0;
    wire       mine   = going && items == 2'd1;
    always @* begin
        assume (!in_list || in_begin <= in_end);
        assume (!leave || items != 2'd0);
        assume (!drop || leave);
        assume (!(leave && mine) || drop);
        // The queue of items.
        assume (!in_valid || items != 2'd3);
        assume (!came || open != 2'd0 && !(open == 2'd1 && req_valid));
        // Behind what was asked for, within the list.
        assume (!leap || (mine && {1'b0, leap_to} >= place + PAIR && {1'b0, leap_to} < stop));
    end

    // What is to happen.
    wire free = started && (!req_valid || req_ready) && !open[1];
    wire asks_first  = free && !going && credit && in_valid && some;
    wire asks_tail   = free && going && tail;
    wire asks_probe  = free && going && !tail && probe_wanted;
    wire asks_onward = free && going && !tail && !probe_wanted && credit && !hold;
    wire asks        = asks_first || asks_tail || asks_probe || asks_onward;
    wire [4:0] addr  = asks_first ? {1'b0, in_begin} : asks_tail ? stop - PAIR : asks_probe ? {1'b0, probe_addr}
                       : place;
    wire [4:0] then_ = leap ? {1'b0, leap_to} : place + PAIR;
    always @(posedge clk)
        if (started) begin
            if (start)
                {place, stop, tail, short} <= {{1'b0, in_begin} + PAIR, {1'b0, in_end}, len > PAIR + PAIR,
                                               len <= PAIR + PAIR};
            else begin
                if (asks_onward || leap)
                    place <= then_;
                if (asks_tail)
                    tail <= 1'b0;
            end
            if (drop && mine)
                going <= 1'b0;
            else if (start)
                going <= some && len > PAIR;
            else if (asks_onward)
                going <= then_ < stop;
            number <= number + {1'b0, start};
            items  <= items + {1'b0, start} - {1'b0, leave};
            open   <= open + {1'b0, asks} - {1'b0, came};
        end

    wire [2:0] owed;
    samhw_owed #(.W(4), .DEPTH(1)) reqs (
        .clk(clk), .started(started), .put(asks), .beat(addr[3:0]),
        .valid(req_valid), .ready(req_ready), .given(req_addr), .count(owed));

    reg        n_valid = 1'b0;
    reg        n_store, n_tail, n_tells;
    reg  [1:0] n_tag;
    reg  [4:0] n_place, n_left;
    always @(posedge clk) begin
        n_valid <= asks;
        n_store <= asks_first || asks_onward;
        n_tail  <= asks_tail;
        n_tells <= asks_first || (asks_onward && short);
        n_tag   <= asks_first ? number : number - 2'd1;
        n_place <= addr;
        n_left  <= asks_first ? len : stop - place;
    end

    always @*
        if (started) begin
            assert (in_ready == (free && !going && credit));
            assert (in_some == (in_list && in_begin != in_end));
            assert (begins == asks_first && onward == asks_onward && probe == asks_probe
                    && reserve == (asks_first || asks_onward));
            assert (current == mine);
            assert (!going || (next == place[3:0] && stop_at == stop[3:0] && place < stop));
            assert (req_valid == (owed != 3'd0));
            assert (note_valid == n_valid);
            assert (!n_valid
                    || (note_store == n_store && note_tail == n_tail && note_tells == n_tells && note_tag == n_tag));
            assert (!n_valid || !n_store
                    || (note_place == n_place[3:0] && note_left == n_left[3:0] && n_left <= 5'd15));
        end

endmodule

`default_nettype wire
