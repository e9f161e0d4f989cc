// SPDX-License-Identifier: Apache-2.0
//
// The parts of fibers that an early exit ends: which words are asked for, and what becomes of those that come. Of a
// fiber that is decided the next word is the last.
//
//   Consumes    in: lists of `len` words from `begin` on, not empty, and what is no such list (see samhw_ref_skid);
//               word: what was asked for, in order. skip: hints {crd, over, fiber}, in any cycle with skip_valid;
//               fibers are counted modulo 2**TAG_W, one for each item of in. free: there may be an ask.
//   Produces    ask, asked {len, addr}: a part of a fiber, of up to 2**PART_LOG2 words; out {word, ref}: each word
//               with its position. A fiber of which a hint said over while it was at hand ends with the next word
//               that leaves; one more word of it is asked for, or none, and what was asked for beyond is dropped as
//               it comes. No other hint has an effect.
//   Throughput  one word per cycle, also from fiber to fiber; an empty fiber or no list takes one cycle.
//   Latency     from in_ready to out, 3 cycles without a list, to ask 1; a word leaves the cycle after it is there.
//   Boundary    out is a register; in_ready and ask are combinational in free, word_ready in word_valid.
//   Parameters  REF_W bits of positions, WORD_W of words, STOP_W (at most WORD_W), QUEUE_LOG2 (parts in flight),
//               PART_LOG2 (below REF_W); TAG_W bits of a fiber's number, HINT_W of a coordinate in the hints.
//   Reset       valid bits, queue pointers, counters, state; payloads are not reset.
`default_nettype none

module samhw_exit_parts #(
    parameter REF_W      = 16,
    parameter WORD_W     = 16,
    parameter STOP_W     = 3,
    parameter QUEUE_LOG2 = 3,
    parameter PART_LOG2  = 0,
    parameter TAG_W      = 12,
    parameter HINT_W     = 16
) (
    input  wire                          clk,
    input  wire                          rst,

    input  wire                          in_valid,
    output wire                          in_ready,
    input  wire                          in_list,
    input  wire [STOP_W-1:0]             in_stop,
    input  wire [STOP_W-1:0]             in_hole,
    input  wire [REF_W-1:0]              in_begin,
    input  wire [REF_W-1:0]              in_len,

    input  wire                          free,
    output wire                          ask,
    output wire [2*REF_W-1:0]            asked,

    input  wire                          word_valid,
    output wire                          word_ready,
    input  wire [WORD_W-1:0]             word,

    input  wire                          skip_valid,
    input  wire [HINT_W+TAG_W:0]         skip_beat,

    output reg                           out_valid,
    input  wire                          out_ready,
    output reg  [2+STOP_W+REF_W+WORD_W-1:0] out_beat
);
    generate
        if (REF_W < 1 || WORD_W < 1 || STOP_W < 1 || QUEUE_LOG2 < 1 || TAG_W < 1 || HINT_W < 1
            || STOP_W > WORD_W
            || PART_LOG2 < 0 || PART_LOG2 >= REF_W) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam [STOP_W-1:0]    NO_STOP = 0;
    localparam [REF_W-1:0]     ONE     = 1;
    localparam [REF_W-1:0]     PART    = ONE << PART_LOG2;
    localparam [PART_LOG2:0]   FIRST   = 1;
    localparam [QUEUE_LOG2:0]  MORE    = 1;

    // The fiber whose parts are asked for, from the next one on, or what is no list.
    reg               f_valid;
    reg               f_list;
    reg               f_all;     // the next part is the last
    reg  [STOP_W-1:0] f_stop;
    reg  [STOP_W-1:0] f_hole;
    reg               f_first;   // the next part is the first
    reg  [REF_W-1:0]  f_from;
    reg  [REF_W-1:0]  f_next;
    reg  [REF_W-1:0]  f_left;
    wire              room;
    wire              over;
    reg               dropping;  // the fiber at hand has ended, and not all of its words have come
    reg               alone;     // the end of the fiber at hand was not asked for
    wire              enough = alone && (over || dropping);
    wire [REF_W-1:0]  many   = PART_LOG2 == 0 || enough ? ONE : f_all ? f_left : PART;
    wire              put    = f_valid && room && free;
    wire              final_ = !f_list || enough || f_all;
    wire [REF_W-1:0]  rest   = f_left - PART;
    // What in_begin comes from may take long: it is chosen behind its register.
    wire [REF_W-1:0]  at     = f_first ? f_from : f_next;
    wire              take   = in_valid && in_ready;
    assign in_ready = !f_valid || (put && final_);
    assign ask      = put && f_list;
    assign asked    = {many, at};

    always @(posedge clk) begin
        if (take) begin
            f_list <= in_list;
            f_stop <= in_stop;
            f_hole <= in_hole;
            f_from <= in_begin;
            f_left <= in_len;
            f_all  <= in_len <= PART;
        end else if (put) begin
            f_left <= rest;
            f_all  <= rest <= PART;
        end
        if (put)
            f_next <= at + PART;
        if (put || take)
            f_first <= take;
        if (rst)
            f_valid <= 1'b0;
        else if (in_ready)
            f_valid <= in_valid;
    end

    wire               b_valid;
    wire               b_pop;
    wire               b_list;
    wire               b_final;
    wire [STOP_W-1:0]  b_stop;
    wire [STOP_W-1:0]  b_hole;
    wire [PART_LOG2:0] b_len;
    wire [REF_W-1:0]   b_begin;
    samhw_queue #(.W(3+2*STOP_W+PART_LOG2+REF_W), .LOG2(QUEUE_LOG2), .SHOWN(2)) u_parts (
        .clk(clk), .rst(rst),
        .in_valid(put), .in_ready(room), .in_data({f_list, final_, f_stop, f_hole, many[PART_LOG2:0], at}),
        .out_valid(b_valid), .out_ready(b_pop), .out_data({b_list, b_final, b_stop, b_hole, b_len, b_begin})
    );

    // One item for each word, or for what is not a list.
    wire [REF_W-1:0] ref_at;
    wire             part_ends;
    generate
        if (PART_LOG2 == 0) begin : g_words
            assign ref_at    = b_begin;
            assign part_ends = 1'b1;
            wire _unused_ok = &{1'b0, b_len, FIRST, 1'b0};
        end else begin : g_parts
            reg  [PART_LOG2:0]         place;  // words of the part that are through
            wire [PART_LOG2:0]         after = place + FIRST;
            wire [REF_W+PART_LOG2:0]   wide  = {{REF_W{1'b0}}, place};
            assign ref_at    = b_begin + wide[REF_W-1:0];
            assign part_ends = after == b_len;
            always @(posedge clk)
                if (rst || b_pop)
                    place <= {(PART_LOG2+1){1'b0}};
                else if (word_ready)
                    place <= after;
            wire _unused_ok = &{1'b0, wide, 1'b0};
        end
    endgenerate

    wire             here  = b_valid && (word_valid || !b_list);
    wire             whole = !b_list || (b_final && part_ends);
    wire             last  = whole || over;
    wire             emit  = here && !dropping && (!out_valid || out_ready);
    wire             drop  = here && dropping;
    assign word_ready = (emit || drop) && b_list;
    assign b_pop = (emit || drop) && (part_ends || !b_list);

    samhw_fiber_over #(.TAG_W(TAG_W), .CRD_W(HINT_W)) u_over (
        .clk(clk), .rst(rst), .skip_valid(skip_valid), .skip_beat(skip_beat), .leaves(emit && last), .over(over)
    );

    // Ends of fibers that were asked for, and have not come.
    reg  [QUEUE_LOG2:0] ends;
    wire                ended = b_pop && b_final;

    always @(posedge clk) begin
        if (emit)
            out_beat <= {!b_list, !b_list && b_stop == NO_STOP, last ? b_stop : NO_STOP,
                         b_list ? ref_at : {REF_W{1'b0}}, b_list ? word : {{(WORD_W-STOP_W){1'b0}}, b_hole}};
        if (rst) begin
            out_valid <= 1'b0;
            dropping  <= 1'b0;
            ends      <= {(QUEUE_LOG2+1){1'b0}};
            alone     <= 1'b1;
        end else begin
            if (emit || out_ready)
                out_valid <= emit;
            if (emit || drop)
                dropping <= !whole && (dropping || over);
            if ((put && final_) != ended) begin
                ends  <= ended ? ends - MORE : ends + MORE;
                alone <= ended && ends == MORE;
            end
        end
    end

endmodule

`default_nettype wire
