// SPDX-License-Identifier: Apache-2.0
//
// Proof: each word's bits come out one after the other, from the lowest on, with the word's tag and with
// `over` at the last; a word without any, or that counts as empty, gives one step; words keep their order,
// none is lost or repeated; what is offered stays until it is taken; a word is taken wherever the one before
// has but one group left and that is being taken.
// case 8: IDX_W=3
// case 16: IDX_W=4
// case 32: IDX_W=5
// with: samhw_word_walk
// probe a_valid = dut.a_valid
// probe a_tag = dut.a_tag
// probe a_bits = dut.a_bits
// probe a_any = dut.a_any
// probe a_many = dut.a_many
// probe a_halves = dut.a_halves
// probe b_at = dut.b_at
// probe b_last = dut.b_last
// probe b_bits = dut.b_bits
// probe b_many = dut.b_many
// mutant samhw_word_walk: {b_many, b_bits} <= a_first; => {b_many, b_bits} <= items[4:0];
// mutant of 32 samhw_word_walk: (groups[2] ? items[14:10] => (groups[3] ? items[14:10]
// mutant of 32 samhw_word_walk: {a_halves[3:2], threes[0], a_halves[1]} => {a_halves[3:2], threes[0], a_halves[0]}
// mutant of 32 samhw_word_walk: a_halves[1] || a_halves[3] || (a_halves[0] && a_halves[2])
//     => a_halves[1] || a_halves[3]
// mutant samhw_word_walk: b_many  <= b_three; => b_many  <= 1'b0;
// mutant of 32 samhw_word_walk: (b_load && !a_more) => (b_load && !a_halves[1])
// mutant samhw_word_groups: assign any[g] = |bits[4*g +: 4]; => assign any[g] = |bits[4*g +: 3];
// mutant of 32 samhw_word_halves: assign halves[2] = |groups[7:4]; => assign halves[2] = |groups[6:4];
`default_nettype none

module formal_word_walk #(
    parameter IDX_W = 3
) (
    input wire                    clk,
    input wire                    in_valid,
    input wire [(2**IDX_W)-1:0]   in_bits,
    input wire                    in_none,
    input wire                    in_tag,
    input wire                    out_ready,
    input wire                    a_valid,
    input wire                    a_tag,
    input wire [(2**IDX_W)-1:0]   a_bits,
    input wire [(2**IDX_W)/4-1:0] a_any,
    input wire [(2**IDX_W)/4-1:0] a_many,
    input wire [3:0]              a_halves,
    input wire [IDX_W-3:0]        b_at,
    input wire                    b_last,
    input wire [3:0]              b_bits,
    input wire                    b_many
);

    localparam N      = 2**IDX_W;
    localparam GROUPS = N / 4;
    localparam [N-1:0]      ONE   = 1;
    localparam [GROUPS-1:0] GROUP = 1;

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire [GROUPS-1:0] any;
    wire [GROUPS-1:0] many;
    wire [3:0]        halves;
    samhw_word_groups #(.IDX_W(IDX_W)) u_groups (.bits(in_bits), .any(any), .many(many));
    samhw_word_halves #(.GROUPS(GROUPS)) u_halves (.any(any), .halves(halves));

    wire             in_ready;
    wire             out_valid;
    wire [IDX_W-1:0] out_index;
    wire             out_over;
    wire             out_tag;
    samhw_word_walk #(.IDX_W(IDX_W)) dut (
        .clk(clk), .rst(rst),
        .in_valid(in_valid), .in_ready(in_ready), .in_word({{halves, many, any} & {(2*GROUPS+4){!in_none}}, in_bits}),
        .in_tag(in_tag),
        .out_valid(out_valid), .out_ready(out_ready), .out_index(out_index), .out_over(out_over), .out_tag(out_tag)
    );

    // What is owed: the rest of the oldest word, and the word behind it. A word that was taken is one of the two.
    reg          owes = 1'b0;
    reg          next = 1'b0;
    reg  [N-1:0] owed;
    reg          owed_tag;
    reg  [N-1:0] next_bits;
    reg          next_tag;
    wire         takes = in_valid && in_ready;
    wire [N-1:0] taken = in_none ? {N{1'b0}} : in_bits;
    wire [N-1:0] rest  = owed & (owed - ONE);
    wire         step  = out_valid && out_ready;
    wire         ends  = step && rest == {N{1'b0}};
    always @(posedge clk)
        if (started) begin
            if (step)
                owed <= rest;
            if (ends || !owes) begin
                owes     <= next || takes;
                owed     <= next ? next_bits : taken;
                owed_tag <= next ? next_tag : in_tag;
                next     <= next && takes;
            end else
                next <= next || takes;
            if (takes) begin
                next_bits <= taken;
                next_tag  <= in_tag;
            end
        end

    reg         stalled = 1'b0;
    reg [IDX_W+1:0] offered;
    always @(posedge clk) begin
        stalled <= started && out_valid && !out_ready;
        offered <= {out_index, out_over, out_tag};
    end

    // What is left of the word at hand, and of the group.
    reg  [N-1:0]      left;
    reg  [GROUPS-1:0] several;
    reg  [3:0]        low;
    reg  [3:0]        high;
    integer           g;
    integer           i;
    always @* begin
        low  = 4'd0;
        high = 4'd0;
        for (g = 0; g < GROUPS; g = g + 1) begin
            left[4*g +: 4] = a_bits[4*g +: 4] & {4{a_any[g]}};
            several[g]     = (left[4*g +: 4] & (left[4*g +: 4] - 4'd1)) != 4'd0;
            if (g < 4)
                low = low + {3'd0, a_any[g]};
            else
                high = high + {3'd0, a_any[g]};
        end
    end
    wire [N-1:0] group = {{(N-4){1'b0}}, b_bits} << {b_at, 2'b00};

    always @*
        if (started) begin
            assert (out_valid || !owes || a_valid);
            assert (!stalled || (out_valid && {out_index, out_over, out_tag} == offered));
            assert (!out_valid || owes);
            assert (!out_valid || out_tag == owed_tag);
            assert (!out_valid || owed == {N{1'b0}} || (owed & ~rest) == ONE << out_index);
            assert (!out_valid || out_over == (rest == {N{1'b0}}));
            assert (in_ready || (a_any & (a_any - GROUP)) != {GROUPS{1'b0}} || (out_valid && (!out_ready || b_many)));
            // Where what is owed is.
            assert (!a_valid || a_halves == {high > 4'd1, high != 4'd0, low > 4'd1, low != 4'd0});
            for (i = 0; i < GROUPS; i = i + 1) begin
                assert (!a_valid || !a_any[i] || left[4*i +: 4] != 4'd0);
                assert (!a_valid || !a_any[i] || a_many[i] == several[i]);
            end
            assert (!a_valid || a_any != {GROUPS{1'b0}} || a_many == {GROUPS{1'b0}});
            assert (!out_valid || b_many == (owed != {N{1'b0}} && (b_bits & (b_bits - 4'd1)) != 4'd0));
            if (out_valid && !b_last) begin
                assert (b_bits != 4'd0);
                assert (a_valid && a_any != {GROUPS{1'b0}} && !next);
                assert (a_tag == owed_tag);
                assert (owed == (group | left));
                assert ((left & ((ONE << {b_at, 2'b11}) | ((ONE << {b_at, 2'b11}) - ONE))) == {N{1'b0}});
            end else if (out_valid) begin
                assert (owed == {N{1'b0}} || owed == group);
                assert (next == a_valid);
                assert (!a_valid || (next_bits == left && next_tag == a_tag));
            end else begin
                assert (!next && owes == a_valid);
                assert (!a_valid || (owed == left && owed_tag == a_tag));
            end
        end

endmodule

`default_nettype wire
