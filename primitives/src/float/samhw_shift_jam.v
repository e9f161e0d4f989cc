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

    wire [(N_W+1)*W-1:0] at;
    wire [N_W:0]         lost;

    assign at[W-1:0] = x;
    assign lost[0]   = 1'b0;

    genvar k;
    generate
        for (k = 0; k < N_W; k = k + 1) begin : g_step
            wire [W-1:0] v = at[k*W +: W];
            if ((1 << k) >= W) begin : g_all
                assign at[(k+1)*W +: W] = n[k] ? {W{1'b0}} : v;
                assign lost[k+1] = lost[k] || (n[k] && (|v));
            end else begin : g_some
                assign at[(k+1)*W +: W] = n[k] ? v >> (1 << k) : v;
                assign lost[k+1] = lost[k] || (n[k] && (|v[(1<<k)-1:0]));
            end
        end
    endgenerate

    assign y = at[N_W*W +: W] | {{(W-1){1'b0}}, lost[N_W]};

endmodule

`default_nettype wire
