// SPDX-License-Identifier: Apache-2.0
//
// The lowest bit of a word, the word without it, and counts to three, against arithmetic on the word.
// case 1: IDX_W=1
// case 2: IDX_W=2
// case 3: IDX_W=3
// case 4: IDX_W=4
// case 5: IDX_W=5
// mutant samhw_lowest_bit: place = {!b[0] && !b[1], !b[0] && (b[1] || !b[2])};
//     => place = {!b[0] && !b[1], b[0] && (b[1] || !b[2])};
// mutant samhw_lowest_bit: b[0] || b[1], b[0], 1'b0}; => b[0] || b[1], 1'b0, 1'b0};
// mutant of 5 samhw_lowest_bit: assign any[g]         = |b; => assign any[g]         = |b[2:0];
// mutant of 5 samhw_lowest_bit: place = {!b[0] && !b[1], !b[0] && (b[1] || !b[2])};
//     => place = {!b[0] && !b[1], !b[0] && (b[1] || b[2])};
// mutant of 5 samhw_lowest_bit: higher = {b[0] || b[1] || b[2], => higher = {b[1] || b[2],
// mutant of 5 samhw_bits_set: (a[1] && b[0]) || (a[0] && b[1]), a[1] => (a[0] && b[1]), a[1]
// mutant of 5 samhw_bits_set: a[1] || b[1] || (a[0] && b[0]) => a[1] || b[1]
`default_nettype none

module formal_lowest_bit #(
    parameter IDX_W = 5
) (
    input wire                    clk,
    input wire [(2**IDX_W)-1:0]   bits
);

    localparam N = 2**IDX_W;
    localparam [N-1:0] ONE = 1;

    wire [IDX_W-1:0] index;
    wire [N-1:0]     rest;
    wire             two;
    wire             three;
    samhw_lowest_bit #(.IDX_W(IDX_W)) dut (.bits(bits), .index(index), .rest(rest));
    samhw_bits_set #(.IDX_W(IDX_W)) counts (.bits(bits), .two(two), .three(three));

    wire [N-1:0] without = bits & (bits - ONE);
    reg          started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;

    always @*
        if (started) begin
            assert (rest == without);
            assert (bits == {N{1'b0}} || (bits & ~rest) == ONE << index);
            assert (two == (without != {N{1'b0}}));
            assert (three == ((without & (without - ONE)) != {N{1'b0}}));
        end

endmodule

`default_nettype wire
