// SPDX-License-Identifier: Apache-2.0
//
// Number of zeros above the highest one bit. Combinational, a tree of depth log2 W.
//
//   Parameters  W bits; N_W = $clog2(W). Of x = 0 the number means nothing.
`default_nettype none

module samhw_leading_zeros #(
    parameter W   = 16,
    parameter N_W = $clog2(W)
) (
    input  wire [W-1:0]   x,
    output wire [N_W-1:0] n
);

    localparam P = 1 << N_W;

    wire [P:0] padded = {x, {(P-W+1){1'b1}}};

    // Level l has P >> l nodes: whether all of their bits are 0, and how many leading ones are.
    genvar l;
    genvar k;
    generate
        for (l = 0; l <= N_W; l = l + 1) begin : g_level
            wire [(P>>l)-1:0]     zero;
            wire [(P>>l)*N_W-1:0] count;
            if (l == 0) begin : g_bits
                assign zero  = ~padded[P:1];
                assign count = {(P*N_W){1'b0}};
            end else begin : g_pairs
                for (k = 0; k < (P >> l); k = k + 1) begin : g_node
                    wire           high = g_level[l-1].zero[2*k+1];
                    wire [N_W-1:0] low  = g_level[l-1].count[2*k*N_W +: N_W];
                    assign zero[k] = high && g_level[l-1].zero[2*k];
                    assign count[k*N_W +: N_W] = high ? low | ({{(N_W-1){1'b0}}, 1'b1} << (l-1))
                                                      : g_level[l-1].count[(2*k+1)*N_W +: N_W];
                end
            end
        end
    endgenerate

    assign n = g_level[N_W].count;

    wire _unused_ok = &{1'b0, g_level[N_W].zero, padded[0], 1'b0};

endmodule

`default_nettype wire
