// SPDX-License-Identifier: Apache-2.0
//
// Watches values on their way to a reducer. Once a list has the value that decides its reduction, the scanner that the
// list comes from is told that nothing more of the fiber is needed.
//
//   Consumes    val: any stream.
//   Produces    out: the same stream.
//               skip: hints {crd 0, over 1, fiber}. Fibers are counted modulo 2**TAG_W, as the scanner counts
//               them: lists of height 1, and every NIL and DONE.
//   Throughput  one beat per cycle.
//   Latency     2 cycles.
//   Parameters  VAL_W payload bits; VALUE what decides; STOP_W stop bits; TAG_W and CRD_W as the scanner has them.
//   Reset       valid bits, the fiber's number.
//   Notes       A hint that finds the last one still waiting is given for a later value of the fiber, or not at all.
`default_nettype none

module samhw_early_exit #(
    parameter VAL_W  = 16,
    parameter STOP_W = 3,
    parameter TAG_W  = 12,
    parameter CRD_W  = 16,
    parameter [VAL_W-1:0] VALUE = 0
) (
    input  wire                      clk,
    input  wire                      rst,

    input  wire                      val_valid,
    output wire                      val_ready,
    input  wire [2+STOP_W+VAL_W-1:0] val_beat,

    output reg                       out_valid,
    input  wire                      out_ready,
    output reg  [2+STOP_W+VAL_W-1:0] out_beat,

    output reg                       skip_valid,
    input  wire                      skip_ready,
    output reg  [CRD_W+1+TAG_W-1:0]  skip_beat
);

    localparam [1:0]        DATA = 2'd0;
    localparam [STOP_W-1:0] ZERO = 0;
    localparam [TAG_W-1:0]  NEXT = 1;

    wire              v_valid;
    wire [1:0]        v_kind;
    wire [STOP_W-1:0] v_stop;
    wire [VAL_W-1:0]  v_val;
    wire              free = !out_valid || out_ready;
    samhw_skid #(.W(2+STOP_W+VAL_W)) u_val (
        .clk(clk), .rst(rst),
        .in_valid(val_valid), .in_ready(val_ready), .in_beat(val_beat),
        .out_valid(v_valid), .out_ready(free), .out_beat({v_kind, v_stop, v_val})
    );

    reg  [TAG_W-1:0] fiber;
    reg              told;  // of the fiber at hand
    wire             go    = v_valid && free;
    wire             ends  = v_kind[1] || v_stop != ZERO;
    wire             early = go && v_kind == DATA && !ends && v_val == VALUE && !told;
    wire             tell  = early && (!skip_valid || skip_ready);

    always @(posedge clk) begin
        if (go)
            out_beat <= {v_kind, v_stop, v_val};
        if (tell)
            skip_beat <= {{CRD_W{1'b0}}, 1'b1, fiber};
        if (rst) begin
            out_valid  <= 1'b0;
            skip_valid <= 1'b0;
            told       <= 1'b0;
            fiber      <= {TAG_W{1'b0}};
        end else begin
            if (free)
                out_valid <= v_valid;
            if (!skip_valid || skip_ready)
                skip_valid <= early;
            if (go)
                told <= !ends && (told || tell);
            if (go && ends)
                fiber <= fiber + NEXT;
        end
    end

endmodule

`default_nettype wire
