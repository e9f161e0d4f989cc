// SPDX-License-Identifier: Apache-2.0
//
// Hold-back register and output register of a primitive that filters: a leaf waits until it
// is known whether the list it stands in closes with it.
//
//   Consumes    push: a new beat with its stop; it is `last` if its stop is settled. close: no
//               beat; the waiting one gets `in_stop`. Push only with room, close only when
//               waiting, never both.
//   Produces    the beats, to all branches that USED names; each branch takes its copy when
//               it can, the next beat follows when all have.
//   Throughput  one beat per cycle.
//   Latency     2 cycles for a beat whose stop is settled; others leave with the next push.
//   Boundary    out_valid, out_stop and out_data are registers; room depends on out_ready.
//   Parameters  W bits of a beat without its stop, STOP_W stop bits, BRANCHES outputs that
//               share the register, USED one bit per branch (ready of the others is ignored).
//   Reset       valid bits; beats are not reset.
//   Source      shared design, "Streams and primitives", section 4.
`default_nettype none

module samhw_hold_back #(
    parameter W        = 16,
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

    output wire [BRANCHES-1:0] out_valid,
    input  wire [BRANCHES-1:0] out_ready,
    output wire [STOP_W-1:0]   out_stop,
    output wire [W-1:0]        out_data
);
    generate
        if (W < 1 || STOP_W < 1 || BRANCHES < 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    wire [W-1:0] held_data;
    samhw_hold #(.W(W), .OUT_W(W), .STOP_W(STOP_W), .BRANCHES(BRANCHES), .USED(USED)) u_hold (
        .clk(clk), .rst(rst),
        .room(room), .waiting(waiting), .push(push), .close(close), .last(last),
        .in_stop(in_stop), .in_data(in_data),
        .held_data(held_data), .out_next(held_data),
        .out_valid(out_valid), .out_ready(out_ready), .out_stop(out_stop), .out_data(out_data)
    );

endmodule

`default_nettype wire
