// SPDX-License-Identifier: Apache-2.0
//
// Divide behind its input buffer: see samhw_divide.
//
//   Boundary    valid and beat of the outputs are registers; in_ready depends on in_beat (the
//               key that follows) and on the ready of the outputs.
//   Latency     2 cycles.
`default_nettype none

module samhw_divide_core #(
    parameter KEY_W  = 16,
    parameter SHIFT  = 8,
    parameter CRD1_W = 8,
    parameter CRD0_W = 8,
    parameter X_W    = 16,
    parameter STOP_W = 3
) (
    input  wire                              clk,
    input  wire                              rst,

    input  wire                              in_valid,
    output wire                              in_ready,
    input  wire [2+STOP_W+X_W+KEY_W-1:0]     in_beat,

    output reg                               outer_valid,
    input  wire                              outer_ready,
    output reg  [2+STOP_W+CRD1_W-1:0]   outer_beat,

    output reg                               inner_valid,
    input  wire                              inner_ready,
    output reg  [2+STOP_W+X_W+CRD0_W-1:0]     inner_beat
);
    generate
        if (X_W < 1 || STOP_W < 1
            || SHIFT < 1 || SHIFT >= KEY_W
            || CRD1_W < KEY_W - SHIFT || CRD1_W < STOP_W
            || CRD0_W < SHIFT || CRD0_W < STOP_W) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    `include "samhw_kinds.vh"
    localparam [STOP_W-1:0] NONE = {STOP_W{1'b0}};
    localparam [STOP_W-1:0] ONE  = {{(STOP_W-1){1'b0}}, 1'b1};

    // The beat held; its successor tells whether its group goes on.
    reg                         h_valid;
    reg [2+STOP_W+X_W+KEY_W-1:0] h_beat;
    wire [1:0]        h_kind = h_beat[STOP_W+X_W+KEY_W +: 2];
    wire [STOP_W-1:0] h_stop = h_beat[X_W+KEY_W +: STOP_W];
    wire [STOP_W-1:0] h_hole = h_beat[STOP_W-1:0];
    wire [X_W-1:0]    h_x    = h_beat[KEY_W +: X_W];
    wire [KEY_W-1:0]  h_key  = h_beat[KEY_W-1:0];

    wire leaf    = !h_kind[1];
    wire open    = leaf && h_stop == NONE;
    wire more    = open && in_beat[KEY_W-1:SHIFT] == h_key[KEY_W-1:SHIFT];
    wire o_free  = !outer_valid || outer_ready;
    wire i_free  = !inner_valid || inner_ready;
    wire i_load  = h_valid && i_free && (in_valid || !open) && (more || o_free);
    wire o_load  = i_load && !more;
    assign in_ready = !h_valid || i_load;

    // One list more around everything but DONE.
    wire [STOP_W-1:0] i_stop = (more || h_kind == DONE) ? NONE : h_stop + ONE;
    wire [STOP_W-1:0] i_hole = h_kind == NIL ? h_hole + ONE : NONE;

    wire [CRD1_W-1:0] crd1 = {{(CRD1_W-KEY_W+SHIFT){1'b0}}, h_key[KEY_W-1:SHIFT]};
    wire [CRD0_W-1:0] crd0 = {{(CRD0_W-SHIFT){1'b0}}, h_key[SHIFT-1:0]};

    always @(posedge clk) begin
        if (in_ready)
            h_beat <= in_beat;
        if (o_load)
            outer_beat <= {leaf ? DATA : h_kind, h_stop,
                           leaf ? crd1 : {{(CRD1_W-STOP_W){1'b0}}, h_hole}};
        if (i_load)
            inner_beat <= {h_kind, i_stop,
                           h_x, leaf ? crd0 : {{(CRD0_W-STOP_W){1'b0}}, i_hole}};
        if (rst) begin
            h_valid     <= 1'b0;
            outer_valid <= 1'b0;
            inner_valid <= 1'b0;
        end else begin
            h_valid     <= in_valid || !in_ready;
            outer_valid <= o_load || !o_free;
            inner_valid <= i_load || !i_free;
        end
    end

endmodule

`default_nettype wire
