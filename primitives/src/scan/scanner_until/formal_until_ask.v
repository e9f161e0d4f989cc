// SPDX-License-Identifier: Apache-2.0
//
// Proof, with a memory of any coordinates that answers when it likes: of each list of which something may be
// needed the first pair comes, one list after the other; of each whose first pair is not the final one the
// pairs behind it come up to the final one, list after list, each once and in order. A pair is what the
// memory answers for its place, and says which of its coordinates are there and not beyond the bound, and
// whether the list ends, or the bound lies, in it. Never are more pairs behind first ones brought than there
// is a place for. What is asked for stays until it is taken. With a memory that answers, first pairs come in
// time, and further ones while nothing new begins and pairs are used up.
//
// Two lists whose final pair is not there and two pairs behind first ones are under way at most.
// What is in the queues is probed, and compared with what the proof keeps: requests and answers under way
// with the notes on them, and behind which of its places each list goes on.
// probe words0 = dut.u_tags.words[0]
// probe words1 = dut.u_tags.words[1]
// probe words2 = dut.u_tags.words[2]
// probe words3 = dut.u_tags.words[3]
// probe tags_head = dut.u_tags.head
// probe tags_tail = dut.u_tags.tail
// probe tags_there = dut.u_tags.filled
// probe tags = dut.u_tags.count
// probe wants0 = dut.u_wants.words[0]
// probe wants1 = dut.u_wants.words[1]
// probe wants_head = dut.u_wants.head
// probe wants_tail = dut.u_wants.tail
// probe wants_there = dut.u_wants.filled
// probe queued = dut.u_wants.count
// probe active = dut.active
// probe epoch = dut.epoch
// probe over = dut.over
// probe next = dut.next
// probe left = dut.left
// probe to_bound = dut.bound
// probe open = dut.open
// probe m_count = memory.count
// probe m_len0 = memory.len0
// probe m_len1 = memory.len1
// probe m_addr0 = memory.addr0
// probe m_addr1 = memory.addr1
// case short: P=2
// case more: P=3
// mutant of more samhw_until_ask: wire               drop   = behind && t_epoch == over;
//     => wire               drop   = 1'b0;
// mutant of more samhw_until_ask: assign more  = behind && t_epoch != over; => assign more  = behind;
// mutant samhw_until_ask: stays0 = c0 <= t_to; => stays0 = c0 < t_to;
// mutant samhw_until_ask: stays1 = !t_one && c1 <= t_to; => stays1 = c1 <= t_to;
// mutant samhw_until_ask: wire              last   = one || count == TWO; => wire              last   = count == TWO;
// mutant samhw_until_ask: final_ = t_last || c1 >= t_to; => final_ = t_last || c1 > t_to;
// mutant samhw_until_ask: next  <= w_at + TWO; => next  <= w_at;
// mutant samhw_until_ask: assign some  = in_list && !in_none && in_begin != in_end;
//     => assign some  = in_list && in_begin != in_end;
// mutant of more samhw_until_ask: if (more && final_)\n                over
//     => if (more && t_last)\n                over
// mutant of more samhw_until_ask: !start && !open[MORE_LOG2]; => !start && open != 2'd3;
// mutant samhw_until_ask: else if ((ask && last) || => else if (
// mutant of more samhw_until_ask: (more && final_ && t_epoch == epoch) => (more && final_)
`default_nettype none

module formal_until_ask #(
    parameter P = 2   // bits of a position
) (
    input wire         clk,
    input wire         in_valid,
    input wire         in_list,
    input wire [P-1:0] from,
    input wire [P-1:0] to,
    input wire         none,
    input wire         bound,
    input wire         room,
    input wire         may,
    input wire         go,
    input wire         c0,
    input wire         c1,
    input wire         taken,
    input wire [2*P+5:0] words0,
    input wire [2*P+5:0] words1,
    input wire [2*P+5:0] words2,
    input wire [2*P+5:0] words3,
    input wire [1:0]     tags_head,
    input wire [1:0]     tags_tail,
    input wire           tags_there,
    input wire [2:0]     tags,
    input wire [2*P:0]   wants0,
    input wire [2*P:0]   wants1,
    input wire           wants_head,
    input wire           wants_tail,
    input wire           wants_there,
    input wire [1:0]     queued,
    input wire           active,
    input wire [1:0]     epoch,
    input wire [1:0]     over,
    input wire [P-1:0]   next,
    input wire [P-1:0]   left,
    input wire           to_bound,
    input wire [1:0]     open,
    input wire [1:0]     m_count,
    input wire           m_len0,
    input wire           m_len1,
    input wire [P-1:0]   m_addr0,
    input wire [P-1:0]   m_addr1
);

    localparam         B     = 2 * P + 1;
    localparam [P-1:0] TWO   = 2;
    localparam [P-1:0] ONE   = 1;

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire         start;
    wire         some;
    wire         req_valid;
    wire [P-1:0] req;
    wire         m_room;
    wire         rsp_valid;
    wire [P-1:0] at;
    wire         began;
    wire         more;
    wire [P+4:0] pair;
    samhw_until_ask #(.REF_W(P), .CRD_W(1), .ITEMS_LOG2(1), .MORE_LOG2(1)) dut (
        .clk(clk), .rst(rst),
        .in_valid(in_valid), .in_list(in_list), .in_begin(from), .in_end(to), .in_none(none), .in_to(bound),
        .room(room), .start(start), .some(some),
        .crd_req_valid(req_valid), .crd_req_ready(may && m_room), .crd_req_beat(req),
        .crd_rsp_valid(rsp_valid), .crd_rsp_beat({c1, c0}),
        .began(began), .more(more), .pair(pair), .taken(taken)
    );
    samhw_answers #(.ADDR_W(P), .LEN_W(1)) memory (
        .clk(clk), .started(started), .req_valid(req_valid), .req_ready(may && m_room), .addr(req), .len(1'b1),
        .room(m_room), .go(go), .rsp_valid(rsp_valid), .rsp_ready(1'b1), .at(at));
    samhw_kept #(.W(P)) kept (.clk(clk), .started(started), .valid(req_valid), .ready(may && m_room), .beat(req));

    // Lists whose first pair is to come, and those of which more is to come: {bound, how many coordinates,
    // place}, the oldest lowest.
    reg  [1:0]     firsts = 2'd0;
    reg  [2*B-1:0] first;
    reg  [1:0]     wants  = 2'd0;
    reg  [2*B-1:0] want;
    reg  [1:0]     have   = 2'd0;   // pairs behind first ones that are not used up
    wire           first_  = started && began;
    wire           more_   = started && more;
    wire [B-1:0]   head    = began ? first[B-1:0] : want[B-1:0];
    wire           last_of = head[2*P];
    wire [P-1:0]   len     = head[2*P-1:P];
    wire [P-1:0]   place   = head[P-1:0];
    wire           final_  = len <= TWO || c1 >= last_of;
    wire [B-1:0]   rest    = {last_of, len - TWO, place + TWO};
    wire           put     = started && start && in_list && !none && from != to;
    wire           wanted  = first_ && !final_;
    wire           ended   = more_ && final_;
    wire [1:0]     f_rest  = firsts - {1'b0, first_};
    wire [1:0]     w_rest  = wants - {1'b0, ended};
    wire [2*B-1:0] f_left  = first_ ? first >> B : first;
    wire [2*B-1:0] w_left  = ended ? want >> B : more_ ? {want[2*B-1:B], rest} : want;
    wire [B-1:0]   new_    = {bound, to - from, from};
    always @(posedge clk)
        if (started) begin
            firsts <= f_rest + {1'b0, put};
            first  <= !put ? f_left : f_rest == 2'd0 ? {{B{1'b0}}, new_} : {new_, f_left[B-1:0]};
            wants  <= w_rest + {1'b0, wanted};
            want   <= !wanted ? w_left : w_rest == 2'd0 ? {{B{1'b0}}, rest} : {rest, w_left[B-1:0]};
            have   <= have + {1'b0, more_} - {1'b0, taken};
        end
    always @* begin
        assume (from <= to);
        assume (!room || firsts + wants < 2'd2);
        assume (!taken || have != 2'd0);
    end
    // The notes on what is under way, the oldest first. Of the lists that are wanted the first `begun` were
    // asked for; `one` and `two` are what is still to be asked for of the first and the second of them behind
    // a note.
    wire [1:0] begun = epoch - over;
    integer        i;
    reg  [2*P+5:0] tag;
    reg  [P-1:0]   where_;
    reg  [2*B-1:0] f_walk;
    reg  [B-1:0]   one;
    reg  [B-1:0]   two;
    reg  [1:0]     f_seen;
    reg  [2:0]     m_seen;
    reg            fits;
    always @* begin
        f_walk = first;
        one    = want[B-1:0];
        two    = want[2*B-1:B];
        f_seen = 2'd0;
        m_seen = 3'd0;
        fits   = 1'b1;
        tag    = words0;
        where_ = req;
        for (i = 0; i < 4; i = i + 1)
            if (i < tags) begin
                case (tags_head + i[1:0])
                    2'd0:    tag = words0;
                    2'd1:    tag = words1;
                    2'd2:    tag = words2;
                    default: tag = words3;
                endcase
                where_ = i[1:0] == m_count ? req : i == 0 ? m_addr0 : m_addr1;
                fits = fits && tag[P:1] == where_ && tag[2*P+4] == (tag[2*P:P+1] == ONE)
                    && tag[2*P+3] == (tag[2*P:P+1] <= TWO);
                if (!tag[2*P+5]) begin
                    fits   = fits && {tag[0], tag[2*P:1]} == f_walk[B-1:0] && tag[2*P:P+1] != 0;
                    f_walk = f_walk >> B;
                    f_seen = f_seen + 2'd1;
                end else begin
                    m_seen = m_seen + 3'd1;
                    if (tag[2*P+2 -: 2] == over)
                        fits = fits && one == want[B-1:0] && two == want[2*B-1:B];
                    else if (tag[2*P+2 -: 2] - over == 2'd1 && begun != 2'd0) begin
                        fits = fits && {tag[0], tag[2*P:1]} == one && one[2*P-1:P] != 0 && two == want[2*B-1:B];
                        one  = {one[2*P], one[2*P-1:P] > TWO ? one[2*P-1:P] - TWO : {P{1'b0}}, one[P-1:0] + TWO};
                    end else begin
                        fits = fits && tag[2*P+2 -: 2] - over == 2'd2 && begun == 2'd2 && {tag[0], tag[2*P:1]} == two
                            && two[2*P-1:P] != 0 && one[2*P-1:P] == 0;
                        two  = {two[2*P], two[2*P-1:P] > TWO ? two[2*P-1:P] - TWO : {P{1'b0}}, two[P-1:0] + TWO};
                    end
                end
            end
    end
    wire [B-1:0] going  = begun == 2'd2 ? two : one;
    wire [B-1:0] w_old  = wants_head ? wants1 : wants0;
    wire [B-1:0] w_new  = wants_head ? wants0 : wants1;
    wire [B-1:0] old    = {w_old[0], w_old[P:1] - TWO, w_old[2*P:P+1] + TWO};
    wire [B-1:0] newer  = {w_new[0], w_new[P:1] - TWO, w_new[2*P:P+1] + TWO};
    wire [B-1:0] behind = begun == 2'd0 ? want[B-1:0] : want[2*B-1:B];
    always @*
        if (started) begin
            assert (tags == {1'b0, m_count} + {2'd0, req_valid} && m_count != 2'd3);
            assert (tags_tail == tags_head + tags[1:0] && tags_there == (tags != 3'd0));
            assert (wants_tail == (wants_head ^ queued[0]) && wants_there == (queued != 2'd0));
            assert (m_count == 2'd0 || m_len0);
            assert (m_count != 2'd2 || m_len1);
            assert (firsts == f_seen && open == have + m_seen && open <= 2'd2 && m_seen <= 3'd2);
            assert ({1'b0, firsts} + {1'b0, wants} <= 3'd2 && firsts != 2'd3 && wants != 2'd3 && have != 2'd3);
            assert (fits);
            assert (begun != 2'd3 && {1'b0, wants} == {1'b0, begun} + {1'b0, queued} && queued != 2'd3);
            assert (wants == 2'd0 || want[2*P-1:P] != 0);
            assert (wants != 2'd2 || want[B+P +: P] != 0);
            assert (!active || begun != 2'd0);
            assert (begun != 2'd2 || one[2*P-1:P] == 0);
            assert (!active || ({to_bound, left, next} == going && left != 0));
            assert (active || begun == 2'd0 || going[2*P-1:P] == 0);
            assert (queued == 2'd0 || (old == behind && w_old[P:1] > TWO));
            assert (queued != 2'd2 || (newer == want[2*B-1:B] && w_new[P:1] > TWO));
        end

    always @*
        if (!started)
            assert (firsts == 2'd0 && wants == 2'd0 && have == 2'd0 && m_count == 2'd0);

    samhw_soon #(.MOST(6)) begins (.clk(clk), .started(started), .waits(firsts != 2'd0 && !began && may && go));
    samhw_soon #(.MOST(8)) goes_on (
        .clk(clk), .started(started), .waits(wants != 2'd0 && !more && may && go && !start && (taken || have == 2'd0)));

    always @*
        if (started) begin
            assert (start == (in_valid && room && (!req_valid || (may && m_room))));
            assert (some == (in_list && !none && from != to));
            assert (!(began && more));
            assert (!began || firsts != 2'd0);
            assert (!more || (wants != 2'd0 && have != 2'd2));
            assert (!(began || more) || (rsp_valid && at == place
                && pair == {len != ONE && c1 <= last_of, c0 <= last_of, final_, place, c1, c0}));
        end

endmodule

`default_nettype wire
