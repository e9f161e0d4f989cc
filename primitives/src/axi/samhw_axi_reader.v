// SPDX-License-Identifier: Apache-2.0
//
// One array in memory behind an AXI4 read channel: answers a core's read requests from a window of
// bus lines that runs ahead of them.
//
//   Consumes    start: at most once after a reset, before any request: the window begins with the
//               array, ahead of the first request. read_req {addr} or {len, addr} (KIND 1); data:
//               lines of the fetches, in order. There is room for every line that was fetched.
//   Produces    read_rsp, in order: the word at addr (KIND 0), the words at addr .. addr+len-1 (KIND 1), {word at
//               addr+1, word at addr} (KIND 2). fetch {lines-1, byte address}: bursts that end at the
//               latest where the address is a multiple of 2**BURST_LOG2 lines, and with the array.
//   Window      2**LINES_LOG2 lines from the one last used on; it begins anew where a word lies before or
//               beyond it. What is then still on its way is dropped.
//   Words       of 2**SIZE_LOG2 bytes; base is a multiple of that, otherwise any address. A request that does not lie
//               within `words` sets beyond, and nothing moves any more until reset.
//   Throughput  one word per cycle while the window has it; a pair takes 2 cycles unless it begins
//               with the last word of the pair before.
//   Latency     as an on-chip memory where the window has the words.
//   Boundary    read_rsp is what registers and the window's memory hold.
//   Parameters  ADDR_W bits of a word's number; DATA_W bits of a word, at most 8 << SIZE_LOG2; BUS_LOG2 of the
//               bytes of a line, at least SIZE_LOG2; AXI_W bits of a byte address; KIND; LINES_LOG2,
//               more than BURST_LOG2; BURST_LOG2, at most 12 - BUS_LOG2 and 8. ADDR_W + 2 <= AXI_W.
//   Reset       valid bits and state; only while no line is on its way. base and words are stable in between.
`default_nettype none

module samhw_axi_reader #(
    parameter ADDR_W     = 16,
    parameter DATA_W     = 32,
    parameter SIZE_LOG2  = 2,
    parameter BUS_LOG2   = 3,
    parameter AXI_W      = 32,
    parameter KIND       = 0,
    parameter LINES_LOG2 = 6,
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
            || LINES_LOG2 <= BURST_LOG2
            || KIND < 0 || KIND > 2) begin : g_parameters
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

    localparam [LINE_W-1:0]   ONE_LINE   = 1;
    localparam [LINES_LOG2:0] NONE       = 0;
    localparam [LINES_LOG2:0] ONE        = 1;
    localparam [LINE_W-1:0]   ALL_LINES  = ONE_LINE << LINES_LOG2;
    localparam [8:0]          FULL_BURST = 9'd1 << BURST_LOG2;

    wire [AXI_W-1:0]  base_word = base >> SIZE_LOG2;
    wire [AXI_W-1:0]  base_line = base >> BUS_LOG2;
    wire [LANE_W-1:0] offset    = base_word[LANE_W-1:0] & {LANE_W{LANES != 0}};

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

    // The window: lines from tail on that are there (up to got) or asked for (up to asked).
    reg                 live;
    reg  [LINE_W-1:0]   tail;
    reg  [LINE_W-1:0]   got;
    reg  [LINE_W-1:0]   asked;
    reg  [LINES_LOG2:0] drop;                // lines of the window before that are still to come

    wire [LINE_W-1:0]   line   = w_word[WORD_W-1:LANES];
    wire [LINE_W-1:0]   ahead  = line - tail;
    wire                held   = live && ahead < ALL_LINES;
    wire                hit    = held && ahead < got - tail;
    wire                anew   = w_valid && !held;
    wire                begins = start && words != {(ADDR_W+1){1'b0}};
    wire [LINE_W-1:0]   first  = line & {LINE_W{anew}};
    wire [LINE_W-1:0]   flying = asked - got;
    wire                keep   = data_valid && drop == NONE;

    wire                s_free;
    assign w_take = hit && s_free;

    reg  [BUS-1:0] lines [0:(1<<LINES_LOG2)-1];
    reg  [BUS-1:0] s_line;
    always @(posedge clk)
        if (keep)
            lines[got[LINES_LOG2-1:0]] <= data_beat;
    always @(posedge clk)
        if (w_valid && w_take)
            s_line <= lines[line[LINES_LOG2-1:0]];

    // Bursts: how long the next one is, then whether there is room for it.
    reg  [LINE_W-1:0] last;                  // line that the array ends in
    reg               planned;
    reg  [8:0]        burst;
    wire [WORD_W-1:0] after  = {{(WORD_W-ADDR_W-1){1'b0}}, words} + {{(WORD_W-LANE_W){1'b0}}, offset}
                               - {{(WORD_W-1){1'b0}}, 1'b1};
    wire [AXI_W-1:0]  place  = base_line + {{(AXI_W-LINE_W){1'b0}}, asked};
    wire [8:0]        whole  = FULL_BURST - {1'b0, place[7:0] & ~(8'hff << BURST_LOG2)};
    wire [LINE_W-1:0] rest   = last - asked;
    wire              ends   = rest < {{(LINE_W-9){1'b0}}, whole};
    wire              fits   = (asked - tail) + {{(LINE_W-9){1'b0}}, burst} <= ALL_LINES;
    wire              ask    = planned && fits && (!fetch_valid || fetch_ready) && !anew;

    always @(posedge clk) begin
        last <= after[WORD_W-1:LANES];
        if (!planned)
            burst <= ends ? {1'b0, rest[7:0]} + 9'd1 : whole;
        if (ask)
            fetch_beat <= {burst[7:0] - 8'd1, place << BUS_LOG2};
        if (anew || begins) begin
            tail  <= first;
            got   <= first;
            asked <= first;
        end else begin
            if (w_valid)
                tail <= hit ? line : got;
            if (keep)
                got <= got + ONE_LINE;
            if (ask)
                asked <= asked + {{(LINE_W-9){1'b0}}, burst};
        end
        if (rst) begin
            live        <= 1'b0;
            drop        <= NONE;
            planned     <= 1'b0;
            fetch_valid <= 1'b0;
        end else begin
            if (anew || begins)
                live <= 1'b1;
            // Only what had come can be followed by a word elsewhere: nothing else is to be dropped.
            if (anew)
                drop <= live ? flying[LINES_LOG2:0] - {{LINES_LOG2{1'b0}}, data_valid} : NONE;
            else if (data_valid && drop != NONE)
                drop <= drop - ONE;
            planned <= !anew && !ask && (planned || (live && asked <= last));
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

    wire _unused_ok = &{1'b0, base_word, after, place, rest, flying, 1'b0};

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst && data_valid && (drop == NONE ? flying == {LINE_W{1'b0}} : !live)) begin
            $display("samhw_axi_reader: a line that was not asked for");
            $stop;
        end
`endif

endmodule

`default_nettype wire
