// SPDX-License-Identifier: Apache-2.0
//
// Whether at least two, and at least three bits of a word are set.
//
//   Consumes    bits.
//   Produces    two, three.
//   How         counts to three of groups of four bits, added in pairs.
//   Boundary    combinational.
//   Parameters  IDX_W: log2 of the bits of the word, at most 5.
`default_nettype none

module samhw_bits_set #(
    parameter IDX_W = 4
) (
    input  wire [(2**IDX_W)-1:0] bits,
    output wire                  two,
    output wire                  three
);
    generate
        if (IDX_W < 1 || IDX_W > 5) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam N = 2**IDX_W;

    // Counts: bit k of one says that more than k bits are set.
    function [2:0] group(input [3:0] b);
        group = {(b[0] && b[1] && (b[2] || b[3])) || (b[2] && b[3] && (b[0] || b[1])),
                 (b[0] && b[1]) || (b[2] && b[3]) || ((b[0] || b[1]) && (b[2] || b[3])),
                 |b};
    endfunction
    function [2:0] sum(input [2:0] a, input [2:0] b);
        sum = {a[2] || b[2] || (a[1] && b[0]) || (a[0] && b[1]), a[1] || b[1] || (a[0] && b[0]), a[0] || b[0]};
    endfunction

    // Absent bits are constants, and what is made of them goes.
    wire [31:0] word = {{(32-N){1'b0}}, bits};
    wire [2:0]  low  = sum(sum(group(word[3:0]), group(word[7:4])), sum(group(word[11:8]), group(word[15:12])));
    wire [2:0]  high = sum(sum(group(word[19:16]), group(word[23:20])), sum(group(word[27:24]), group(word[31:28])));
    wire        _unused_any;
    assign {three, two, _unused_any} = sum(low, high);

endmodule

`default_nettype wire
