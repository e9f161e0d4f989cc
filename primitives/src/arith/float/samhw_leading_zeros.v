// SPDX-License-Identifier: Apache-2.0
//
// Number of zeros above the highest one bit. Combinational, a tree of depth log2 W.
//
//   Parameters  W bits, at least 2; N_W = $clog2(W). Of x = 0 the number means nothing.
`default_nettype none

module samhw_leading_zeros #(
    parameter W   = 16,
    parameter N_W = $clog2(W)
) (
    input  wire [W-1:0]   x,
    output wire [N_W-1:0] n
);
    generate
        if (W < 2 || N_W != $clog2(W)) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam P = 1 << N_W;

    wire [P:0] padded = {x, {(P-W+1){1'b1}}};

    // A tree: the leaves P to 2P-1 are the bits, node k stands above 2k and, of higher bits, 2k+1. Of each:
    // whether all of its bits are 0, and how many leading ones are.
    localparam [N_W-1:0] ONE = 1;
    reg [2*P-1:0]     zero;
    reg [2*P*N_W-1:0] count;
    integer           l;
    integer           k;
    always @* begin
        zero  = {~padded[P:1], {P{1'b0}}};
        count = {(2*P*N_W){1'b0}};
        for (l = 1; l <= N_W; l = l + 1)
            for (k = P >> l; k < (2*P) >> l; k = k + 1) begin
                zero[k] = zero[2*k+1] && zero[2*k];
                count[k*N_W +: N_W] = zero[2*k+1] ? count[2*k*N_W +: N_W] | (ONE << (l-1)) : count[(2*k+1)*N_W +: N_W];
            end
    end

    assign n = count[N_W +: N_W];

    wire _unused_ok = &{1'b0, zero, count, padded[0], 1'b0};

endmodule

`default_nettype wire
