// SPDX-License-Identifier: Apache-2.0
//
// Packs coordinates into blocks: samhw_runs_pack without values, each coordinate with a position of its own.
//
//   Consumes    crd: coordinates of depth d, rising within a list, leaves DATA.
//   Produces    run: words {base, last, first}, depth d; base is the number of coordinates before the
//               block's, since DONE.
//   Throughput  one coordinate per cycle.
//   Latency     3 cycles for the last block of a list and what is none; others leave when the next one begins.
//   Parameters  CRD_W; REF_W bits of base; STOP_W, at most CRD_W.
//   Reset       as samhw_runs_pack.
`default_nettype none

module samhw_blocks_pack #(
    parameter CRD_W  = 16,
    parameter REF_W  = 16,
    parameter STOP_W = 3
) (
    input  wire                              clk,
    input  wire                              rst,

    input  wire                              crd_valid,
    output wire                              crd_ready,
    input  wire [2+STOP_W+CRD_W-1:0]         crd_beat,

    output wire                              run_valid,
    input  wire                              run_ready,
    output wire [2+STOP_W+2*CRD_W+REF_W-1:0] run_beat
);
    generate
        if (CRD_W < 1 || REF_W < 1 || STOP_W < 1 || STOP_W > CRD_W) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    wire              val_ready;
    wire              out_valid;
    wire [2+STOP_W:0] out_beat;
    samhw_runs_pack #(.CRD_W(CRD_W), .VAL_W(1), .REF_W(REF_W), .SHARED(0), .STOP_W(STOP_W)) u_pack (
        .clk(clk), .rst(rst),
        .crd_valid(crd_valid), .crd_ready(crd_ready), .crd_beat(crd_beat),
        .val_valid(1'b0), .val_ready(val_ready), .val_beat({(3+STOP_W){1'b0}}),
        .run_valid(run_valid), .run_ready(run_ready), .run_beat(run_beat),
        .out_valid(out_valid), .out_ready(1'b0), .out_beat(out_beat)
    );

    wire _unused_ok = &{1'b0, val_ready, out_valid, out_beat, 1'b0};

endmodule

`default_nettype wire
