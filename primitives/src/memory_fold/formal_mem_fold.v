// SPDX-License-Identifier: Apache-2.0
//
// Proof: what the host reads is the fold of all values written to that address in this run, in order, however close they follow
// each other, and the run's fill where there was none, whatever the memory held before. Shown for one address; none is special. The host reads
// when nothing is under way.
// probe s1_go = dut.s1_go
// probe s1_valid = dut.s1_valid
// probe s1_mark = dut.s1_mark
// probe s1_addr = dut.s1_addr
// probe s1_val = dut.s1_val
// probe s2_begin = dut.s2_begin
// probe s2_we = dut.s2_we
// probe s2_at = dut.s2_at
// probe s2_val = dut.s2_val
// probe fill = dut.fill
// probe top = dut.top
// probe top_there = dut.top_there
// probe hit = dut.g_level[0].hit
// probe bits_written = dut.g_level[0].written
// probe bits_answer = dut.g_level[0].u_ram.rdata
// probe bits = dut.g_level[0].u_ram.words[0]
// probe s2_next = dut.u_fold.g_now.s2_next
// probe s2_past = dut.u_fold.g_now.s2_past
// probe s2_late = dut.u_fold.g_now.s2_late
// probe s3_we = dut.u_fold.g_now.s3_we
// probe s3_at = dut.u_fold.g_now.s3_at
// probe s3_fresh = dut.u_fold.g_now.s3_fresh
// probe s3_old = dut.u_fold.old
// probe s3_new = dut.u_fold.g_now.s3_new
// probe s4_we = dut.u_fold.g_now.s4_we
// probe s4_at = dut.u_fold.g_now.s4_at
// probe written = dut.u_fold.g_now.written
// probe past = dut.u_fold.g_now.past
// probe answer = dut.u_ram.rdata
// probe word = dut.u_ram.words[0]
// mutant samhw_mem_fold: hit <= s2_we && pre == => hit <= s2_begin && pre ==
// mutant samhw_mem_fold: wire [N-1:0]     kept = (&there[k:0]) ? old => wire [N-1:0]     kept = (1'b1) ? old
// mutant samhw_mem_fold: .fresh(!(&there)) => .fresh(!there[0])
// mutant samhw_mem_fold: if (s2_begin)\n                top <= => if (1'b0)\n                top <=
// mutant samhw_mem_fold: host_there <= &there; => host_there <= there[0];
// mutant samhw_mem_fold: top_there  <= !s2_begin && ( => top_there  <= (
// mutant samhw_mem_fold: (top[s1_top] || (s2_we && s2_top == s1_top)) => (top[s1_top])
// mutant samhw_mem_fold: s1_valid ? s1_addr[INDEX_W-1:0] : s2_at; => s1_addr[INDEX_W-1:0];
// mutant samhw_fold_in_place: s2_late  <= s4_we && s4_at == next_at; => s2_late  <= s4_we && s4_at == next_at && s3_we;
// mutant samhw_fold_in_place: s2_past  <= s3_we && s3_at == next_at; => s2_past  <= s3_we && s3_at == next_at && s3_fresh;
`default_nettype none

module formal_mem_fold (
    input wire       clk,
    input wire       write_valid,
    input wire [8:0] write_beat,
    input wire       settled_ready,
    input wire       host_read,
    input wire [5:0] host_addr,
    input wire       s1_go,
    input wire       s1_valid,
    input wire       s1_mark,
    input wire [5:0] s1_addr,
    input wire [1:0] s1_val,
    input wire       s2_begin,
    input wire       s2_we,
    input wire [5:0] s2_at,
    input wire [1:0] s2_val,
    input wire [1:0] fill,
    input wire [7:0] top,
    input wire       top_there,
    input wire       hit,
    input wire [7:0] bits_written,
    input wire [7:0] bits_answer,
    input wire [7:0] bits,
    input wire       s2_next,
    input wire       s2_past,
    input wire       s2_late,
    input wire       s3_we,
    input wire [5:0] s3_at,
    input wire       s3_fresh,
    input wire [1:0] s3_old,
    input wire [1:0] s3_new,
    input wire       s4_we,
    input wire [5:0] s4_at,
    input wire [1:0] written,
    input wire [1:0] past,
    input wire [1:0] answer,
    input wire [1:0] word
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire       write_ready;
    wire       settled_valid;
    wire       settled_beat;
    wire [1:0] host_rdata;
    samhw_mem_fold #(.ADDR_W(6), .DATA_W(2), .WORDS(64)) dut (
        .clk(clk), .rst(rst),
        .write_valid(write_valid), .write_ready(write_ready), .write_beat(write_beat),
        .settled_valid(settled_valid), .settled_ready(settled_ready), .settled_beat(settled_beat),
        .host_read(host_read), .host_addr(host_addr), .host_rdata(host_rdata)
    );

    // What address 0 must hold, once what has left stage 1 is there.
    reg        known = 1'b0;
    reg  [1:0] fold;
    reg  [1:0] nothing;
    wire       begins  = s1_go && s1_mark && !s1_addr[0];
    wire       arrives = s1_go && !s1_mark && s1_addr == 6'd0;
    reg        begun = 1'b0;
    always @(posedge clk)
        if (started) begin
            known <= (known && !begins) || arrives;
            begun <= begun || begins;
            if (arrives)
                fold <= known ? fold + s1_val : s1_val;
            if (begins)
                nothing <= s1_val;
        end

    wire quiet = !s1_valid && !s2_we && !s2_begin && !s3_we && !s4_we;
    always @*
        assume (!host_read || (quiet && begun));

    // A read is answered two cycles later with what was there, also where the next run begins meanwhile; if none does, the answer stays.
    reg       asked = 1'b0;
    reg       came  = 1'b0;
    reg [1:0] due;
    always @(posedge clk) begin
        asked <= started && (host_read ? host_addr == 6'd0 : asked && !s1_valid);
        came  <= asked;
        due   <= known ? fold : nothing;
    end

    // Behind stage 2 the bit of address 0, behind stage 4 its word.
    wire       set   = top[0] && bits[0];
    wire       two   = s2_we && s2_at == 6'd0;
    wire       three = s3_we && s3_at == 6'd0;
    wire       near  = s2_we && s2_at[5:3] == 3'd0;
    wire [7:0] old   = hit ? bits_written : bits_answer;
    wire       four  = s4_we && s4_at == 6'd0;
    wire [1:0] there = four ? written : word;
    wire [1:0] base  = three ? s3_new : there;
    always @*
        if (started) begin
            assert (!came || host_rdata == due);
            // Where the bit is.
            assert (!(s2_we || asked) || top_there == top[s2_at[5:3]]);
            assert (!near || old == bits);
            assert (known == (two || (set && !s2_begin)));
            assert (!(s2_we && s2_begin));
            // Where the value is on its way.
            assert (!known || fold == (two ? (set ? base + s2_val : s2_val) : base));
            assert (!three || set || s2_begin);
            assert (!three || s3_fresh || s3_old == there);
            assert (!two || (s2_next == three && s2_past == four));
            assert (!two || !set || (s2_late ? past : answer) == word);
            // The fill, and what the host's read found.
            assert (!begun || (s2_begin ? s2_val : fill) == nothing);
            assert (!asked || (s2_at == 6'd0 && !hit && bits_answer == bits && answer == word && !four && !three && !two && !s2_begin));
        end

endmodule

`default_nettype wire
