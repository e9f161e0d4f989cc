// SPDX-License-Identifier: Apache-2.0
//
// Watches the coordinates that a core reads here and there in the fibers of a level in memory, in a search or
// leaving some out: what is read of a fiber fits one that rises and whose coordinates are below the size of
// the dimension.
//
//   Consumes    bound, bounds {end, begin}: a fiber's segments are taken; every fiber that is not empty is asked for
//               coordinates, one fiber after the other. asked, asked_beat {addr} (PAIRS) or {len, addr}: a request
//               is taken, within the fiber at hand or the next one. told, crd: an answer is taken, in the
//               order of the requests: {crd[addr+1], crd[addr]} (PAIRS) or a coordinate of addr ..
//               addr+len-1.
//   Produces    wrong: five cycles after an answer that does not fit what was read of the fiber before, until reset.
//   Compares    a coordinate less its place, which never falls in a fiber, so n places that were not read
//               have room for n coordinates. PAIRS 0: with the nearest places read on either side, as far as
//               they were met on the way to this one. PAIRS 1: with the pair before, the last pair of the
//               fiber once it is read, and the pair that was leapt to. At the ends of the fiber with 0 and
//               limit.
//   Parameters  REPEATS 1: neighbours may be equal. ADDR_W bits of a place, DATA_W of a coordinate, LIMIT_W
//               of the size; WAIT_LOG2: at most 2**WAIT_LOG2 requests wait for their answers, and as many
//               fibers for the first of them.
//   Reset       all state. limit is stable in between.
`default_nettype none

module samhw_axi_places #(
    parameter ADDR_W    = 16,
    parameter DATA_W    = 16,
    parameter LIMIT_W   = 17,
    parameter PAIRS     = 0,
    parameter REPEATS   = 0,
    parameter WAIT_LOG2 = 5
) (
    input  wire                                        clk,
    input  wire                                        rst,

    input  wire [LIMIT_W-1:0]                          limit,

    input  wire                                        bound,
    input  wire [2*ADDR_W-1:0]                         bounds,

    input  wire                                        asked,
    input  wire [(PAIRS != 0 ? ADDR_W : 2*ADDR_W)-1:0] asked_beat,

    input  wire                                        told,
    input  wire [(PAIRS != 0 ? 2*DATA_W : DATA_W)-1:0] crd,

    output reg                                         wrong
);
    generate
        if (ADDR_W < 1 || DATA_W < 1 || LIMIT_W < 1 || WAIT_LOG2 < 1
            || PAIRS < 0 || PAIRS > 1 || REPEATS < 0 || REPEATS > 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam RSP_W = PAIRS != 0 ? 2*DATA_W : DATA_W;
    localparam MOST  = DATA_W > LIMIT_W ? (DATA_W > ADDR_W ? DATA_W : ADDR_W) : (LIMIT_W > ADDR_W ? LIMIT_W : ADDR_W);
    // Of a coordinate less its place.
    localparam KEY_W = MOST + 2;
    localparam [ADDR_W-1:0] ONE = 1;
    // 0 of one bit.
    localparam [ADDR_W-1:0] TWO = ONE + ONE;
    localparam [KEY_W-1:0]  UNIT = 1;

    // Fibers that are to come, without those that are empty or the one before again.
    reg                 b_told;
    reg                 b_some;
    reg  [2*ADDR_W-1:0] b_bounds;
    reg  [2*ADDR_W-1:0] b_former;
    wire                b_fresh = b_told && b_bounds[ADDR_W-1:0] < b_bounds[ADDR_W +: ADDR_W]
                                && !(b_some && b_former == b_bounds);
    wire                b_room;
    wire                f_valid;
    wire                f_pop;
    wire [ADDR_W-1:0]   f_begin;
    wire [ADDR_W-1:0]   f_end;
    samhw_queue #(.W(2*ADDR_W), .LOG2(WAIT_LOG2)) u_fibers (
        .clk(clk), .rst(rst),
        .in_valid(b_fresh), .in_ready(b_room), .in_data(b_bounds),
        .out_valid(f_valid), .out_ready(f_pop), .out_data({f_end, f_begin})
    );
    always @(posedge clk) begin
        b_bounds <= bounds;
        if (b_fresh)
            b_former <= b_bounds;
        if (rst) begin
            b_told <= 1'b0;
            b_some <= 1'b0;
        end else begin
            b_told <= bound;
            b_some <= b_some || b_fresh;
        end
    end

    // Answers with their places and fibers.
    reg               s_valid;
    reg  [RSP_W-1:0]  s_crd;
    wire [ADDR_W-1:0] place;
    samhw_axi_asked #(.ADDR_W(ADDR_W), .BURSTS(PAIRS == 0), .WAIT_LOG2(WAIT_LOG2)) u_asked (
        .clk(clk), .rst(rst), .asked(asked), .asked_beat(asked_beat), .step(s_valid), .place(place)
    );
    reg               some;
    reg  [ADDR_W-1:0] begins;
    reg  [ADDR_W-1:0] ends;
    wire              same      = some && place >= begins && place < ends;
    wire [ADDR_W-1:0] now_begin = same ? begins : f_begin;
    wire [ADDR_W-1:0] now_end   = same ? ends : f_end;
    assign f_pop = s_valid && !same;

    reg               c_valid;
    reg               c_first;
    reg               c_lost;                // it is in neither of two fibers
    reg  [ADDR_W-1:0] c_place;
    reg  [ADDR_W-1:0] c_begin;
    reg  [ADDR_W-1:0] c_end;
    reg  [RSP_W-1:0]  c_crd;
    always @(posedge clk) begin
        s_crd   <= crd;
        c_first <= !same;
        c_lost  <= !same && (!f_valid || place < f_begin || place >= f_end);
        c_place <= place;
        c_begin <= now_begin;
        c_end   <= now_end;
        c_crd   <= s_crd;
        if (s_valid)
            {begins, ends} <= {now_begin, now_end};
        if (rst) begin
            s_valid <= 1'b0;
            c_valid <= 1'b0;
            some    <= 1'b0;
        end else begin
            s_valid <= told;
            c_valid <= s_valid;
            some    <= some || s_valid;
        end
    end

    // What never falls from place to place, with what it has at least at the first one and at most at the last.
    wire        [KEY_W-1:0]  wide_place = {{(KEY_W-ADDR_W){1'b0}}, c_place};
    wire        [KEY_W-1:0]  wide_begin = {{(KEY_W-ADDR_W){1'b0}}, c_begin};
    wire        [KEY_W-1:0]  wide_end   = {{(KEY_W-ADDR_W){1'b0}}, c_end};
    wire        [KEY_W-1:0]  wide_crd   = {{(KEY_W-DATA_W){1'b0}}, c_crd[DATA_W-1:0]};
    wire        [KEY_W-1:0]  wide_limit = {{(KEY_W-LIMIT_W){1'b0}}, limit};
    reg                      k_valid;
    reg                      k_first;
    reg                      k_lost;
    reg         [ADDR_W-1:0] k_place;
    reg  signed [KEY_W-1:0]  k_key;
    reg  signed [KEY_W-1:0]  k_low;
    reg  signed [KEY_W-1:0]  k_top;
    always @(posedge clk) begin
        k_first <= c_first;
        k_lost  <= c_lost;
        k_place <= c_place;
        k_key   <= REPEATS != 0 ? wide_crd : wide_crd - wide_place;
        k_low   <= REPEATS != 0 ? {KEY_W{1'b0}} : {KEY_W{1'b0}} - wide_begin;
        k_top   <= REPEATS != 0 ? wide_limit - UNIT : wide_limit - wide_end;
        if (rst)
            k_valid <= 1'b0;
        else
            k_valid <= c_valid;
    end

    // From below to above.
    reg                     d_valid;
    reg                     d_lost;
    reg  signed [KEY_W-1:0] d_low;
    reg  signed [KEY_W-1:0] d_key;
    reg  signed [KEY_W-1:0] d_top;
    wire                    falls;
    generate
        if (PAIRS != 0) begin : g_chain
            wire [KEY_W-1:0]         wide_crd1 = {{(KEY_W-DATA_W){1'b0}}, c_crd[DATA_W +: DATA_W]};
            wire [ADDR_W-1:0]        rest      = c_end - c_place;
            wire [ADDR_W-1:0]        behind    = k_place - TWO;
            reg                      k_two;     // the second coordinate is of the fiber, too
            reg                      k_tail;    // and the last
            reg                      k_begin;
            reg  signed [KEY_W-1:0]  k_second;
            // The last place read in turn; the last one after what was perhaps a leap; the last one of the
            // fiber; and pairs that could be leapt to. What goes back tells that what looked like a leap was
            // none.
            reg         [ADDR_W-1:0] turn;
            reg  signed [KEY_W-1:0]  turn_key;
            reg                      may;
            reg         [ADDR_W-1:0] jump;
            reg  signed [KEY_W-1:0]  jump_key;
            reg                      known;
            reg  signed [KEY_W-1:0]  last_key;
            reg  [ADDR_W+KEY_W-1:0]  leaps [0:15];
            reg  [15:0]              filled;
            wire [ADDR_W+7:0]        wide_behind = {8'd0, behind};
            wire [ADDR_W+7:0]        wide_own    = {8'd0, k_place};
            wire [ADDR_W-1:0]        leap_place;
            wire signed [KEY_W-1:0]  leap_key;
            assign {leap_place, leap_key} = leaps[wide_behind[7:4]];
            wire                     anew   = k_first || k_begin;
            wire                     back   = !anew && k_place <= turn;
            wire                     on     = !anew && !back;
            wire                     follow = on && k_place == turn + ONE;
            wire                     landed = on && !follow && may && k_place == jump + ONE;
            wire                     leapt  = on && !follow && !landed && filled[wide_behind[7:4]]
                                              && leap_place == behind;
            wire                     tail   = on && !follow && !landed && !leapt && k_tail;
            wire                     apart  = on && !follow && !landed && !tail;
            wire                     probe  = apart && !(leapt && wide_own[7:4] != wide_behind[7:4]);
            wire [ADDR_W-1:0]        end_place = k_two ? k_place + ONE : k_place;
            wire signed [KEY_W-1:0]  high   = k_two ? k_second : k_key;
            wire signed [KEY_W-1:0]  low    = !on ? k_low : landed ? jump_key : leapt ? leap_key : turn_key;
            reg  signed [KEY_W-1:0]  d_from;
            reg  signed [KEY_W-1:0]  d_high;
            assign falls = d_low < d_from || d_key < d_low || d_high < d_key || d_top < d_high;
            always @(posedge clk)
                if (k_valid && probe)
                    leaps[wide_own[7:4]] <= {k_place, high};
            always @(posedge clk) begin
                k_two    <= rest != ONE;
                k_tail   <= rest == TWO;
                k_begin  <= c_place == c_begin;
                k_second <= REPEATS != 0 ? wide_crd1 : wide_crd1 - wide_place - UNIT;
                d_from   <= on ? turn_key : k_low;
                d_low    <= low;
                d_key    <= k_key;
                d_high   <= high;
                d_top    <= known && !anew ? last_key : k_top;
                if (k_valid && (!on || follow || landed)) begin
                    turn     <= end_place;
                    turn_key <= high;
                end
                if (k_valid && leapt) begin
                    jump     <= end_place;
                    jump_key <= high;
                end
                if (k_valid && tail)
                    last_key <= high;
                if (rst)
                    filled <= 16'd0;
                else if (k_valid && probe)
                    filled[wide_own[7:4]] <= 1'b1;
                if (rst)
                    known <= 1'b0;
                else if (k_valid)
                    known <= tail || (known && !anew);
                if (rst)
                    may <= 1'b0;
                else if (k_valid)
                    may <= leapt || (may && !anew && !landed);
            end
            wire _unused_ok = &{1'b0, wide_behind, wide_own, 1'b0};
        end else begin : g_search
            // The place read last, and the nearest below and above it that were met.
            reg         [ADDR_W-1:0] at;
            reg  signed [KEY_W-1:0]  at_key;
            reg                      below_ok;
            reg         [ADDR_W-1:0] below;
            reg  signed [KEY_W-1:0]  below_key;
            reg                      above_ok;
            reg         [ADDR_W-1:0] above;
            reg  signed [KEY_W-1:0]  above_key;
            wire                     up    = !k_first && k_place > at;
            wire                     down  = !k_first && k_place < at;
            wire                     under = up || (!k_first && below_ok && below < k_place);
            wire                     over  = down || (!k_first && above_ok && above > k_place);
            wire signed [KEY_W-1:0]  under_key = up ? at_key : below_key;
            wire signed [KEY_W-1:0]  over_key  = down ? at_key : above_key;
            assign falls = d_key < d_low || d_top < d_key;
            always @(posedge clk) begin
                d_low <= under ? under_key : k_low;
                d_key <= k_key;
                d_top <= over ? over_key : k_top;
                if (k_valid) begin
                    at        <= k_place;
                    at_key    <= k_key;
                    below_ok  <= under;
                    below_key <= under_key;
                    above_ok  <= over;
                    above_key <= over_key;
                    if (up)
                        below <= at;
                    if (down)
                        above <= at;
                end
            end
        end
    endgenerate

    always @(posedge clk) begin
        d_lost <= k_lost;
        if (rst) begin
            d_valid <= 1'b0;
            wrong   <= 1'b0;
        end else begin
            d_valid <= k_valid;
            wrong   <= wrong || (d_valid && (d_lost || falls));
        end
    end

    wire _unused_ok = &{1'b0, b_room, 1'b0};

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst && b_fresh && !b_room) begin
            $display("samhw_axi_places: more fibers than can wait");
            $stop;
        end
`endif

endmodule

`default_nettype wire
