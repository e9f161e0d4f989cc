// SPDX-License-Identifier: Apache-2.0
//
// Proof, with an operator of several cycles: every arrival folds what those before it at its address have
// made, however close they follow each other, and this is written; an arrival waits for few cycles only;
// when a mark is complete, all before it is in the words. Shown for one address; none is special.
// by: reachability
// case early: EARLY=1
// case late: EARLY=0
// case ahead: AHEAD=1
// mutant samhw_fold_in_place: s2_next  <= wes_in[LATE-1] && => s2_next  <= wes_in[LATE-1] && s3_fresh &&
// mutant samhw_fold_in_place: s2_past  <= wes_in[LATE] && => s2_past  <= 1'b0 &&
// mutant samhw_fold_in_place: s3_known <= s2_next || s2_past || blank; => s3_known <= s2_next || blank;
// mutant samhw_fold_in_place: written  <= folded; => written  <= s3_val;
// mutant of early samhw_fold_in_place: busy     = wait_folds && |under_way; => busy     = 1'b0;
// mutant samhw_fold_in_place: complete = ends_in[(LATE+1)*MARKS +: MARKS]; => complete = ends_in[LATE*MARKS +: MARKS];
`default_nettype none

module formal_fold_in_place #(
    parameter EARLY = 1,
    parameter AHEAD = 0
) (
    input wire       clk,
    input wire       comes,
    input wire       ends,
    input wire       arrives_at,
    input wire       new,
    input wire [1:0] brings
);

    // A sum of words of two bits, in a cycle more than one.
    localparam [127:0] SUM = {64'd0, 8'h02, 32'd0, 8'd1, 8'd0, 8'd4};

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    // The words, and the RAM's answer with the register behind it.
    reg  [1:0] words [0:1];
    reg  [1:0] answer;
    reg  [1:0] read;

    wire       busy;
    wire       complete;
    wire       w_we;
    wire       w_at;
    wire [1:0] w_val;

    // What stage 1 has: with AHEAD what went on a cycle before.
    reg        soon = 1'b0;
    reg        soon_ends = 1'b0;
    reg        soon_at;
    reg        soon_new;
    reg  [1:0] soon_val;
    wire       go      = started && comes && !busy && !(AHEAD != 0 && soon && soon_at == arrives_at);
    wire       next    = AHEAD != 0 ? soon : go;
    wire       next_at = AHEAD != 0 ? soon_at : arrives_at;

    // Stage 2.
    reg        we = 1'b0;
    reg        at;
    reg        fresh;
    reg  [1:0] val;

    wire       over = started && ends && !comes;
    wire       mark = AHEAD != 0 ? soon_ends : over;
    wire       _unused_closing;
    wire [1:0] _unused_look;
    samhw_fold_in_place #(.AT_W(1), .VAL_W(2), .MARKS(1), .EARLY(EARLY), .AHEAD(AHEAD), .FOLD_W(128), .FOLD(SUM)) dut (
        .clk(clk), .rst(rst),
        .wait_at(arrives_at), .wait_folds(1'b1), .next_at(next_at), .mark(mark),
        .busy(busy), .closing(_unused_closing), .complete(complete),
        .we(we), .fresh(fresh), .at(at), .val(val), .read(read),
        .w_we(w_we), .w_at(w_at), .w_val(w_val),
        .look_at(arrives_at), .look_read(read), .look(_unused_look)
    );

    // What address 0 must have with the arrival in stage 2, and of those whose writes are to come.
    reg        known = 1'b0;
    reg  [1:0] total;
    wire [2:0] sum    = {1'b0, total} + {1'b0, val};
    wire [1:0] with_2 = fresh ? val : sum[2] ? 2'd3 : sum[1:0];
    wire       here   = we && !at;
    reg  [1:0] want_3;
    reg  [1:0] want_4;
    always @*
        if (started && go && !known && !arrives_at)
            assume (new);

    // Cycles since what stands in front waits; a mark is under way.
    reg  [1:0] waits  = 2'd0;
    reg        marked = 1'b0;
    always @*
        if (started && marked)
            assume (!comes && !ends);

    always @(posedge clk) begin
        answer <= words[next_at];
        read   <= answer;
        if (w_we)
            words[w_at] <= w_val;
        at     <= next_at;
        fresh  <= AHEAD != 0 ? soon_new : new;
        val    <= AHEAD != 0 ? soon_val : brings;
        soon      <= go;
        soon_ends <= over;
        soon_at   <= arrives_at;
        soon_new  <= new;
        soon_val  <= brings;
        want_3 <= here ? with_2 : total;
        want_4 <= want_3;
        if (here)
            total <= with_2;
        we     <= next;
        known  <= known || (go && !arrives_at);
        waits  <= started && comes && !go ? waits + 2'd1 : 2'd0;
        marked <= (marked || over) && !complete;
    end

    always @*
        if (started) begin
            assert (!w_we || w_at || w_val == want_4);
            assert (waits <= 2'd1);
            assert (!complete || (marked && (!known || words[0] == total)));
        end

endmodule

`default_nettype wire
