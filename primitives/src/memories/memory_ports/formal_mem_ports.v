// SPDX-License-Identifier: Apache-2.0
//
// Proof: each reader's requests are answered once each, in order, with the words that the host (or the core)
// wrote at their addresses: the one there, that and its neighbour, or as many as are asked for, whatever the
// other reader does. An answer stays until it is taken. At a port of its own a reader has an answer a cycle after
// it asks, and then every cycle; at a shared one while the other reader has nothing to ask and no answer. What the
// core wrote the host reads while nobody else does.
// by: reachability
// case two: KIND=0
// case two_mixed: KIND=1
// case turns: KIND=2
// case turns_mixed: KIND=3
// case rw: KIND=4
// case kept: KIND=5
// case kept_pairs: KIND=6
// mutant of two samhw_ram: PORTS > 1 && write ? write_addr : read_addr[ADDR_W-1:0] => read_addr[ADDR_W-1:0]
// mutant of two samhw_ports: = words[p*RSP_W +: RSP_W]; => = words[0 +: RSP_W];
// mutant of two_mixed samhw_ram_pairs: (read_both[p] ? addr & ONE : {ADDR_W{1'b0}}) => {ADDR_W{1'b0}}
// mutant of two_mixed samhw_ports: words[p*RSP_W +: DATA_W]}; => words[0 +: DATA_W]};
// mutant of two_mixed samhw_ports: (BURST >> FROM) & LOW; => BURST & LOW;
// mutant of turns samhw_read_port: read_rsp_valid <= pick; => read_rsp_valid <= asks;
// mutant of turns samhw_read_port: (read_rsp_valid & ~read_rsp_ready) == {N{1'b0}}; => 1'b1;
// mutant of turns samhw_read_port: .word_taken(open && pick[k]) => .word_taken(open)
// mutant of turns_mixed samhw_read_port: both = PAIR[n]; => both = PAIR[N-1];
// mutant of turns_mixed samhw_read_port: addr = addrs[n*ADDR_W +: ADDR_W];
//     => addr = addrs[(N-1)*ADDR_W +: ADDR_W];
// mutant of rw samhw_mem_ports_rw: .write(write_valid && !rst), => .write(!rst),
// mutant of rw samhw_mem_ports_rw: .write_addr(write_beat[ADDR_W-1:0]), => .write_addr(read_req_beat[ADDR_W-1:0]),
// mutant of kept samhw_mem_ports_kept: .write(write_valid && !rst), => .write(!rst),
// mutant of kept samhw_ports: p == 0 && peek ? peek_addr : at; => at;
// mutant of kept_pairs samhw_mem_ports_kept: .peek(host_read), => .peek(1'b0),
// mutant of kept_pairs samhw_ram_pairs: if (read[p])\n                    swapped <= addr[0]; => swapped <= addr[0];
`default_nettype none

module formal_mem_ports #(
    parameter KIND = 0
) (
    input wire       clk,
    input wire       any,
    input wire       write,
    input wire [1:0] write_addr,
    input wire       write_data,
    input wire       peek,
    input wire [1:0] peek_addr,
    input wire [1:0] req_valid,
    input wire [7:0] reqs,
    input wire [1:0] rsp_ready
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    // Two readers at two ports or in turns; the first one of pairs, the second one of bursts.
    localparam       FIRST = KIND < 2 ? 1 : 2;
    localparam       CORE  = KIND >= 4;
    localparam       KEPT  = KIND >= 5;
    localparam [1:0] BURST = KIND == 1 || KIND == 3 || KIND == 4 ? 2'd2 : 2'd0;
    localparam [1:0] PAIR  = KIND == 1 || KIND == 3 || KIND == 6 ? 2'd1 : 2'd0;
    localparam       REQ_W = BURST != 0 ? 4 : 2;
    localparam       RSP_W = PAIR != 0 ? 2 : 1;

    // The reader that is watched.
    reg who;
    always @(posedge clk)
        if (!started)
            who <= any;
    wire [1:0] addr  = who ? reqs[5:4] : reqs[1:0];
    wire [1:0] len   = who ? reqs[7:6] : reqs[3:2];
    wire       burst = BURST[who];
    wire       two   = PAIR[who];

    // What the words are: unknown until they are written.
    reg [3:0] words;
    reg [3:0] known = 4'd0;
    always @(posedge clk)
        if (write && (started || !CORE)) begin
            words[write_addr] <= write_data;
            known[write_addr] <= 1'b1;
        end

    wire [1:0]         req_ready;
    wire [1:0]         rsp_valid;
    wire [2*RSP_W-1:0] rsp_beat;
    wire               w_ready;
    wire               peeked;
    wire [2*REQ_W-1:0] beats;
    generate
        if (BURST != 0) begin : g_long
            assign beats = reqs;
        end else begin : g_short
            assign beats = {reqs[5:4], reqs[1:0]};
        end
        if (KEPT) begin : g_kept
            samhw_mem_ports_kept #(
                .N(2), .ADDR_W(2), .DATA_W(1), .WORDS(4), .BURST({30'd0, BURST}), .PAIR({30'd0, PAIR})
            ) dut (
                .clk(clk), .rst(rst),
                .read_req_valid(req_valid), .read_req_ready(req_ready), .read_req_beat(beats),
                .write_valid(write), .write_ready(w_ready), .write_beat({write_data, write_addr}),
                .read_rsp_valid(rsp_valid), .read_rsp_ready(rsp_ready), .read_rsp_beat(rsp_beat),
                .host_read(peek), .host_addr(peek_addr), .host_rdata(peeked)
            );
        end else if (CORE) begin : g_core
            samhw_mem_ports_rw #(
                .N(2), .ADDR_W(2), .DATA_W(1), .WORDS(4), .BURST({30'd0, BURST}), .PAIR({30'd0, PAIR})
            ) dut (
                .clk(clk), .rst(rst),
                .read_req_valid(req_valid), .read_req_ready(req_ready), .read_req_beat(beats),
                .write_valid(write), .write_ready(w_ready), .write_beat({write_data, write_addr}),
                .read_rsp_valid(rsp_valid), .read_rsp_ready(rsp_ready), .read_rsp_beat(rsp_beat)
            );
            assign peeked = 1'b0;
        end else begin : g_host
            samhw_mem_ports #(
                .N(2), .FIRST(FIRST), .ADDR_W(2), .DATA_W(1), .WORDS(4), .BURST({30'd0, BURST}), .PAIR({30'd0, PAIR})
            ) dut (
                .clk(clk), .rst(rst),
                .read_req_valid(req_valid), .read_req_ready(req_ready), .read_req_beat(beats),
                .read_rsp_valid(rsp_valid), .read_rsp_ready(rsp_ready), .read_rsp_beat(rsp_beat),
                .host_write(write), .host_addr(write_addr), .host_wdata(write_data)
            );
            assign {w_ready, peeked} = 2'b10;
        end
    endgenerate

    wire             mine  = req_valid[who];
    wire             valid = rsp_valid[who];
    wire             ready = rsp_ready[who];
    wire [RSP_W-1:0] given = who ? rsp_beat[RSP_W +: RSP_W] : rsp_beat[RSP_W-1:0];
    wire             take  = started && mine && req_ready[who];
    wire             give  = started && valid && ready;

    // What is written is written before anybody reads; a word that is read was written; bursts and pairs are within
    // the memory. The host reads while nobody else does.
    reg  busy = 1'b0;
    always @(posedge clk)
        if (req_valid != 2'd0)
            busy <= 1'b1;
    wire [1:0] more  = addr + 2'd1;
    wire [2:0] end_  = {1'b0, addr} + {1'b0, len};
    wire       quiet = count == 3'd0 && others == 3'd0 && req_valid == 2'd0;
    always @* begin
        assume (!(write && (busy || req_valid != 2'd0)));
        assume (!mine || (known[addr] && (!two || (known[more] && addr != 2'd3))));
        assume (!burst || !mine || (known == 4'd15 && len != 2'd0 && end_ <= 3'd4));
        assume (!peek || (started && KEPT && quiet && !write && known[peek_addr]));
    end

    // What the reader is owed, the oldest first.
    wire [1:0] size  = burst ? len : 2'd1;
    wire [1:0] last  = addr + 2'd2;
    wire [5:0] pair  = {4'd0, words[more], words[addr]};
    wire [5:0] asked = two ? pair : {1'b0, words[last], 1'b0, words[more], 1'b0, words[addr]};
    reg  [7:0] owed;
    reg  [2:0] count = 3'd0;
    wire [2:0] rest  = count - {2'd0, give};
    wire [7:0] left  = give ? owed >> 2 : owed;
    wire [7:0] mask  = ~(8'hff << (rest * 2));
    always @(posedge clk)
        if (started) begin
            count <= rest + (take ? {1'b0, size} : 3'd0);
            owed  <= take ? (left & mask) | ({2'd0, asked} << (rest * 2)) : left;
        end

    // What the other one is owed: as many as it asks for, one at least.
    reg  [2:0] others = 3'd0;
    wire       their  = started && req_valid[!who] && req_ready[!who];
    wire       theirs = started && rsp_valid[!who] && rsp_ready[!who];
    wire [1:0] long_  = BURST[!who] ? (who ? reqs[3:2] : reqs[7:6]) : 2'd1;
    always @(posedge clk)
        if (started)
            others <= others + (their ? {1'b0, long_} : 3'd0) - {2'd0, theirs};
    always @*
        assume (!BURST[!who] || !req_valid[!who] || long_ != 2'd0);

    reg stays = 1'b0;
    always @(posedge clk)
        stays <= started && valid && !ready;

    // At a shared port the other one is in the way while it asks or has an answer.
    wire alone = !peek && (FIRST == 1 || (others == 3'd0 && !req_valid[!who]));
    samhw_soon #(.MOST(1)) answered (.clk(clk), .started(started), .waits(count != 3'd0 && !valid && alone));
    samhw_soon #(.MOST(2)) taken (.clk(clk), .started(started), .waits(mine && !take && !valid && alone));

    // The host's answer comes two cycles later.
    reg [1:0] wanted = 2'd0;
    reg       late;
    reg       told;
    always @(posedge clk) begin
        wanted <= {wanted[0], peek};
        late   <= words[peek_addr];
        told   <= late;
    end

    always @*
        if (started) begin
            assert (w_ready);
            assert (!valid || (count != 3'd0 && given[0] == owed[0] && (!two || given[RSP_W-1] == owed[1])));
            assert (!stays || valid);
            assert (!take || rest <= 3'd4);
            assert (!wanted[1] || peeked == told);
        end

endmodule

`default_nettype wire
