// SPDX-License-Identifier: Apache-2.0
//
// Proof: each reader's requests are answered once each, in order, with the words that the host (or the core)
// wrote at their addresses: the one there, that and its neighbour, or as many as are asked for. An answer
// stays until it is taken. What a reader is owed comes within a few cycles, one after the other, and its next
// request is taken or it has an answer within a few, whatever the other one does, also if that never takes
// any. The reader that is watched is any; of the other one nothing is assumed.
// by: reachability
// case single: KIND=0
// case burst: KIND=1
// case pair: KIND=2
// case banks: KIND=3
// long case burst_banks: KIND=4
// case burst_rw: KIND=5
// mutant of single samhw_shared_port: .in_valid(next_valid && any_room) => .in_valid(next_valid)
// mutant of single samhw_shared_port: any_room <= give || room != ONE; => any_room <= 1'b1;
// mutant of single samhw_shared_port: .out_valid(word_valid), .out_ready(taken)
//     => .out_valid(word_valid), .out_ready(1'b1)
// mutant of single samhw_mem_shared: asked   <= granted; => asked   <= picks[b*N +: N];
// mutant of burst samhw_words: going <= many != ONE; => going <= head[ADDR_W +: ADDR_W] != ONE;
// mutant of burst samhw_words: next <= word_addr + ONE; => next <= head[ADDR_W-1:0] + ONE;
// mutant of pair samhw_mem_shared: granted <= picks[b*N +: N]; => granted <= wants;
// mutant of pair samhw_shared_port: room     <= load ? room - ONE : room + ONE;
//     => room     <= load ? room - ONE : room;
// mutant of pair samhw_ram_wide: turn_late  <= turn_read; => turn_late  <= first;
// mutant of pair samhw_mem_shared: >> WIDE_LOG2) + ONE; => >> WIDE_LOG2);
// mutant of banks samhw_mem_shared: .read_addr(at >> BANKS_LOG2) => .read_addr(at)
// mutant of banks samhw_mem_shared: (host_word[ADDR_W-1:0] & BANK_BITS) == HERE => 1'b1
// mutant of burst_banks samhw_mem_shared: valid[n] && (addrs[n*ADDR_W +: ADDR_W] & BANK_BITS) == HERE; => valid[n];
// mutant of burst_banks samhw_mem_shared: ((host_word >> BANKS_LOG2) << PARTS_LOG2) => (host_word << PARTS_LOG2)
// mutant of burst_rw samhw_mem_shared_rw: .host_write(write_valid && !rst), => .host_write(!rst),
// mutant of burst_rw samhw_mem_shared_rw: .host_addr(write_beat[ADDR_W-1:0]), .host_wdata
//     => .host_addr(read_req_beat[ADDR_W-1:0]), .host_wdata
`default_nettype none

module formal_mem_shared #(
    parameter KIND = 0
) (
    input wire       clk,
    input wire       any,
    input wire       host,
    input wire [1:0] host_addr,
    input wire       host_wdata,
    input wire [1:0] req_valid,
    input wire [7:0] reqs,
    input wire [1:0] rsp_ready
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    localparam BURST = KIND == 1 || KIND == 4 || KIND == 5;
    localparam TWO   = KIND == 2;
    localparam CORE  = KIND == 5;
    localparam BANKS = KIND == 3 || KIND == 4;
    localparam W     = TWO ? 2 : 1;

    // The reader that is watched.
    reg who;
    always @(posedge clk)
        if (!started)
            who <= any;
    wire [1:0] addr = who ? reqs[5:4] : reqs[1:0];
    wire [1:0] len  = who ? reqs[7:6] : reqs[3:2];

    // What the words are: unknown until they are written.
    reg  [3:0] words;
    reg  [3:0] known = 4'd0;
    always @(posedge clk)
        if (host && (started || !CORE)) begin
            words[host_addr] <= host_wdata;
            known[host_addr] <= 1'b1;
        end

    wire [1:0]     req_ready;
    wire [1:0]     rsp_valid;
    wire [2*W-1:0] rsp_beat;
    wire           w_ready;
    generate
        if (CORE) begin : g_core
            samhw_mem_shared_rw #(.N(2), .ADDR_W(2), .DATA_W(1), .WORDS(4), .BURST(1), .QUEUE_LOG2(1)) dut (
                .clk(clk), .rst(rst),
                .read_req_valid(req_valid), .read_req_ready(req_ready), .read_req_beat(reqs),
                .write_valid(host), .write_ready(w_ready), .write_beat({host_wdata, host_addr}),
                .read_rsp_valid(rsp_valid), .read_rsp_ready(rsp_ready), .read_rsp_beat(rsp_beat)
            );
        end else begin : g_host
            wire [(BURST ? 8 : 4)-1:0] beats;
            if (BURST) begin : g_burst
                assign beats = reqs;
            end else begin : g_single
                assign beats = {reqs[5:4], reqs[1:0]};
            end
            samhw_mem_shared #(
                .N(2), .ADDR_W(2), .DATA_W(1), .WORDS(4), .BURST(BURST), .WIDE_LOG2(TWO), .BANKS_LOG2(BANKS),
                .QUEUE_LOG2(1)
            ) dut (
                .clk(clk), .rst(rst),
                .read_req_valid(req_valid), .read_req_ready(req_ready), .read_req_beat(beats),
                .read_rsp_valid(rsp_valid), .read_rsp_ready(rsp_ready), .read_rsp_beat(rsp_beat),
                .host_write(host), .host_addr(host_addr), .host_wdata(host_wdata)
            );
            assign w_ready = 1'b1;
        end
    endgenerate

    wire         mine  = req_valid[who];
    wire         valid = rsp_valid[who];
    wire         ready = rsp_ready[who];
    wire [W-1:0] given = who ? rsp_beat[W +: W] : rsp_beat[W-1:0];
    wire         take  = started && mine && req_ready[who];
    wire         give  = started && valid && ready;

    // The host writes before the reader reads; a word that is read was written; bursts and pairs are within the memory.
    reg  busy = 1'b0;
    always @(posedge clk)
        if (mine)
            busy <= 1'b1;
    wire [1:0] more = addr + 2'd1;
    wire [2:0] end_ = {1'b0, addr} + {1'b0, len};
    always @* begin
        assume (!(host && (busy || mine)));
        assume (!mine || (known[addr] && (!TWO || (known[more] && addr != 2'd3))));
        assume (!BURST || !mine || (known == 4'd15 && len != 2'd0 && end_ <= 3'd4));
    end

    // What the reader is owed, the oldest first.
    wire [1:0]     size = BURST ? len : 2'd1;
    wire [1:0]     last = addr + 2'd2;
    wire [3*W-1:0] asked;
    generate
        if (TWO) begin : g_two
            assign asked = {4'd0, words[more], words[addr]};
        end else begin : g_one
            assign asked = {words[last], words[more], words[addr]};
        end
    endgenerate
    reg  [4*W-1:0] owed;
    reg  [2:0]     count = 3'd0;
    wire [2:0]     rest  = count - {2'd0, give};
    wire [4*W-1:0] left  = give ? owed >> W : owed;
    wire [4*W-1:0] mask  = ~({(4*W){1'b1}} << (rest * W));
    wire [4*W-1:0] new_  = {{W{1'b0}}, asked} << (rest * W);
    always @(posedge clk)
        if (started) begin
            count <= rest + (take ? {1'b0, size} : 3'd0);
            owed  <= take ? (left & mask) | new_ : left;
        end

    reg         stays = 1'b0;
    always @(posedge clk)
        stays <= started && valid && !ready;

    samhw_soon #(.MOST(7)) answered (.clk(clk), .started(started), .waits(count != 3'd0 && !valid));
    samhw_soon #(.MOST(9)) taken (.clk(clk), .started(started), .waits(mine && !take && !valid));

    always @*
        if (started) begin
            assert (w_ready);
            assert (!valid || (count != 3'd0 && given == owed[W-1:0]));
            assert (!stays || valid);
            assert (!take || rest <= 3'd1);
        end

endmodule

`default_nettype wire
