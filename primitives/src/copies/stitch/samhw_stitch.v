// SPDX-License-Identifier: Apache-2.0
//
// Stitch: makes whole the sums that stand at the border of two lanes of one list.
//
//   Consumes    in[0]: this lane's list of (crd, val), crd increasing; in[1], if NEXT: none or one
//               item, the first of the next lane's.
//   Produces    out[0]: the list, its last item with in[1]'s folded into it where the coordinates are
//               equal, else in[1]'s behind it; without its first item if PREV, which is out[1].
//   Throughput  one item per cycle; two more cycles per list, and those of a fold whose operator
//               takes several.
//   Latency     3 cycles: an item leaves when the next one comes.
//   Parameters  CRD_W, VAL_W, STOP_W bits; NEXT, PREV: there is a lane on that side. FOLD, of
//               FOLD_W bits: what folds (samhw_fold.vh).
//   Reset       valid bits and the phase; payloads are not reset.
`default_nettype none

module samhw_stitch #(
    parameter              CRD_W  = 16,
    parameter              VAL_W  = 16,
    parameter              STOP_W = 3,
    parameter              NEXT   = 1,
    parameter              PREV   = 1,
    parameter              FOLD_W = 128,
    parameter [FOLD_W-1:0] FOLD   = 128'h0000_0000_0000_0000_0100_0000_0000_0000
) (
    input  wire                                     clk,
    input  wire                                     rst,

    input  wire [NEXT:0]                            in_valid,
    output wire [NEXT:0]                            in_ready,
    input  wire [(NEXT+1)*(2+STOP_W+CRD_W+VAL_W)-1:0] in_beat,

    output reg  [PREV:0]                            out_valid,
    input  wire [PREV:0]                            out_ready,
    output wire [(PREV+1)*(2+STOP_W+CRD_W+VAL_W)-1:0] out_beat
);
    generate
        if (CRD_W < 1 || VAL_W < 1 || STOP_W < 1
            || NEXT < 0 || NEXT > 1 || PREV < 0 || PREV > 1
            || FOLD_W < 128) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam P = CRD_W + VAL_W;
    localparam B = 2 + STOP_W + P;
    `include "samhw_kinds.vh"
    localparam [STOP_W-1:0] ZERO = {STOP_W{1'b0}};
    localparam [STOP_W-1:0] ONE  = {{(STOP_W-1){1'b0}}, 1'b1};
    localparam [P-1:0]      HOLE = {{(P-1){1'b0}}, 1'b1};
    localparam [1:0]        ITEMS  = 2'd0;
    localparam [1:0]        ENDING = 2'd1;
    localparam [1:0]        LAST   = 2'd2;

    // Inputs; a lane that does not exist gives nothing.
    wire              o_valid;
    wire              o_pop;
    wire [1:0]        o_kind;
    wire [STOP_W-1:0] o_stop;
    wire [P-1:0]      o_item;
    samhw_skid #(.W(B)) u_own (
        .clk(clk), .rst(rst),
        .in_valid(in_valid[0]), .in_ready(in_ready[0]), .in_beat(in_beat[B-1:0]),
        .out_valid(o_valid), .out_ready(o_pop), .out_beat({o_kind, o_stop, o_item})
    );
    wire         n_valid;
    wire         n_pop;
    wire [1:0]   n_kind;
    wire [P-1:0] n_item;
    generate
        if (NEXT != 0) begin : g_next
            wire [STOP_W-1:0] n_stop;
            samhw_skid #(.W(B)) u_next (
                .clk(clk), .rst(rst),
                .in_valid(in_valid[NEXT]), .in_ready(in_ready[NEXT]), .in_beat(in_beat[NEXT*B +: B]),
                .out_valid(n_valid), .out_ready(n_pop), .out_beat({n_kind, n_stop, n_item})
            );
            wire _unused_next = &{1'b0, n_stop, 1'b0};
        end else begin : g_end
            assign n_valid = 1'b1;
            assign n_kind  = NIL;
            assign n_item  = {P{1'b0}};
            wire _unused_end = &{1'b0, n_pop, 1'b0};
        end
    endgenerate

    reg         held;
    reg         first;
    reg [1:0]   phase;
    reg [P-1:0] item;

    wire free0 = !out_valid[0] || out_ready[0];
    wire free1 = !out_valid[PREV] || out_ready[PREV];
    wire back  = (PREV != 0) && first;
    wire room  = !held || (back ? free1 : free0);

    wire o_leaf = !o_kind[1];
    wire n_leaf = !n_kind[1];
    wire same   = held && item[CRD_W-1:0] == n_item[CRD_W-1:0];
    wire take   = phase == ITEMS && o_valid && o_leaf && room;
    wire none   = phase == ITEMS && o_valid && o_kind == NIL;
    // No lane waits for DONE of the ones behind it: their items are in, and DONE says nothing more.
    wire over   = phase == ITEMS && o_valid && o_kind == DONE && free0 && free1;
    wire drop   = n_valid && n_kind == DONE;
    wire meet   = phase == ENDING && n_valid && n_leaf && same;
    wire add;
    wire append = phase == ENDING && n_valid && n_leaf && !same && room;
    wire alone  = phase == ENDING && n_valid && n_kind == NIL;
    wire last   = phase == LAST && free0 && (!back || free1);

    assign o_pop = take || none || over;
    assign n_pop = add || append || alone || drop;

    // What is held leaves when another item takes its place, or as the last.
    wire leave = (take || append) && held;
    wire put0  = (leave && !back) || last || over;
    wire put1  = (leave && back) || (last && back) || over;
    wire [B-1:0] whole = {DATA, ONE, item};
    wire [B-1:0] empty = {NIL, ONE, HOLE};
    wire [B-1:0] done  = {DONE, {(STOP_W+P){1'b0}}};

    reg [B-1:0] beat0;
    assign out_beat[B-1:0] = beat0;
    always @(posedge clk) begin
        if (put0)
            beat0 <= over ? done : !last ? {DATA, ZERO, item} : (back || !held) ? empty : whole;
        if (rst)
            out_valid[0] <= 1'b0;
        else
            out_valid[0] <= put0 || (out_valid[0] && !out_ready[0]);
    end
    generate
        if (PREV != 0) begin : g_prev
            reg [B-1:0] beat1;
            assign out_beat[PREV*B +: B] = beat1;
            always @(posedge clk) begin
                if (put1)
                    beat1 <= over ? done : held ? whole : empty;
                if (rst)
                    out_valid[PREV] <= 1'b0;
                else
                    out_valid[PREV] <= put1 || (out_valid[PREV] && !out_ready[PREV]);
            end
        end else begin : g_begin
            wire _unused_prev = &{1'b0, put1, 1'b0};
        end
    endgenerate

    // Both parts stay where they are until their sum is there.
    wire [VAL_W-1:0] folded;
    samhw_fold_once #(
        .W(VAL_W), .FOLD_W(FOLD_W), .FOLD(FOLD)
    ) u_fold (
        .clk(clk), .rst(rst), .start(meet), .a(item[CRD_W +: VAL_W]), .b(n_item[CRD_W +: VAL_W]),
        .done(add), .y(folded)
    );

    always @(posedge clk) begin
        if (take)
            item <= o_item;
        else if (append)
            item <= n_item;
        else if (add)
            item[CRD_W +: VAL_W] <= folded;
        if (rst) begin
            held  <= 1'b0;
            first <= 1'b1;
            phase <= ITEMS;
        end else begin
            held  <= (held && !last) || take || append;
            first <= last || (first && !leave);
            if ((take && o_stop != ZERO) || none)
                phase <= ENDING;
            else if (add || append || alone)
                phase <= LAST;
            else if (last)
                phase <= ITEMS;
        end
    end

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst && take && (o_kind != DATA || (o_stop != ZERO && o_stop != ONE))) begin
            $display("samhw_stitch: no item of a list of sums");
            $stop;
        end
`endif

endmodule

`default_nettype wire
