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
        end else begin : g_two
            reg         head_full;
            reg         tail_full;
            reg [W-1:0] head;
            reg [W-1:0] tail;

            assign in_ready  = !tail_full;
            assign out_valid = head_full;
            assign out_beat  = head;

            wire push = in_valid && !tail_full;
            wire pop  = head_full && out_ready;
            // The head register takes a new beat whenever it is empty or leaves.
            wire load = pop || !head_full;

            always @(posedge clk) begin
                if (load)
                    head <= tail_full ? tail : in_beat;
                if (!tail_full)
                    tail <= in_beat;
                if (rst) begin
                    head_full <= 1'b0;
                    tail_full <= 1'b0;
                end else begin
                    if (load)
                        head_full <= tail_full || in_valid;
                    tail_full <= tail_full ? !pop : (push && head_full && !pop);
                end
            end
        end
    endgenerate

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

endmodule

`default_nettype wire
