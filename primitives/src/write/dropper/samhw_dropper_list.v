// SPDX-License-Identifier: Apache-2.0
//
// Dropper, list form: removes the outer coordinates whose inner list is empty.
//
//   Consumes    outer: coordinates of depth d; inner: depth d+1, one list per leaf of outer.
//   Produces    outer_out, inner_out: the coordinates and lists that remain; a list that lost
//               all its items is empty.
//   Throughput  one beat of inner per cycle; an empty list costs one.
//   Latency     3 cycles for a beat whose stop is settled; the coordinate of a list and the
//               end of that list leave with the next list that stays.
//   Parameters  CRD_W, PAY_W payload bits of outer and inner (all fields); STOP_W stop bits,
//               at least 2.
//   Reset       valid and state bits; payloads are not reset.
//   Source      "The Sparse Abstract Machine", section 3.6.
`default_nettype none

module samhw_dropper_list #(
    parameter CRD_W  = 16,
    parameter PAY_W  = 16,
    parameter STOP_W = 3
) (
    input  wire                      clk,
    input  wire                      rst,

    input  wire                      outer_valid,
    output wire                      outer_ready,
    input  wire [2+STOP_W+CRD_W-1:0] outer_beat,

    input  wire                      inner_valid,
    output wire                      inner_ready,
    input  wire [2+STOP_W+PAY_W-1:0] inner_beat,

    output wire                      outer_out_valid,
    input  wire                      outer_out_ready,
    output wire [2+STOP_W+CRD_W-1:0] outer_out_beat,

    output wire                      inner_out_valid,
    input  wire                      inner_out_ready,
    output wire [2+STOP_W+PAY_W-1:0] inner_out_beat
);
    generate
        if (CRD_W < 1 || PAY_W < 1 || STOP_W < 2) begin : g_parameters
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
    wire [PAY_W-1:0]  i_pay;

    // The outer leaf is pushed with the first beat of its list, the list's beats as they
    // come. Both hold-back registers wait together from the end of a list to the next.
    reg  open;
    wire o_room;
    wire i_room;
    wire o_waiting;
    wire i_waiting;

    wire done   = i_kind == DONE;
    wire above  = o_kind[1];
    wire live   = !i_kind[1];
    wire hollow = !live && !above;
    wire ends   = i_stop != {STOP_W{1'b0}};
    wire o_ends = o_stop != {STOP_W{1'b0}} || done;
    // Something to push where no live leaf is: NIL above, DONE, or a list all of whose items
    // were removed.
    wire empty  = !live && o_ends && !o_waiting;
    wire o_push = (live && !open) || empty;
    wire i_push = live || empty;
    wire close  = !live && o_ends && o_waiting;

    wire go = o_valid && i_valid && (!o_push || o_room) && (!i_push || i_room);

    always @(posedge clk)
        if (rst)
            open <= 1'b0;
        else if (go)
            open <= live && !ends;

    samhw_skid #(.W(2+STOP_W+CRD_W)) u_outer (
        .clk(clk), .rst(rst),
        .in_valid(outer_valid), .in_ready(outer_ready), .in_beat(outer_beat),
        .out_valid(o_valid), .out_ready(go && (ends || done)), .out_beat({o_kind, o_stop, o_crd})
    );
    samhw_skid #(.W(2+STOP_W+PAY_W)) u_inner (
        .clk(clk), .rst(rst),
        .in_valid(inner_valid), .in_ready(inner_ready), .in_beat(inner_beat),
        .out_valid(i_valid), .out_ready(go), .out_beat({i_kind, i_stop, i_pay})
    );

    wire [1:0]        o_out_kind;
    wire [STOP_W-1:0] o_out_stop;
    wire [CRD_W-1:0]  o_out_crd;
    samhw_hold_back #(.W(2+CRD_W), .STOP_W(STOP_W)) u_outer_hold (
        .clk(clk), .rst(rst),
        .room(o_room), .waiting(o_waiting), .push(go && o_push), .close(go && close), .last(o_ends),
        .in_stop(o_stop),
        .in_data({hollow ? NIL : o_kind, hollow ? {{(CRD_W-1){1'b0}}, 1'b1} : o_crd}),
        .out_valid(outer_out_valid), .out_ready(outer_out_ready),
        .out_stop(o_out_stop), .out_data({o_out_kind, o_out_crd})
    );
    assign outer_out_beat = {o_out_kind, o_out_stop, o_out_crd};

    wire [1:0]        i_out_kind;
    wire [STOP_W-1:0] i_out_stop;
    wire [PAY_W-1:0]  i_out_pay;
    // Only the end of an item that is not the last of its list can still gain a stop.
    samhw_hold_back #(.W(2+PAY_W), .STOP_W(STOP_W)) u_inner_hold (
        .clk(clk), .rst(rst),
        .room(i_room), .waiting(i_waiting), .push(go && i_push), .close(go && close),
        .last(!ends || o_ends),
        .in_stop(i_stop),
        .in_data({i_kind, hollow ? {{(PAY_W-2){1'b0}}, 2'd2} : i_pay}),
        .out_valid(inner_out_valid), .out_ready(inner_out_ready),
        .out_stop(i_out_stop), .out_data({i_out_kind, i_out_pay})
    );
    assign inner_out_beat = {i_out_kind, i_out_stop, i_out_pay};

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst && go && (above != (i_kind[1] && (done || i_pay[STOP_W-1:0] != {{(STOP_W-1){1'b0}}, 1'b1}))
                           || (o_kind == DONE) != done
                           || (ends && o_stop != i_stop - {{(STOP_W-1){1'b0}}, 1'b1})
                           || (!live && open)
                           || (!open && o_waiting != i_waiting))) begin
            $display("samhw_dropper_list: outer and inner are not aligned");
            $stop;
        end
`endif

    wire _unused_ok = &{1'b0, i_waiting, 1'b0};

endmodule

`default_nettype wire
