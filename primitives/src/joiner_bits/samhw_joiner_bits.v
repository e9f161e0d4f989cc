// SPDX-License-Identifier: Apache-2.0
//
// Joiner of bitvector levels: joins the fibers of N operands word by word, and unpacks the result.
//
//   Consumes    in[k]: pairs (word, rank) of depth d, aligned leaf by leaf; bit b of the w-th word of a
//               fiber is coordinate w*WIDTH + b, rank its operand's position of the lowest one.
//   Produces    as samhw_joiner: crd: the coordinates with EMIT[P]; ref[k]: the position of operand k
//               where P has it and KEEP[k][P] is set, EMPTY elsewhere. All of depth d.
//   Throughput  one coordinate per cycle; a word without any takes one cycle.
//   Latency     3 cycles for the last beat of a fiber; others leave with the next one.
//   Parameters  N operands; WIDTH bits of a word, 2**WIDTH_LOG2; CRD_W, REF_W; STOP_W (at most WIDTH);
//               EMIT, KEEP, USED as in samhw_joiner.
//   Reset       valid and state bits; payloads are not reset.
//   Source      "The Sparse Abstract Machine", section 4.3.
`default_nettype none

module samhw_joiner_bits #(
    parameter N          = 2,
    parameter WIDTH      = 64,
    parameter WIDTH_LOG2 = 6,
    parameter CRD_W      = 16,
    parameter REF_W      = 16,
    parameter STOP_W     = 3,
    parameter [(1<<N)-1:0] EMIT = {1'b1, {((1<<N)-1){1'b0}}},
    parameter [(N<<N)-1:0] KEEP = {(N<<N){1'b1}},
    parameter [N:0]        USED = {(N+1){1'b1}}
) (
    input  wire                                clk,
    input  wire                                rst,

    input  wire [N-1:0]                        in_valid,
    output wire [N-1:0]                        in_ready,
    input  wire [N*(2+STOP_W+REF_W+WIDTH)-1:0] in_beat,

    output wire                                crd_valid,
    input  wire                                crd_ready,
    output wire [2+STOP_W+CRD_W-1:0]           crd_beat,

    output wire [N-1:0]                        ref_valid,
    input  wire [N-1:0]                        ref_ready,
    output wire [N*(2+STOP_W+REF_W)-1:0]       ref_beat
);

    localparam IN_W   = 2 + STOP_W + REF_W + WIDTH;
    localparam OUT_W  = 2 + STOP_W + REF_W;
    localparam HOLD_W = 2 + CRD_W + N*(1+REF_W);
    localparam [STOP_W-1:0] NO_STOP = 0;
    localparam [STOP_W-1:0] ONE     = 1;
    localparam [WIDTH-1:0]  LOWEST  = 1;
    localparam [CRD_W-1:0]  NEXT    = 1;

    wire [N-1:0]        h_valid;
    wire [N-1:0]        h_none;
    wire [N-1:0]        h_low;
    wire [N*STOP_W-1:0] h_stop;
    wire [N*REF_W-1:0]  h_rank;
    wire [N*WIDTH-1:0]  h_word;

    // Coordinates of the words at hand that are to be emitted and were not; the lowest of them.
    reg  [WIDTH-1:0] sent;
    wire [WIDTH-1:0] all;
    wire [WIDTH-1:0] left  = all & ~sent;
    wire [WIDTH-1:0] less  = left - LOWEST;
    wire [WIDTH-1:0] first = left & ~less;
    wire [WIDTH-1:0] below = first - LOWEST;
    wire             found = left != {WIDTH{1'b0}};
    wire             over  = (left & less) == {WIDTH{1'b0}};
    wire [N-1:0]     take;

    wire             none = h_none[0];
    wire             room;
    wire             waiting;
    wire             go    = (&h_valid) && room;
    wire             emit  = !none && found;
    wire             ends  = none || (over && h_stop[STOP_W-1:0] != NO_STOP);
    wire             push  = go && (emit || (ends && !waiting));
    wire             close = go && ends && !emit && waiting;
    wire             pop   = go && (none || over);

    reg  [CRD_W-1:0] index;  // words of the fiber that are through
    always @(posedge clk)
        if (rst) begin
            sent  <= {WIDTH{1'b0}};
            index <= {CRD_W{1'b0}};
        end else if (go) begin
            sent <= pop ? {WIDTH{1'b0}} : sent | first;
            if (ends)
                index <= {CRD_W{1'b0}};
            else if (over)
                index <= index + NEXT;
        end

    reg  [WIDTH_LOG2-1:0] bit_of;
    integer               b;
    always @* begin
        bit_of = {WIDTH_LOG2{1'b0}};
        for (b = 0; b < WIDTH; b = b + 1)
            if (first[b])
                bit_of = bit_of | b[WIDTH_LOG2-1:0];
    end
    wire [CRD_W+WIDTH_LOG2-1:0] crd = {index, bit_of};

    // NIL above the fibers and DONE stand on all operands; any other end without a leaf is an empty fiber.
    wire              above = none && (h_low[0] || h_word[STOP_W-1:0] != ONE);
    wire [STOP_W-1:0] hole  = above ? h_word[STOP_W-1:0] : ONE;

    wire [HOLD_W-1:0] beat;
    assign beat[HOLD_W-1 -: 2+CRD_W] =
        {!emit, none && h_low[0], emit ? crd[CRD_W-1:0] : {{(CRD_W-STOP_W){1'b0}}, hole}};

    wire [STOP_W-1:0] out_stop;
    wire [HOLD_W-1:0] out_data;
    // A bit that more of its word follow need not wait for what comes after the word.
    samhw_hold_back #(.W(HOLD_W), .STOP_W(STOP_W), .BRANCHES(N+1), .USED(USED)) u_hold (
        .clk(clk), .rst(rst),
        .room(room), .waiting(waiting), .push(push), .close(close), .last(ends || !over),
        .in_stop(ends ? h_stop[STOP_W-1:0] : NO_STOP), .in_data(beat),
        .out_valid({ref_valid, crd_valid}), .out_ready({ref_ready, crd_ready}),
        .out_stop(out_stop), .out_data(out_data)
    );
    wire out_none = out_data[HOLD_W-1];
    assign crd_beat = USED[0] ? {out_none, out_data[HOLD_W-2], out_stop, out_data[HOLD_W-3 -: CRD_W]}
                              : {(2+STOP_W+CRD_W){1'b0}};

    genvar g;
    genvar k;
    generate
        for (g = 0; g < WIDTH; g = g + 1) begin : g_bit
            wire [N-1:0] has;
            for (k = 0; k < N; k = k + 1) begin : g_has
                assign has[k] = h_word[k*WIDTH + g];
            end
            assign all[g] = EMIT[has];
        end

        for (k = 0; k < N; k = k + 1) begin : g_operand
            localparam [(1<<N)-1:0] KEEP_K = KEEP[k<<N +: 1<<N];
            samhw_skid #(.W(IN_W)) u_in (
                .clk(clk), .rst(rst),
                .in_valid(in_valid[k]), .in_ready(in_ready[k]), .in_beat(in_beat[k*IN_W +: IN_W]),
                .out_valid(h_valid[k]), .out_ready(pop),
                .out_beat({h_none[k], h_low[k], h_stop[k*STOP_W +: STOP_W],
                           h_rank[k*REF_W +: REF_W], h_word[k*WIDTH +: WIDTH]})
            );
            assign take[k] = (h_word[k*WIDTH +: WIDTH] & first) != {WIDTH{1'b0}};

            wire [WIDTH-1:0] lower = h_word[k*WIDTH +: WIDTH] & below;
            reg  [REF_W-1:0] pos;
            integer          a;
            always @* begin
                pos = h_rank[k*REF_W +: REF_W];
                for (a = 0; a < WIDTH; a = a + 1)
                    pos = pos + {{(REF_W-1){1'b0}}, lower[a]};
            end

            wire present = take[k] && emit && KEEP_K[take];
            assign beat[k*(1+REF_W) +: 1+REF_W] =
                present ? {1'b0, pos}
                        : {emit || (none && h_low[0]), {(REF_W-STOP_W){1'b0}}, emit ? NO_STOP : hole};
            assign ref_beat[k*OUT_W +: OUT_W] =
                USED[k+1] ? {out_none, out_data[k*(1+REF_W) + REF_W], out_stop, out_data[k*(1+REF_W) +: REF_W]}
                          : {OUT_W{1'b0}};
        end
    endgenerate

`ifdef SAMHW_ASSERT
    integer x;
    always @(posedge clk)
        for (x = 1; x < N; x = x + 1)
            if (!rst && go && (h_none[x] != none || h_stop[x*STOP_W +: STOP_W] != h_stop[STOP_W-1:0])) begin
                $display("samhw_joiner_bits: operands 0 and %0d are not aligned", x);
                $stop;
            end
`endif

    wire _unused_ok = &{1'b0, crd, h_low, h_stop, h_none, b, 1'b0};

endmodule

`default_nettype wire
