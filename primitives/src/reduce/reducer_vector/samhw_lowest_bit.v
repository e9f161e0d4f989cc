// SPDX-License-Identifier: Apache-2.0
//
// Position of the lowest bit of a word that is set, and the word without it.
//
//   Consumes    bits.
//   Produces    index (anything if no bit is set), rest.
//   How         in groups of four bits, and fours of groups: a few lookup tables deep, where a subtraction's carry
//               passes the whole word.
//   Boundary    combinational.
//   Parameters  IDX_W: log2 of the bits of the word, at most 5.
`default_nettype none

module samhw_lowest_bit #(
    parameter IDX_W = 4
) (
    input  wire [(2**IDX_W)-1:0] bits,
    output wire [IDX_W-1:0]      index,
    output wire [(2**IDX_W)-1:0] rest
);
    generate
        if (IDX_W < 1 || IDX_W > 5) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam N = 2**IDX_W;

    // The lowest of four: the last if it is none of the others.
    function [1:0] place(input [2:0] b);
        place = {!b[0] && !b[1], !b[0] && (b[1] || !b[2])};
    endfunction
    // Which of four have a lower one.
    function [3:0] higher(input [2:0] b);
        higher = {b[0] || b[1] || b[2], b[0] || b[1], b[0], 1'b0};
    endfunction

    // Absent bits are constants, and what is made of them goes.
    wire [31:0] word = {{(32-N){1'b0}}, bits};
    wire [31:0] left;
    wire [7:0]  any;
    wire [7:0]  later;
    wire [15:0] low;
    wire        any_low = |any[3:0];
    assign later = {higher(any[6:4]) | {4{any_low}}, higher(any[2:0])};

    genvar g;
    generate
        for (g = 0; g < 8; g = g + 1) begin : g_group
            wire [3:0] b = word[4*g +: 4];
            assign any[g]         = |b;
            assign low[2*g +: 2]  = place(b[2:0]);
            assign left[4*g +: 4] = b & (higher(b[2:0]) | {4{later[g]}});
        end
    endgenerate

    wire [1:0] at_low  = any[0] ? low[1:0] : any[1] ? low[3:2] : any[2] ? low[5:4] : low[7:6];
    wire [1:0] at_high = any[4] ? low[9:8] : any[5] ? low[11:10] : any[6] ? low[13:12] : low[15:14];
    wire [4:0] at = any_low ? {1'b0, place(any[2:0]), at_low} : {1'b1, place(any[6:4]), at_high};
    assign index = at[IDX_W-1:0];
    assign rest  = left[N-1:0];

    wire _unused_ok = &{1'b0, any[7], at, left, 1'b0};

endmodule

`default_nettype wire
