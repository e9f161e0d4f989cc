// SPDX-License-Identifier: Apache-2.0
//
// Level scanner of a part of a dense level: each reference becomes a fiber of COUNT coordinates.
//
//   Consumes    ref: stream of depth d, leaves DATA or EMPTY; dim: size of the level, stable during
//               a run, larger than every offset.
//   Produces    out {crd, ref}: depth d+1. The k-th crd is TO_FIRST + k * TO_STEP; its ref is
//               ref*dim + offset, with ROOT the offset alone (ref must be 0), with BROADCAST ref
//               itself. The k-th offset is FIRST + k * STEP, or the k-th of SET. COUNT 0 and an
//               EMPTY leaf give an empty list.
//   Throughput  one beat of out per cycle: a fiber takes max(1, COUNT) cycles.
//   Latency     DEPTH + 3 cycles.
//   Parameters  REF_IN_W, REF_W bits of the references in and out, DIM_W of dim, CRD_W of
//               coordinates, STOP_W stop bits (at most REF_IN_W and CRD_W), ROOT and BROADCAST (at
//               most one is 1), COUNT at most 2**CRD_W. STEP is modulo 2**REF_W. LISTED: 1 for
//               SET, whose offsets have REF_W bits each, the first lowest. References are cut to
//               REF_W bits. DEPTH as in samhw_scale, 0 with ROOT or BROADCAST.
//   Reset       valid bits and the counters; payloads are not reset.
//   Source      "The Sparse Abstract Machine", section 3.1.
`default_nettype none

module samhw_scanner_part #(
    parameter REF_IN_W  = 16,
    parameter REF_W     = 16,
    parameter DIM_W     = 17,
    parameter CRD_W     = 16,
    parameter STOP_W    = 3,
    parameter ROOT      = 0,
    parameter BROADCAST = 0,
    parameter [CRD_W:0]   COUNT    = 1,
    parameter [REF_W-1:0] FIRST    = 0,
    parameter [REF_W-1:0] STEP     = 1,
    parameter LISTED    = 0,
    parameter [(LISTED == 0 ? 1 : LISTED)*REF_W-1:0] SET = 0,
    parameter [CRD_W-1:0] TO_FIRST = 0,
    parameter [CRD_W-1:0] TO_STEP  = 1,
    parameter DEPTH     = 0
) (
    input  wire                            clk,
    input  wire                            rst,

    input  wire [DIM_W-1:0]                dim,

    input  wire                            ref_valid,
    output wire                            ref_ready,
    input  wire [2+STOP_W+REF_IN_W-1:0]    ref_beat,

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
            || DIM_W < 1
            || LISTED < 0
            || COUNT > 1 << CRD_W) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    `include "samhw_kinds.vh"
    localparam [STOP_W-1:0] NO_STOP = 0;
    localparam [STOP_W-1:0] ONE_UP  = 1;
    localparam [CRD_W:0]    ONE_ON  = 1;

    wire              r_valid;
    wire              r_pop;
    wire [1:0]        r_kind;
    wire [STOP_W-1:0] r_stop;
    wire [STOP_W-1:0] r_own;
    wire [REF_W-1:0]  r_base;
    samhw_scale #(
        .REF_IN_W(REF_IN_W), .REF_W(REF_W), .DIM_W(DIM_W), .STOP_W(STOP_W), .SCALE(ROOT == 0 && BROADCAST == 0),
        .DEPTH(DEPTH)
    ) u_ref (
        .clk(clk), .rst(rst), .dim(dim),
        .ref_valid(ref_valid), .ref_ready(ref_ready), .ref_beat(ref_beat),
        .out_valid(r_valid), .out_ready(r_pop), .kind(r_kind), .stop(r_stop), .hole(r_own), .base(r_base)
    );

    wire              r_list = r_kind == DATA && COUNT != {(CRD_W+1){1'b0}};
    wire [STOP_W-1:0] r_hole = r_kind == NIL ? r_own : NO_STOP;

    // The fiber at hand: a list (to be filled) or not, with its stop and hole in out and its child
    // reference for offset 0; stop 0 without a list is DONE.
    reg              full;
    reg              list;
    reg [STOP_W-1:0] stop;
    reg [STOP_W-1:0] hole;
    reg [REF_W-1:0]  base;
    wire             f_pop;
    assign r_pop = !full || f_pop;

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

    // Where in the fiber we are: the number of the coordinate, itself, its offset.
    reg  [CRD_W-1:0] place;
    reg  [CRD_W-1:0] crd;
    wire [REF_W-1:0] offset;
    wire             last = !list || {1'b0, place} == COUNT - ONE_ON;
    wire             emit = full && (!out_valid || out_ready);
    assign f_pop = emit && last;

    generate
        if (BROADCAST != 0) begin : g_none
            assign offset = {REF_W{1'b0}};
        end else if (LISTED != 0) begin : g_set
            assign offset = SET[place*REF_W +: REF_W];
        end else begin : g_steps
            reg [REF_W-1:0] counted;
            assign offset = counted;
            always @(posedge clk)
                if (rst)
                    counted <= FIRST;
                else if (emit)
                    counted <= last ? FIRST : counted + STEP;
        end
    endgenerate

    wire [REF_W-1:0] child = base + offset;

    always @(posedge clk) begin
        if (emit)
            out_beat <= {!list, !list && stop == NO_STOP, last ? stop : NO_STOP,
                         list ? child : {REF_W{1'b0}},
                         list ? crd : {{(CRD_W-STOP_W){1'b0}}, hole}};
        if (rst) begin
            out_valid <= 1'b0;
            place     <= {CRD_W{1'b0}};
            crd       <= TO_FIRST;
        end else begin
            if (emit || out_ready)
                out_valid <= emit;
            if (emit) begin
                place <= last ? {CRD_W{1'b0}} : place + ONE_ON[CRD_W-1:0];
                crd   <= last ? TO_FIRST : crd + TO_STEP;
            end
        end
    end

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst && r_valid && r_pop) begin
            if (r_kind != DONE && r_stop == {STOP_W{1'b1}}) begin
                $display("samhw_scanner_part: the stop does not fit");
                $stop;
            end
        end
    always @(posedge clk)
        if (!rst && ROOT != 0 && ref_valid && ref_ready && ref_beat[REF_IN_W+STOP_W +: 2] == DATA
            && ref_beat[REF_IN_W-1:0] != {REF_IN_W{1'b0}}) begin
            $display("samhw_scanner_part: the root has one fiber, number 0");
            $stop;
        end
`endif

endmodule

`default_nettype wire
