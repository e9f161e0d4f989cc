// SPDX-License-Identifier: Apache-2.0
//
// One array in memory behind an AXI4 read channel that the chip has room for: fetches all of it once, from
// its begin to its end, and reads any word in any order as soon as it has come.
//
//   Consumes    start: once after a reset; read_req and data as samhw_axi_reader.
//   Produces    read_rsp and fetch as samhw_axi_reader.
//   beyond      a request that does not lie within `words`, or words is more than WORDS: nothing moves any
//               more until reset.
//   Throughput  one word per cycle of those that have come; with KIND 2 two where they are of one line.
//   Latency     as an on-chip memory where the words have come.
//   Boundary    read_rsp is what registers and the lines' memory hold.
//   Parameters  WORDS there is room for; KIND 0, 1 or 2; others as samhw_axi_reader.
//   Reset       as samhw_axi_reader.
`default_nettype none

module samhw_axi_whole #(
    parameter ADDR_W     = 16,
    parameter DATA_W     = 32,
    parameter WORDS      = 256,
    parameter SIZE_LOG2  = 2,
    parameter BUS_LOG2   = 3,
    parameter AXI_W      = 32,
    parameter KIND       = 0,
    parameter BURST_LOG2 = 4
) (
    input  wire                                       clk,
    input  wire                                       rst,

    input  wire [AXI_W-1:0]                           base,
    input  wire [ADDR_W:0]                            words,
    output wire                                       beyond,

    input  wire                                       start,

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
            || WORDS < 1
            || KIND < 0 || KIND > 2) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam BUS    = 8 << BUS_LOG2;
    localparam LANES  = BUS_LOG2 - SIZE_LOG2;
    localparam LANE_W = LANES == 0 ? 1 : LANES;
    // Words and lines are counted from the line that base lies in.
    localparam LINE_W = (ADDR_W > 8 ? ADDR_W : 8) + 2;
    localparam WORD_W = LINE_W + LANES;
    // An array that does not begin with a line reaches into one more.
    localparam LINES  = ((WORDS + (1 << LANES) - 1) >> LANES) + 1;
    localparam PLACE  = $clog2(LINES);

    localparam [LINE_W-1:0] ONE_LINE   = 1;
    localparam [8:0]        FULL_BURST = 9'd1 << BURST_LOG2;
    localparam [31:0]       LIMIT      = WORDS;

    wire [AXI_W-1:0]  base_word = base >> SIZE_LOG2;
    wire [AXI_W-1:0]  base_line = base >> BUS_LOG2;
    wire [LANE_W-1:0] offset    = base_word[LANE_W-1:0] & {LANE_W{LANES != 0}};

    wire              w_valid;
    wire              w_out;
    wire              w_two;
    wire [WORD_W-1:0] w_word;
    wire              w_take;
    wire              outside;
    samhw_axi_words #(
        .ADDR_W(ADDR_W), .WORD_W(WORD_W), .LANE_W(LANE_W), .KIND(KIND == 2 && LANES != 0 ? 3 : KIND)
    ) u_words (
        .clk(clk), .rst(rst), .words(words), .offset(offset), .beyond(outside),
        .read_req_valid(read_req_valid), .read_req_ready(read_req_ready), .read_req_beat(read_req_beat),
        .w_valid(w_valid), .w_take(w_take), .w_out(w_out), .w_two(w_two), .w_word(w_word)
    );

    reg               live;
    reg               over;
    reg  [LINE_W-1:0] got;                   // lines that have come
    reg  [LINE_W-1:0] asked;
    wire [32+ADDR_W:0] wide = {32'd0, words};
    wire              fits  = wide <= {{(ADDR_W+1){1'b0}}, LIMIT};
    wire              some  = words != {(ADDR_W+1){1'b0}};
    wire [LINE_W-1:0] line  = w_word[WORD_W-1:LANES];
    wire              s_free;
    assign w_take = line < got && s_free;
    assign beyond = over || outside;

    reg  [BUS-1:0] lines [0:LINES-1];
    reg  [BUS-1:0] s_line;
    always @(posedge clk)
        if (data_valid)
            lines[got[PLACE-1:0]] <= data_beat;
    always @(posedge clk)
        if (w_valid && w_take)
            s_line <= lines[line[PLACE-1:0]];

    // Bursts: how long the next one is, then whether it can be offered.
    reg  [LINE_W-1:0] last;                  // line that the array ends in
    reg               planned;
    reg  [8:0]        burst;
    wire [WORD_W-1:0] after = {{(WORD_W-ADDR_W-1){1'b0}}, words} + {{(WORD_W-LANE_W){1'b0}}, offset}
                              - {{(WORD_W-1){1'b0}}, 1'b1};
    wire [AXI_W-1:0]  place = base_line + {{(AXI_W-LINE_W){1'b0}}, asked};
    wire [8:0]        whole = FULL_BURST - {1'b0, place[7:0] & ~(8'hff << BURST_LOG2)};
    wire [LINE_W-1:0] rest  = last - asked;
    wire              ends  = rest < {{(LINE_W-9){1'b0}}, whole};
    wire              ask   = planned && (!fetch_valid || fetch_ready);

    always @(posedge clk) begin
        last <= after[WORD_W-1:LANES];
        if (!planned)
            burst <= ends ? {1'b0, rest[7:0]} + 9'd1 : whole;
        if (ask)
            fetch_beat <= {burst[7:0] - 8'd1, place << BUS_LOG2};
        if (rst) begin
            live        <= 1'b0;
            over        <= 1'b0;
            got         <= {LINE_W{1'b0}};
            asked       <= {LINE_W{1'b0}};
            planned     <= 1'b0;
            fetch_valid <= 1'b0;
        end else begin
            if (start) begin
                live <= fits && some;
                over <= !fits;
            end
            if (data_valid)
                got <= got + ONE_LINE;
            if (ask)
                asked <= asked + {{(LINE_W-9){1'b0}}, burst};
            planned <= !ask && (planned || (live && asked <= last));
            if (ask || fetch_ready)
                fetch_valid <= ask;
        end
    end

    samhw_axi_lane #(
        .DATA_W(DATA_W), .SIZE_LOG2(SIZE_LOG2), .BUS_LOG2(BUS_LOG2), .LANE_W(LANE_W),
        .PAIR(KIND != 2 ? 0 : LANES != 0 ? 2 : 1)
    ) u_lane (
        .clk(clk), .rst(rst), .take(w_valid && w_take), .free(s_free), .out(w_out), .two(w_two),
        .lane(w_word[LANE_W-1:0] & {LANE_W{LANES != 0}}), .line(s_line),
        .read_rsp_valid(read_rsp_valid), .read_rsp_ready(read_rsp_ready), .read_rsp_beat(read_rsp_beat)
    );

    wire _unused_ok = &{1'b0, base_word, after, place, rest, line, 1'b0};

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst && data_valid && asked == got) begin
            $display("samhw_axi_whole: a line that was not asked for");
            $stop;
        end
`endif

endmodule

`default_nettype wire
