// SPDX-License-Identifier: Apache-2.0
//
// Packs the coordinates of fibers into words and writes those, with the number of leaves before each word
// that has any (its rank). What samhw_bits_writer and samhw_bits_writer_at share.
//
//   Consumes    crd: depth d. base: the first word of the fiber of crd's head in its chunk; base_pop where
//               the fiber ends, and with DONE. fiber, done, stop: what the head of crd is, to compare with.
//   Produces    bits_write, rank_write {data, addr}, finished, count, overflow: as samhw_bits_writer. A chunk
//               is a list of height CHAIN+1 of crd.
//   Throughput  a coordinate and a word per cycle; words of zeros are written while coordinates of
//               the next word are taken. A cycle of pause after DONE.
//   Latency     4 cycles.
//   Parameters  as samhw_bits_writer_at.
//   Reset       valid bits and state. chunk must be stable from one cycle before the run.
//   Source      "The Sparse Abstract Machine", sections 3.7 and 4.3.
`default_nettype none

module samhw_bits_pack #(
    parameter WIDTH      = 64,
    parameter WIDTH_LOG2 = 6,
    parameter CRD_W      = 16,
    parameter ADDR_W     = 16,
    parameter REF_W      = 16,
    parameter STOP_W     = 3,
    parameter CHAIN      = 0,
    parameter SKIP       = 0
) (
    input  wire                         clk,
    input  wire                         rst,

    input  wire [ADDR_W-1:0]            capacity,
    input  wire [ADDR_W-1:0]            chunk,

    input  wire                         crd_valid,
    output wire                         crd_ready,
    input  wire [2+STOP_W+CRD_W-1:0]    crd_beat,

    input  wire                         base_valid,
    output wire                         base_pop,
    input  wire [ADDR_W-1:0]            base,
    output wire                         fiber,
    output wire                         done,
    output wire [STOP_W-1:0]            stop,

    output wire                         bits_write_valid,
    input  wire                         bits_write_ready,
    output wire [WIDTH+ADDR_W-1:0]      bits_write_beat,

    output wire                         rank_write_valid,
    input  wire                         rank_write_ready,
    output wire [REF_W+ADDR_W-1:0]      rank_write_beat,

    output reg                          finished_valid,
    input  wire                         finished_ready,
    output wire                         finished_beat,

    output wire [ADDR_W-1:0]            count,
    output wire                         overflow
);
    generate
        if (CRD_W < 1 || ADDR_W < 1 || REF_W < 1 || STOP_W < 1
            || WIDTH_LOG2 < 1 || WIDTH != 1 << WIDTH_LOG2
            || STOP_W > ADDR_W
            || CHAIN < 0 || CHAIN >= 1 << STOP_W
            || SKIP < 0 || SKIP > 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    `include "samhw_kinds.vh"
    localparam [STOP_W-1:0] NO_STOP = 0;
    localparam [STOP_W-1:0] ONE     = 1;
    localparam [WIDTH-1:0]  LOWEST  = 1;
    localparam [REF_W-1:0]  NEXT    = 1;

    wire              c_valid;
    wire              c_pop;
    wire [1:0]        c_kind;
    wire [STOP_W-1:0] c_stop;
    wire [CRD_W-1:0]  c_crd;
    wire              start;
    samhw_run_skid #(.W(2+STOP_W+CRD_W)) u_crd (
        .clk(clk), .rst(rst),
        .in_valid(crd_valid), .in_ready(crd_ready), .in_beat(crd_beat),
        .out_valid(c_valid), .out_ready(c_pop), .out_beat({c_kind, c_stop, c_crd}), .start(start)
    );
    wire c_leaf = !c_kind[1];
    wire c_done = c_kind == DONE;
    wire c_ends = c_stop != NO_STOP;
    assign fiber = c_leaf || (c_kind == NIL && c_crd[STOP_W-1:0] == ONE);
    assign done  = c_done;
    assign stop  = c_stop;

    // The word that is filled: final if its fiber has ended.
    reg               held;
    reg               final_word;
    reg  [1:0]        kind;
    reg  [STOP_W-1:0] stop_of;
    reg  [ADDR_W-1:0] place;
    reg  [WIDTH-1:0]  word;
    reg  [REF_W-1:0]  rank;
    reg  [REF_W-1:0]  leaves;  // of the run, before the head

    wire [ADDR_W+WIDTH_LOG2+CRD_W-1:0] wide_crd = {{(ADDR_W+WIDTH_LOG2){1'b0}}, c_crd};
    wire [ADDR_W-1:0]           c_place  = c_leaf ? base + wide_crd[WIDTH_LOG2 +: ADDR_W]
                                                  : {{(ADDR_W-STOP_W){1'b0}}, c_crd[STOP_W-1:0]};
    wire [WIDTH_LOG2+CRD_W-1:0] low_crd  = {{WIDTH_LOG2{1'b0}}, c_crd};
    wire [WIDTH-1:0]            c_bit    = LOWEST << low_crd[WIDTH_LOG2-1:0];

    reg               out_valid;
    reg  [1:0]        out_kind;
    reg  [STOP_W-1:0] out_stop;
    reg  [ADDR_W-1:0] out_place;
    reg  [WIDTH-1:0]  out_word;
    reg  [REF_W-1:0]  out_rank;
    wire              pop;
    wire              out_free = !out_valid || pop;

    // A fiber's coordinates increase: what is in no later word is in this one. A comparison by order goes
    // through a carry chain.
    wire same  = held && !final_word && c_leaf && place >= c_place;
    wire take  = c_valid && base_valid && !c_done && (same || !held || out_free);
    wire leave = held && out_free && (final_word || (take && !same));
    // DONE waits until all words have left.
    wire finish = pop && !out_valid;
    assign c_pop = take || finish;
    assign base_pop = (take && c_ends) || finish;

    always @(posedge clk) begin
        if (take) begin
            final_word <= c_ends;
            stop_of    <= c_stop;
            kind       <= c_kind;
            place      <= c_place;
            word       <= same ? word | c_bit : c_bit;
            if (!same)
                rank <= leaves;
        end
        // Whether something leaves is known later than whether there is room for it.
        if (out_free) begin
            out_kind  <= kind;
            out_stop  <= stop_of;
            out_place <= place;
            out_word  <= word;
            out_rank  <= rank;
        end
        if (start)
            leaves <= {REF_W{1'b0}};
        else if (take && c_leaf)
            leaves <= leaves + NEXT;
        if (rst) begin
            held      <= 1'b0;
            out_valid <= 1'b0;
        end else begin
            held      <= take || (held && !leave);
            out_valid <= leave || (out_valid && !pop);
        end
    end

    // Words with a coordinate have places; the placer fills what is between.
    wire free_b;
    wire free_r;
    wire free = free_b && free_r;
    wire push;
    wire gap;
    wire rest = free && (!finished_valid || finished_ready);
    samhw_placer #(.POS_W(ADDR_W), .STOP_W(STOP_W), .CHAIN(CHAIN+1), .SKIP(SKIP)) u_placer (
        .clk(clk), .rst(rst), .chunk(chunk),
        .pos_valid(out_valid || (c_valid && base_valid && c_done && !held)),
        .pos_kind(out_valid ? out_kind : DONE), .pos_stop(out_valid ? out_stop : NO_STOP), .pos(out_place),
        .item_valid(out_valid || rest), .bare(1'b0), .free(free),
        .push(push), .gap(gap), .pop(pop)
    );

    wire [ADDR_W-1:0] next_b;
    samhw_append #(.ADDR_W(ADDR_W), .DATA_W(WIDTH), .LEAD(0)) u_bits (
        .clk(clk), .rst(rst), .capacity(capacity),
        .start(start), .push(push), .data(gap ? {WIDTH{1'b0}} : out_word), .free(free_b),
        .next(next_b), .count(count), .overflow(overflow),
        .write_valid(bits_write_valid), .write_ready(bits_write_ready), .write_beat(bits_write_beat)
    );
    wire [ADDR_W-1:0] next_r;
    wire [ADDR_W-1:0] count_r;
    wire              overflow_r;
    samhw_append #(.ADDR_W(ADDR_W), .DATA_W(REF_W), .LEAD(0)) u_rank (
        .clk(clk), .rst(rst), .capacity(capacity),
        .start(start), .push(push), .data(gap ? {REF_W{1'b0}} : out_rank), .free(free_r),
        .next(next_r), .count(count_r), .overflow(overflow_r),
        .write_valid(rank_write_valid), .write_ready(rank_write_ready), .write_beat(rank_write_beat)
    );

    assign finished_beat = 1'b1;
    always @(posedge clk)
        if (rst)
            finished_valid <= 1'b0;
        else if (finish || finished_ready)
            finished_valid <= finish;

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst && take && !c_leaf && held && !final_word) begin
            $display("samhw_bits_writer: an empty list in one that has leaves");
            $stop;
        end else if (!rst && take && c_leaf && held && !final_word && c_place < place) begin
            $display("samhw_bits_writer: coordinates must increase in their fiber");
            $stop;
        end
`endif

    wire _unused_ok = &{1'b0, wide_crd, low_crd, next_b, next_r, count_r, overflow_r, 1'b0};

endmodule

`default_nettype wire
