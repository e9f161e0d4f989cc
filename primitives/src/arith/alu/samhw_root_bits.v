// SPDX-License-Identifier: Apache-2.0
//
// Square root of a number without sign, rounded down, and what its square leaves: a stage for each bit of the root.
//
//   Throughput  one root per cycle with en = 1; with en = 0 nothing moves.
//   Latency     N cycles, registers at the end. x should come from a register.
//   Parameters  N bits of the root, 2N of x.
//   Reset       none.
`default_nettype none

module samhw_root_bits #(
    parameter N = 8
) (
    input  wire           clk,
    input  wire           en,
    input  wire [2*N-1:0] x,
    output wire [N-1:0]   root,
    output wire [N:0]     rest
);
    generate
        if (N < 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    // Of a root r so far, what is left is at most 2 r.
    genvar k;
    generate
        for (k = 0; k < N; k = k + 1) begin : g_bit
            wire [k+2:0]     now;            // what is left, with the next two bits
            wire [k+2:0]     by;             // what a further one takes
            wire [2*N-1:0]   bits;
            if (k == 0) begin : g_first
                assign now  = {1'b0, x[2*N-1 -: 2]};
                assign by   = 3'd1;
                assign bits = x;
            end else begin : g_next
                assign now  = {g_bit[k-1].left[k:0], g_bit[k-1].ahead[2*N-1 -: 2]};
                assign by   = {1'b0, g_bit[k-1].found, 2'b01};
                assign bits = g_bit[k-1].ahead;
            end
            wire [k+3:0]     less = {1'b0, now} - {1'b0, by};
            reg  [k+1:0]     left;
            reg  [k:0]       found;
            reg  [2*N-1:0]   ahead;
            always @(posedge clk)
                if (en) begin
                    left  <= less[k+3] ? now[k+1:0] : less[k+1:0];
                    ahead <= bits << 2;
                end
            if (k == 0) begin : g_top
                always @(posedge clk)
                    if (en)
                        found <= !less[k+3];
            end else begin : g_more
                always @(posedge clk)
                    if (en)
                        found <= {g_bit[k-1].found, !less[k+3]};
            end
            wire _unused_ok = &{1'b0, less[k+2], 1'b0};
        end
    endgenerate

    assign root = g_bit[N-1].found;
    assign rest = g_bit[N-1].left;

    wire _unused_ok = &{1'b0, g_bit[N-1].ahead, 1'b0};

endmodule

`default_nettype wire
