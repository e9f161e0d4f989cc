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

    // Level l has P >> l nodes: whether all of their bits are 0, and how many leading ones are.
    wire [(N_W+1)*P-1:0]     zero;
    wire [(N_W+1)*P*N_W-1:0] count;
    wire [P:0]               padded = {x, {(P-W+1){1'b1}}};

    assign zero[P-1:0]      = ~padded[P:1];
    assign count[P*N_W-1:0] = {(P*N_W){1'b0}};

    genvar l;
    genvar k;
    generate
        for (l = 1; l <= N_W; l = l + 1) begin : g_level
            for (k = 0; k < (P >> l); k = k + 1) begin : g_node
                localparam HIGH = (l-1)*P + 2*k + 1;
                localparam LOW  = (l-1)*P + 2*k;
                wire [N_W-1:0] low = count[LOW*N_W +: N_W];
                assign zero[l*P+k] = zero[HIGH] && zero[LOW];
                assign count[(l*P+k)*N_W +: N_W] =
                    zero[HIGH] ? low | ({{(N_W-1){1'b0}}, 1'b1} << (l-1)) : count[HIGH*N_W +: N_W];
            end
            assign zero[l*P+(P>>l) +: P-(P>>l)] = {(P-(P>>l)){1'b0}};
            assign count[(l*P+(P>>l))*N_W +: (P-(P>>l))*N_W] = {((P-(P>>l))*N_W){1'b0}};
        end
    endgenerate

    assign n = count[N_W*P*N_W +: N_W];

    wire _unused_ok = &{1'b0, zero, count, padded[0], 1'b0};

endmodule

`default_nettype wire
