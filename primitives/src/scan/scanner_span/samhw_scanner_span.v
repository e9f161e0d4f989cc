// SPDX-License-Identifier: Apache-2.0
//
// Scanner of spans: bounds become the coordinates between them.
//
//   Consumes    bounds {hi, lo}: stream of depth d, leaves DATA or EMPTY, whole numbers; a bound
//               that LO or HI leaves out has no field. dim: 0 .. 2**CRD_W, stable during a run.
//   Produces    crd: depth d+1, the coordinates of 0 .. dim-1 that lie between the bounds. None,
//               and an EMPTY leaf: an empty list.
//   Throughput  one beat of crd per cycle: a span takes max(1, its length) cycles.
//   Latency     3 cycles.
//   Parameters  LO, HI: 0 the end of the level, 1 the bound is in the span, 2 the span ends next to
//               it, at least one is not 0. BOUND_W bits of a bound, two's complement if SIGNED;
//               CRD_W of coordinates; STOP_W stop bits (at most BOUND_W and CRD_W).
//   Reset       valid bits; payloads are not reset.
//   Source      masks as bounds of loops; not in the SAM paper.
`default_nettype none

module samhw_scanner_span #(
    parameter LO      = 1,
    parameter HI      = 2,
    parameter BOUND_W = 16,
    parameter SIGNED  = 1,
    parameter CRD_W   = 16,
    parameter STOP_W  = 3
) (
    input  wire                                                       clk,
    input  wire                                                       rst,

    input  wire [CRD_W:0]                                             dim,

    input  wire                                                       bounds_valid,
    output wire                                                       bounds_ready,
    input  wire [2+STOP_W+(BOUND_W<<(LO!=0 && HI!=0 ? 1 : 0))-1:0]    bounds_beat,

    output reg                                                        crd_valid,
    input  wire                                                       crd_ready,
    output reg  [2+STOP_W+CRD_W-1:0]                                  crd_beat
);
    generate
        if (LO < 0 || LO > 2
            || HI < 0 || HI > 2
            || (LO == 0 && HI == 0)
            || SIGNED < 0 || SIGNED > 1
            || BOUND_W < 1 || CRD_W < 1 || STOP_W < 1
            || STOP_W > BOUND_W || STOP_W > CRD_W) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    `include "samhw_kinds.vh"
    localparam IN_W = BOUND_W << (LO != 0 && HI != 0 ? 1 : 0);
    localparam W    = BOUND_W > CRD_W ? BOUND_W : CRD_W + 1;
    localparam [STOP_W-1:0] NO_STOP = 0;
    localparam [STOP_W-1:0] ONE_UP  = 1;
    localparam [CRD_W-1:0]  ONE_ON  = 1;
    localparam [CRD_W:0]    ONE     = 1;

    wire              a_step;
    wire              s_valid;
    wire [1:0]        s_kind;
    wire [STOP_W-1:0] s_stop;
    wire [IN_W-1:0]   s_bounds;
    samhw_skid #(.W(2+STOP_W+IN_W), .PASS(1)) u_bounds (
        .clk(clk), .rst(rst),
        .in_valid(bounds_valid), .in_ready(bounds_ready), .in_beat(bounds_beat),
        .out_valid(s_valid), .out_ready(a_step), .out_beat({s_kind, s_stop, s_bounds})
    );

    // dim is stable when a beat is taken, so these are right one cycle later.
    reg           no_crd;    // no coordinate is above an open bound, or there is none
    reg           no_level;
    reg [CRD_W:0] dim_less;  // dim - 1
    always @(posedge clk) begin
        no_level <= dim == {(CRD_W+1){1'b0}};
        no_crd   <= LO == 2 && dim == ONE;
        dim_less <= dim - ONE;
    end

    wire [BOUND_W-1:0] lo = s_bounds[BOUND_W-1:0];
    wire [BOUND_W-1:0] hi = s_bounds[IN_W-1 -: BOUND_W];
    wire [W-1:0]       wide_lo   = {{(W-BOUND_W){1'b0}}, lo};
    wire [W-1:0]       wide_hi   = {{(W-BOUND_W){1'b0}}, hi};
    wire [W-1:0]       wide_dim  = {{(W-CRD_W-1){1'b0}}, dim};
    wire [W-1:0]       wide_less = {{(W-CRD_W-1){1'b0}}, dim_less};

    // Where a span begins and ends, cut to the level; none: no coordinate is on that side of a
    // bound.
    wire below     = LO == 0 || (SIGNED != 0 && lo[BOUND_W-1]);
    wire none_lo   = !below && (no_crd || wide_lo >= (LO == 2 ? wide_less : wide_dim));
    wire none_hi   = HI != 0 && ((SIGNED != 0 && hi[BOUND_W-1]) || (HI == 2 && hi == {BOUND_W{1'b0}}));
    wire above     = HI == 0 || wide_hi >= (HI == 2 ? wide_dim : wide_less);
    wire [CRD_W-1:0] from = below ? {CRD_W{1'b0}} : LO == 2 ? wide_lo[CRD_W-1:0] + ONE_ON : wide_lo[CRD_W-1:0];
    wire [CRD_W-1:0] to   = above ? dim_less[CRD_W-1:0] : HI == 2 ? wide_hi[CRD_W-1:0] - ONE_ON : wide_hi[CRD_W-1:0];

    reg              a_valid;
    reg              a_list;
    reg [STOP_W-1:0] a_stop;
    reg [STOP_W-1:0] a_hole;
    reg [CRD_W-1:0]  a_from;
    reg [CRD_W-1:0]  a_to;

    // The span at hand: a list (to be filled) or not, with its stop and hole in crd; stop 0 without
    // a list is DONE.
    reg              full;
    reg              list;
    reg [STOP_W-1:0] stop;
    reg [STOP_W-1:0] hole;
    reg [CRD_W-1:0]  crd;
    reg [CRD_W-1:0]  crd_last;
    wire             last  = !list || crd == crd_last;
    wire             emit  = full && (!crd_valid || crd_ready);
    wire             f_pop = !full || (emit && last);
    assign a_step = !a_valid || f_pop;

    always @(posedge clk) begin
        if (a_step) begin
            a_list <= s_kind == DATA && !no_level && !none_lo && !none_hi;
            a_stop <= s_kind == DONE ? NO_STOP : s_stop + ONE_UP;
            a_hole <= s_kind == DONE ? NO_STOP : (s_kind == NIL ? s_bounds[STOP_W-1:0] : NO_STOP) + ONE_UP;
            a_from <= from;
            a_to   <= to;
        end
        if (rst)
            a_valid <= 1'b0;
        else if (a_step)
            a_valid <= s_valid;
    end

    always @(posedge clk) begin
        if (f_pop) begin
            list     <= a_list && a_from <= a_to;
            stop     <= a_stop;
            hole     <= a_hole;
            crd      <= a_from;
            crd_last <= a_to;
        end else if (emit)
            crd <= crd + ONE_ON;
        if (rst)
            full <= 1'b0;
        else if (f_pop)
            full <= a_valid;
    end

    always @(posedge clk) begin
        if (emit)
            crd_beat <= {!list, !list && stop == NO_STOP, last ? stop : NO_STOP,
                         list ? crd : {{(CRD_W-STOP_W){1'b0}}, hole}};
        if (rst)
            crd_valid <= 1'b0;
        else if (emit || crd_ready)
            crd_valid <= emit;
    end

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst && s_valid && a_step && s_kind != DONE && s_stop == {STOP_W{1'b1}}) begin
            $display("samhw_scanner_span: the stop does not fit");
            $stop;
        end
`endif

    wire _unused_ok = &{1'b0, lo, hi, wide_lo, wide_hi, wide_dim, wide_less, no_crd, 1'b0};

endmodule

`default_nettype wire
