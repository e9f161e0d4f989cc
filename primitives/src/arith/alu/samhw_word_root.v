// SPDX-License-Identifier: Apache-2.0
//
// Square root of whole numbers and fixed point, rounded down; 0 of negative ones.
//
//   Throughput  one per cycle with en = 1; with en = 0 nothing moves.
//   Latency     1 + (W - SIGNED + FRAC + 1) / 2 cycles: the argument | samhw_root_bits.
//   Parameters  W bits, one more than its sign at least, SIGNED or not, FRAC of them after the point.
//   Reset       none.
`default_nettype none

module samhw_word_root #(
    parameter W      = 16,
    parameter SIGNED = 1,
    parameter FRAC   = 0
) (
    input  wire         clk,
    input  wire         en,
    input  wire [W-1:0] a,
    output wire [W-1:0] y
);
    generate
        if (SIGNED < 0 || SIGNED > 1 || W < 1 + SIGNED || FRAC < 0 || FRAC > W) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam S = SIGNED != 0 ? 1 : 0;
    localparam N = (W - S + FRAC + 1) / 2;

    reg  [W-1:0]   a_1;
    always @(posedge clk)
        if (en)
            a_1 <= S != 0 && a[W-1] ? {W{1'b0}} : a;

    wire [2*W+1:0] raised = {{(W+2){1'b0}}, a_1} << FRAC;
    wire [N-1:0]   root;
    wire [N:0]     rest;
    samhw_root_bits #(.N(N)) u_root (.clk(clk), .en(en), .x(raised[2*N-1:0]), .root(root), .rest(rest));

    // With a sign and no bit before the point a root can be out of range.
    wire [W:0]     wide = {{(W+1-N){1'b0}}, root};
    assign y = S != 0 && wide[W-1] ? ~({W{1'b1}} << (W - 1)) : wide[W-1:0];

    wire _unused_ok = &{1'b0, raised, rest, wide[W], 1'b0};

endmodule

`default_nettype wire
