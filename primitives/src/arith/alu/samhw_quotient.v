// SPDX-License-Identifier: Apache-2.0
//
// Quotient of two numbers without sign, and what it leaves: a stage for each bit of the quotient.
//
//   Consumes    {high, low}, of which high is below b, and b.
//   Produces    N cycles later q = {high, low} / b rounded down, rest, and b again. Where high is not below
//               b, or b is 0, they are any number.
//   Throughput  one quotient per cycle with en = 1; with en = 0 nothing moves.
//   Latency     N cycles, registers at the end. Inputs should come from registers.
//   Parameters  W bits of b; N bits of low and of the quotient; H bits of high that may be 1, the lowest; 0: none.
//   Reset       none.
`default_nettype none

module samhw_quotient #(
    parameter W = 16,
    parameter N = 16,
    parameter H = 0
) (
    input  wire         clk,
    input  wire         en,
    input  wire [W-1:0] high,
    input  wire [N-1:0] low,
    input  wire [W-1:0] b,
    output wire [N-1:0] q,
    output wire [W-1:0] rest,
    output wire [W-1:0] by
);
    generate
        if (W < 1 || N < 1 || H < 0 || H > W) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    // What is left has a bit more after each stage, up to all of them. While it has fewer than b, one bit
    // tells whether b has any above.
    genvar k;
    generate
        for (k = 0; k < N; k = k + 1) begin : g_bit
            localparam I = H + k < W ? H + k : W;
            localparam O = I < W ? I + 1 : W;
            localparam U = O < W ? O + 1 : W;
            wire [W:0]   had;
            wire [N-1:0] bits;             // low's that are to come, and those of the quotient
            wire [W-1:0] divisor;
            wire         above;
            if (k == 0) begin : g_first
                wire [W:0] upper = {1'b0, b} >> O;
                assign had    = {1'b0, high};
                assign bits    = low;
                assign divisor = b;
                assign above   = |upper;
            end else begin : g_next
                assign had    = {{(W+1-I){1'b0}}, g_bit[k-1].left};
                assign bits    = g_bit[k-1].ahead;
                assign divisor = g_bit[k-1].kept;
                assign above   = g_bit[k-1].more;
            end
            wire [W+1:0] now    = {had, bits[N-1]};
            wire [O:0]   less   = {1'b0, now[O-1:0]} - {1'b0, divisor[O-1:0]};
            wire         fits   = !above && (!less[O] || now[O]);
            wire [W:0]   beyond = {1'b0, divisor} >> U;
            reg  [O-1:0] left;
            reg  [N-1:0] ahead;
            reg  [W-1:0] kept;
            reg          more;
            always @(posedge clk)
                if (en) begin
                    left  <= fits ? less[O-1:0] : now[O-1:0];
                    ahead <= bits << 1 | {{(N-1){1'b0}}, fits};
                    kept  <= divisor;
                    more  <= |beyond;
                end
            wire _unused_ok = &{1'b0, now, 1'b0};
        end
    endgenerate

    localparam L = H + N < W ? H + N : W;
    wire [W:0] last = {{(W+1-L){1'b0}}, g_bit[N-1].left};
    assign q    = g_bit[N-1].ahead;
    assign rest = last[W-1:0];
    assign by   = g_bit[N-1].kept;

    wire _unused_ok = &{1'b0, last[W], g_bit[N-1].more, 1'b0};

endmodule

`default_nettype wire
