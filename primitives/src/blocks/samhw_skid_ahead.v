// SPDX-License-Identifier: Apache-2.0
//
// Elastic buffer of two entries that shows both: for a primitive that looks at the beat after the one at hand.
//
//   Consumes and produces  any beats, in order.
//   Throughput             one beat per cycle.
//   Latency                one cycle.
//   Boundary               in_ready, out_valid and out_beat are registers, and so are next_valid and next_beat: the
//                          beat behind out_beat, if it has arrived before this cycle.
//   Parameters             W: bits of a beat.
//   Reset                  valid bits (and in_ready); data is not reset.
`default_nettype none

module samhw_skid_ahead #(
    parameter W = 8
) (
    input  wire         clk,
    input  wire         rst,

    input  wire         in_valid,
    output wire         in_ready,
    input  wire [W-1:0] in_beat,

    output wire         out_valid,
    input  wire         out_ready,
    output wire [W-1:0] out_beat,

    output wire         next_valid,
    output wire [W-1:0] next_beat
);

    reg         head_full;
    reg         tail_full;
    reg [W-1:0] head;
    reg [W-1:0] tail;

    assign in_ready  = !tail_full;
    assign out_valid = head_full;
    assign out_beat  = head;

    assign next_valid = tail_full;
    assign next_beat  = tail;

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

`ifdef SAMHW_ASSERT
    reg         refused;
    reg [W-1:0] offered;
    always @(posedge clk) begin
        refused <= !rst && in_valid && !in_ready;
        offered <= in_beat;
        if (!rst && refused && !(in_valid && in_beat == offered)) begin
            $display("samhw_skid_ahead: a beat changed before it was taken");
            $stop;
        end
    end
`endif

endmodule

`default_nettype wire
