// SPDX-License-Identifier: Apache-2.0
//
// Proof: of each request that lies within the array its words are offered, in order and each once, with the
// offset: addr (single), addr .. addr+len-1 (burst), addr and addr+1, addr alone left out where it was the
// word before (pair), or addr for both where they are of one line (two); the one that an answer ends with has
// the mark. What is offered stays until it is taken.
// A request that does not lie within it has no word, nor any after it: it is told.
// by: reachability
// case single: KIND=0
// case burst: KIND=1
// case pair: KIND=2
// case two: KIND=3
// mutant samhw_axi_words: wire              q_inside = q_end <= words; => wire              q_inside = q_end < words;
// mutant samhw_axi_words: wire              w_free = !w_valid || w_take; => wire              w_free = 1'b1;
// mutant of single samhw_axi_words: (q_valid && begins && !q_inside) => (q_valid && !q_inside && w_take)
// mutant of burst samhw_axi_words: assign q_pop  = w_free && !going && q_inside; => assign q_pop  = w_free && q_inside;
// mutant of burst samhw_axi_words: going <= len != ONE_WORD; => going <= q_len != ONE_WORD;
// mutant of pair samhw_axi_words: wire              known = second || (some && last == q_addr);
//     => wire              known = second || last == q_addr;
// mutant of pair samhw_axi_words: second <= !ends; => second <= !second;
// mutant of two samhw_axi_words: KIND == 3 && !(&place[LANE_W-1:0]) => KIND == 3 && !second
// mutant of two samhw_axi_words: last <= ends ? q_addr + ONE_WORD : q_addr; => last <= q_addr;
`default_nettype none

module formal_axi_words #(
    parameter KIND = 0
) (
    input wire       clk,
    input wire [2:0] size,
    input wire       shift,
    input wire       req_valid,
    input wire [1:0] addr,
    input wire [1:0] len,
    input wire       w_take
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    reg [2:0] words;
    reg       offset;
    always @(posedge clk)
        if (!started)
            {words, offset} <= {size, shift};

    wire       req_ready;
    wire       w_valid;
    wire       w_out;
    wire       w_two;
    wire [3:0] w_word;
    wire       beyond;
    samhw_axi_words #(.ADDR_W(2), .WORD_W(4), .LANE_W(1), .KIND(KIND)) dut (
        .clk(clk), .rst(rst), .words(words), .offset(offset), .beyond(beyond),
        .read_req_valid(req_valid), .read_req_ready(req_ready), .read_req_beat({len, addr}),
        .w_valid(w_valid), .w_take(w_take && w_valid), .w_out(w_out), .w_two(w_two), .w_word(w_word)
    );
    wire give = started && w_valid && w_take;
    samhw_steady #(.W(4)) steady (
        .clk(clk), .started(started), .valid(req_valid), .ready(req_ready), .beat({len, addr}));

    // A request counts as soon as it is there; of a pair the first word is left out where it was the last before.
    reg        seen = 1'b0;
    reg        lost = 1'b0;
    reg        some = 1'b0;
    reg  [1:0] last;
    wire       comes  = started && req_valid && !seen;
    wire       halves = KIND == 2 || (KIND == 3 && (addr[0] ^ offset));   // the pair is of two lines
    wire       repeat_ = halves && some && last == addr;
    wire [1:0] first  = repeat_ ? addr + 2'd1 : addr;
    wire [1:0] many   = KIND == 1 ? len : KIND >= 2 && !repeat_ ? 2'd2 : 2'd1;
    wire [2:0] behind = {1'b0, addr} + (KIND == 1 ? {1'b0, len} : KIND >= 2 ? 3'd2 : 3'd1);
    wire       fits   = behind <= words && !lost;
    always @(posedge clk)
        if (started) begin
            seen <= req_valid && !req_ready;
            lost <= lost || (comes && !fits);
            if (comes) begin
                some <= 1'b1;
                last <= addr + 2'd1;
            end
        end
    always @*
        assume (!req_valid || len != 2'd0);

    wire       any;
    wire [1:0] place;
    wire [1:0] left;
    samhw_fibers #(.W(2), .STOP_W(1), .DEPTH(3)) owed (
        .clk(clk), .started(started), .put(comes && fits), .list(1'b1), .stop(1'b0), .hole(1'b0), .first(first),
        .len(many), .step(give), .many(w_two ? 2'd2 : 2'd1),
        .any(any), .kind(), .stop_at(), .hole_at(), .place(place), .left(left));
    samhw_kept #(.W(6)) kept (
        .clk(clk), .started(started), .valid(w_valid), .ready(w_take), .beat({w_two, w_out, w_word}));
    samhw_soon #(.MOST(2)) offered (.clk(clk), .started(started), .waits(any && !w_valid));
    samhw_soon #(.MOST(2)) told (.clk(clk), .started(started), .waits(lost && !any && !beyond));
    samhw_soon #(.MOST(5)) taken (.clk(clk), .started(started), .waits(req_valid && !req_ready && !lost && w_take));

    always @*
        if (started) begin
            assert (!w_valid || any);
            assert (!w_valid || w_word == {2'd0, place} + {3'd0, offset});
            assert (!w_valid || w_out == (KIND < 2 || w_two || left == 2'd1));
            assert (!w_valid || w_two == (KIND == 3 && left == 2'd2 && (place[0] == offset)));
            assert (!beyond || lost);
            assert (!lost || !seen || !req_ready);
        end

endmodule

`default_nettype wire
