// SPDX-License-Identifier: Apache-2.0
//
// samhw_scanner_dense whose fibers an early exit ends: what follows of one that is decided is left out.
//
//   Consumes    ref: stream of depth d, leaves DATA or EMPTY; dim: 0 .. 2**CRD_W, stable during a
//               run.
//               skip: hints {crd, over, fiber}, taken in every cycle; fibers are counted modulo
//               2**TAG_W, one for each beat of ref. One that says over of the fiber at hand ends it:
//               the next coordinate that leaves is its last. No other hint has an effect.
//   Produces    out {crd, ref}: depth d+1. The child's ref is ref*dim + crd; with ROOT crd alone
//               (ref must be 0), with BROADCAST ref itself. dim 0 and an EMPTY leaf give an
//               empty list.
//   Throughput  one beat of out per cycle: a fiber takes max(1, dim) cycles, or as many as it has.
//   Latency     DEPTH + 3 cycles; 2 with ROOT or BROADCAST.
//   Parameters  REF_IN_W, REF_W bits of the references in and out, CRD_W of coordinates, STOP_W
//               stop bits (at most REF_IN_W and CRD_W), ROOT and BROADCAST (at most one is 1).
//               References are cut to REF_W bits. DEPTH as in samhw_scale, 0
//               with ROOT or BROADCAST. TAG_W bits of a fiber's number.
//   Reset       valid bits, the coordinate, the fiber's number; payloads are not reset.
//   Source      "The Sparse Abstract Machine", section 3.1.
`default_nettype none

module samhw_scanner_dense_exit #(
    parameter REF_IN_W  = 16,
    parameter REF_W     = 16,
    parameter CRD_W     = 16,
    parameter STOP_W    = 3,
    parameter ROOT      = 0,
    parameter BROADCAST = 0,
    parameter DEPTH     = 0,
    parameter TAG_W     = 12
) (
    input  wire                            clk,
    input  wire                            rst,

    input  wire [CRD_W:0]                  dim,

    input  wire                            ref_valid,
    output wire                            ref_ready,
    input  wire [2+STOP_W+REF_IN_W-1:0]    ref_beat,

    input  wire                            skip_valid,
    output wire                            skip_ready,
    input  wire [CRD_W+1+TAG_W-1:0]        skip_beat,

    output reg                             out_valid,
    input  wire                            out_ready,
    output reg  [2+STOP_W+REF_W+CRD_W-1:0] out_beat
);
    generate
        if (REF_IN_W < 1 || REF_W < 1 || CRD_W < 1 || STOP_W < 1
            || STOP_W > REF_IN_W || STOP_W > CRD_W
            || ROOT < 0 || ROOT > 1 || BROADCAST < 0 || BROADCAST > 1
            || (ROOT != 0 && BROADCAST != 0)
            || (DEPTH != 0 && DEPTH != 2 && DEPTH != 3)
            || (DEPTH != 0 && (ROOT != 0 || BROADCAST != 0))
            || TAG_W < 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    `include "samhw_kinds.vh"
    localparam [STOP_W-1:0] NO_STOP = 0;
    localparam [STOP_W-1:0] ONE_UP  = 1;
    localparam [CRD_W-1:0]  ONE_ON  = 1;

    wire              r_valid;
    wire              r_pop;
    wire [1:0]        r_kind;
    wire [STOP_W-1:0] r_stop;
    wire [STOP_W-1:0] r_own;
    wire [REF_W-1:0]  r_base;
    // Where there is no product a reference passes.
    samhw_scale #(
        .REF_IN_W(REF_IN_W), .REF_W(REF_W), .DIM_W(CRD_W+1), .STOP_W(STOP_W), .SCALE(ROOT == 0 && BROADCAST == 0),
        .PASS(ROOT != 0 || BROADCAST != 0), .DEPTH(DEPTH)
    ) u_ref (
        .clk(clk), .rst(rst), .dim(dim),
        .ref_valid(ref_valid), .ref_ready(ref_ready), .ref_beat(ref_beat),
        .out_valid(r_valid), .out_ready(r_pop), .kind(r_kind), .stop(r_stop), .hole(r_own), .base(r_base)
    );

    // dim is stable when a beat is taken, so these are right one cycle later.
    reg             no_fiber;
    reg [CRD_W-1:0] dim_last;  // dim - 1, to shorten the path
    always @(posedge clk) begin
        no_fiber <= dim == {(CRD_W+1){1'b0}};
        dim_last <= dim[CRD_W-1:0] - ONE_ON;
    end

    wire              r_list = r_kind == DATA && !no_fiber;
    wire [STOP_W-1:0] r_hole = r_kind == NIL ? r_own : NO_STOP;

    // The fiber at hand: a list (to be filled) or not, with its stop and hole in out and its child
    // reference for coordinate 0; stop 0 without a list is DONE.
    reg              full;
    reg              list;
    reg [STOP_W-1:0] stop;
    reg [STOP_W-1:0] hole;
    reg [REF_W-1:0]  base;
    reg [CRD_W-1:0]  crd;
    wire             f_pop;
    assign r_pop = !full || f_pop;

    // Coordinates as REF_W bits, whichever is wider.
    wire [REF_W+CRD_W-1:0] wide_crd = {{REF_W{1'b0}}, crd};

    always @(posedge clk) begin
        if (r_pop) begin
            list <= r_list;
            stop <= r_kind == DONE ? NO_STOP : r_stop + ONE_UP;
            hole <= r_kind == DONE ? NO_STOP : r_hole + ONE_UP;
            base <= ROOT != 0 ? {REF_W{1'b0}} : r_base;
        end
        if (rst)
            full <= 1'b0;
        else if (r_pop)
            full <= r_valid;
    end

    // What hints say of the fiber at hand.
    wire over;
    assign skip_ready = 1'b1;
    samhw_fiber_over #(.TAG_W(TAG_W), .CRD_W(CRD_W)) u_over (
        .clk(clk), .rst(rst), .skip_valid(skip_valid), .skip_beat(skip_beat), .leaves(f_pop), .over(over)
    );

    wire last = !list || crd == dim_last || over;
    wire emit = full && (!out_valid || out_ready);
    assign f_pop = emit && last;

    wire [REF_W-1:0] child = BROADCAST != 0 ? base : base + wide_crd[REF_W-1:0];

    always @(posedge clk) begin
        if (emit)
            out_beat <= {!list, !list && stop == NO_STOP, last ? stop : NO_STOP,
                         list ? child : {REF_W{1'b0}},
                         list ? crd : {{(CRD_W-STOP_W){1'b0}}, hole}};
        if (rst) begin
            out_valid <= 1'b0;
            crd       <= {CRD_W{1'b0}};
        end else begin
            if (emit || out_ready)
                out_valid <= emit;
            if (emit)
                crd <= last ? {CRD_W{1'b0}} : crd + ONE_ON;
        end
    end

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst && r_valid && r_pop) begin
            if (r_kind != DONE && r_stop == {STOP_W{1'b1}}) begin
                $display("samhw_scanner_dense_exit: the stop does not fit");
                $stop;
            end
        end
    always @(posedge clk)
        if (!rst && ROOT != 0 && ref_valid && ref_ready && ref_beat[REF_IN_W+STOP_W +: 2] == DATA
            && ref_beat[REF_IN_W-1:0] != {REF_IN_W{1'b0}}) begin
            $display("samhw_scanner_dense_exit: the root has one fiber, number 0");
            $stop;
        end
`endif

    wire _unused_ok = &{1'b0, wide_crd, 1'b0};

endmodule

`default_nettype wire
