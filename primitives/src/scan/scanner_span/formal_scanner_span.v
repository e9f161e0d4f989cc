// SPDX-License-Identifier: Apache-2.0
//
// Proof: each beat of bounds makes one list, the coordinates of 0 to dim - 1 between the bounds in
// order, or one beat where there is none: an empty list, a hole one higher, DONE as it is; stops
// are one higher. Of a canonical stream it makes a canonical one; a coordinate leaves in every
// cycle that the consumer allows; what is offered stays until it is taken.
// case closed: LO=1 HI=1 SIGNED=1
// case half: LO=1 HI=2 SIGNED=0
// case open: LO=2 HI=2 SIGNED=1
// case below: LO=0 HI=1 SIGNED=1
// case above: LO=2 HI=0 SIGNED=0
// probe a_valid_in = dut.a_valid
// probe a_list_in = dut.a_list
// probe a_stop_in = dut.a_stop
// probe a_hole_in = dut.a_hole
// probe a_from_in = dut.a_from
// probe a_to_in = dut.a_to
// probe full_in = dut.full
// probe list_in = dut.list
// probe stop_in = dut.stop
// probe hole_in = dut.hole
// probe crd_in = dut.crd
// probe last_in = dut.crd_last
// mutant samhw_scanner_span: !no_level && !none_lo && !none_hi => !none_lo && !none_hi
// mutant of closed,half,open samhw_scanner_span: a_list && a_from <= a_to => a_list
// mutant samhw_scanner_span: assign a_step = !a_valid || f_pop; => assign a_step = 1'b1;
// mutant samhw_scanner_span: last ? stop : NO_STOP => stop
// mutant samhw_scanner_span: crd <= crd + ONE_ON; => crd <= crd;
// mutant of closed,open,below samhw_scanner_span: (SIGNED != 0 && hi[BOUND_W-1]) || => 1'b0 ||
// mutant of open,above samhw_scanner_span: no_crd || wide_lo => wide_lo
`default_nettype none

module formal_scanner_span #(
    parameter LO     = 1,
    parameter HI     = 1,
    parameter SIGNED = 1
) (
    input wire                                    clk,
    input wire [2:0]                              size,
    input wire                                    bounds_valid,
    input wire [4+(3<<(LO!=0 && HI!=0 ? 1 : 0))-1:0] bounds_beat,
    input wire                                    crd_ready,
    input wire       a_valid_in,
    input wire       a_list_in,
    input wire [1:0] a_stop_in,
    input wire [1:0] a_hole_in,
    input wire [1:0] a_from_in,
    input wire [1:0] a_to_in,
    input wire       full_in,
    input wire       list_in,
    input wire [1:0] stop_in,
    input wire [1:0] hole_in,
    input wire [1:0] crd_in,
    input wire [1:0] last_in
);

    localparam IN_W = 3 << (LO != 0 && HI != 0 ? 1 : 0);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    // A size of at most 4 that is there before the run and stays.
    reg [2:0] kept;
    always @(posedge clk)
        kept <= size;
    always @*
        assume (size <= 3'd4 && (!started || size == kept));

    wire       bounds_ready;
    wire       crd_valid;
    wire [5:0] crd_beat;
    samhw_scanner_span #(.LO(LO), .HI(HI), .BOUND_W(3), .SIGNED(SIGNED), .CRD_W(2), .STOP_W(2)) dut (
        .clk(clk), .rst(rst), .dim(size),
        .bounds_valid(bounds_valid), .bounds_ready(bounds_ready), .bounds_beat(bounds_beat),
        .crd_valid(crd_valid), .crd_ready(crd_ready), .crd_beat(crd_beat)
    );
    wire take = started && bounds_valid && bounds_ready;

    // Lists of depth 1 in, of depth 2 out.
    wire       i_legal;
    wire       o_legal;
    wire [2:0] i_state;
    wire [2:0] o_state;
    samhw_rules #(.DEPTH(1), .STOP_W(2), .W(IN_W)) i_rules (
        .clk(clk), .rst(rst), .take(take), .beat(bounds_beat), .legal(i_legal), .state(i_state), .after());
    always @*
        assume (!bounds_valid || i_legal);

    // Two beats at hand, the older one as far as a coordinate; the first and last coordinate are
    // found one by one.
    reg              next_full = 1'b0;
    reg [IN_W+3:0]   next_item;
    reg              full      = 1'b0;
    reg [IN_W+3:0]   item;
    reg [1:0]        crd;

    wire signed [4:0] lo     = {{2{SIGNED != 0 && item[2]}}, item[2:0]};
    wire signed [4:0] hi     = {{2{SIGNED != 0 && item[IN_W-1]}}, item[IN_W-1 -: 3]};
    wire signed [4:0] n_lo   = {{2{SIGNED != 0 && next_item[2]}}, next_item[2:0]};
    wire signed [4:0] n_hi   = {{2{SIGNED != 0 && next_item[IN_W-1]}}, next_item[IN_W-1 -: 3]};
    wire [3:0]        in;
    wire [3:0]        n_in;
    genvar c;
    generate
        for (c = 0; c < 4; c = c + 1) begin : g_in
            localparam signed [4:0] AT = c;
            assign in[c]   = AT < $signed({2'b00, size}) && (LO == 0 || (LO == 1 ? lo <= AT : lo < AT))
                             && (HI == 0 || (HI == 1 ? AT <= hi : AT < hi));
            assign n_in[c] = AT < $signed({2'b00, size}) && (LO == 0 || (LO == 1 ? n_lo <= AT : n_lo < AT))
                             && (HI == 0 || (HI == 1 ? AT <= n_hi : AT < n_hi));
        end
    endgenerate
    wire [1:0] n_first = n_in[0] ? 2'd0 : n_in[1] ? 2'd1 : n_in[2] ? 2'd2 : 2'd3;
    wire [1:0] n_final = n_in[3] ? 2'd3 : n_in[2] ? 2'd2 : n_in[1] ? 2'd1 : 2'd0;
    wire [1:0] first_  = in[0] ? 2'd0 : in[1] ? 2'd1 : in[2] ? 2'd2 : 2'd3;
    wire [1:0] final_  = in[3] ? 2'd3 : in[2] ? 2'd2 : in[1] ? 2'd1 : 2'd0;
    wire [1:0] kind    = item[IN_W+3 -: 2];
    wire       list    = kind == 2'd0 && in != 4'd0;
    wire       n_list  = next_item[IN_W+3 -: 2] == 2'd0 && n_in != 4'd0;
    wire       begun   = full && list && crd != first_;
    wire       last    = !list || crd == final_;
    wire [1:0] stop    = kind == 2'd3 ? 2'd0 : item[IN_W +: 2] + 2'd1;
    wire [1:0] hole    = kind == 2'd3 ? 2'd0 : kind == 2'd2 ? item[1:0] + 2'd1 : 2'd1;
    wire [1:0] n_kind  = next_item[IN_W+3 -: 2];
    wire [1:0] n_stop  = n_kind == 2'd3 ? 2'd0 : next_item[IN_W +: 2] + 2'd1;
    wire [1:0] n_hole  = n_kind == 2'd3 ? 2'd0 : n_kind == 2'd2 ? next_item[1:0] + 2'd1 : 2'd1;
    wire [5:0] next    = list ? {2'd0, last ? stop : 2'd0, crd} : {1'b1, kind == 2'd3, stop, hole};

    reg        offers = 1'b0;
    reg  [5:0] offered;
    wire       load = full && (!offers || crd_ready);
    wire       pop  = !full || (load && last);
    always @(posedge clk)
        if (started) begin
            next_full <= take || (next_full && !pop);
            full      <= pop ? next_full : 1'b1;
            offers    <= load || (offers && !crd_ready);
            if (take)
                next_item <= bounds_beat;
            if (pop) begin
                item <= next_item;
                crd  <= n_first;
            end else if (load)
                crd  <= crd + 2'd1;
            if (load)
                offered <= next;
        end
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) o_rules (.clk(clk), .rst(rst), .take(load),
        .beat(next), .legal(o_legal), .state(o_state), .after());

    // States of the stream in: before the older beat, between the two, and after them.
    wire       m_legal;
    wire       h_legal;
    wire [2:0] m_state;
    wire [2:0] h_state;
    samhw_rules #(.DEPTH(1), .STOP_W(2), .W(IN_W)) m_rules (.clk(clk), .rst(rst), .take(pop && next_full && started),
        .beat(next_item), .legal(m_legal), .state(m_state), .after());
    samhw_rules #(.DEPTH(1), .STOP_W(2), .W(IN_W)) h_rules (.clk(clk), .rst(rst), .take(load && last && started),
        .beat(item), .legal(h_legal), .state(h_state), .after());
    wire [2:0] m_after;
    wire [2:0] h_after;
    assign m_after = next_item[IN_W+3 -: 2] == 2'd3 ? 3'd1 : {next_item[IN_W +: 2] == 2'd1, next_item[IN_W +: 2]};
    assign h_after = kind == 2'd3 ? 3'd1 : {item[IN_W +: 2] == 2'd1, item[IN_W +: 2]};

    always @*
        if (started) begin
            assert (a_valid_in == next_full && full_in == full);
            assert (!next_full
                    || (a_stop_in == n_stop && a_hole_in == n_hole && (a_list_in && a_from_in <= a_to_in) == n_list));
            assert (!next_full || !n_list || (a_from_in == n_first && a_to_in == n_final));
            assert (!full || (list_in == list && stop_in == stop && hole_in == hole));
            assert (!full || !list || (crd_in == crd && last_in == final_ && in[crd]));
            assert (crd_valid == offers);
            assert (!offers || crd_beat == offered);
            assert (!load || o_legal);
            assert (!bounds_valid || bounds_ready == (!next_full || pop));
            assert (i_state[1:0] <= 2'd1 && m_state[1:0] <= 2'd1 && h_state[1:0] <= 2'd1);
            assert (!next_full || m_legal);
            assert (!full || h_legal);
            // A list begun: inside it. Otherwise: before the beat at hand, one list more around
            // everything.
            assert (o_state == (begun ? 3'd0 : {h_state[2], h_state[1:0] + 2'd1}));
            assert (next_full ? i_state == m_after : i_state == m_state);
            assert (full ? m_state == h_after : m_state == h_state);
        end

    wire _unused_ok = &{1'b0, m_legal, h_legal, 1'b0};

endmodule

`default_nettype wire
