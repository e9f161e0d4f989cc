// SPDX-License-Identifier: Apache-2.0
//
// One array in memory behind an AXI4 write channel: combines a core's words to bus lines and lines to bursts.
//
//   Consumes    write {data, addr}: any addresses; a word is combined with the one before where both lie in one
//               line. flush: what is held leaves; no word comes meanwhile.
//   Produces    store {lines-1, byte address}: bursts that end at the latest where the address is a multiple of
//               2**BURST_LOG2 lines; line {strobes, data}: their lines in order. All lines of a burst are there
//               before its store is offered.
//   ack         1 in a cycle in which a burst was written. idle: nothing is held and all is written.
//   Words       of 2**SIZE_LOG2 bytes; base is a multiple of that, otherwise any address. Bits above DATA_W are
//               written as 0. No byte but those of the words is ever strobed.
//   Beyond      a word at `words` or further is not written and sets beyond.
//   Throughput  one word per cycle while bursts leave.
//   Parameters  as samhw_axi_reader, but LINES_LOG2 is at least 1 and BURST_LOG2.
//   Reset       valid bits and state; only while idle or nothing is on its way. base and words are stable in between.
`default_nettype none

module samhw_axi_writer #(
    parameter ADDR_W     = 16,
    parameter DATA_W     = 32,
    parameter SIZE_LOG2  = 2,
    parameter BUS_LOG2   = 3,
    parameter AXI_W      = 32,
    parameter LINES_LOG2 = 5,
    parameter BURST_LOG2 = 4
) (
    input  wire                      clk,
    input  wire                      rst,

    input  wire [AXI_W-1:0]          base,
    input  wire [ADDR_W:0]           words,
    output reg                       beyond,
    input  wire                      flush,
    output wire                      idle,

    input  wire                      write_valid,
    output wire                      write_ready,
    input  wire [DATA_W+ADDR_W-1:0]  write_beat,

    output reg                       store_valid,
    input  wire                      store_ready,
    output reg  [8+AXI_W-1:0]        store_beat,

    output wire                      line_valid,
    input  wire                      line_ready,
    output wire [(9<<BUS_LOG2)-1:0]  line_beat,

    input  wire                      ack
);
    generate
        if (ADDR_W < 1 || ADDR_W + 2 > AXI_W
            || SIZE_LOG2 < 0 || DATA_W < 1 || DATA_W > 8 << SIZE_LOG2
            || BUS_LOG2 < SIZE_LOG2 || BUS_LOG2 > 7
            || BURST_LOG2 < 0 || BURST_LOG2 > 8 || BURST_LOG2 > 12 - BUS_LOG2
            || LINES_LOG2 < 1 || LINES_LOG2 < BURST_LOG2) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam BUS    = 8 << BUS_LOG2;
    localparam BYTES  = 1 << BUS_LOG2;
    localparam SIZE   = 8 << SIZE_LOG2;
    localparam LANES  = BUS_LOG2 - SIZE_LOG2;
    localparam LANE_W = LANES == 0 ? 1 : LANES;
    localparam LINE_W = (ADDR_W > 8 ? ADDR_W : 8) + 2;
    localparam WORD_W = LINE_W + LANES;

    localparam [7:0]        INSIDE     = ~(8'hff << BURST_LOG2);
    localparam [BYTES-1:0]  ONE_WORD   = {BYTES{1'b1}} >> (BYTES - (1 << SIZE_LOG2));

    wire                     q_valid;
    wire                     q_pop;
    wire [DATA_W+ADDR_W-1:0] q_beat;
    samhw_skid #(.W(DATA_W+ADDR_W)) u_write (
        .clk(clk), .rst(rst),
        .in_valid(write_valid), .in_ready(write_ready), .in_beat(write_beat),
        .out_valid(q_valid), .out_ready(q_pop), .out_beat(q_beat)
    );
    wire [ADDR_W-1:0] q_addr   = q_beat[ADDR_W-1:0];
    wire              q_inside = {1'b0, q_addr} < words;

    // The word at its place in its line.
    wire [AXI_W-1:0]  base_word = base >> SIZE_LOG2;
    wire [AXI_W-1:0]  base_line = base >> BUS_LOG2;
    wire [WORD_W-1:0] number = {{(WORD_W-ADDR_W){1'b0}}, q_addr}
                             + {{(WORD_W-LANE_W){1'b0}}, base_word[LANE_W-1:0] & {LANE_W{LANES != 0}}};
    wire [LANE_W-1:0] lane   = number[LANE_W-1:0] & {LANE_W{LANES != 0}};
    wire [LINE_W-1:0] line   = number[WORD_W-1:LANES];
    wire [BYTES-1:0]  strobe = ONE_WORD << {lane, {SIZE_LOG2{1'b0}}};
    wire [SIZE-1:0]   value;
    wire [BUS-1:0]    spread = {(1<<LANES){value}};
    wire [BUS-1:0]    mask;
    generate
        genvar k;
        if (SIZE > DATA_W) begin : g_padded
            assign value = {{(SIZE-DATA_W){1'b0}}, q_beat[ADDR_W +: DATA_W]};
        end else begin : g_whole
            assign value = q_beat[ADDR_W +: DATA_W];
        end
        for (k = 0; k < BYTES; k = k + 1) begin : g_mask
            assign mask[8*k +: 8] = {8{strobe[k]}};
        end
    endgenerate

    // The line that words are combined in.
    reg               held;
    reg  [LINE_W-1:0] h_line;
    reg  [BYTES-1:0]  h_strobe;
    reg  [BUS-1:0]    h_data;

    wire comes = q_valid && q_inside;
    wire other = held && (comes ? line != h_line : flush && !q_valid);
    wire push;
    wire load  = comes && (!other || push);
    assign q_pop = q_inside ? !other || push : 1'b1;

    // Lines of bursts that are offered, and of the one that may still grow.
    reg  [LINE_W-1:0] first;
    reg  [8:0]        count;
    reg  [4:0]        open;                 // bursts that are not written yet
    wire              room;
    wire [LINE_W-1:0] next    = first + {{(LINE_W-9){1'b0}}, count};
    wire [AXI_W-1:0]  place   = base_line + {{(AXI_W-LINE_W){1'b0}}, next};
    wire [AXI_W-1:0]  begins  = base_line + {{(AXI_W-LINE_W){1'b0}}, first};
    wire              some    = count != 9'd0;
    wire              full    = some && (place[7:0] & INSIDE) == 8'd0;
    wire              grows   = some && !full && next == h_line;
    wire              ends    = some && (full || (other && !grows) || (flush && !held && !q_valid));
    wire              offer   = ends && (!store_valid || store_ready) && open[4:3] != 2'b11;
    assign push = other && room && (!some || offer || grows);

    samhw_queue #(.W(BUS+BYTES), .LOG2(LINES_LOG2)) u_lines (
        .clk(clk), .rst(rst),
        .in_valid(push), .in_ready(room), .in_data({h_strobe, h_data}),
        .out_valid(line_valid), .out_ready(line_ready), .out_data(line_beat)
    );

    assign idle = !q_valid && !held && !some && !store_valid && open == 5'd0;

    always @(posedge clk) begin
        if (load) begin
            h_line   <= line;
            h_strobe <= other || !held ? strobe : h_strobe | strobe;
            h_data   <= other || !held ? spread & mask : (h_data & ~mask) | (spread & mask);
        end
        if (push && (!some || offer))
            first <= h_line;
        if (offer)
            store_beat <= {count[7:0] - 8'd1, begins << BUS_LOG2};
        if (rst) begin
            held        <= 1'b0;
            count       <= 9'd0;
            open        <= 5'd0;
            store_valid <= 1'b0;
            beyond      <= 1'b0;
        end else begin
            held  <= load || (held && !push);
            count <= offer ? {8'd0, push} : count + {8'd0, push};
            open  <= open + {4'd0, offer} - {4'd0, ack};
            if (offer || store_ready)
                store_valid <= offer;
            beyond <= beyond || (q_valid && !q_inside);
        end
    end

    wire _unused_ok = &{1'b0, base_word, place, 1'b0};

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst && (ack && open == 5'd0 || flush && write_valid)) begin
            $display("samhw_axi_writer: an ack without a burst, or a word after the end");
            $stop;
        end
`endif

endmodule

`default_nettype wire
