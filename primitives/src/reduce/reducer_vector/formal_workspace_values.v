// SPDX-License-Identifier: Apache-2.0
//
// Proof: the value that an item reads is the fold of all arrivals of its list at its address, in order, from
// the first on, however close they follow each other and however close the item follows them. Shown for one
// address of one bank; none is special. An arrival moves on unless the list before has not left its bank;
// what is offered stays until it is taken.
// case sum: OP=0
// case least: OP=1
// probe s1_go = dut.s1_go
// probe s1_full = dut.full
// probe s1_valid = dut.g_wait.valid
// probe s1_at = dut.u_fold.next_at
// probe s1_update = dut.s1_update
// probe s1_fresh = dut.s1_fresh
// probe s1_val = dut.s1_val
// probe s2_we = dut.s2_we
// probe s2_at = dut.u_fold.at
// probe s2_fresh = dut.s2_fresh
// probe s2_val = dut.s2_val
// probe s2_next = dut.u_fold.g_now.s2_next
// probe s2_past = dut.u_fold.g_now.s2_past
// probe s2_late = dut.u_fold.g_now.s2_late
// probe s3_we = dut.u_fold.g_now.s3_we
// probe s3_at = dut.u_fold.g_now.s3_at
// probe s3_old = dut.u_fold.old
// probe s3_new = dut.u_fold.g_now.s3_new
// probe s4_we = dut.u_fold.g_now.s4_we
// probe s4_at = dut.u_fold.g_now.s4_at
// probe written = dut.u_fold.g_now.written
// probe past = dut.u_fold.g_now.past
// probe answer = dut.g_values[0].u_ram.rdata
// probe word = dut.g_values[0].u_ram.words[0]
// probe f_valid = dut.f_valid
// probe f_none = dut.f_none
// probe f_bank = dut.f_bank
// probe f_addr = dut.f_addr
// probe f_next = dut.u_fold.g_now.f_next
// probe f_past = dut.u_fold.g_now.f_past
// probe f_late = dut.u_fold.g_now.f_late
// probe g_val = dut.g_val
// mutant samhw_fold_in_place: s2_next  <= we && at == next_at; => s2_next  <= we && at == next_at && fresh;
// mutant samhw_fold_in_place: s2_past  <= s3_we && s3_at == next_at;
//     => s2_past  <= s3_we && s3_at == next_at && s3_fresh;
// mutant samhw_fold_in_place: f_next   <= we && at == look_at; => f_next   <= we && at == look_at && fresh;
// mutant samhw_fold_in_place: f_past   <= s3_we && s3_at == look_at;
//     => f_past   <= s3_we && s3_at == look_at && s3_fresh;
// mutant samhw_fold_in_place: s2_late  <= s4_we && s4_at == next_at; => s2_late  <= s4_we && s4_at == next_at && s3_we;
// mutant samhw_fold_in_place: f_late   <= s4_we && s4_at == look_at; => f_late   <= 1'b0;
// mutant samhw_fold_in_place: s3_known <= s2_next || s2_past || s2_late || blank;
//     => s3_known <= s2_next || s2_late || blank;
// mutant samhw_fold_in_place: g_sent   <= f_past ? written : => g_sent   <= f_past ? past :
// mutant samhw_fold_in_place: past     <= written; => past     <= past;
// mutant samhw_workspace_values: if (go)\n            out_beat <= => if (1'b1)\n            out_beat <=
`default_nettype none

module formal_workspace_values #(
    parameter OP = 0
) (
    input wire       clk,
    input wire       acc_valid,
    input wire       acc_bank,
    input wire       acc_addr,
    input wire       acc_update,
    input wire       acc_fresh,
    input wire       acc_last,
    input wire [5:0] acc_tail,
    input wire       item_valid,
    input wire       item_bank,
    input wire       item_word,
    input wire       item_none,
    input wire       item_last,
    input wire       out_ready,
    input wire       s1_go,
    input wire [1:0] s1_full,
    input wire       s1_valid,
    input wire [1:0] s1_at,
    input wire       s1_update,
    input wire       s1_fresh,
    input wire [1:0] s1_val,
    input wire       s2_we,
    input wire [1:0] s2_at,
    input wire       s2_fresh,
    input wire [1:0] s2_val,
    input wire       s2_next,
    input wire       s2_past,
    input wire       s2_late,
    input wire       s3_we,
    input wire [1:0] s3_at,
    input wire [1:0] s3_old,
    input wire [1:0] s3_new,
    input wire       s4_we,
    input wire [1:0] s4_at,
    input wire [1:0] written,
    input wire [1:0] past,
    input wire [1:0] answer,
    input wire [1:0] word,
    input wire       f_valid,
    input wire       f_none,
    input wire       f_bank,
    input wire       f_addr,
    input wire       f_next,
    input wire       f_past,
    input wire       f_late,
    input wire [1:0] g_val
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire       acc_ready;
    wire       item_ready;
    wire       out_valid;
    wire [7:0] out_beat;
    localparam [7:0]   FOLDS = OP;
    localparam [127:0] FOLD  = {64'd0, 56'h01_000000_000000, FOLDS};
    samhw_workspace_values #(.ADDR_W(1), .CRD_W(2), .VAL_W(2), .STOP_W(2), .WORDS(2), .FOLD(FOLD)) dut (
        .clk(clk), .rst(rst),
        .acc_valid(acc_valid), .acc_ready(acc_ready), .acc_bank(acc_bank), .acc_addr(acc_addr),
        .acc_update(acc_update), .acc_fresh(acc_fresh), .acc_last(acc_last), .acc_tail(acc_tail),
        .item_valid(item_valid), .item_ready(item_ready), .item_bank(item_bank), .item_word(item_word),
        .item_none(item_none), .item_last(item_last),
        .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat)
    );

    function [1:0] folded(input [1:0] a, input [1:0] b);
        folded = OP == 0 ? a + b : $signed(b) < $signed(a) ? b : a;
    endfunction

    // The fold of what has left stage 1 for address 0 of bank 0, from a fresh arrival to the end of its list.
    reg        known = 1'b0;
    reg  [1:0] fold;
    wire       arrives = s1_go && s1_update && s1_at == 2'd0;
    wire       left    = item_valid && item_ready && item_last && !item_bank;
    always @(posedge clk)
        if (started) begin
            known <= arrives || (known && !left);
            if (arrives)
                fold <= s1_fresh ? s1_val : folded(fold, s1_val);
        end

    // Arrivals and items as the bitmap sends them: what was not there is fresh, items are of what is there.
    always @* begin
        assume (!arrives || s1_fresh == !known);
        assume (!item_valid || item_none || item_bank || item_word || known);
    end

    // What an item read must be, a cycle after it was taken, and in the next.
    reg       asked = 1'b0;
    reg [1:0] due;
    reg       kept = 1'b0;
    reg [1:0] kept_due;
    always @(posedge clk) begin
        asked <= started && item_valid && item_ready && !item_none && !item_bank && !item_word;
        due   <= fold;
        kept     <= started && asked;
        kept_due <= due;
    end
    wire [1:0] f_val = f_next ? s3_new : f_past ? written : f_late ? past : answer;

    reg       stalled = 1'b0;
    reg [7:0] offered;
    always @(posedge clk) begin
        stalled <= started && out_valid && !out_ready;
        offered <= out_beat;
    end

    // A sum does not ask in stage 3 whether its value is fresh.
    reg s3_fresh;
    always @(posedge clk)
        s3_fresh <= s2_fresh;

    // The address's value behind stage 4, behind stage 3, and behind stage 2.
    wire       two   = s2_we && s2_at == 2'd0;
    wire       three = s3_we && s3_at == 2'd0;
    wire       four  = s4_we && s4_at == 2'd0;
    wire [1:0] there = four ? written : word;
    wire [1:0] base  = three ? s3_new : there;
    always @*
        if (started) begin
            assert (!asked || f_val == due);
            assert (!kept || g_val == kept_due);
            assert (asked == (f_valid && !f_none && !f_bank && !f_addr));
            assert (!stalled || (out_valid && out_beat == offered));
            assert (acc_ready == (!s1_valid || !s1_full[s1_at[1]]));
            // Where the value is on its way.
            assert (!known || fold == (two ? (s2_fresh ? s2_val : folded(base, s2_val)) : base));
            assert (!two || known);
            assert (!three || s3_fresh || s3_old == there);
            assert (!two || (s2_next == three && s2_past == four));
            assert (!two || s2_fresh || (s2_late ? past : answer) == word);
            assert (!asked || (f_next == three && f_past == four && !two));
            assert (!asked || (f_late ? past : answer) == word);
        end

endmodule

`default_nettype wire
