// SPDX-License-Identifier: Apache-2.0
//
// Watches the coordinates that a core reads of a level in memory fiber by fiber: below the size of the
// dimension, rising within a fiber. Of bit vectors: no bit in the last word of a fiber at the size or above.
//
//   Consumes    asked, asked_len: a request is taken, of so many coordinates of one fiber; told, crd: a
//               coordinate of an answer is taken, in the order of the requests.
//   Produces    wrong: two cycles after the first coordinate that is not, until reset.
//   Parameters  KIND 0: coordinates rise, 1: neighbours may be equal, 2: crd is a word of DATA_W bits, a
//               power of two. ADDR_W bits of a length, DATA_W of a coordinate, LIMIT_W of the size;
//               WAIT_LOG2: at most 2**WAIT_LOG2 requests wait for the first of their answers.
//   Reset       all state. limit is stable in between.
`default_nettype none

module samhw_axi_order #(
    parameter ADDR_W    = 16,
    parameter DATA_W    = 16,
    parameter LIMIT_W   = 17,
    parameter KIND      = 0,
    parameter WAIT_LOG2 = 4
) (
    input  wire               clk,
    input  wire               rst,

    input  wire [LIMIT_W-1:0] limit,

    input  wire               asked,
    input  wire [ADDR_W-1:0]  asked_len,

    input  wire               told,
    input  wire [DATA_W-1:0]  crd,

    output reg                wrong
);
    generate
        if (ADDR_W < 1 || DATA_W < 1 || LIMIT_W < 1 || WAIT_LOG2 < 1
            || KIND < 0 || KIND > 2
            || (KIND == 2 && (DATA_W < 2 || (DATA_W & (DATA_W - 1)) != 0))) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam [ADDR_W-1:0] ONE = 1;

    reg               going;
    reg  [ADDR_W-1:0] left;
    wire              q_room;
    wire              q_valid;
    wire [ADDR_W-1:0] q_len;
    wire [ADDR_W-1:0] len = going ? left : q_len;
    samhw_queue #(.W(ADDR_W), .LOG2(WAIT_LOG2)) u_asked (
        .clk(clk), .rst(rst),
        .in_valid(asked), .in_ready(q_room), .in_data(asked_len),
        .out_valid(q_valid), .out_ready(told && !going), .out_data(q_len)
    );
    always @(posedge clk) begin
        if (told)
            left <= len - ONE;
        if (rst)
            going <= 1'b0;
        else if (told)
            going <= len != ONE;
    end

    reg               s_valid;
    reg               s_first;
    reg               s_last;
    reg  [DATA_W-1:0] s_crd;
    reg  [DATA_W-1:0] s_before;
    wire              bad;
    generate
        if (KIND == 2) begin : g_bits
            localparam BIT_W = $clog2(DATA_W);
            localparam W     = BIT_W > LIMIT_W ? BIT_W : LIMIT_W;
            wire [W:0]        wide_limit = {{(W+1-LIMIT_W){1'b0}}, limit};
            wire [BIT_W-1:0]  used       = wide_limit[BIT_W-1:0];
            wire [DATA_W-1:0] beyond     = s_crd >> used;
            assign bad = s_last && used != {BIT_W{1'b0}} && beyond != {DATA_W{1'b0}};
            wire _unused_ok = &{1'b0, wide_limit, s_first, s_before, 1'b0};
        end else begin : g_coordinates
            localparam W = DATA_W > LIMIT_W ? DATA_W : LIMIT_W;
            wire [W:0] wide_crd   = {{(W+1-DATA_W){1'b0}}, s_crd};
            wire [W:0] wide_limit = {{(W+1-LIMIT_W){1'b0}}, limit};
            wire       falls      = KIND == 1 ? s_crd < s_before : s_crd <= s_before;
            assign bad = wide_crd >= wide_limit || (!s_first && falls);
            wire _unused_ok = &{1'b0, s_last, 1'b0};
        end
    endgenerate

    always @(posedge clk) begin
        if (told) begin
            s_first  <= !going;
            s_last   <= len == ONE;
            s_crd    <= crd;
            s_before <= s_crd;
        end
        if (rst) begin
            s_valid <= 1'b0;
            wrong   <= 1'b0;
        end else begin
            s_valid <= told;
            wrong   <= wrong || (s_valid && bad);
        end
    end

    wire _unused_ok = &{1'b0, q_room, q_valid, 1'b0};

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst && (asked && !q_room || told && !going && !q_valid)) begin
            $display("samhw_axi_order: answers that were not asked for, or too many requests");
            $stop;
        end
`endif

endmodule

`default_nettype wire
