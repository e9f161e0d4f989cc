// SPDX-License-Identifier: Apache-2.0
//
// Elastic buffer of two entries that shows both: for a primitive that looks at the beat after the one at hand.
//
//   Consumes and produces  any beats, in order.
//   Throughput             one beat per cycle.
//   Latency                one cycle.
//   Boundary               in_ready, out_valid and out_beat are registers, and so are next_valid and next_beat: the
//                          beat behind out_beat, if it has arrived before this cycle. Below its top SHOWN
//                          bits out_beat is one of two registers: they are written and read in turn, and who
//                          decides by the others moves only those.
//   Parameters             W: bits of a beat; SHOWN: those that are looked at, W unless given.
//   Reset                  valid bits (and in_ready); data is not reset.
`default_nettype none

module samhw_skid_ahead #(
    parameter W     = 8,
    parameter SHOWN = W
) (
    input  wire         clk,
    input  wire         rst,

    input  wire         in_valid,
    output wire         in_ready,
    input  wire [W-1:0] in_beat,

    output wire         out_valid,
    input  wire         out_ready,
    output wire [W-1:0] out_beat,

    output wire             next_valid,
    output wire [SHOWN-1:0] next_beat
);
    generate
        if (W < 1 || SHOWN < 1 || SHOWN > W) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    reg             head_full;
    reg             tail_full;
    reg [SHOWN-1:0] head;
    reg [SHOWN-1:0] tail;

    assign in_ready  = !tail_full;
    assign out_valid = head_full;

    assign next_valid = tail_full;
    assign next_beat  = tail;

    wire push = in_valid && !tail_full;
    wire pop  = head_full && out_ready;
    // The head register takes a new beat whenever it is empty or leaves.
    wire load = out_ready || !head_full;

    always @(posedge clk) begin
        if (load)
            head <= tail_full ? tail : in_beat[W-1 -: SHOWN];
        if (!tail_full)
            tail <= in_beat[W-1 -: SHOWN];
        if (rst) begin
            head_full <= 1'b0;
            tail_full <= 1'b0;
        end else begin
            if (load)
                head_full <= tail_full || in_valid;
            tail_full <= tail_full ? !pop : (push && head_full && !pop);
        end
    end

    generate
        if (SHOWN < W) begin : g_rest
            reg [W-SHOWN-1:0] even;
            reg [W-SHOWN-1:0] odd;
            reg               to;
            reg               from;
            assign out_beat = {head, from ? odd : even};
            always @(posedge clk) begin
                if (!tail_full && !to)
                    even <= in_beat[W-SHOWN-1:0];
                if (!tail_full && to)
                    odd <= in_beat[W-SHOWN-1:0];
                if (rst) begin
                    to   <= 1'b0;
                    from <= 1'b0;
                end else begin
                    to   <= to ^ push;
                    from <= from ^ pop;
                end
            end
        end else begin : g_all
            assign out_beat = head;
        end
    endgenerate

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
