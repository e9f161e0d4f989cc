// SPDX-License-Identifier: Apache-2.0
//
// The words that a core's read requests of one array in memory ask for, one after the other.
//
//   Consumes    read_req {addr} or {len, addr} (KIND 1).
//   Produces    w_word: addr (KIND 0), addr .. addr+len-1 (KIND 1), addr and addr+1 (KIND 2 and 3, the second
//               alone where addr was the word before), plus `offset`; w_out: an answer ends with it;
//               w_two: the one behind it goes with it (KIND 3, both of one line). w_take takes it.
//   Beyond      a request that does not lie within `words`: nothing moves any more until reset.
//   Throughput  one word per cycle.
//   Parameters  ADDR_W bits of a word's number; WORD_W of one with the offset; KIND; LANE_W bits of the
//               offset, with KIND 3 log2 of the words of a line.
//   Reset       valid bits and state. words and offset are stable in between.
`default_nettype none

module samhw_axi_words #(
    parameter ADDR_W = 16,
    parameter WORD_W = 20,
    parameter LANE_W = 1,
    parameter KIND   = 0
) (
    input  wire                                       clk,
    input  wire                                       rst,

    input  wire [ADDR_W:0]                            words,
    input  wire [LANE_W-1:0]                          offset,
    output reg                                        beyond,

    input  wire                                       read_req_valid,
    output wire                                       read_req_ready,
    input  wire [(KIND == 1 ? 2*ADDR_W : ADDR_W)-1:0] read_req_beat,

    output reg                                        w_valid,
    input  wire                                       w_take,
    output reg                                        w_out,
    output reg                                        w_two,
    output reg  [WORD_W-1:0]                          w_word
);
    generate
        if (ADDR_W < 1 || LANE_W < 1
            || WORD_W < ADDR_W || WORD_W < LANE_W
            || KIND < 0 || KIND > 3) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam              REQ_W    = KIND == 1 ? 2*ADDR_W : ADDR_W;
    localparam [ADDR_W-1:0] ONE_WORD = 1;

    wire              q_valid;
    wire              q_pop;
    wire [REQ_W-1:0]  q_beat;
    samhw_skid #(.W(REQ_W), .PASS(1)) u_req (
        .clk(clk), .rst(rst),
        .in_valid(read_req_valid), .in_ready(read_req_ready), .in_beat(read_req_beat),
        .out_valid(q_valid), .out_ready(q_pop), .out_beat(q_beat)
    );
    wire [ADDR_W-1:0] q_addr = q_beat[ADDR_W-1:0];
    wire [ADDR_W-1:0] q_len;

    wire              w_free = !w_valid || w_take;

    wire [ADDR_W:0]   q_end    = {1'b0, q_addr} + {1'b0, q_len};
    wire              q_inside = q_end <= words;
    wire              begins;                // the word is the first one of its request
    wire [ADDR_W-1:0] addr;
    wire              out;
    wire              two;
    wire              step = w_free && (q_valid && q_inside || !begins);

    generate
        if (KIND == 1) begin : g_burst
            reg               going;
            reg  [ADDR_W-1:0] next;
            reg  [ADDR_W-1:0] left;
            wire [ADDR_W-1:0] len = going ? left : q_len;
            assign q_len  = q_beat[ADDR_W +: ADDR_W];
            assign begins = !going;
            assign addr   = going ? next : q_addr;
            assign out    = 1'b1;
            assign two    = 1'b0;
            assign q_pop  = w_free && !going && q_inside;
            always @(posedge clk) begin
                if (step) begin
                    next <= addr + ONE_WORD;
                    left <= len - ONE_WORD;
                end
                if (rst)
                    going <= 1'b0;
                else if (step)
                    going <= len != ONE_WORD;
            end
        end else if (KIND >= 2) begin : g_pair
            // Word `last` went by as the latest one, if there was one.
            reg               some;
            reg               second;
            reg  [ADDR_W-1:0] last;
            wire              known = second || (some && last == q_addr);
            wire [WORD_W-1:0] place = {{(WORD_W-ADDR_W){1'b0}}, q_addr} + {{(WORD_W-LANE_W){1'b0}}, offset};
            wire              both  = KIND == 3 && !(&place[LANE_W-1:0]);
            wire              ends  = known || both;
            assign q_len  = ONE_WORD + ONE_WORD;
            assign begins = 1'b1;
            assign addr   = known && !both ? q_addr + ONE_WORD : q_addr;
            assign out    = ends;
            assign two    = both;
            assign q_pop  = w_free && q_inside && ends;
            wire _unused_ok = &{1'b0, place, 1'b0};
            always @(posedge clk) begin
                if (step)
                    last <= ends ? q_addr + ONE_WORD : q_addr;
                if (rst) begin
                    some   <= 1'b0;
                    second <= 1'b0;
                end else if (step) begin
                    some   <= 1'b1;
                    second <= !ends;
                end
            end
        end else begin : g_single
            assign q_len  = ONE_WORD;
            assign begins = 1'b1;
            assign addr   = q_addr;
            assign out    = 1'b1;
            assign two    = 1'b0;
            assign q_pop  = w_free && q_inside;
        end
    endgenerate

    always @(posedge clk) begin
        if (step) begin
            w_word <= {{(WORD_W-ADDR_W){1'b0}}, addr} + {{(WORD_W-LANE_W){1'b0}}, offset};
            w_out  <= out;
            w_two  <= two;
        end
        if (rst) begin
            w_valid <= 1'b0;
            beyond  <= 1'b0;
        end else begin
            if (w_free)
                w_valid <= step;
            beyond <= beyond || (q_valid && begins && !q_inside);
        end
    end

endmodule

`default_nettype wire
