// SPDX-License-Identifier: Apache-2.0
//
// Dropper, leaf form: removes the pairs of an outer coordinate and a value whose value is
// absent or, on request, equal to a constant.
//
//   Consumes    outer: coordinates of depth d; inner: values, aligned leaf by leaf.
//   Produces    outer_out, inner_out: the pairs that remain; a list that lost all is empty.
//   Throughput  one pair per cycle.
//   Latency     3 cycles for the last pair of a list; others leave with the next one.
//   Parameters  CRD_W, VAL_W payload bits; STOP_W stop bits; EXPLICIT: 1 to remove values equal
//               to FILL too, in the bits of CARE.
//   Reset       valid bits; payloads are not reset.
//   Source      "The Sparse Abstract Machine", section 3.6.
`default_nettype none

module samhw_dropper_leaf #(
    parameter CRD_W    = 16,
    parameter VAL_W    = 16,
    parameter STOP_W   = 3,
    parameter EXPLICIT = 0,
    parameter [VAL_W-1:0] FILL = {VAL_W{1'b0}},
    parameter [VAL_W-1:0] CARE = {VAL_W{1'b1}}
) (
    input  wire                      clk,
    input  wire                      rst,

    input  wire                      outer_valid,
    output wire                      outer_ready,
    input  wire [2+STOP_W+CRD_W-1:0] outer_beat,

    input  wire                      inner_valid,
    output wire                      inner_ready,
    input  wire [2+STOP_W+VAL_W-1:0] inner_beat,

    output wire                      outer_out_valid,
    input  wire                      outer_out_ready,
    output wire [2+STOP_W+CRD_W-1:0] outer_out_beat,

    output wire                      inner_out_valid,
    input  wire                      inner_out_ready,
    output wire [2+STOP_W+VAL_W-1:0] inner_out_beat
);
    generate
        if (CRD_W < 1 || VAL_W < 1 || STOP_W < 1
            || STOP_W > CRD_W || STOP_W > VAL_W
            || EXPLICIT < 0 || EXPLICIT > 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    `include "samhw_kinds.vh"

    wire              o_valid;
    wire [1:0]        o_kind;
    wire [STOP_W-1:0] o_stop;
    wire [CRD_W-1:0]  o_crd;
    wire              i_valid;
    wire [1:0]        i_kind;
    wire [STOP_W-1:0] i_stop;
    wire [VAL_W-1:0]  i_val;

    wire room;
    wire waiting;
    wire go    = o_valid && i_valid && room;
    wire live  = i_kind == DATA && !(EXPLICIT != 0 && ((i_val ^ FILL) & CARE) == {VAL_W{1'b0}});
    wire ends  = i_stop != {STOP_W{1'b0}} || i_kind == DONE;
    wire push  = go && (live || (ends && !waiting));
    wire close = go && !live && ends && waiting;
    // A list that ends with a removed pair and keeps none is empty.
    wire hollow = !live && !i_kind[1];

    samhw_skid #(.W(2+STOP_W+CRD_W)) u_outer (
        .clk(clk), .rst(rst),
        .in_valid(outer_valid), .in_ready(outer_ready), .in_beat(outer_beat),
        .out_valid(o_valid), .out_ready(go), .out_beat({o_kind, o_stop, o_crd})
    );
    samhw_skid #(.W(2+STOP_W+VAL_W)) u_inner (
        .clk(clk), .rst(rst),
        .in_valid(inner_valid), .in_ready(inner_ready), .in_beat(inner_beat),
        .out_valid(i_valid), .out_ready(go), .out_beat({i_kind, i_stop, i_val})
    );

    wire [1:0]        kind;
    wire [STOP_W-1:0] stop;
    wire [CRD_W-1:0]  crd;
    wire [VAL_W-1:0]  val;
    samhw_hold_back #(.W(2+CRD_W+VAL_W), .STOP_W(STOP_W), .BRANCHES(2)) u_hold (
        .clk(clk), .rst(rst),
        .room(room), .waiting(waiting), .push(push), .close(close), .last(ends),
        .in_stop(i_stop),
        .in_data({hollow ? NIL : i_kind,
                  hollow ? {{(CRD_W-1){1'b0}}, 1'b1} : o_crd,
                  hollow ? {{(VAL_W-1){1'b0}}, 1'b1} : i_val}),
        .out_valid({inner_out_valid, outer_out_valid}), .out_ready({inner_out_ready, outer_out_ready}),
        .out_stop(stop), .out_data({kind, crd, val})
    );
    assign outer_out_beat = {kind, stop, crd};
    assign inner_out_beat = {kind, stop, val};

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst && go && (o_kind != (i_kind[1] ? i_kind : DATA) || o_stop != i_stop)) begin
            $display("samhw_dropper_leaf: outer and inner are not aligned");
            $stop;
        end
`endif

    wire _unused_ok = &{1'b0, o_kind, o_stop, 1'b0};

endmodule

`default_nettype wire
