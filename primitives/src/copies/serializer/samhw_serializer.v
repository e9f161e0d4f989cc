// SPDX-License-Identifier: Apache-2.0
//
// Serializer: items of copies of a graph in the order in which a parallelizer dealt them.
//
//   Consumes    turn: the copy of each item; in[c]: the items that copy c got, in lists as they
//               were dealt, or each in a list of its own.
//   Produces    out: the items, of height HEIGHT, in the lists of turn.
//   Throughput  one beat per cycle; an empty list at a copy takes a cycle at that copy's input only.
//   Latency     2 cycles.
//   Parameters  COPIES, at least 2, W payload bits, TURN_W bits of a copy's number, STOP_W stop bits.
//   Reset       valid bits; payloads are not reset.
//   Source      "The Sparse Abstract Machine", section 4.4.
`default_nettype none

module samhw_serializer #(
    parameter COPIES = 4,
    parameter W      = 16,
    parameter TURN_W = 3,
    parameter STOP_W = 3,
    parameter HEIGHT = 0
) (
    input  wire                           clk,
    input  wire                           rst,

    input  wire                           turn_valid,
    output wire                           turn_ready,
    input  wire [2+STOP_W+TURN_W-1:0]     turn_beat,

    input  wire [COPIES-1:0]              in_valid,
    output wire [COPIES-1:0]              in_ready,
    input  wire [COPIES*(2+STOP_W+W)-1:0] in_beat,

    output reg                            out_valid,
    input  wire                           out_ready,
    output reg  [2+STOP_W+W-1:0]          out_beat
);
    generate
        if (W < 1 || STOP_W < 1
            || COPIES < 2 || TURN_W < $clog2(COPIES)
            || STOP_W > W || STOP_W > TURN_W
            || HEIGHT < 0 || HEIGHT >= 1 << STOP_W) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam B  = 2 + STOP_W + W;
    localparam CW = $clog2(COPIES);
    `include "samhw_kinds.vh"
    localparam [STOP_W-1:0] H    = HEIGHT[STOP_W-1:0];

    // Inputs.
    wire              t_valid;
    wire              t_pop;
    wire [1:0]        t_kind;
    wire [STOP_W-1:0] t_stop;
    wire [TURN_W-1:0] t_copy;
    samhw_skid #(.W(2+STOP_W+TURN_W)) u_turn (
        .clk(clk), .rst(rst),
        .in_valid(turn_valid), .in_ready(turn_ready), .in_beat(turn_beat),
        .out_valid(t_valid), .out_ready(t_pop), .out_beat({t_kind, t_stop, t_copy})
    );

    wire [COPIES-1:0]   c_valid;
    wire [COPIES-1:0]   c_pop;
    wire [COPIES*B-1:0] c_beat;
    wire [COPIES-1:0]   bare;
    wire [COPIES-1:0]   over;
    wire                take;
    wire                finish;
    wire [CW-1:0]       sel = t_copy[CW-1:0];
    genvar c;
    generate
        for (c = 0; c < COPIES; c = c + 1) begin : g_in
            samhw_skid #(.W(B)) u_in (
                .clk(clk), .rst(rst),
                .in_valid(in_valid[c]), .in_ready(in_ready[c]), .in_beat(in_beat[c*B +: B]),
                .out_valid(c_valid[c]), .out_ready(c_pop[c]), .out_beat(c_beat[c*B +: B])
            );
            wire [1:0] kind = c_beat[c*B+W+STOP_W +: 2];
            // The end of a list of which this copy had nothing.
            assign bare[c]  = c_valid[c] && kind == NIL && c_beat[c*B +: STOP_W] > H;
            assign over[c]  = c_valid[c] && kind == DONE;
            assign c_pop[c] = bare[c] || finish || (take && sel == c[CW-1:0]);
        end
    endgenerate

    wire [B-1:0]      b      = c_beat[sel*B +: B];
    wire [STOP_W-1:0] b_stop = b[W +: STOP_W];
    wire              ends   = b_stop > H || b_stop == H;
    wire              free   = !out_valid || out_ready;
    assign take   = t_valid && free && !t_kind[1] && c_valid[sel] && !bare[sel] && !over[sel];
    assign finish = t_valid && free && t_kind == DONE && (&over);
    wire   none   = t_valid && free && t_kind == NIL;
    assign t_pop  = (take && ends) || finish || none;

    always @(posedge clk) begin
        if (take)
            out_beat <= {b[W+STOP_W +: 2], ends ? H + t_stop : b_stop, b[W-1:0]};
        else if (none)
            out_beat <= {NIL, t_stop + H, {(W-STOP_W){1'b0}}, t_copy[STOP_W-1:0] + H};
        else if (finish)
            out_beat <= {DONE, {(STOP_W+W){1'b0}}};
        if (rst)
            out_valid <= 1'b0;
        else if (take || none || finish)
            out_valid <= 1'b1;
        else if (out_ready)
            out_valid <= 1'b0;
    end

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst && t_valid && free && !t_kind[1] && over[sel]) begin
            $display("samhw_serializer: a copy ends before its turn");
            $stop;
        end
`endif

    wire _unused_ok = &{1'b0, t_copy, 1'b0};

endmodule

`default_nettype wire
