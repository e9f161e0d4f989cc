// SPDX-License-Identifier: Apache-2.0
//
// Proof: arrivals pass in order, each once and as it came, and one is fresh where none of its list was at its address as far as the word's bit;
// of a list's items each word that is read leaves as its bits, from the lowest on, each that arrived once and no other, in the order of the
// items, a `none` item as it is, the last as such, with its bank. Shown for one list of those that arrive, drawn and any, and one bit of one word.
// What is offered stays until it is taken; with consumers that take, arrivals are taken unless two lists have not been read, and items of a
// list that has arrived.
// by: reachability
// case down: PART=0 HERE=5
// case order: PART=1
// case up: PART=2 HERE=5
// long case low: PART=2 HERE=0
// case progress: PART=3
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
`default_nettype none

module formal_workspace_level #(
    parameter PART = 0,
    parameter HERE = 0
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
    input wire       pick
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
    samhw_workspace_level #(.ADDR_W(3), .PRE_W(1), .BIT_W(2), .DEPTH(2), .TAIL_W(2)) dut (
        .clk(clk), .rst(rst),
        .acc_valid(acc_valid), .acc_ready(acc_ready), .acc_bank(acc_bank), .acc_addr(acc_addr), .acc_update(acc_update),
        .acc_fresh(acc_fresh), .acc_last(acc_last), .acc_tail({mine, had}),
        .below_valid(below_valid), .below_ready(below_ready), .below_bank(below_bank), .below_addr(below_addr),
        .below_update(below_update), .below_fresh(below_fresh), .below_last(below_last), .below_tail(below_tail),
        .item_valid(item_valid), .item_ready(item_ready), .item_bank(item_bank), .item_word(item_word),
        .item_none(item_none), .item_last(item_last),
        .walk_valid(walk_valid), .walk_ready(walk_ready), .walk_bank(walk_bank), .walk_word(walk_word),
        .walk_none(walk_none), .walk_last(walk_last)
    );
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
    samhw_watched #(.MOST(6)) walked (
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
    samhw_steady #(.W(3)) steady (.clk(clk), .started(started), .valid(item_valid), .ready(item_ready), .beat({item_word, item_none, item_last}));
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
            samhw_owed #(.W(8), .DEPTH(2)) owed (
                .clk(clk), .started(started), .put(in), .beat({acc_bank, acc_addr, acc_update, acc_last, mine, had}),
                .valid(below_valid), .ready(below_ready),
                .given({below_bank, below_addr, below_update, below_last, below_tail}), .count(count));
            samhw_kept #(.W(1)) kept (.clk(clk), .started(started), .valid(below_valid), .ready(below_ready), .beat(below_fresh));
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
        if (PART == 3) begin : g_progress
            samhw_soon #(.MOST(3)) taken (.clk(clk), .started(started), .waits(acc_valid && !acc_ready && below_ready && lists <= 4'd1));
            samhw_soon #(.MOST(12)) asked_for (.clk(clk), .started(started),
                .waits(item_valid && !item_ready && walk_ready && below_ready && lists != 4'd0));
            samhw_soon #(.MOST(3)) given_out (.clk(clk), .started(started), .waits(!walk_valid && walk_ready && walks > lists));
        end
    endgenerate

endmodule

`default_nettype wire
