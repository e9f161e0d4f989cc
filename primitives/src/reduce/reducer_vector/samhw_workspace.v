// SPDX-License-Identifier: Apache-2.0
//
// Workspace: folds every list of fibers into one fiber. What the vector reducer and the matrix
// reducer share; stands behind their input buffers.
//
//   Consumes    in: pairs (crd, val), depth d >= 2; an EMPTY leaf adds nothing. Coordinates
//               are below WORDS, fibers may overlap at will.
//   Produces    out: pairs (crd, val), depth d-1: each list of fibers (height 2) as one fiber,
//               coordinates increasing, values of one coordinate folded in order of arrival.
//   How         values in RAM, one bank per list in flight. A bitmap in a hierarchy of words
//               says which are occupied; a bit says at the same time that the word below it
//               is of this list, so nothing is ever cleared. A list's arrivals and then its
//               walk pass from the top register through the bitmap's levels to the values in
//               step, so that a level changes hands without a bubble.
//   Throughput  one beat per cycle: list k arrives while list k-1 leaves.
//   Latency     from the last beat of a list: 5 cycles, and 3 per bitmap level in RAM, 4 if it is too large
//               for distributed RAM.
//   Boundary    out_valid and out_beat are registers; in_ready depends on nothing outside.
//   Parameters  CRD_W, VAL_W, STOP_W >= 2 bits of a beat; WORDS coordinates, at most 2^CRD_W (CRD_W <= 32);
//               BANK_W log2 of the banks; LUT_BITS: up to so many bits a bank's words of a bitmap level are in
//               distributed RAM. To yosys a block RAM of ECP5 or Gowin costs as much as 2048 bits of lookup
//               tables, and so it takes one for more than five rows of 16 words of 16 bits, which have
//               multiplexers behind them. FOLD, of FOLD_W bits: what folds (samhw_fold.vh).
//   Reset       valid bits and the bitmap's top; memories are not reset.
//   Source      "The Sparse Abstract Machine", section 3 (reducer); shared design, "Streams
//               and primitives", section 3.
`default_nettype none

module samhw_workspace #(
    parameter              CRD_W    = 8,
    parameter              VAL_W    = 16,
    parameter              STOP_W   = 3,
    parameter              WORDS    = 256,
    parameter              BANK_W   = 1,
    parameter              LUT_BITS = 1280,
    parameter              FOLD_W   = 128,
    parameter [FOLD_W-1:0] FOLD     = 128'h0000_0000_0000_0000_0100_0000_0000_0000
) (
    input  wire                            clk,
    input  wire                            rst,

    input  wire                            in_valid,
    output wire                            in_ready,
    input  wire [2+STOP_W+VAL_W+CRD_W-1:0] in_beat,

    output wire                            out_valid,
    input  wire                            out_ready,
    output wire [2+STOP_W+VAL_W+CRD_W-1:0] out_beat
);
    generate
        if (VAL_W < 1 || STOP_W < 1 || WORDS < 1 || BANK_W < 1
            || CRD_W < 1 || CRD_W > 32
            || (CRD_W < 31 && WORDS > 1 << CRD_W)
            || FOLD_W < 128
            || LUT_BITS < 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    `include "samhw_kinds.vh"

    // The bitmap's words have at most 32 bits; all levels but the topmost (RAMS) live in RAM.
    localparam ADDR_W = WORDS > 2 ? $clog2(WORDS) : 1;
    localparam RAMS   = (ADDR_W + 4) / 5 - 1;
    localparam BIT_W  = (ADDR_W + RAMS) / (RAMS + 1);
    localparam TOP_W  = ADDR_W - RAMS * BIT_W;
    localparam TAIL_W = 2*STOP_W + VAL_W;
    // The lowest levels, of which a bank's words have more than LUT_BITS; each above has as many bits as it has words.
    localparam LARGE = ($clog2((WORDS + LUT_BITS - 1) / LUT_BITS) + BIT_W - 1) / BIT_W;
    localparam SMALL = LARGE < RAMS ? RAMS - LARGE : 0;
    localparam [STOP_W-1:0] NONE = {STOP_W{1'b0}};
    localparam [STOP_W-1:0] ONE  = {{(STOP_W-1){1'b0}}, 1'b1};

    // What a beat means here: a value to fold, the end of a list of fibers, both or neither.
    wire [1:0]        in_kind = in_beat[STOP_W+VAL_W+CRD_W +: 2];
    wire [STOP_W-1:0] in_stop = in_beat[VAL_W+CRD_W +: STOP_W];
    wire [STOP_W-1:0] in_hole = in_beat[STOP_W-1:0];
    wire [VAL_W-1:0]  in_val  = in_beat[CRD_W +: VAL_W];
    wire [CRD_W-1:0]  in_crd  = in_beat[CRD_W-1:0];
    wire              in_done = in_kind == DONE;
    wire              in_last = in_done || in_stop > ONE;
    // What ends the list: the stop of its last leaf, and the hole if there is none (0 for DONE).
    // A list of height above 2 that is empty leaves one of height - 1.
    wire              in_above = in_kind == NIL && in_hole > ONE;
    wire [STOP_W-1:0] end_hole = in_done ? NONE : in_above ? in_hole - ONE : ONE;
    wire [STOP_W-1:0] end_stop = in_done ? NONE : in_stop - ONE;
    wire [TAIL_W-1:0] in_tail  = {end_hole, end_stop, in_val};

    // Stages between the levels: 0 leaves the top, RAMS enters the values.
    wire [RAMS:0]            acc_valid;
    wire [RAMS:0]            acc_ready;
    wire [(RAMS+1)*BANK_W-1:0] acc_bank;
    wire [(RAMS+1)*ADDR_W-1:0] acc_addr;
    wire [RAMS:0]            acc_update;
    wire [RAMS:0]            acc_fresh;
    wire [RAMS:0]            acc_last;
    wire [(RAMS+1)*TAIL_W-1:0] acc_tail;
    wire [RAMS:0]            item_valid;
    wire [RAMS:0]            item_ready;
    wire [(RAMS+1)*BANK_W-1:0] item_bank;
    wire [(RAMS+1)*ADDR_W-1:0] item_word;
    wire [RAMS:0]            item_none;
    wire [RAMS:0]            item_last;

    wire top_ready;
    assign in_ready            = top_ready && acc_ready[0];
    assign acc_valid[0]        = in_valid && top_ready;
    assign acc_addr[ADDR_W-1:0] = in_crd[ADDR_W-1:0];
    assign acc_update[0]       = in_kind == DATA;
    assign acc_last[0]         = in_last;
    assign acc_tail[TAIL_W-1:0] = in_tail;

    samhw_workspace_top #(.TOP_W(TOP_W), .BANK_W(BANK_W)) u_top (
        .clk(clk), .rst(rst),
        .acc_valid(in_valid && acc_ready[0]), .acc_ready(top_ready),
        .acc_bit(in_crd[ADDR_W-1 -: TOP_W]), .acc_update(acc_update[0]), .acc_last(in_last),
        .acc_bank(acc_bank[BANK_W-1:0]), .acc_fresh(acc_fresh[0]),
        .item_valid(item_valid[0]), .item_ready(item_ready[0]), .item_bank(item_bank[BANK_W-1:0]),
        .item_word(item_word[TOP_W-1:0]), .item_none(item_none[0]), .item_last(item_last[0])
    );

    genvar k;
    generate
        for (k = 0; k < RAMS; k = k + 1) begin : g_level
            localparam PRE_W = TOP_W + k*BIT_W;
            if (k < SMALL) begin : g_small
                samhw_workspace_level #(
                    .ADDR_W(ADDR_W), .PRE_W(PRE_W), .BIT_W(BIT_W), .BANK_W(BANK_W), .TAIL_W(TAIL_W),
                    .DEPTH((WORDS + (1 << (ADDR_W-PRE_W)) - 1) >> (ADDR_W-PRE_W))
                ) u_level (
                    .clk(clk), .rst(rst),
                    .acc_valid(acc_valid[k]), .acc_ready(acc_ready[k]), .acc_bank(acc_bank[k*BANK_W +: BANK_W]),
                    .acc_addr(acc_addr[k*ADDR_W +: ADDR_W]), .acc_update(acc_update[k]), .acc_fresh(acc_fresh[k]),
                    .acc_last(acc_last[k]), .acc_tail(acc_tail[k*TAIL_W +: TAIL_W]),
                    .below_valid(acc_valid[k+1]), .below_ready(acc_ready[k+1]),
                    .below_bank(acc_bank[(k+1)*BANK_W +: BANK_W]), .below_addr(acc_addr[(k+1)*ADDR_W +: ADDR_W]),
                    .below_update(acc_update[k+1]), .below_fresh(acc_fresh[k+1]), .below_last(acc_last[k+1]),
                    .below_tail(acc_tail[(k+1)*TAIL_W +: TAIL_W]),
                    .item_valid(item_valid[k]), .item_ready(item_ready[k]), .item_bank(item_bank[k*BANK_W +: BANK_W]),
                    .item_word(item_word[k*ADDR_W +: PRE_W]), .item_none(item_none[k]), .item_last(item_last[k]),
                    .walk_valid(item_valid[k+1]), .walk_ready(item_ready[k+1]),
                    .walk_bank(item_bank[(k+1)*BANK_W +: BANK_W]),
                    .walk_word(item_word[(k+1)*ADDR_W +: PRE_W+BIT_W]), .walk_none(item_none[k+1]),
                    .walk_last(item_last[k+1])
                );
            end else begin : g_vast
                samhw_workspace_vast_level #(
                    .ADDR_W(ADDR_W), .PRE_W(PRE_W), .BIT_W(BIT_W), .BANK_W(BANK_W), .TAIL_W(TAIL_W),
                    .DEPTH((WORDS + (1 << (ADDR_W-PRE_W)) - 1) >> (ADDR_W-PRE_W))
                ) u_level (
                    .clk(clk), .rst(rst),
                    .acc_valid(acc_valid[k]), .acc_ready(acc_ready[k]), .acc_bank(acc_bank[k*BANK_W +: BANK_W]),
                    .acc_addr(acc_addr[k*ADDR_W +: ADDR_W]), .acc_update(acc_update[k]), .acc_fresh(acc_fresh[k]),
                    .acc_last(acc_last[k]), .acc_tail(acc_tail[k*TAIL_W +: TAIL_W]),
                    .below_valid(acc_valid[k+1]), .below_ready(acc_ready[k+1]),
                    .below_bank(acc_bank[(k+1)*BANK_W +: BANK_W]), .below_addr(acc_addr[(k+1)*ADDR_W +: ADDR_W]),
                    .below_update(acc_update[k+1]), .below_fresh(acc_fresh[k+1]), .below_last(acc_last[k+1]),
                    .below_tail(acc_tail[(k+1)*TAIL_W +: TAIL_W]),
                    .item_valid(item_valid[k]), .item_ready(item_ready[k]), .item_bank(item_bank[k*BANK_W +: BANK_W]),
                    .item_word(item_word[k*ADDR_W +: PRE_W]), .item_none(item_none[k]), .item_last(item_last[k]),
                    .walk_valid(item_valid[k+1]), .walk_ready(item_ready[k+1]),
                    .walk_bank(item_bank[(k+1)*BANK_W +: BANK_W]),
                    .walk_word(item_word[(k+1)*ADDR_W +: PRE_W+BIT_W]), .walk_none(item_none[k+1]),
                    .walk_last(item_last[k+1])
                );
            end
            // Above the word's address the slot is empty.
            if (PRE_W < ADDR_W) begin : g_pad
                assign item_word[k*ADDR_W+PRE_W +: ADDR_W-PRE_W] = {(ADDR_W-PRE_W){1'b0}};
            end
        end
    endgenerate

    samhw_workspace_values #(
        .ADDR_W(ADDR_W), .CRD_W(CRD_W), .VAL_W(VAL_W), .STOP_W(STOP_W), .BANK_W(BANK_W), .WORDS(WORDS),
        .FOLD_W(FOLD_W), .FOLD(FOLD)
    ) u_values (
        .clk(clk), .rst(rst),
        .acc_valid(acc_valid[RAMS]), .acc_ready(acc_ready[RAMS]), .acc_bank(acc_bank[RAMS*BANK_W +: BANK_W]),
        .acc_addr(acc_addr[RAMS*ADDR_W +: ADDR_W]), .acc_update(acc_update[RAMS]), .acc_fresh(acc_fresh[RAMS]),
        .acc_last(acc_last[RAMS]), .acc_tail(acc_tail[RAMS*TAIL_W +: TAIL_W]),
        .item_valid(item_valid[RAMS]), .item_ready(item_ready[RAMS]), .item_bank(item_bank[RAMS*BANK_W +: BANK_W]),
        .item_word(item_word[RAMS*ADDR_W +: ADDR_W]), .item_none(item_none[RAMS]), .item_last(item_last[RAMS]),
        .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat)
    );

`ifdef SAMHW_ASSERT
    localparam [31:0] LIMIT = WORDS;
    always @(posedge clk)
        if (!rst && in_valid && in_ready && in_kind == DATA && {{(32-CRD_W){1'b0}}, in_crd} >= LIMIT) begin
            $display("samhw_workspace: coordinate beyond the workspace");
            $stop;
        end
`endif

    wire _unused_ok = &{1'b0, item_word, in_crd, 1'b0};

endmodule

`default_nettype wire
