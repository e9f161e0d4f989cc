// SPDX-License-Identifier: Apache-2.0
//
// Proof: an arrival is fresh where none of its list had its bit before; each list leaves as its bits, from
// the lowest on, each that arrived once and no other, `none` if there is none, the last as such, with the
// bank that its arrivals had; banks follow each other. Shown for one list of those that arrive and one bit,
// drawn and any. What is offered stays until it is taken; an item comes where a list is owed, and with a
// consumer that takes, arrivals are taken.
// with: samhw_word_walk
// by: reachability
// case 2: BANK_W=1
// case 4: BANK_W=2
// mutant samhw_workspace_top: assign acc_fresh = first || !bits[acc_bit]; => assign acc_fresh = !bits[acc_bit];
// mutant samhw_workspace_top: acc_go && here ? leaves && acc_last : fresh; => acc_go && here ? acc_last : fresh;
// mutant samhw_workspace_top: .in_tag({walk_bank, walk_any == {GROUPS{1'b0}}})
//     => .in_tag({acc_bank, walk_any == {GROUPS{1'b0}}})
// mutant samhw_workspace_top: one_group & any & {GROUPS{!first && acc_fresh}}, => one_group & any,
// mutant samhw_workspace_top: full  <= !leaves && (full || (acc_go && here && acc_last));
//     => full  <= full ? !leaves : acc_go && here && acc_last;
// mutant samhw_workspace_top: walk_new = place_new[ => walk_new = place_old[
`default_nettype none

module formal_workspace_top #(
    parameter BANK_W = 1
) (
    input wire       clk,
    input wire       acc_valid,
    input wire [1:0] acc_bit,
    input wire       acc_update,
    input wire       acc_last,
    input wire       pick,
    input wire [1:0] any,
    input wire       item_ready
);

    localparam [BANK_W-1:0] ONE = 1;

    reg started = 1'b0;
    reg [1:0] here;
    always @(posedge clk) begin
        started <= 1'b1;
        if (!started)
            here <= any;
    end
    wire rst = !started;

    wire              acc_ready;
    wire [BANK_W-1:0] acc_bank;
    wire              acc_fresh;
    wire              item_valid;
    wire [BANK_W-1:0] item_bank;
    wire [1:0]        item_word;
    wire              item_none;
    wire              item_last;
    samhw_workspace_top #(.TOP_W(2), .BANK_W(BANK_W)) dut (
        .clk(clk), .rst(rst),
        .acc_valid(acc_valid), .acc_ready(acc_ready), .acc_bit(acc_bit), .acc_update(acc_update), .acc_last(acc_last),
        .acc_bank(acc_bank), .acc_fresh(acc_fresh),
        .item_valid(item_valid), .item_ready(item_ready), .item_bank(item_bank), .item_word(item_word),
        .item_none(item_none), .item_last(item_last)
    );

    wire       now;
    wire       first;
    wire       leaves;
    wire [3:0] lists;
    samhw_watched #(.MOST(2**BANK_W+1)) watched (
        .clk(clk), .started(started), .pick(pick), .in(started && acc_valid && acc_ready), .in_ends(acc_last),
        .out(started && item_valid && item_ready), .out_ends(item_last),
        .now(now), .first(first), .lists(lists), .leaves(leaves));

    // What the list has, at the bit that is watched and at any; where it leaves, whether the bit has left and
    // which was the last.
    reg               some;
    reg               full;
    reg  [BANK_W-1:0] mine;
    reg               given;
    reg               goes;
    reg  [1:0]        last;
    wire              had = !first && some;
    reg  [BANK_W-1:0] bank = {BANK_W{1'b0}};
    always @(posedge clk)
        if (started) begin
            if (acc_valid && acc_ready && acc_last)
                bank <= bank + ONE;
            if (now) begin
                some <= had || (acc_update && acc_bit == here);
                full <= (!first && full) || acc_update;
                mine <= acc_bank;
                {given, goes} <= 2'd0;
            end else if (leaves && item_valid && item_ready) begin
                given <= given || item_word == here;
                goes  <= 1'b1;
                last  <= item_word;
            end
        end

    samhw_kept #(.W(BANK_W+4)) kept (.clk(clk), .started(started), .valid(item_valid), .ready(item_ready),
        .beat({item_bank, item_word, item_none, item_last}));
    samhw_soon #(.MOST(6)) taken (.clk(clk), .started(started), .waits(acc_valid && !acc_ready && item_ready));
    samhw_soon #(.MOST(2)) walked (.clk(clk), .started(started), .waits(lists != 4'd0 && !item_valid && item_ready));

    always @*
        if (started) begin
            assert (acc_bank == bank);
            assert (!now || acc_bit != here || acc_fresh == !had);
            if (leaves && item_valid) begin
                assert (item_bank == mine);
                assert (item_none == !full && (full || item_last));
                assert (!full || !goes || item_word > last);
                assert (!full || item_word != here || some);
                assert (!item_last || !some || given || item_word == here);
            end
        end

endmodule

`default_nettype wire
