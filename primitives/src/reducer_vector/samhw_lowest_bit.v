// SPDX-License-Identifier: Apache-2.0
//
// Position of the lowest bit of a word that is set, and the word without it.
//
//   Consumes    bits.
//   Produces    index (0 if no bit is set), rest.
//   Boundary    combinational.
//   Parameters  IDX_W: log2 of the bits of the word.
`default_nettype none

module samhw_lowest_bit #(
    parameter IDX_W = 4
) (
    input  wire [(2**IDX_W)-1:0] bits,
    output reg  [IDX_W-1:0]      index,
    output wire [(2**IDX_W)-1:0] rest
);

    localparam N = 2**IDX_W;

    wire [N-1:0] below  = bits - {{(N-1){1'b0}}, 1'b1};
    wire [N-1:0] lowest = bits & ~below;
    assign rest = bits & below;

    integer i;
    always @* begin
        index = {IDX_W{1'b0}};
        for (i = 0; i < N; i = i + 1)
            if (lowest[i])
                index = index | i[IDX_W-1:0];
    end

endmodule

`default_nettype wire
