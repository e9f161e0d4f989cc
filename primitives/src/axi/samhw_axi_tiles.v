// SPDX-License-Identifier: Apache-2.0
//
// One array in memory behind an AXI4 read channel that is read tile by tile, within a tile in any order: keeps the
// tile in use on the chip and fetches those after it meanwhile.
//
//   Consumes    hint {end, start}: the words of the tile that comes after those told before; read_req and data as
//               samhw_axi_reader.
//   Produces    read_rsp and fetch as samhw_axi_reader.
//   Hints       are always taken and only say what to fetch ahead: one that is wrong, late or lost costs
//               time. A word that is in no tile told for 32 cycles is fetched with the lines after it, as a
//               tile of its own. A tile that the core is done with, since it asks for a word elsewhere, gives
//               way to the next one told, asked for or not.
//   Tiles       of up to 2**LINES_LOG2 lines; of a larger one the first lines. Those that fit beside the tile
//               in use are there together, 16 at most. They are fetched in groups of 64 bytes; one that lies
//               in what was fetched last is not fetched again. Of a tile that is not whole beside another one
//               of its size, the lines that are come first: only the others wait until the one in use is
//               left.
//   Throughput  one word per cycle while the tile is there; a pair as samhw_axi_reader. A tile that is left
//               costs a cycle, and two on the bus.
//   Latency     as an on-chip memory where the words are there.
//   Boundary    read_rsp is what registers and the lines' memory hold.
//   Parameters  EXTRA 1: a tile has the word at `end`, too (segments); HINTS_LOG2 of the hints that wait,
//               more than the core has tiles on their way (one told beyond is lost); others as
//               samhw_axi_reader.
//   Reset       as samhw_axi_reader.
`default_nettype none

module samhw_axi_tiles #(
    parameter ADDR_W     = 16,
    parameter DATA_W     = 32,
    parameter SIZE_LOG2  = 2,
    parameter BUS_LOG2   = 3,
    parameter AXI_W      = 32,
    parameter KIND       = 0,
    parameter EXTRA      = 0,
    parameter HINTS_LOG2 = 5,
    parameter LINES_LOG2 = 6,
    parameter BURST_LOG2 = 4
) (
    input  wire                                       clk,
    input  wire                                       rst,

    input  wire [AXI_W-1:0]                           base,
    input  wire [ADDR_W:0]                            words,
    output wire                                       beyond,

    input  wire                                       hint_valid,
    input  wire [2*ADDR_W-1:0]                        hint_beat,

    input  wire                                       read_req_valid,
    output wire                                       read_req_ready,
    input  wire [(KIND == 1 ? 2*ADDR_W : ADDR_W)-1:0] read_req_beat,

    output wire                                       read_rsp_valid,
    input  wire                                       read_rsp_ready,
    output wire [(KIND == 2 ? 2*DATA_W : DATA_W)-1:0] read_rsp_beat,

    output reg                                        fetch_valid,
    input  wire                                       fetch_ready,
    output reg  [8+AXI_W-1:0]                         fetch_beat,

    input  wire                                       data_valid,
    input  wire [(8<<BUS_LOG2)-1:0]                   data_beat
);
    generate
        if (ADDR_W < 1 || ADDR_W + 2 > AXI_W
            || SIZE_LOG2 < 0 || DATA_W < 1 || DATA_W > 8 << SIZE_LOG2
            || BUS_LOG2 < SIZE_LOG2 || BUS_LOG2 > 7
            || BURST_LOG2 < 0 || BURST_LOG2 > 8 || BURST_LOG2 > 12 - BUS_LOG2
            || LINES_LOG2 <= BURST_LOG2
            || KIND < 0 || KIND > 2
            || EXTRA < 0 || EXTRA > 1
            || HINTS_LOG2 < 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam BUS    = 8 << BUS_LOG2;
    localparam LANES  = BUS_LOG2 - SIZE_LOG2;
    localparam LANE_W = LANES == 0 ? 1 : LANES;
    // Words and lines are counted from the line that base lies in.
    localparam LINE_W = (ADDR_W > 8 ? (ADDR_W > LINES_LOG2 ? ADDR_W : LINES_LOG2)
                                    : (LINES_LOG2 > 8 ? LINES_LOG2 : 8)) + 2;
    localparam WORD_W = LINE_W + LANES;
    // Lines that were ever asked for, modulo: differences have a sign.
    localparam RING_W = LINES_LOG2 + 2;

    localparam [LINE_W-1:0] ONE_LINE    = 1;
    localparam [LINE_W-1:0] ALL_MORE    = (ONE_LINE << LINES_LOG2) - ONE_LINE;
    localparam [LINE_W-1:0] BURST_MORE  = (ONE_LINE << BURST_LOG2) - ONE_LINE;
    // A group of lines has 64 bytes, as far as a burst may.
    localparam              GROUP_LOG2  = BUS_LOG2 >= 6 ? 0 : 6 - BUS_LOG2 < BURST_LOG2 ? 6 - BUS_LOG2 : BURST_LOG2;
    localparam [LINE_W-1:0] GROUP_MORE  = (ONE_LINE << GROUP_LOG2) - ONE_LINE;
    // Tiles ahead of the one in use.
    localparam              AHEAD_LOG2  = 4;
    localparam [LINES_LOG2-1:0] NO_LINES = 0;
    localparam [RING_W-1:0] ONE         = 1;
    localparam [RING_W-1:0] ALL         = ONE << LINES_LOG2;
    localparam [8:0]        FULL_BURST  = 9'd1 << BURST_LOG2;
    localparam [4:0]        PATIENCE    = 5'd31;

    wire [AXI_W-1:0]  base_word = base >> SIZE_LOG2;
    wire [AXI_W-1:0]  base_line = base >> BUS_LOG2;
    wire [LANE_W-1:0] offset    = base_word[LANE_W-1:0] & {LANE_W{LANES != 0}};
    wire [WORD_W-1:0] shift     = {{(WORD_W-LANE_W){1'b0}}, offset};

    wire              w_valid;
    wire              w_out;
    wire              w_two;
    wire [WORD_W-1:0] w_word;
    wire              w_take;
    samhw_axi_words #(.ADDR_W(ADDR_W), .WORD_W(WORD_W), .LANE_W(LANE_W), .KIND(KIND)) u_words (
        .clk(clk), .rst(rst), .words(words), .offset(offset), .beyond(beyond),
        .read_req_valid(read_req_valid), .read_req_ready(read_req_ready), .read_req_beat(read_req_beat),
        .w_valid(w_valid), .w_take(w_take), .w_out(w_out), .w_two(w_two), .w_word(w_word)
    );

    // What is told, as lines in whole groups; what has no words or lies beyond the array is not.
    wire [ADDR_W-1:0] hint_start = hint_beat[ADDR_W-1:0];
    wire [ADDR_W:0]   hint_end   = {1'b0, hint_beat[ADDR_W +: ADDR_W]} + {{ADDR_W{1'b0}}, EXTRA != 0};
    wire [WORD_W-1:0] hint_first = {{(WORD_W-ADDR_W){1'b0}}, hint_start} + shift;
    wire [WORD_W-1:0] hint_last  = {{(WORD_W-ADDR_W-1){1'b0}}, hint_end} + shift - {{(WORD_W-1){1'b0}}, 1'b1};
    wire              hint_some  = hint_end > {1'b0, hint_start} && hint_end <= words;
    reg  [LINE_W-1:0] last;                  // line that the array ends in
    reg               h_valid;
    reg  [LINE_W-1:0] h_first;
    reg  [LINE_W-1:0] h_last;
    wire [LINE_W-1:0] h_most     = h_first + ALL_MORE;
    wire [LINE_W-1:0] h_end      = last < h_most ? last : h_most;
    reg               g_valid;
    reg  [LINE_W-1:0] g_first;
    reg  [LINE_W-1:0] g_last;
    wire              t_valid;
    wire              t_pop;
    wire              t_room;
    wire [LINE_W-1:0] t_first;
    wire [LINE_W-1:0] t_last;
    samhw_queue #(.W(2*LINE_W), .LOG2(HINTS_LOG2)) u_told (
        .clk(clk), .rst(rst),
        .in_valid(g_valid), .in_ready(t_room), .in_data({g_first, g_last}),
        .out_valid(t_valid), .out_ready(t_pop), .out_data({t_first, t_last})
    );
    always @(posedge clk) begin
        h_first <= hint_first[WORD_W-1:LANES] & ~GROUP_MORE;
        h_last  <= hint_last[WORD_W-1:LANES] | GROUP_MORE;
        g_first <= h_first;
        g_last  <= h_last < h_end ? h_last : h_end;
        if (rst) begin
            h_valid <= 1'b0;
            g_valid <= 1'b0;
        end else begin
            h_valid <= hint_valid && hint_some;
            g_valid <= h_valid;
        end
    end

    // The tile that was begun last: the line to ask for next, whether there is one, whether the tile was
    // begun in the cycle before, whether the core has not left it. Line k of a tile is line base + k of all
    // that were ever asked for.
    reg  [LINE_W-1:0] new_first;
    reg  [LINE_W-1:0] new_last;
    reg  [LINE_W-1:0] new_line;
    reg               asking;
    reg               fresh;
    reg               known;
    reg  [LINES_LOG2-1:0] beside;            // lines to ask for that have room beside a tile as large
    reg  [RING_W-1:0] asked;
    reg  [RING_W-1:0] got;
    reg  [4:0]        patience;

    // Tiles begun after the one in use.
    wire              a_room;
    wire              a_valid;
    wire              a_pop;
    wire [LINE_W-1:0] a_first;
    wire [LINE_W-1:0] a_last;
    wire [RING_W-1:0] a_base;
    samhw_queue #(.W(2*LINE_W+RING_W), .LOG2(AHEAD_LOG2)) u_ahead (
        .clk(clk), .rst(rst),
        .in_valid(fresh), .in_ready(a_room), .in_data({new_first, new_last, asked}),
        .out_valid(a_valid), .out_ready(a_pop), .out_data({a_first, a_last, a_base})
    );

    // The tile in use.
    reg               cur_live;
    reg  [LINE_W-1:0] cur_first;
    reg  [LINE_W-1:0] cur_last;
    reg  [RING_W-1:0] cur_base;
    reg  [LINES_LOG2-1:0] cur_shift;         // cur_base - cur_first
    reg  [LINES_LOG2:0]   cur_have;          // lines that are there

    wire [LINE_W-1:0] line    = w_word[WORD_W-1:LANES];
    wire [LINE_W-1:0] ahead   = line - cur_first;
    wire              held    = cur_live && line >= cur_first && line <= cur_last;
    wire              hit     = held && {1'b0, ahead[LINES_LOG2-1:0]} < cur_have;
    wire              leave   = w_valid && !held;
    wire              lost    = leave && !a_valid && !fresh;
    wire              same    = known && !lost && t_first >= new_first && t_first <= new_last && t_last <= new_last;
    wire              ask;
    reg               ends;
    wire              open    = (!asking || lost || (ask && ends)) && a_room;
    wire              load    = t_valid && open && !same;
    wire              waits   = lost && !t_valid;
    wire              own     = waits && patience == PATIENCE;
    assign a_pop = a_valid && (!cur_live || leave);
    assign t_pop = open || same;

    wire              s_free;
    assign w_take = hit && s_free;

    reg  [BUS-1:0] lines [0:(1<<LINES_LOG2)-1];
    reg  [BUS-1:0] s_line;
    wire [LINES_LOG2-1:0] place_read = line[LINES_LOG2-1:0] + cur_shift;
    always @(posedge clk)
        if (data_valid)
            lines[got[LINES_LOG2-1:0]] <= data_beat;
    always @(posedge clk)
        if (w_valid && w_take)
            s_line <= lines[place_read];

    // Bursts.
    reg               planned;
    reg  [8:0]        burst;
    wire [WORD_W-1:0] after  = {{(WORD_W-ADDR_W-1){1'b0}}, words} + shift - {{(WORD_W-1){1'b0}}, 1'b1};
    wire [LINE_W-1:0] more   = new_last - new_line;
    wire [AXI_W-1:0]  place  = base_line + {{(AXI_W-LINE_W){1'b0}}, new_line};
    wire [8:0]        whole  = FULL_BURST - {1'b0, place[7:0] & ~(8'hff << BURST_LOG2)};
    wire              short  = more < {{(LINE_W-9){1'b0}}, whole};
    wire [LINE_W-1:0] first  = {{(LINE_W-LINES_LOG2){1'b0}}, beside};
    wire              cuts   = beside != NO_LINES && first <= more && first < {{(LINE_W-9){1'b0}}, whole};
    wire [LINE_W-1:0] rest   = first - {{(LINE_W-9){1'b0}}, burst};
    wire [LINE_W-1:0] t_more = t_last - t_first;
    wire [RING_W+8:0] used   = {9'd0, asked - cur_base} + {{RING_W{1'b0}}, burst};
    wire [RING_W+8:0] flying = {9'd0, asked - got} + {{RING_W{1'b0}}, burst};
    wire              fits   = used <= {9'd0, ALL} && flying <= {9'd0, ALL};
    wire [RING_W+8:0] later  = {9'd0, asked} + {{RING_W{1'b0}}, burst};
    assign ask = planned && fits && (!fetch_valid || fetch_ready) && !lost;

    wire [RING_W-1:0] there   = got - cur_base;
    wire [RING_W-1:0] a_there = got - a_base;
    wire [LINE_W-1:0] most    = line + BURST_MORE;

    always @(posedge clk) begin
        last <= after[WORD_W-1:LANES];
        if (!planned) begin
            ends  <= short && !cuts;
            burst <= cuts ? first[8:0] : short ? more[8:0] + 9'd1 : whole;
        end
        if (ask)
            fetch_beat <= {burst[7:0] - 8'd1, place << BUS_LOG2};
        if (a_pop) begin
            cur_first <= a_first;
            cur_last  <= a_last;
            cur_base  <= a_base;
            cur_shift <= a_base[LINES_LOG2-1:0] - a_first[LINES_LOG2-1:0];
            cur_have  <= a_there[RING_W-1] ? {(LINES_LOG2+1){1'b0}} : a_there[LINES_LOG2:0];
        end else
            cur_have  <= there[RING_W-1] ? {(LINES_LOG2+1){1'b0}} : there[LINES_LOG2:0];
        if (load || own) begin
            new_first <= load ? t_first : line;
            new_last  <= load ? t_last : last < most ? last : most;
            new_line  <= load ? t_first : line;
        end else if (ask)
            new_line  <= new_line + {{(LINE_W-9){1'b0}}, burst};
        if (load || own)
            beside <= load ? ~t_more[LINES_LOG2-1:0] : NO_LINES;
        else if (ask && beside != NO_LINES)
            beside <= rest[LINES_LOG2-1:0];
        if (rst) begin
            cur_live    <= 1'b0;
            cur_base    <= {RING_W{1'b0}};
            asking      <= 1'b0;
            fresh       <= 1'b0;
            known       <= 1'b0;
            asked       <= {RING_W{1'b0}};
            got         <= {RING_W{1'b0}};
            patience    <= 5'd0;
            planned     <= 1'b0;
            fetch_valid <= 1'b0;
        end else begin
            cur_live <= cur_live || a_pop;
            asking   <= load || own || (asking && !lost && !(ask && ends));
            fresh    <= load || own;
            known    <= load || own || (known && !lost);
            patience <= waits && !own ? patience + 5'd1 : 5'd0;
            if (ask)
                asked <= later[RING_W-1:0];
            if (data_valid)
                got <= got + ONE;
            planned <= !lost && !ask && (planned || asking);
            if (ask || fetch_ready)
                fetch_valid <= ask;
        end
    end

    samhw_axi_lane #(
        .DATA_W(DATA_W), .SIZE_LOG2(SIZE_LOG2), .BUS_LOG2(BUS_LOG2), .LANE_W(LANE_W), .PAIR(KIND == 2 ? 1 : 0)
    ) u_lane (
        .clk(clk), .rst(rst), .take(w_valid && w_take), .free(s_free), .out(w_out), .two(w_two),
        .lane(w_word[LANE_W-1:0] & {LANE_W{LANES != 0}}), .line(s_line),
        .read_rsp_valid(read_rsp_valid), .read_rsp_ready(read_rsp_ready), .read_rsp_beat(read_rsp_beat)
    );

    wire _unused_ok = &{1'b0, base_word, hint_first, hint_last, after, place, t_room, used, flying, later,
                        more, there, a_there, ahead, rest, t_more, 1'b0};

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst && data_valid && asked == got) begin
            $display("samhw_axi_tiles: a line that was not asked for");
            $stop;
        end
`endif

endmodule

`default_nettype wire
