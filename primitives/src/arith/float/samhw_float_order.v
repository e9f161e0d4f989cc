// SPDX-License-Identifier: Apache-2.0
//
// How a float compares to another. Combinational.
//
//   Produces    less: a < b, equal: a = b (zeros are); neither where one is NaN: none.
//   Parameters  EXP, MAN: exponent and fraction bits, EXP at least 3.
`default_nettype none

module samhw_float_order #(
    parameter EXP = 8,
    parameter MAN = 23
) (
    input  wire [EXP+MAN:0] a,
    input  wire [EXP+MAN:0] b,
    output wire             less,
    output wire             equal,
    output wire             none
);
    generate
        if (EXP < 3 || MAN < 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam N = EXP + MAN;
    localparam [N-1:0] INF = {{EXP{1'b1}}, {MAN{1'b0}}};

    wire zeros = a[N-1:0] == {N{1'b0}} && b[N-1:0] == {N{1'b0}};
    // With all bits of negative numbers flipped, and the sign of others, words are in order.
    wire below = (a ^ {1'b1, {N{a[N]}}}) < (b ^ {1'b1, {N{b[N]}}});

    assign none  = a[N-1:0] > INF || b[N-1:0] > INF;
    assign less  = !none && !zeros && below;
    assign equal = !none && (zeros || a == b);

endmodule

`default_nettype wire
