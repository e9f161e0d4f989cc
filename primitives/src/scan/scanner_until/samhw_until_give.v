// SPDX-License-Identifier: Apache-2.0
//
// What a scanner up to a bound gives, made of the pairs of coordinates that samhw_until_ask brings.
//
//   Consumes    put: what was taken, a list with a pair to come (`some`) or not, with its stop and hole; began, more:
//               pairs {stays1, stays0, final, ref, crd1, crd0}. Put with room only; pairs always find a place if no
//               more than 2**MORE_LOG2 of `more` are not used up.
//   Produces    room; taken: a pair of `more` is used up; out {ref, crd}: of each list the coordinates that
//               stay, of the first pair and those behind it up to the final one. A list of which none stays
//               is empty.
//   Throughput  one beat of out per cycle.
//   Latency     3 cycles from a pair to out; 3 from put for what is not a list.
//   Boundary    out and room are registers; taken depends on out_ready.
//   Parameters  REF_W bits of positions, CRD_W of coordinates, STOP_W (at most CRD_W); ITEMS_LOG2, MORE_LOG2 as in
//               samhw_until_ask.
//   Reset       valid bits, pointers, state; payloads are not reset.
`default_nettype none

module samhw_until_give #(
    parameter REF_W      = 16,
    parameter CRD_W      = 16,
    parameter STOP_W     = 3,
    parameter ITEMS_LOG2 = 3,
    parameter MORE_LOG2  = 3
) (
    input  wire                            clk,
    input  wire                            rst,

    input  wire                            put,
    output wire                            room,
    input  wire                            some,
    input  wire [STOP_W-1:0]               in_stop,
    input  wire [STOP_W-1:0]               in_hole,

    input  wire                            began,
    input  wire                            more,
    input  wire [3+REF_W+2*CRD_W-1:0]      pair,
    output wire                            taken,

    output wire                            out_valid,
    input  wire                            out_ready,
    output wire [2+STOP_W+REF_W+CRD_W-1:0] out_beat
);
    generate
        if (REF_W < 1 || CRD_W < 1 || STOP_W < 1 || ITEMS_LOG2 < 1 || MORE_LOG2 < 1
            || STOP_W > CRD_W) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam PAIR_W = 3 + REF_W + 2*CRD_W;
    `include "samhw_kinds.vh"
    localparam [STOP_W-1:0] NO_STOP = 0;
    localparam [REF_W-1:0]  ONE     = 1;

    wire              i_valid;
    wire              i_list;
    wire [STOP_W-1:0] i_stop;
    wire [STOP_W-1:0] i_hole;
    wire              leave;
    samhw_queue #(.W(1+2*STOP_W), .LOG2(ITEMS_LOG2), .SHOWN(1)) u_items (
        .clk(clk), .rst(rst),
        .in_valid(put), .in_ready(room), .in_data({some, in_stop, in_hole}),
        .out_valid(i_valid), .out_ready(leave), .out_data({i_list, i_stop, i_hole})
    );
    wire              f_room;
    wire              f_valid;
    wire [PAIR_W-1:0] f_pair;
    wire              m_room;
    wire              m_valid;
    wire [PAIR_W-1:0] m_pair;
    wire              pop;
    reg               behind;  // the list at hand goes on behind its first pair
    samhw_queue #(.W(PAIR_W), .LOG2(ITEMS_LOG2), .SHOWN(3)) u_first (
        .clk(clk), .rst(rst),
        .in_valid(began), .in_ready(f_room), .in_data(pair),
        .out_valid(f_valid), .out_ready(pop && !behind), .out_data(f_pair)
    );
    samhw_queue #(.W(PAIR_W), .LOG2(MORE_LOG2), .SHOWN(3)) u_more (
        .clk(clk), .rst(rst),
        .in_valid(more), .in_ready(m_room), .in_data(pair),
        .out_valid(m_valid), .out_ready(taken), .out_data(m_pair)
    );

    // Of a pair one coordinate after the other.
    reg                second;
    wire               hold_room;
    wire               waiting;
    wire               p_valid = behind ? m_valid : f_valid;
    wire               p_stays1;
    wire               p_stays0;
    wire               p_final;
    wire [REF_W-1:0]   p_at;
    wire [CRD_W-1:0]   p_c1;
    wire [CRD_W-1:0]   p_c0;
    assign {p_stays1, p_stays0, p_final, p_at, p_c1, p_c0} = behind ? m_pair : f_pair;
    wire               go      = i_valid && hold_room && (p_valid || !i_list);
    wire               given   = i_list && p_stays0;          // if the first of a pair stays not, the second neither
    wire               half    = i_list && p_stays1 && !second;
    wire               ends    = !i_list || (!half && p_final);
    wire               push    = go && (given || !i_list || !waiting);
    wire               close   = go && i_list && !p_stays0 && waiting;
    assign leave = go && ends;
    assign pop   = go && i_list && !half;
    assign taken = pop && behind;
    always @(posedge clk)
        if (rst) begin
            second <= 1'b0;
            behind <= 1'b0;
        end else if (go) begin
            second <= half;
            if (!half)
                behind <= !ends;
        end

    wire [1:0]        o_kind;
    wire [STOP_W-1:0] o_stop;
    wire [REF_W-1:0]  o_at;
    wire [CRD_W-1:0]  o_crd;
    wire [1:0]        nil = {1'b1, !i_list && i_stop == NO_STOP};
    samhw_hold_back #(.W(2+REF_W+CRD_W), .STOP_W(STOP_W)) u_hold (
        .clk(clk), .rst(rst),
        .room(hold_room), .waiting(waiting), .push(push), .close(close), .last(ends), .in_stop(ends ? i_stop : NO_STOP),
        .in_data(given ? {DATA, second ? p_at + ONE : p_at, second ? p_c1 : p_c0}
                       : {nil, {REF_W{1'b0}}, {{(CRD_W-STOP_W){1'b0}}, i_hole}}),
        .out_valid(out_valid), .out_ready(out_ready), .out_stop(o_stop), .out_data({o_kind, o_at, o_crd})
    );
    assign out_beat = {o_kind, o_stop, o_at, o_crd};

    wire _unused_ok = &{1'b0, f_room, m_room, 1'b0};

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst && ((began && !f_room) || (more && !m_room))) begin
            $display("samhw_until_give: a pair without a place");
            $stop;
        end
`endif

endmodule

`default_nettype wire
