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
//   Parameters  N branches; W bits of a beat.
//   Reset       valid bits; beats are not reset.
`default_nettype none

module samhw_fork #(
    parameter N = 2,
    parameter W = 8
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

    reg         tail_full;
    reg [W-1:0] head;
    reg [W-1:0] tail;

    assign in_ready = !tail_full;
    assign out_beat = {N{head}};

    wire [N-1:0] left = out_valid & ~out_ready;
    wire         load = left == {N{1'b0}};

    always @(posedge clk) begin
        if (load)
            head <= tail_full ? tail : in_beat;
        if (!tail_full)
            tail <= in_beat;
        if (rst) begin
            out_valid <= {N{1'b0}};
            tail_full <= 1'b0;
        end else begin
            out_valid <= load ? {N{tail_full || in_valid}} : left;
            tail_full <= !load && (tail_full || in_valid);
        end
    end

endmodule

`default_nettype wire
