// SPDX-License-Identifier: Apache-2.0
//
// Cuts the requests of a memory's reader into words.
//
//   Consumes    req {addr}, with BURST {len, addr}, len >= 1.
//   Produces    word_valid and word_addr: the next word of the requests, until it is taken.
//   Throughput  one word per cycle, without a gap between requests of any length.
//   Latency     the first word of a request is there in the cycle in which that arrives.
//   Parameters  ADDR_W bits of an address, and of a length; BURST.
//   Reset       valid bits and state.
`default_nettype none

module samhw_words #(
    parameter ADDR_W = 8,
    parameter BURST  = 0
) (
    input  wire                        clk,
    input  wire                        rst,

    input  wire                        req_valid,
    output wire                        req_ready,
    input  wire [(BURST+1)*ADDR_W-1:0] req_beat,

    output wire                        word_valid,
    output wire [ADDR_W-1:0]           word_addr,
    input  wire                        word_taken
);
    generate
        if (ADDR_W < 1 || BURST < 0 || BURST > 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    wire                        head_valid;
    wire                        head_pop;
    wire [(BURST+1)*ADDR_W-1:0] head;

    samhw_skid #(.W((BURST+1)*ADDR_W), .PASS(1)) u_req (
        .clk(clk), .rst(rst),
        .in_valid(req_valid), .in_ready(req_ready), .in_beat(req_beat),
        .out_valid(head_valid), .out_ready(head_pop), .out_beat(head)
    );

    generate
        if (BURST != 0) begin : g_burst
            localparam [ADDR_W-1:0] ONE = 1;
            // The words of a request behind its first one.
            reg               going;
            reg  [ADDR_W-1:0] next;
            reg  [ADDR_W-1:0] left;
            wire [ADDR_W-1:0] many = going ? left : head[ADDR_W +: ADDR_W];

            assign word_valid = going || head_valid;
            assign word_addr  = going ? next : head[ADDR_W-1:0];
            assign head_pop   = word_taken && !going;

            always @(posedge clk) begin
                if (word_taken && word_valid) begin
                    next <= word_addr + ONE;
                    left <= many - ONE;
                end
                if (rst)
                    going <= 1'b0;
                else if (word_taken && word_valid)
                    going <= many != ONE;
            end

`ifdef SAMHW_ASSERT
            always @(posedge clk)
                if (!rst && head_valid && !going && many == {ADDR_W{1'b0}}) begin
                    $display("samhw_words: a request for no words");
                    $stop;
                end
`endif
        end else begin : g_single
            assign word_valid = head_valid;
            assign word_addr  = head;
            assign head_pop   = word_taken;
        end
    endgenerate

endmodule

`default_nettype wire
