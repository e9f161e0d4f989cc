// SPDX-License-Identifier: Apache-2.0
//
// The groups of four bits of a word, for samhw_word_walk.
//
//   Consumes    bits.
//   Produces    any, many: of each group, whether a bit is set, and whether more than one is.
//   Boundary    combinational.
//   Parameters  IDX_W: log2 of the bits of the word, 2 to 5.
`default_nettype none

module samhw_word_groups #(
    parameter IDX_W = 5
) (
    input  wire [(2**IDX_W)-1:0]   bits,
    output wire [(2**IDX_W)/4-1:0] any,
    output wire [(2**IDX_W)/4-1:0] many
);
    generate
        if (IDX_W < 2 || IDX_W > 5) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    genvar g;
    generate
        for (g = 0; g < (2**IDX_W)/4; g = g + 1) begin : g_group
            wire _unused_three;
            samhw_bits_set #(.IDX_W(2)) u_set (.bits(bits[4*g +: 4]), .two(many[g]), .three(_unused_three));
            assign any[g] = |bits[4*g +: 4];
        end
    endgenerate

endmodule

`default_nettype wire
