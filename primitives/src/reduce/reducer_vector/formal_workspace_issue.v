// SPDX-License-Identifier: Apache-2.0
//
// Proof: no fold follows another one at its address within LATE cycles; every value that arrives is folded
// once, at its address; a list is complete once, after all its folds and after its last arrival; an arrival
// whose bank is open waits for few cycles only, and a list that has arrived is complete after few more. The
// folds behind it are as samhw_fold_in_place makes them.
// by: reachability
// case folds: SOON=0
// long case soon: SOON=1
// probe taken = dut.taken
// probe a_here = dut.a_here
// probe a_bank = dut.a_bank
// probe a_addr = dut.a_addr
// probe a_update = dut.a_update
// probe a_fresh = dut.a_fresh
// probe a_val = dut.a_val
// mutant samhw_workspace_issue: a_busy = a_update && !a_fresh && |a_same;
//     => a_busy = a_update && !a_fresh && |a_same[LATE-1:1];
// mutant samhw_workspace_issue: r_busy = |r_same; => r_busy = |r_same[LATE-2:0];
// mutant samhw_workspace_issue: wire             parks  = a_here && a_busy && room;
//     => wire             parks  = a_here && a_busy;
// mutant samhw_workspace_issue: .in_valid(parks || turns) => .in_valid(parks)
// mutant samhw_workspace_issue: wire a_closes = a_last && none[a_bank]; => wire a_closes = a_last;
// mutant samhw_workspace_issue: closed[r_bank] && one[r_bank]; => closed[r_bank];
// mutant samhw_workspace_issue: .out_ready(!r_valid || again || turns) => .out_ready(!r_valid || again)
// mutant samhw_workspace_issue: s1_fresh  <= goes && a_fresh; => s1_fresh  <= a_fresh;
// mutant samhw_workspace_issue: a_valid && !full[a_bank] && !closed[a_bank]; => a_valid && !full[a_bank];
// mutant samhw_workspace_issue: else if (comes != gone) => else if (comes || gone)
`default_nettype none

module formal_workspace_issue #(
    parameter SOON = 0
) (
    input wire       clk,
    input wire       acc_valid,
    input wire       acc_bank,
    input wire       acc_addr,
    input wire       acc_update,
    input wire       acc_fresh,
    input wire       acc_last,
    input wire [1:0] acc_tail,
    input wire [1:0] leaves,
    input wire       taken,
    input wire       a_here,
    input wire       a_bank,
    input wire       a_addr,
    input wire       a_update,
    input wire       a_fresh,
    input wire       a_val
);

    localparam LATE = 3;

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    reg  [1:0] full;
    wire [1:0] complete;
    wire       acc_ready;
    wire       s1_valid;
    wire       s1_bank;
    wire       s1_addr;
    wire       s1_update;
    wire       s1_fresh;
    wire       s1_val;
    wire [1:0] mark;
    wire [1:0] ended;
    wire       ending;
    samhw_workspace_issue #(.ADDR_W(1), .BANK_W(1), .VAL_W(1), .END_W(1), .LATE(LATE), .PARK_LOG2(1), .AGE_W(1)) dut (
        .clk(clk), .rst(rst),
        .acc_valid(acc_valid), .acc_ready(acc_ready), .acc_bank(acc_bank), .acc_addr(acc_addr), .acc_update(acc_update),
        .acc_fresh(acc_fresh), .acc_last(acc_last), .acc_tail(acc_tail), .full(full), .complete(complete),
        .s1_valid(s1_valid), .s1_bank(s1_bank), .s1_addr(s1_addr), .s1_update(s1_update), .s1_fresh(s1_fresh),
        .s1_val(s1_val), .mark(mark), .ended(ended), .ending(ending)
    );

    // The folds: their writes are made LATE cycles after s1.
    reg  [LATE-1:0] wes;
    reg  [1:0]    at_0;
    reg  [1:0]    at_1;
    reg  [1:0]    at_2;
    reg  [1:0]    due_0;
    reg  [1:0]    due_1;
    reg  [1:0]    due_2;
    wire [1:0]    s1_at   = {s1_bank, s1_addr};
    wire          s1_fold = s1_valid && s1_update;
    assign complete = due_2;
    wire [2:0] of_0 = {wes[2] && !at_2[1], wes[1] && !at_1[1], wes[0] && !at_0[1]};
    wire [2:0] of_1 = {wes[2] && at_2[1], wes[1] && at_1[1], wes[0] && at_0[1]};

    // Addresses that the list of a bank has met, and lists that have arrived.
    reg  [3:0] seen;
    reg  [1:0] closed;
    reg  [1:0] marked;
    wire [1:0] here    = {a_bank, a_addr};
    wire [3:0] meets   = {3'd0, taken && a_update} << here;
    wire [3:0] forgets = {{2{ended[1]}}, {2{ended[0]}}};
    // The environment says which arrivals are the first at their address.
    always @*
        if (started && a_here)
            assume (a_fresh == (a_update && !seen[here]));

    // Of all values one is 1: it arrived, and it was folded.
    reg       came;
    reg       went;
    reg [1:0] place;
    reg       first;
    wire      comes = taken && a_update && a_val;
    always @*
        if (started && a_here && a_update && a_val)
            assume (!came);

    wire [1:0] done = full | complete;

    // Cycles for which an arrival waits, and since a list has arrived.
    reg [2:0] waits;
    reg [5:0] rests;

    always @(posedge clk)
        if (rst) begin
            full   <= 2'd0;
            wes    <= 3'd0;
            due_0  <= 2'd0;
            due_1  <= 2'd0;
            due_2  <= 2'd0;
            seen   <= 4'd0;
            closed <= 2'd0;
            marked <= 2'd0;
            came   <= 1'b0;
            went   <= 1'b0;
            waits  <= 3'd0;
            rests  <= 6'd0;
        end else begin
            full   <= (full | complete) & ~leaves;
            wes    <= {wes[1:0], s1_fold};
            due_0  <= mark;
            due_1  <= due_0;
            due_2  <= due_1;
            seen   <= (seen | meets) & ~forgets;
            closed <= (closed & ~complete) | ended;
            marked <= (marked & ~complete) | mark;
            came   <= came || comes;
            went   <= went || (s1_fold && s1_val);
            if (comes) begin
                place <= here;
                first <= a_fresh;
            end
            waits  <= a_here && !taken ? waits + 3'd1 : 3'd0;
            rests  <= SOON != 0 && closed[0] && !complete[0] ? rests + 6'd1 : 6'd0;
        end
    always @(posedge clk) begin
        at_0 <= s1_at;
        at_1 <= at_0;
        at_2 <= at_1;
    end

    always @*
        if (started) begin
            assert (!s1_fold || !wes[0] || at_0 != s1_at);
            assert (!s1_fold || !wes[1] || at_1 != s1_at);
            assert (!s1_fold || !wes[2] || at_2 != s1_at);
            assert (!s1_fold || !s1_val || (came && !went && place == s1_at && first == s1_fresh));
            assert (!s1_valid || !s1_fresh || s1_update);
            assert ((mark & ~closed) == 2'd0);
            assert ((mark & marked) == 2'd0);
            assert ((complete & ~closed) == 2'd0);
            assert (!complete[0] || (!(s1_fold && !s1_at[1]) && of_0[1:0] == 2'd0));
            assert (!complete[1] || (!(s1_fold && s1_at[1]) && of_1[1:0] == 2'd0));
            assert (!came || went || !done[place[1]]);
            assert (waits <= 3'd6);
            assert (SOON == 0 || rests <= 6'd60);
        end

    wire _unused_ok = &{1'b0, acc_ready, ending, 1'b0};

endmodule

`default_nettype wire
