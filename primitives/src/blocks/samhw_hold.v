// SPDX-License-Identifier: Apache-2.0
//
// Hold-back register and output register of a primitive that filters, with logic of the primitive's own between
// them: what needs no decision of this cycle is done there, on the beat held back.
//
//   Consumes    push: a new beat with its stop; it is `last` if its stop is settled. close: no
//               beat; the waiting one gets `in_stop`. Push only with room. With a push close says nothing
//               more, and with neither a push nor one that waits it does nothing: then there must be room,
//               in_stop 0 and not `last` (so that it may be known before a push is). out_next: what becomes
//               of held_data.
//   Produces    held_data: the beat held back. The beats as out_next has them, to all branches that USED names;
//               each branch takes its copy when it can, the next beat follows when all have.
//   Throughput  one beat per cycle.
//   Latency     2 cycles for a beat whose stop is settled; others leave with the next push.
//   Boundary    out_valid, out_stop, out_data and held_data are registers; room depends on out_ready.
//   Parameters  W bits of a beat held back without its stop, OUT_W of one that leaves, STOP_W stop bits,
//               BRANCHES outputs that share the register, USED one bit per branch (ready of the others is
//               ignored).
//   Reset       valid bits; beats are not reset.
//   Source      shared design, "Streams and primitives", section 4.
`default_nettype none

module samhw_hold #(
    parameter W        = 16,
    parameter OUT_W    = 16,
    parameter STOP_W   = 3,
    parameter BRANCHES = 1,
    parameter [BRANCHES-1:0] USED = {BRANCHES{1'b1}}
) (
    input  wire                clk,
    input  wire                rst,

    output wire                room,
    output wire                waiting,
    input  wire                push,
    input  wire                close,
    input  wire                last,
    input  wire [STOP_W-1:0]   in_stop,
    input  wire [W-1:0]        in_data,

    output wire [W-1:0]        held_data,
    input  wire [OUT_W-1:0]    out_next,

    output reg  [BRANCHES-1:0] out_valid,
    input  wire [BRANCHES-1:0] out_ready,
    output reg  [STOP_W-1:0]   out_stop,
    output reg  [OUT_W-1:0]    out_data
);
    generate
        if (W < 1 || OUT_W < 1 || STOP_W < 1 || BRANCHES < 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    reg              held;
    reg              settled;
    reg [STOP_W-1:0] stop;
    reg [W-1:0]      data;

    wire out_free = (out_valid & ~out_ready) == {BRANCHES{1'b0}};
    wire leave    = held && out_free && (settled || push);

    assign room    = !held || out_free;
    assign waiting = held && !settled;

    assign held_data = data;

    always @(posedge clk) begin
        if (push)
            data <= in_data;
        if (push || close) begin
            stop    <= in_stop;
            settled <= last;
        end
        // What is not valid may be anything, so this need not wait for `leave`.
        if (out_free) begin
            out_stop <= stop;
            out_data <= out_next;
        end
        if (rst) begin
            held      <= 1'b0;
            out_valid <= {BRANCHES{1'b0}};
        end else begin
            held      <= push || (held && !leave);
            out_valid <= leave ? USED : (out_valid & ~out_ready);
        end
    end

`ifdef SAMHW_ASSERT
    wire nothing = close && !push && !waiting;
    always @(posedge clk)
        if (!rst && ((push && !room) || (nothing && (!room || last || in_stop != {STOP_W{1'b0}})))) begin
            $display("samhw_hold: push without room, or close with nothing that waits");
            $stop;
        end
`endif

endmodule

`default_nettype wire
