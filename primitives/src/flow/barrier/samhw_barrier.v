// SPDX-License-Identifier: Apache-2.0
//
// Barrier: one token when every input has given one.
//
//   Consumes    finished[k]: tokens, one per run from each input.
//   Produces    done: one token (payload 0) per run.
//   Throughput  one token per cycle.
//   Latency     1 cycle after the last input.
//   Boundary    all outputs are registers.
//   Parameters  N inputs.
//   Reset       everything.
`default_nettype none

module samhw_barrier #(
    parameter N = 2
) (
    input  wire         clk,
    input  wire         rst,

    input  wire [N-1:0] finished_valid,
    output wire [N-1:0] finished_ready,
    input  wire [N-1:0] finished_beat,

    output reg          done_valid,
    input  wire         done_ready,
    output wire         done_beat
);
    generate
        if (N < 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    reg  [N-1:0] here;
    wire [N-1:0] now  = here | finished_valid;
    wire         pass = (&now) && (!done_valid || done_ready);

    assign finished_ready = ~here;
    assign done_beat      = 1'b0;

    always @(posedge clk)
        if (rst) begin
            here       <= {N{1'b0}};
            done_valid <= 1'b0;
        end else begin
            here <= pass ? {N{1'b0}} : now;
            if (pass || done_ready)
                done_valid <= pass;
        end

    wire _unused_ok = &{1'b0, finished_beat, 1'b0};

endmodule

`default_nettype wire
