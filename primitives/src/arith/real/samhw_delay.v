// SPDX-License-Identifier: Apache-2.0
//
// What goes beside a pipeline: x, N cycles later.
//
//   Throughput  one per cycle with en = 1; with en = 0 nothing moves.
//   Latency     N cycles, at least 1.
//   Parameters  W bits; N.
//   Reset       none.
`default_nettype none

module samhw_delay #(
    parameter W = 8,
    parameter N = 2
) (
    input  wire         clk,
    input  wire         en,
    input  wire [W-1:0] x,
    output wire [W-1:0] y
);
    generate
        if (W < 1 || N < 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    reg  [N*W-1:0]     late;
    wire [(N+1)*W-1:0] all = {late, x};
    always @(posedge clk)
        if (en)
            late <= all[N*W-1:0];

    assign y = late[(N-1)*W +: W];

    wire _unused_ok = &{1'b0, all[N*W +: W], 1'b0};

endmodule

`default_nettype wire
