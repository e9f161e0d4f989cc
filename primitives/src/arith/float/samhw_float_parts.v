// SPDX-License-Identifier: Apache-2.0
//
// A float taken apart. Combinational.
//
//   Produces    sign; exp: the biased exponent, 1 of subnormals and zero; man with the hidden bit,
//               0 of subnormals and zero; nan, inf, zero.
//   Parameters  EXP, MAN: exponent and fraction bits, EXP at least 3.
`default_nettype none

module samhw_float_parts #(
    parameter EXP = 8,
    parameter MAN = 23
) (
    input  wire [EXP+MAN:0] x,
    output wire             sign,
    output wire [EXP-1:0]   exp,
    output wire [MAN:0]     man,
    output wire             nan,
    output wire             inf,
    output wire             zero
);
    generate
        if (EXP < 3 || MAN < 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    wire [EXP-1:0] field = x[EXP+MAN-1 -: EXP];
    wire           low   = field == {EXP{1'b0}};
    wire           high  = field == {EXP{1'b1}};
    wire           whole = x[MAN-1:0] == {MAN{1'b0}};

    assign sign = x[EXP+MAN];
    assign exp  = field | {{(EXP-1){1'b0}}, low};
    assign man  = {!low, x[MAN-1:0]};
    assign nan  = high && !whole;
    assign inf  = high && whole;
    assign zero = low && whole;

endmodule

`default_nettype wire
