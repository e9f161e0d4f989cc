// SPDX-License-Identifier: Apache-2.0
//
// How many groups of a word have bits, counted to two in each half, for samhw_word_walk.
//
//   Consumes    any: of each group, whether it has bits.
//   Produces    halves: whether there is one among the first four, more than one among them, and the same of
//               the others.
//   Boundary    combinational.
//   Parameters  GROUPS, at most 8.
`default_nettype none

module samhw_word_halves #(
    parameter GROUPS = 8
) (
    input  wire [GROUPS-1:0] any,
    output wire [3:0]        halves
);
    generate
        if (GROUPS < 1 || GROUPS > 8) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    // Absent groups are constants, and what is made of them goes.
    wire [7:0] groups = {{(8-GROUPS){1'b0}}, any};
    wire [1:0] _unused_threes;
    samhw_bits_set #(.IDX_W(2)) u_low (.bits(groups[3:0]), .two(halves[1]), .three(_unused_threes[0]));
    samhw_bits_set #(.IDX_W(2)) u_high (.bits(groups[7:4]), .two(halves[3]), .three(_unused_threes[1]));
    assign halves[0] = |groups[3:0];
    assign halves[2] = |groups[7:4];

endmodule

`default_nettype wire
