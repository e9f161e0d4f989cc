// SPDX-License-Identifier: Apache-2.0
//
// Shift to the right; bit 0 also says whether a one was lost. Combinational.
//
//   Parameters  W bits; N_W bits of the distance (what is beyond W loses all).
`default_nettype none

module samhw_shift_jam #(
    parameter W   = 16,
    parameter N_W = 4
) (
    input  wire [W-1:0]   x,
    input  wire [N_W-1:0] n,
    output wire [W-1:0]   y
);
    generate
        if (W < 1 || N_W < 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    // What is lost is told beside the shift, not after it.
    wire [W-1:0] lost = x & ~({W{1'b1}} << n);

    assign y = (x >> n) | {{(W-1){1'b0}}, |lost};

endmodule

`default_nettype wire
