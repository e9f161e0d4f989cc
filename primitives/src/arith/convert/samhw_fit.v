// SPDX-License-Identifier: Apache-2.0
//
// A size with a sign, rounded and brought into the range of a word. Combinational.
//
//   Consumes    sign; over: the size is out of range whatever units says; units: the size, with two bits below the
//               point: the half, and whether there is anything under it.
//   Parameters  M_W whole bits of units, at least W; W bits of the word, SIGNED or not; NEAREST: rounds to
//               nearest, ties to even, else toward zero; WRAP: keeps the low bits, else the nearest value in range.
`default_nettype none

module samhw_fit #(
    parameter M_W     = 32,
    parameter W       = 16,
    parameter SIGNED  = 1,
    parameter NEAREST = 1,
    parameter WRAP    = 0
) (
    input  wire           sign,
    input  wire           over,
    input  wire [M_W+1:0] units,
    output wire [W-1:0]   y
);
    generate
        if (W < 1 || M_W < W
            || SIGNED < 0 || SIGNED > 1 || NEAREST < 0 || NEAREST > 1 || WRAP < 0 || WRAP > 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    wire         nearer = NEAREST != 0 && units[1] && (units[0] || units[2]);
    wire [M_W:0] whole  = {1'b0, units[M_W+1:2]} + {{M_W{1'b0}}, nearer};
    wire         high   = over || |whole[M_W:W];
    wire [W-1:0] low    = whole[W-1:0];
    // The ends of a signed range are 2^(W-1) - 1 and -2^(W-1).
    wire         above  = SIGNED != 0 ? low[W-1] : 1'b0;
    wire         below  = SIGNED != 0 ? low[W-1] && |(low << 1) : low != {W{1'b0}};
    wire         past   = WRAP == 0 && (high || (sign ? below : above));
    wire [W-1:0] least  = SIGNED != 0 ? {W{1'b1}} << (W - 1) : {W{1'b0}};
    assign y = !past ? (sign ? -low : low) : sign ? least : ~least;

endmodule

`default_nettype wire
