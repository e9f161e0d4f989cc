// SPDX-License-Identifier: Apache-2.0
//
// Watches the ranks of a bit-vector level that a core reads, beside their words: each is the number of ones
// in all words before.
//
//   Consumes    asked, asked_beat {addr} or {len, addr} (BURSTS): a request for ranks is taken; the words of
//               the same places are asked for in the same order. word_told, word and told, rank: an answer of
//               either is taken.
//   Produces    wrong: four cycles after both answers of a place that does not fit the one read before, until reset.
//   Compares    with the place read before: the next place has that rank and the ones of that word; one
//               further on at least that many, one further back with its ones at most that rank. Place 0 has
//               rank 0.
//   Parameters  ADDR_W bits of a place, RANK_W of a rank, WIDTH of a word. At most 2**WAIT_LOG2 requests wait
//               for the first of their answers, and as many answers of one kind for the other.
//   Reset       all state.
`default_nettype none

module samhw_axi_ranks #(
    parameter ADDR_W    = 16,
    parameter RANK_W    = 16,
    parameter WIDTH     = 32,
    parameter BURSTS    = 1,
    parameter WAIT_LOG2 = 4
) (
    input  wire                                         clk,
    input  wire                                         rst,

    input  wire                                         asked,
    input  wire [(BURSTS != 0 ? 2*ADDR_W : ADDR_W)-1:0] asked_beat,

    input  wire                                         word_told,
    input  wire [WIDTH-1:0]                             word,

    input  wire                                         told,
    input  wire [RANK_W-1:0]                            rank,

    output reg                                          wrong
);
    generate
        if (ADDR_W < 1 || RANK_W < 1 || WIDTH < 1 || WAIT_LOG2 < 1
            || BURSTS < 0 || BURSTS > 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam ONES_W = $clog2(WIDTH + 1);
    localparam SUM_W  = (RANK_W > ONES_W ? RANK_W : ONES_W) + 1;
    localparam [ADDR_W-1:0] ONE = 1;

    function [ONES_W-1:0] ones(input [WIDTH-1:0] bits);
        integer k;
        begin
            ones = {ONES_W{1'b0}};
            for (k = 0; k < WIDTH; k = k + 1)
                ones = ones + {{(ONES_W-1){1'b0}}, bits[k]};
        end
    endfunction

    // Ones of words, and ranks, until both are there.
    reg               w_valid;
    reg  [WIDTH-1:0]  w_word;
    wire              c_room;
    wire              c_valid;
    wire [ONES_W-1:0] c_ones;
    wire              r_room;
    wire              r_valid;
    wire [RANK_W-1:0] r_rank;
    wire              both = c_valid && r_valid;
    samhw_queue #(.W(ONES_W), .LOG2(WAIT_LOG2)) u_ones (
        .clk(clk), .rst(rst),
        .in_valid(w_valid), .in_ready(c_room), .in_data(ones(w_word)),
        .out_valid(c_valid), .out_ready(both), .out_data(c_ones)
    );
    samhw_queue #(.W(RANK_W), .LOG2(WAIT_LOG2)) u_ranks (
        .clk(clk), .rst(rst),
        .in_valid(told), .in_ready(r_room), .in_data(rank),
        .out_valid(r_valid), .out_ready(both), .out_data(r_rank)
    );
    wire [ADDR_W-1:0] place;
    samhw_axi_asked #(.ADDR_W(ADDR_W), .BURSTS(BURSTS), .WAIT_LOG2(WAIT_LOG2)) u_asked (
        .clk(clk), .rst(rst), .asked(asked), .asked_beat(asked_beat), .step(both), .place(place)
    );

    // The place at hand, and the one before it; the rank at the end of each.
    reg               s_valid;
    reg  [ADDR_W-1:0] s_place;
    reg  [SUM_W-1:0]  s_rank;
    reg  [SUM_W-1:0]  s_end;
    reg               some;
    reg  [ADDR_W-1:0] at;
    reg  [SUM_W-1:0]  at_rank;
    reg  [SUM_W-1:0]  at_end;
    wire [ADDR_W-1:0] next  = at + ONE;      // 0 behind the last place there can be
    wire              falls = s_place == {ADDR_W{1'b0}} && s_rank != {SUM_W{1'b0}}
                            || some && s_place == at && s_rank != at_rank
                            || some && s_place == next && next != {ADDR_W{1'b0}} && s_rank != at_end
                            || some && s_place > at && s_rank < at_end
                            || some && s_place < at && s_end > at_rank;
    always @(posedge clk) begin
        w_word  <= word;
        s_place <= place;
        s_rank  <= {{(SUM_W-RANK_W){1'b0}}, r_rank};
        s_end   <= {{(SUM_W-RANK_W){1'b0}}, r_rank} + {{(SUM_W-ONES_W){1'b0}}, c_ones};
        if (s_valid) begin
            at      <= s_place;
            at_rank <= s_rank;
            at_end  <= s_end;
        end
        if (rst) begin
            w_valid <= 1'b0;
            s_valid <= 1'b0;
            some    <= 1'b0;
            wrong   <= 1'b0;
        end else begin
            w_valid <= word_told;
            s_valid <= both;
            some    <= some || s_valid;
            wrong   <= wrong || (s_valid && falls);
        end
    end

    wire _unused_ok = &{1'b0, c_room, r_room, 1'b0};

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst && (w_valid && !c_room || told && !r_room)) begin
            $display("samhw_axi_ranks: answers that were not asked for, or too many of one kind");
            $stop;
        end
`endif

endmodule

`default_nettype wire
