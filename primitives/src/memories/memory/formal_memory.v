// SPDX-License-Identifier: Apache-2.0
//
// Proof: each request is answered once, in order, with the words that the host wrote: the one at its address,
// that and its neighbour (as a pair, or as a group), or as many as it asks for; a word of two parts, which
// the host writes and reads one by one, as a whole. An answer stays until it is taken; with a core that takes
// answers one comes every cycle. What the core writes, the host reads, or the core itself.
// by: reachability
// case single: KIND=0
// case pair: KIND=1
// case burst: KIND=2
// case write: KIND=3
// case wide: KIND=4
// case parts: KIND=5
// case written_parts: KIND=6
// case single_rw: KIND=7
// case pair_rw: KIND=8
// case burst_rw: KIND=9
// mutant of single samhw_mem_single: wire              read = valid && free; => wire              read = valid;
// mutant of single samhw_mem_single: else if (free)\n            read_rsp_valid <= valid;
//     => else\n            read_rsp_valid <= valid;
// mutant of pair samhw_ram_pairs: (read_both[p] ? addr & ONE : {ADDR_W{1'b0}}); => {ADDR_W{1'b0}};
// mutant of pair samhw_ram_pairs: if (read[p])\n                    swapped <= addr[0]; => swapped <= addr[0];
// mutant of burst samhw_words: going <= many != ONE; => going <= head[ADDR_W +: ADDR_W] != ONE;
// mutant of burst samhw_words: left <= many - ONE; => left <= head[ADDR_W +: ADDR_W] - ONE;
// mutant of write samhw_mem_write: .write(write_valid && !rst), => .write(write_valid && !host_read),
// mutant of wide samhw_ram_wide: if (read)\n            turn_read <= first; => turn_read <= first;
// mutant of wide samhw_ram_wide: .read_addr(passed[b] ? read_row : row), => .read_addr(row),
// mutant of parts samhw_ram_parts: .write(write && (write_addr & PART) == HERE), => .write(write),
// mutant of parts samhw_ram_parts: wire [ADDR_W+PARTS_LOG2-1:0] word = write_addr >> PARTS_LOG2;
//     => wire [ADDR_W+PARTS_LOG2-1:0] word = write_addr;
// mutant of written_parts samhw_host_read: if (host_read)\n                    part <= host_addr & PART;
//     => part <= host_addr & PART;
// mutant of written_parts samhw_host_read: assign word = host_addr[PARTS_LOG2 +: ADDR_W];
//     => assign word = host_addr[ADDR_W-1:0];
// mutant of single_rw samhw_mem_single_rw: .host_write(write_valid && !rst), => .host_write(!rst),
// mutant of pair_rw samhw_mem_pair_rw: .host_write(write_valid && !rst), => .host_write(!rst),
// mutant of burst_rw samhw_mem_burst_rw: .host_write(write_valid && !rst), => .host_write(!rst),
// mutant of single_rw samhw_mem_single_rw: .host_addr(write_beat[ADDR_W-1:0]), .host_wdata(write_beat[ADDR_W +:
//     DATA_W]) => .host_addr(read_req_beat[ADDR_W-1:0]), .host_wdata(write_beat[ADDR_W +: DATA_W])
// mutant of pair_rw samhw_ram_pairs: if (read[p])\n                    swapped <= addr[0]; => swapped <= addr[0];
// mutant of burst_rw samhw_words: left <= many - ONE; => left <= head[ADDR_W +: ADDR_W] - ONE;
// mutant of write samhw_ram: if (read[0])\n            word => if (read[0] || write)\n            word
`default_nettype none

module formal_memory #(
    parameter KIND = 0
) (
    input wire       clk,
    input wire       host,
    input wire [1:0] host_addr,
    input wire       host_wdata,
    input wire       req_valid,
    input wire [1:0] addr,
    input wire [1:0] len,
    input wire       rsp_ready
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    // What the words are: unknown until they are written.
    reg  [3:0] words;
    reg  [3:0] known = 4'd0;
    wire       req_ready;
    wire       rsp_valid;
    wire [1:0] rsp_beat;
    // What the core writes the host reads; answers are of two words that the host writes; words have two parts.
    localparam RESULT = KIND == 3 || KIND == 6;
    localparam TWO    = KIND == 1 || KIND == 4 || KIND == 5 || KIND == 8;
    localparam BURST  = KIND == 2 || KIND == 9;
    localparam CORE   = KIND >= 7;
    localparam PARTS  = KIND == 5 || KIND == 6;
    wire       write      = RESULT ? started && req_valid : host && (started || !CORE);
    wire [1:0] write_addr = RESULT ? addr : host_addr;
    wire       word       = RESULT ? len[0] : host_wdata;
    always @(posedge clk)
        if (write) begin
            words[write_addr] <= word;
            known[write_addr] <= 1'b1;
            if (KIND == 6) begin
                words[write_addr + 2'd1] <= len[1];
                known[write_addr + 2'd1] <= 1'b1;
            end
        end

    wire w_ready;
    generate
        if (!CORE) begin : g_host
            assign w_ready = 1'b1;
        end
        if (KIND == 0) begin : g_single
            samhw_mem_single #(.ADDR_W(2), .DATA_W(1), .WORDS(4)) dut (
                .clk(clk), .rst(rst),
                .read_req_valid(req_valid), .read_req_ready(req_ready), .read_req_beat(addr),
                .read_rsp_valid(rsp_valid), .read_rsp_ready(rsp_ready), .read_rsp_beat(rsp_beat[0]),
                .host_write(host), .host_addr(host_addr), .host_wdata(host_wdata)
            );
            assign rsp_beat[1] = 1'b0;
        end else if (KIND == 1) begin : g_pair
            samhw_mem_pair #(.ADDR_W(2), .DATA_W(1), .WORDS(4)) dut (
                .clk(clk), .rst(rst),
                .read_req_valid(req_valid), .read_req_ready(req_ready), .read_req_beat(addr),
                .read_rsp_valid(rsp_valid), .read_rsp_ready(rsp_ready), .read_rsp_beat(rsp_beat),
                .host_write(host), .host_addr(host_addr), .host_wdata(host_wdata)
            );
        end else if (KIND == 2) begin : g_burst
            samhw_mem_burst #(.ADDR_W(2), .DATA_W(1), .WORDS(4)) dut (
                .clk(clk), .rst(rst),
                .read_req_valid(req_valid), .read_req_ready(req_ready), .read_req_beat({len, addr}),
                .read_rsp_valid(rsp_valid), .read_rsp_ready(rsp_ready), .read_rsp_beat(rsp_beat[0]),
                .host_write(host), .host_addr(host_addr), .host_wdata(host_wdata)
            );
            assign rsp_beat[1] = 1'b0;
        end else if (KIND == 4) begin : g_wide
            samhw_mem_wide #(.ADDR_W(2), .DATA_W(1), .WORDS(4), .WIDE_LOG2(1)) dut (
                .clk(clk), .rst(rst),
                .read_req_valid(req_valid), .read_req_ready(req_ready), .read_req_beat(addr),
                .read_rsp_valid(rsp_valid), .read_rsp_ready(rsp_ready), .read_rsp_beat(rsp_beat),
                .host_write(host), .host_addr(host_addr), .host_wdata(host_wdata)
            );
        end else if (KIND == 5) begin : g_parts
            samhw_mem_single #(.ADDR_W(1), .DATA_W(2), .WORDS(2), .PARTS_LOG2(1)) dut (
                .clk(clk), .rst(rst),
                .read_req_valid(req_valid), .read_req_ready(req_ready), .read_req_beat(addr[1]),
                .read_rsp_valid(rsp_valid), .read_rsp_ready(rsp_ready), .read_rsp_beat(rsp_beat),
                .host_write(host), .host_addr(host_addr), .host_wdata(host_wdata)
            );
        end else if (KIND == 6) begin : g_written_parts
            samhw_mem_write #(.ADDR_W(1), .DATA_W(2), .WORDS(2), .PARTS_LOG2(1)) dut (
                .clk(clk), .rst(rst),
                .write_valid(req_valid), .write_ready(req_ready), .write_beat({len, addr[1]}),
                .host_read(host), .host_addr(host_addr), .host_rdata(rsp_beat[0])
            );
            assign rsp_beat[1] = 1'b0;
            // The answer to the host holds.
            assign rsp_valid = answered;
        end else if (KIND == 7) begin : g_single_rw
            samhw_mem_single_rw #(.ADDR_W(2), .DATA_W(1), .WORDS(4)) dut (
                .clk(clk), .rst(rst),
                .read_req_valid(req_valid), .read_req_ready(req_ready), .read_req_beat(addr),
                .write_valid(host), .write_ready(w_ready), .write_beat({host_wdata, host_addr}),
                .read_rsp_valid(rsp_valid), .read_rsp_ready(rsp_ready), .read_rsp_beat(rsp_beat[0])
            );
            assign rsp_beat[1] = 1'b0;
        end else if (KIND == 8) begin : g_pair_rw
            samhw_mem_pair_rw #(.ADDR_W(2), .DATA_W(1), .WORDS(4)) dut (
                .clk(clk), .rst(rst),
                .read_req_valid(req_valid), .read_req_ready(req_ready), .read_req_beat(addr),
                .write_valid(host), .write_ready(w_ready), .write_beat({host_wdata, host_addr}),
                .read_rsp_valid(rsp_valid), .read_rsp_ready(rsp_ready), .read_rsp_beat(rsp_beat)
            );
        end else if (KIND == 9) begin : g_burst_rw
            samhw_mem_burst_rw #(.ADDR_W(2), .DATA_W(1), .WORDS(4)) dut (
                .clk(clk), .rst(rst),
                .read_req_valid(req_valid), .read_req_ready(req_ready), .read_req_beat({len, addr}),
                .write_valid(host), .write_ready(w_ready), .write_beat({host_wdata, host_addr}),
                .read_rsp_valid(rsp_valid), .read_rsp_ready(rsp_ready), .read_rsp_beat(rsp_beat[0])
            );
            assign rsp_beat[1] = 1'b0;
        end else begin : g_write
            samhw_mem_write #(.ADDR_W(2), .DATA_W(1), .WORDS(4)) dut (
                .clk(clk), .rst(rst),
                .write_valid(req_valid), .write_ready(req_ready), .write_beat({len[0], addr}),
                .host_read(host), .host_addr(host_addr), .host_rdata(rsp_beat[0])
            );
            assign rsp_beat[1] = 1'b0;
            // The answer to the host holds.
            assign rsp_valid = answered;
        end
    endgenerate

    // The host writes before the core reads; a word that is read was written; the core's bursts and pairs are
    // within the memory.
    reg busy = 1'b0;
    always @(posedge clk)
        if (req_valid)
            busy <= 1'b1;
    wire [1:0] more = addr + 2'd1;
    wire [2:0] end_ = {1'b0, addr} + {1'b0, len};
    always @* begin
        assume (RESULT || !(host && (busy || req_valid)));
        assume (RESULT || !req_valid || (known[addr] && (!TWO || (known[more] && addr != 2'd3))));
        assume (!PARTS || !req_valid || !addr[0]);
        assume (!BURST || !req_valid || (known == 4'd15 && len != 2'd0 && end_ <= 3'd4));
        assume (!RESULT || !host
                || (known[host_addr] && !(req_valid && addr[1] == host_addr[1] && (PARTS || addr == host_addr))));
    end

    // The request at hand, while some of its words are still to be answered.
    wire       take = started && req_valid && req_ready;
    wire       give = started && rsp_valid && rsp_ready;
    reg  [1:0] at   = 2'd0;
    reg  [1:0] left = 2'd0;
    reg  [1:0] other;
    reg  [1:0] wants = 2'd0;
    reg        answered = 1'b0;
    wire [1:0] size = BURST ? len : 2'd1;
    wire       last = give && left == 2'd1;
    // A second request waits behind it.
    always @(posedge clk)
        if (RESULT) begin
            // The host's answer comes two cycles later.
            if (started && host)
                {wants, other} <= {2'd1, 1'b0, words[host_addr]};
            if (wants != 2'd0)
                {answered, at, left} <= {1'b1, other, 2'd1};
        end else if (started) begin
            if (last || left == 2'd0) begin
                at    <= wants != 2'd0 ? other : addr;
                left  <= wants != 2'd0 ? wants : take ? size : 2'd0;
                other <= addr;
                wants <= wants != 2'd0 && take ? size : 2'd0;
            end else begin
                at   <= at + {1'b0, give};
                left <= left - {1'b0, give};
                if (take)
                    {other, wants} <= {addr, size};
            end
        end
    wire [1:0] next = at + 2'd1;
    samhw_soon #(.MOST(2)) taken (
        .clk(clk), .started(started), .waits(req_valid && !req_ready && rsp_ready && !rsp_valid)
    );

    always @*
        if (started && !RESULT) begin
            assert (w_ready);
            assert (rsp_valid == (left != 2'd0));
            assert (!rsp_valid || rsp_beat == {TWO && words[next], words[at]});
            assert (!take || wants == 2'd0 || last);
        end else if (started) begin
            assert (req_ready);
            assert (!answered || rsp_beat[0] == at[0]);
        end

endmodule

`default_nettype wire
