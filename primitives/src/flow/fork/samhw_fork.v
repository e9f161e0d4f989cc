// SPDX-License-Identifier: Apache-2.0
//
// Eager fork: every branch gets every beat, each as soon as it can take it.
//
//   Consumes    in: any beats.
//   Produces    out[k]: the same beats in the same order. The next beat is offered when all
//               branches have taken the one before.
//   Throughput  one beat per cycle.
//   Latency     1 cycle.
//   Boundary    in_ready, out_valid and out_beat are registers: a skid buffer whose head
//               register has one valid bit per branch.
//   Parameters  N branches; W bits of a beat. AHEAD, with N > 1: only branch 0 can make the others wait, which are
//               always ready and are offered each beat in the cycle after it was taken.
//   Reset       valid bits; beats are not reset.
`default_nettype none

module samhw_fork #(
    parameter N = 2,
    parameter W = 8,
    parameter AHEAD = 0
) (
    input  wire           clk,
    input  wire           rst,

    input  wire           in_valid,
    output wire           in_ready,
    input  wire [W-1:0]   in_beat,

    output reg  [N-1:0]   out_valid,
    input  wire [N-1:0]   out_ready,
    output wire [N*W-1:0] out_beat
);
    generate
        if (N < 1 || W < 1 || AHEAD < 0 || AHEAD > 1 || (AHEAD != 0 && N < 2)) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    reg         tail_full;
    reg [W-1:0] head;
    reg [W-1:0] tail;

    localparam [N-1:0] FIRST = 1;
    localparam [N-1:0] SLOW  = AHEAD != 0 ? FIRST : {N{1'b1}};

    assign in_ready = !tail_full;

    wire [N-1:0] left  = out_valid & ~out_ready & SLOW;
    wire         load  = left == {N{1'b0}};
    wire [N-1:0] comes = {N{tail_full || in_valid}};
    generate
        if (AHEAD != 0) begin : g_ahead
            reg [W-1:0] taken;
            assign out_beat = {{(N-1){taken}}, head};
            always @(posedge clk)
                taken <= in_beat;
            wire _unused_ready = &{1'b0, out_ready[N-1:1], 1'b0};
        end else begin : g_alike
            assign out_beat = {N{head}};
        end
    endgenerate

    always @(posedge clk) begin
        if (load)
            head <= tail_full ? tail : in_beat;
        if (!tail_full)
            tail <= in_beat;
        if (rst) begin
            out_valid <= {N{1'b0}};
            tail_full <= 1'b0;
        end else begin
            out_valid <= (load ? comes & SLOW : left) | ({N{in_valid && !tail_full}} & ~SLOW);
            tail_full <= !load && (tail_full || in_valid);
        end
    end

endmodule

`default_nettype wire
