// SPDX-License-Identifier: Apache-2.0
//
// A port of a memory's RAM and its readers, one of which reads at a time.
//
//   Consumes    read_req, N of them: {addr}, of those in BURST {len, addr}, len >= 1.
//   Produces    `read` at `addr`, with the word behind it if `both`; read_rsp_valid, of the reader whose answer
//               the RAM gives from the next edge on, until it is taken.
//   Throughput  a read per cycle. Of several readers that ask, the first one reads, when no answer waits.
//   Readers     wait until the others' answers are taken. So no two may ask at the same time, unless each takes
//               its answers whatever the others do.
//   Latency     a request is read in the cycle in which it arrives, if it is alone.
//   Parameters  N readers, at most 31; ADDR_W; BURST, PAIR: a bit for each reader, at most one of them set.
//   Reset       valid bits and state.
`default_nettype none

module samhw_read_port #(
    parameter        N      = 1,
    parameter        ADDR_W = 8,
    parameter [31:0] BURST  = 0,
    parameter [31:0] PAIR   = 0
) (
    input  wire                                     clk,
    input  wire                                     rst,

    input  wire [N-1:0]                             read_req_valid,
    output wire [N-1:0]                             read_req_ready,
    input  wire [N*(BURST != 0 ? 2 : 1)*ADDR_W-1:0] read_req_beat,

    output reg  [N-1:0]                             read_rsp_valid,
    input  wire [N-1:0]                             read_rsp_ready,

    output wire                                     read,
    output reg  [ADDR_W-1:0]                        addr,
    output reg                                      both
);
    generate
        if (ADDR_W < 1 || N < 1 || N > 31
            || (BURST & PAIR) != 0
            || ((BURST | PAIR) >> (N - 1)) > 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam         REQ_W = (BURST != 0 ? 2 : 1) * ADDR_W;
    localparam [N-1:0] ONE   = 1;

    // The word that each asks for; the first one that asks reads when no answer waits.
    wire [N-1:0]        asks;
    wire [N*ADDR_W-1:0] addrs;
    wire                open = (read_rsp_valid & ~read_rsp_ready) == {N{1'b0}};
    wire [N-1:0]        pick = asks & (~asks + ONE);
    assign read = open && asks != {N{1'b0}};

    genvar k;
    generate
        for (k = 0; k < N; k = k + 1) begin : g_reader
            localparam BURSTS = (BURST >> k) & 1;
            samhw_words #(.ADDR_W(ADDR_W), .BURST(BURSTS)) u_words (
                .clk(clk), .rst(rst),
                .req_valid(read_req_valid[k]), .req_ready(read_req_ready[k]),
                .req_beat(read_req_beat[k*REQ_W +: (BURSTS+1)*ADDR_W]),
                .word_valid(asks[k]), .word_addr(addrs[k*ADDR_W +: ADDR_W]), .word_taken(open && pick[k])
            );
            if ((BURSTS+1)*ADDR_W < REQ_W) begin : g_short
                wire _unused_ok = &{1'b0, read_req_beat[k*REQ_W+ADDR_W +: ADDR_W], 1'b0};
            end
        end
    endgenerate

    integer n;
    always @* begin
        addr = addrs[(N-1)*ADDR_W +: ADDR_W];
        both = PAIR[N-1];
        for (n = N - 2; n >= 0; n = n - 1)
            if (asks[n]) begin
                addr = addrs[n*ADDR_W +: ADDR_W];
                both = PAIR[n];
            end
    end

    always @(posedge clk)
        if (rst)
            read_rsp_valid <= {N{1'b0}};
        else if (open)
            read_rsp_valid <= pick;

endmodule

`default_nettype wire
