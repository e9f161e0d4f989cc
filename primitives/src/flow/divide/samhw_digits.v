// SPDX-License-Identifier: Apache-2.0
//
// Digits: keys as key / SIZE0 and key % SIZE0, next to each other.
//
//   Consumes    in: what accompanies a key (kind first), and the key.
//   Produces    out: the same, and {key / SIZE0, key % SIZE0} in CRD1_W + clog2(SIZE0) bits; what is no leaf
//               keeps its key's low bits, in which a NIL has its hole.
//   Throughput  one beat per cycle.
//   Latency     3 cycles, and 2 for a quotient of 18 or more bits of key, 2 for a rest of more than 18 bits. What
//               stands behind a gap catches up while the head waits.
//   How         a product with 2**(KEY_W + clog2(SIZE0)) / SIZE0, rounded up, is exact for KEY_W bits (Granlund and
//               Montgomery, "Division by Invariant Integers using Multiplication", theorem 4.2).
//   Parameters  KEY_W, from 2 to 32; SIZE0, from 3, no power of two; CRD1_W bits of the quotient; REST_W bits of
//               what accompanies the key; STOP_W of a hole: no more than KEY_W and CRD1_W.
//   Boundary    out_valid and out_beat are registers.
//   Reset       valid bits.
`default_nettype none

module samhw_digits #(
    parameter KEY_W  = 16,
    parameter SIZE0  = 100,
    parameter CRD1_W = 10,
    parameter REST_W = 8,
    parameter STOP_W = 3
) (
    input  wire                           clk,
    input  wire                           rst,

    input  wire                           in_valid,
    output wire                           in_ready,
    input  wire [REST_W+KEY_W-1:0]        in_beat,

    output wire                           out_valid,
    input  wire                           out_ready,
    output wire [REST_W+CRD1_W+$clog2(SIZE0)-1:0] out_beat
);
    generate
        if (CRD1_W < 1 || REST_W < 2 || STOP_W < 1
            || KEY_W < 2 || KEY_W > 32 || KEY_W < STOP_W || CRD1_W < STOP_W
            || SIZE0 < 3 || (SIZE0 & (SIZE0 - 1)) == 0) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam SHIFT  = $clog2(SIZE0);
    localparam BOTH_W = CRD1_W + SHIFT;
    localparam M      = KEY_W + 1;
    localparam POINT  = KEY_W + SHIFT;
    localparam [64:0] ONE    = 65'd1;
    localparam [64:0] SIZE   = SIZE0;
    localparam [64:0] FACTOR = ((ONE << POINT) + SIZE - ONE) / SIZE;
    localparam QDEPTH = M <= 18 ? 0 : 2;
    localparam RDEPTH = SHIFT <= 18 ? 0 : 2;
    localparam DEPTH  = QDEPTH + 1 + RDEPTH + 2;

    reg  [DEPTH-1:0]            valids;
    reg  [DEPTH*REST_W-1:0]     rests;
    reg  [(DEPTH-1)*KEY_W-1:0]  keys;
    reg  [CRD1_W-1:0]           quotient;
    wire [DEPTH:0]              valids_in = {valids, in_valid};
    wire [DEPTH*REST_W+REST_W-1:0] rests_in = {rests, in_beat[KEY_W +: REST_W]};
    wire [DEPTH*KEY_W-1:0]         keys_in  = {keys, in_beat[KEY_W-1:0]};
    reg  [BOTH_W-1:0]              both;
    assign in_ready  = out_ready || !valids[DEPTH-1];
    assign out_valid = valids[DEPTH-1];

    wire [2*M-1:0]        product;
    wire [2*M+CRD1_W-1:0] whole = {{CRD1_W{1'b0}}, product} >> POINT;
    samhw_mul_full #(.W(M), .DEPTH(QDEPTH)) u_quotient (
        .clk(clk), .en(in_ready), .a({1'b0, in_beat[KEY_W-1:0]}), .b(FACTOR[M-1:0]), .p(product)
    );

    // Of key - quotient * SIZE0 the low bits are all.
    wire [SHIFT-1:0]      back;
    wire [CRD1_W+SHIFT-1:0] wide = {{SHIFT{1'b0}}, quotient};
    samhw_mul #(.W(SHIFT), .DEPTH(RDEPTH)) u_back (
        .clk(clk), .en(in_ready), .a(wide[SHIFT-1:0]), .b(SIZE[SHIFT-1:0]), .p(back)
    );
    reg  [SHIFT-1:0]       back_r;
    wire [KEY_W-1:0]       key    = keys[(DEPTH-1)*KEY_W-1 -: KEY_W];
    wire [KEY_W+SHIFT-1:0] padded = {{SHIFT{1'b0}}, key};
    wire [SHIFT-1:0]       rest   = padded[SHIFT-1:0] - back_r;
    wire                   leaf   = !rests[(DEPTH-1)*REST_W-1];

    // The quotient, as late as what is subtracted.
    reg  [(RDEPTH+1)*CRD1_W-1:0]        uppers;
    wire [(RDEPTH+1)*CRD1_W+CRD1_W-1:0] uppers_in = {uppers, quotient};
    wire [CRD1_W-1:0]                   upper     = uppers[(RDEPTH+1)*CRD1_W-1 -: CRD1_W];

    assign out_beat = {rests[DEPTH*REST_W-1 -: REST_W], both};

    always @(posedge clk) begin
        if (in_ready) begin
            rests    <= rests_in[DEPTH*REST_W-1:0];
            keys     <= keys_in[(DEPTH-1)*KEY_W-1:0];
            both     <= leaf ? {upper, rest} : {{(BOTH_W-STOP_W){1'b0}}, key[STOP_W-1:0]};
            quotient <= whole[CRD1_W-1:0];
            uppers   <= uppers_in[(RDEPTH+1)*CRD1_W-1:0];
            back_r   <= back;
        end
        if (rst)
            valids <= {DEPTH{1'b0}};
        else if (in_ready)
            valids <= valids_in[DEPTH-1:0];
    end

    wire _unused_ok = &{1'b0, FACTOR, SIZE, whole, wide, padded, valids_in[DEPTH],
                        uppers_in[(RDEPTH+1)*CRD1_W +: CRD1_W], rests_in[DEPTH*REST_W +: REST_W],
                        keys_in[(DEPTH-1)*KEY_W +: KEY_W], 1'b0};

endmodule

`default_nettype wire
