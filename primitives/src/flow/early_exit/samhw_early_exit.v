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
//   Latency     1 cycle.
//   Parameters  VAL_W payload bits; VALUE what decides; WATCHED what must be that: 0 a value alone, of all
//               values of the list so far 1 their or, 2 their and, 3 their sum, which may be greater;
//               STOP_W stop bits; TAG_W and CRD_W as the scanner has them.
//   Reset       valid bits, the fiber's number, what the values make so far.
//   Notes       A hint that finds the last one still waiting is given for a later value of the fiber, or not at all.
`default_nettype none

module samhw_early_exit #(
    parameter VAL_W  = 16,
    parameter STOP_W = 3,
    parameter TAG_W  = 12,
    parameter CRD_W  = 16,
    parameter [VAL_W-1:0] VALUE = 0,
    parameter WATCHED = 0
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
    generate
        if (VAL_W < 1 || STOP_W < 1 || TAG_W < 1 || CRD_W < 1
            || STOP_W > VAL_W
            || WATCHED < 0 || WATCHED > 3) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    `include "samhw_kinds.vh"
    localparam [STOP_W-1:0] ZERO = 0;
    localparam [TAG_W-1:0]  NEXT = 1;
    localparam [VAL_W-1:0]  BEGIN = WATCHED == 2 ? {VAL_W{1'b1}} : {VAL_W{1'b0}};

    wire              v_valid;
    wire [1:0]        v_kind;
    wire [STOP_W-1:0] v_stop;
    wire [VAL_W-1:0]  v_val;
    wire              free = !out_valid || out_ready;
    samhw_skid #(.W(2+STOP_W+VAL_W), .PASS(1)) u_val (
        .clk(clk), .rst(rst),
        .in_valid(val_valid), .in_ready(val_ready), .in_beat(val_beat),
        .out_valid(v_valid), .out_ready(free), .out_beat({v_kind, v_stop, v_val})
    );

    // What the values of the fiber at hand make with this one.
    wire             decided;
    wire             go    = v_valid && free;
    wire             ends  = v_kind[1] || v_stop != ZERO;
    generate
        if (WATCHED == 0) begin : g_alone
            assign decided = v_val == VALUE;
        end else begin : g_so_far
            reg  [VAL_W-1:0] so_far;
            wire [VAL_W-1:0] made;
            if (WATCHED == 3) begin : g_sum
                wire [VAL_W:0] sum  = {1'b0, so_far} + {1'b0, v_val};
                wire           full = sum >= {1'b0, VALUE};
                assign made = full ? VALUE : sum[VAL_W-1:0];
            end else begin : g_bits
                assign made = WATCHED == 1 ? so_far | v_val : so_far & v_val;
            end
            assign decided = made == VALUE;
            always @(posedge clk)
                if (rst || (go && ends))
                    so_far <= BEGIN;
                else if (go && v_kind == DATA)
                    so_far <= made;
        end
    endgenerate

    reg  [TAG_W-1:0] fiber;
    reg              told;  // of the fiber at hand
    wire             early = go && v_kind == DATA && !ends && decided && !told;
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
