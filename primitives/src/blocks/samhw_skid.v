// SPDX-License-Identifier: Apache-2.0
//
// Elastic buffer: stands at every input of a primitive.
//
//   Consumes and produces  any beats, in order.
//   Throughput             one beat per cycle.
//   Latency                one cycle; none with PASS.
//   Boundary               in_ready is a register, without a path from out_ready within a cycle. out_valid and
//                          out_beat are registers; with PASS they come from in_valid and in_beat.
//   Parameters             W: bits of a beat; PASS: a beat that arrives is the output at once, and is kept only if
//                          it is not taken (one entry instead of two).
//   Reset                  valid bits (and in_ready); data is not reset.
`default_nettype none

module samhw_skid #(
    parameter W    = 8,
    parameter PASS = 0
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
        if (W < 1 || PASS < 0 || PASS > 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    generate
        if (PASS != 0) begin : g_pass
            reg         full;
            reg [W-1:0] kept;

            assign in_ready  = !full;
            assign out_valid = full || in_valid;
            assign out_beat  = full ? kept : in_beat;

            always @(posedge clk) begin
                if (!full)
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
                    $display("samhw_skid: a beat changed before it was taken");
                    $stop;
                end
            end
`endif
        end else begin : g_two
            wire         next_valid;
            wire [W-1:0] next_beat;
            samhw_skid_ahead #(.W(W)) u_two (
                .clk(clk), .rst(rst),
                .in_valid(in_valid), .in_ready(in_ready), .in_beat(in_beat),
                .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat),
                .next_valid(next_valid), .next_beat(next_beat)
            );
            wire _unused_ok = &{1'b0, next_valid, next_beat, 1'b0};
        end
    endgenerate

endmodule

`default_nettype wire
