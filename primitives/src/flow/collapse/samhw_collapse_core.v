// SPDX-License-Identifier: Apache-2.0
//
// Collapse behind its input buffers: see samhw_collapse.
//
//   Boundary    out_valid and out_beat are registers; the ready of the inputs depends on the
//               inputs and on out_ready.
//   Latency     2 cycles.
`default_nettype none

module samhw_collapse_core #(
    parameter CRD1_W = 8,
    parameter CRD0_W = 8,
    parameter X_W    = 16,
    parameter KEY_W  = 16,
    parameter SIZE0  = 256,
    parameter STOP_W = 3
) (
    input  wire                           clk,
    input  wire                           rst,

    input  wire                           outer_valid,
    output wire                           outer_ready,
    input  wire [2+STOP_W+CRD1_W-1:0]     outer_beat,

    input  wire                           inner_valid,
    output wire                           inner_ready,
    input  wire [2+STOP_W+X_W+CRD0_W-1:0] inner_beat,

    output wire                           out_valid,
    input  wire                           out_ready,
    output wire [2+STOP_W+X_W+KEY_W-1:0]  out_beat
);
    generate
        if (CRD1_W < 1 || CRD0_W < 1 || X_W < 1 || STOP_W < 1
            || KEY_W < CRD1_W || KEY_W < CRD0_W || KEY_W > 32
            || SIZE0 < 0 || (CRD0_W < 31 && SIZE0 > 1 << CRD0_W)) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    `include "samhw_kinds.vh"
    localparam [STOP_W-1:0] NONE = {STOP_W{1'b0}};
    localparam [STOP_W-1:0] ONE  = {{(STOP_W-1){1'b0}}, 1'b1};

    wire [1:0]        o_kind = outer_beat[STOP_W+CRD1_W +: 2];
    wire [STOP_W-1:0] o_stop = outer_beat[CRD1_W +: STOP_W];
    wire [1:0]        i_kind = inner_beat[STOP_W+X_W+CRD0_W +: 2];
    wire [STOP_W-1:0] i_stop = inner_beat[X_W+CRD0_W +: STOP_W];
    wire [STOP_W-1:0] i_hole = inner_beat[STOP_W-1:0];
    wire [X_W-1:0]    i_x    = inner_beat[CRD0_W +: X_W];
    wire [CRD0_W-1:0] i_crd  = inner_beat[CRD0_W-1:0];

    wire [KEY_W-1:0] crd1 = {{(KEY_W-CRD1_W){1'b0}}, outer_beat[CRD1_W-1:0]};
    wire [KEY_W-1:0] crd0 = {{(KEY_W-CRD0_W){1'b0}}, i_crd};
    wire [KEY_W-1:0] key;
    generate
        if (SIZE0 == (1 << CRD0_W)) begin : g_concatenate
            assign key = (crd1 << CRD0_W) | crd0;
        end else begin : g_multiply
            localparam [31:0] SIZE = SIZE0;
            assign key = crd1 * SIZE[KEY_W-1:0] + crd0;
        end
    endgenerate

    // `inner` without its innermost lists.
    wire              leaf   = !i_kind[1];
    wire              vanish = i_kind == NIL && i_hole == ONE;
    wire [STOP_W-1:0] stop   = i_stop == NONE ? NONE : i_stop - ONE;
    wire              ends   = stop != NONE || i_kind == DONE;

    wire room;
    wire waiting;
    wire go    = outer_valid && inner_valid && room;
    wire close = go && vanish && ends && waiting;
    wire push  = go && !close && !(vanish && !ends);
    assign inner_ready = outer_valid && room;
    assign outer_ready = inner_valid && room && (i_stop != NONE || i_kind == DONE);

    // What NIL says of its height is one less, but for the list that holds only empty ones.
    wire [STOP_W-1:0] hole = i_kind == DONE ? NONE : vanish ? ONE : i_hole - ONE;

    wire [1:0]       out_kind;
    wire [X_W-1:0]   out_x;
    wire [KEY_W-1:0] out_key;
    wire [STOP_W-1:0] out_stop;
    samhw_hold_back #(.W(2+X_W+KEY_W), .STOP_W(STOP_W)) u_hold (
        .clk(clk), .rst(rst),
        .room(room), .waiting(waiting), .push(push), .close(close), .last(ends || !leaf), .in_stop(stop),
        .in_data({i_kind, leaf ? i_x : {X_W{1'b0}}, leaf ? key : {{(KEY_W-STOP_W){1'b0}}, hole}}),
        .out_valid(out_valid), .out_ready(out_ready), .out_stop(out_stop), .out_data({out_kind, out_x, out_key})
    );
    assign out_beat = {out_kind, out_stop, out_x, out_key};

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst && go && ((o_kind == DATA) != (leaf || vanish) || (o_kind == DONE) != (i_kind == DONE))) begin
            $display("samhw_collapse: outer and inner are not aligned");
            $stop;
        end
`endif

    wire _unused_ok = &{1'b0, o_kind, o_stop, DATA, 1'b0};

endmodule

`default_nettype wire
