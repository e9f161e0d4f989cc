// SPDX-License-Identifier: Apache-2.0
//
// Picks one of those that want something, in turn.
//
//   Consumes    wants: a bit for each.
//   Produces    pick: the bit of one of them, in the same cycle; none where none wants.
//   Fairness    the one that was picked last comes last: who goes on wanting is picked before another is picked twice.
//   Parameters  N of them; ANEW: where none wants anything turns begin anew, with the first one.
//   Reset       whose turn it is.
`default_nettype none

module samhw_pick #(
    parameter N    = 2,
    parameter ANEW = 0
) (
    input  wire         clk,
    input  wire         rst,

    input  wire [N-1:0] wants,
    output wire [N-1:0] pick
);
    generate
        if (N < 1 || ANEW < 0 || ANEW > 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam [N-1:0] ONE = 1;

    // Those behind the one that was picked last come first.
    reg  [N-1:0] behind;
    wire [N-1:0] high = wants & behind;
    wire [N-1:0] from = high != {N{1'b0}} ? high : wants;
    assign pick = from & (~from + ONE);

    always @(posedge clk)
        if (rst)
            behind <= {N{1'b0}};
        else if (ANEW != 0 || pick != {N{1'b0}})
            behind <= ~(pick | (pick - ONE));

endmodule

`default_nettype wire
