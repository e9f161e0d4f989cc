// SPDX-License-Identifier: Apache-2.0
//
// Proof: `wrong` is told of the first place whose rank does not fit the place read before, as the head of the
// module says, and of no other; so never for a memory whose ranks are right. The answers of both kinds come
// when they like.
// by: reachability
// case single: BURSTS=0
// long case burst: BURSTS=1
// mutant samhw_axi_ranks: s_rank != at_end => s_rank < at_end
// mutant samhw_axi_ranks: s_place == next && next != {ADDR_W{1'b0}} && => s_place == next &&
// mutant samhw_axi_ranks: s_place > at && s_rank < at_end => s_place > at && s_rank < at_rank
// mutant samhw_axi_ranks: s_place < at && s_end > at_rank => s_place < at && s_rank > at_rank
// mutant samhw_axi_ranks: s_place == {ADDR_W{1'b0}} && => some && s_place == {ADDR_W{1'b0}} &&
// mutant samhw_axi_ranks: wire              both = c_valid && r_valid; => wire              both = r_valid;
// mutant samhw_axi_ranks: some    <= some || s_valid; => some    <= s_valid;
`default_nettype none

module formal_axi_ranks #(
    parameter BURSTS = 0
) (
    input wire       clk,
    input wire       asked,
    input wire [1:0] addr,
    input wire [1:0] len,
    input wire       word_told,
    input wire [1:0] word,
    input wire       told,
    input wire [1:0] rank
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire wrong;
    samhw_axi_ranks #(.ADDR_W(2), .RANK_W(2), .WIDTH(2), .BURSTS(BURSTS), .WAIT_LOG2(1)) dut (
        .clk(clk), .rst(rst), .asked(asked), .asked_beat(BURSTS != 0 ? {len, addr} : {2'd0, addr}),
        .word_told(word_told), .word(word), .told(told), .rank(rank), .wrong(wrong));

    // Words and ranks, until both are there: two of one kind at most may wait for the other.
    // A word counts a cycle later.
    reg        w_late = 1'b0;
    reg  [1:0] w_was;
    always @(posedge clk) begin
        w_late <= started && word_told;
        w_was  <= word;
    end
    wire       w_any;
    wire       r_any;
    wire [1:0] w_what;
    wire [1:0] r_what;
    wire       both = w_any && r_any;
    reg  [2:0] words = 3'd0;
    reg  [2:0] ranks = 3'd0;
    reg  [7:0] w_beats;
    reg  [7:0] r_beats;
    assign w_any  = words != 3'd0;
    assign r_any  = ranks != 3'd0;
    assign w_what = w_beats[1:0];
    assign r_what = r_beats[1:0];
    wire [2:0] w_rest = words - {2'd0, both};
    wire [2:0] r_rest = ranks - {2'd0, both};
    wire [7:0] w_left = both ? w_beats >> 2 : w_beats;
    wire [7:0] r_left = both ? r_beats >> 2 : r_beats;
    always @(posedge clk)
        if (started) begin
            words   <= w_rest + {2'd0, w_late};
            ranks   <= r_rest + {2'd0, told};
            w_beats <= w_late ? (w_left & ~(8'd3 << {w_rest, 1'b0})) | ({6'd0, w_was} << {w_rest, 1'b0}) : w_left;
            r_beats <= told ? (r_left & ~(8'd3 << {r_rest, 1'b0})) | ({6'd0, rank} << {r_rest, 1'b0}) : r_left;
        end

    // Their places: answers come for what was asked for.
    wire       any;
    wire [1:0] place;
    wire [1:0] left;
    reg  [1:0] waits = 2'd0;
    reg        begun = 1'b0;
    wire       pop = both && !begun;
    reg  [3:0] w_owed = 4'd0;
    reg  [3:0] r_owed = 4'd0;
    wire [3:0] more = asked ? (BURSTS != 0 ? {2'd0, len} : 4'd1) : 4'd0;
    samhw_fibers #(.W(2), .STOP_W(1), .DEPTH(5)) places (
        .clk(clk), .started(started), .put(asked), .list(1'b1), .stop(1'b0), .hole(1'b0), .first(addr),
        .len(BURSTS != 0 ? len : 2'd1), .step(both), .many(2'd1), .any(any), .kind(), .stop_at(), .hole_at(),
        .place(place), .left(left));
    always @(posedge clk)
        if (started) begin
            waits  <= waits + {1'b0, asked} - {1'b0, pop};
            w_owed <= w_owed + more - {3'd0, word_told};
            r_owed <= r_owed + more - {3'd0, told};
            if (both)
                begun <= left != 2'd1;
        end
    always @* begin
        assume (started || !(asked || told || word_told));
        assume (!asked || (waits < 2'd2 && len != 2'd0));
        assume (!word_told || (w_owed != 4'd0 && words + {2'd0, w_late} < 3'd2));
        assume (!told || (r_owed != 4'd0 && ranks < 3'd2));
    end

    reg        some = 1'b0;
    reg  [1:0] at;
    reg  [3:0] at_rank;
    reg  [3:0] at_end;
    reg        bad  = 1'b0;
    reg        late = 1'b0;
    wire [3:0] here = {2'd0, r_what};
    wire [3:0] ends = here + {3'd0, w_what[0]} + {3'd0, w_what[1]};
    wire fits = (place != 2'd0 || here == 4'd0)
                      && (!some || (place == at ? here == at_rank
                                  : place == at + 2'd1 && place != 2'd0 ? here == at_end
                                  : place > at ? here >= at_end : ends <= at_rank));
    always @(posedge clk)
        if (started) begin
            bad  <= bad || (both && !fits);
            late <= bad;
            if (both) begin
                some    <= 1'b1;
                at      <= place;
                at_rank <= here;
                at_end  <= ends;
            end
        end

    always @*
        if (started) begin
            assert (wrong == late);
            assert (!both || any);
        end

endmodule

`default_nettype wire
