// SPDX-License-Identifier: Apache-2.0
//
// Elastic buffer at an input whose beats come late in their cycle, from a memory.
//
//   Consumes and produces  any beats, in order.
//   Throughput             one beat per cycle.
//   Latency                none: a beat that arrives is the output at once, and is kept only if it is not taken.
//   Boundary               in_ready is a register, without a path from out_ready within a cycle; out_valid
//                          and out_beat come from in_valid and in_beat.
//   Timing                 What is kept is loaded from in_beat itself. In samhw_skid with PASS, which does
//                          the same, yosys loads it from out_beat: that takes fewer tables, and a longer way
//                          from in_beat.
//   Parameters             W: bits of a beat.
//   Reset                  the valid bit (and in_ready); data is not reset.
`default_nettype none

module samhw_skid_late #(
    parameter W = 8
) (
    input  wire         clk,
    input  wire         rst,

    input  wire         in_valid,
    output wire         in_ready,
    input  wire [W-1:0] in_beat,

    output wire         out_valid,
    input  wire         out_ready,
    output wire [W-1:0] out_beat
);
    generate
        if (W < 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    reg         full;
    reg [W-1:0] kept;

    assign in_ready  = !full;
    assign out_valid = full || in_valid;
    assign out_beat  = full ? kept : in_beat;

    // An enable of its own, so that the output's multiplexer is not in front of it.
    always @(posedge clk) begin
        if (in_valid && !full)
            kept <= in_beat;
        full <= !rst && out_valid && !out_ready;
    end

`ifdef SAMHW_ASSERT
    reg         refused;
    reg [W-1:0] offered;
    always @(posedge clk) begin
        refused <= !rst && in_valid && !in_ready;
        offered <= in_beat;
        if (!rst && refused && !(in_valid && in_beat == offered)) begin
            $display("samhw_skid_late: a beat changed before it was taken");
            $stop;
        end
    end
`endif

endmodule

`default_nettype wire
