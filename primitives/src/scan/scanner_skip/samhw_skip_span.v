// SPDX-License-Identifier: Apache-2.0
//
// Part of samhw_scanner_skip: how many coordinates there are from one place to another, without counting them.
//
//   Contract    Where from <= to: some = from != to; where some, more[k] = to - from > 2**(LOG2+k).
//   Boundary    combinational. No carry runs through the words: that upper bits of a difference are zero
//               shows in every two neighbouring bits of both, but for the carry into the lowest of them;
//               those of to + ~from, one less than the difference, say more.
//   Parameters  W bits of a place; LOG2, at least 1.
`default_nettype none

module samhw_skip_span #(
    parameter W    = 16,
    parameter LOG2 = 1
) (
    input  wire [W-1:0] from,
    input  wire [W-1:0] to,
    output wire         some,
    output wire [1:0]   more
);
    generate
        if (W < 1 || LOG2 < 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    // A bit of the sum is zero if this is the carry into it, and then the carry out of it is that.
    localparam EXTRA = LOG2 + 3;
    wire [W+EXTRA-1:0] a     = {{EXTRA{1'b0}}, to};
    wire [W+EXTRA-1:0] b     = {{EXTRA{1'b1}}, ~from};
    wire [W+EXTRA-1:0] set   = a ^ b ^ {a[W+EXTRA-2:0] | b[W+EXTRA-2:0], 1'b1};
    assign some = set[W-1:0] != {W{1'b0}};

    // The carry out of a few bits; a chain of carries would be slower.
    function carry(input [LOG2:0] x, input [LOG2:0] y);
        integer i;
        begin
            carry = 1'b0;
            for (i = 0; i <= LOG2; i = i + 1)
                carry = (x[i] && y[i]) || (carry && (x[i] || y[i]));
        end
    endfunction
    genvar k;
    generate
        for (k = 0; k < 2; k = k + 1) begin : g_more
            localparam [LOG2:0] BELOW = (1 << (LOG2 + k)) - 1;
            wire into = carry(a[LOG2:0] & BELOW, b[LOG2:0] | ~BELOW);
            assign more[k] = set >> (LOG2 + k + 1) != 0 || (a[LOG2+k] ^ b[LOG2+k]) != into;
        end
    endgenerate

    wire _unused_ok = &{1'b0, set, 1'b0};

endmodule

`default_nettype wire
