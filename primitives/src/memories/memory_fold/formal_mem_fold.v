// SPDX-License-Identifier: Apache-2.0
//
// Proof: what the host reads is the fold of all values written to that address in this run, in order, however
// close they follow each other, and the run's fill where there was none, whatever the memory held before.
// Shown for one address; none is special. The host reads when nothing is under way. The first case has one
// level of bits in RAM, the second two.
// case near: LEVEL_W=3
// case far: LEVEL_W=2
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
// probe hit = dut.g_first.hit
// probe bits_written = dut.g_first.written
// probe bits_answer = dut.g_first.u_ram.rdata
// probe bits = dut.g_first.u_ram.words[0]
// probe of far s3_we = dut.g_three.s3_we
// probe of far s3_at = dut.g_three.s3_at
// probe of far s3_val = dut.g_three.s3_val
// probe of far s3_there = dut.g_three.s3_there
// probe of far low_hit = dut.g_three.g_level[1].hit
// probe of far low_two_ago = dut.g_three.g_level[1].two_ago
// probe of far low_one_ago = dut.g_three.g_level[1].one_ago
// probe of far low_past = dut.g_three.g_level[1].past
// probe of far low_written = dut.g_three.g_level[1].written
// probe of far low_found = dut.g_three.g_level[1].found
// probe of far low_answer = dut.g_three.g_level[1].u_ram.rdata
// probe of far low_bits = dut.g_three.g_level[1].u_ram.words[0]
// probe f2_next = dut.u_fold.g_now.s2_next
// probe f2_past = dut.u_fold.g_now.s2_past
// probe f2_late = dut.u_fold.g_now.s2_late
// probe f3_we = dut.u_fold.g_now.s3_we
// probe f3_at = dut.u_fold.g_now.s3_at
// probe f3_fresh = dut.u_fold.g_now.s3_fresh
// probe f3_old = dut.u_fold.old
// probe f3_new = dut.u_fold.g_now.s3_new
// probe f4_we = dut.u_fold.g_now.s4_we
// probe f4_at = dut.u_fold.g_now.s4_at
// probe written = dut.u_fold.g_now.written
// probe past = dut.u_fold.g_now.past
// probe answer = dut.u_ram.rdata
// probe word = dut.u_ram.words[0]
// mutant samhw_mem_fold: hit <= s2_we && s2_top => hit <= s2_begin && s2_top
// mutant samhw_mem_fold: kept = top_there ? old => kept = 1'b1 ? old
// mutant samhw_mem_fold: .fresh(!f_there) => .fresh(!top_there)
// mutant samhw_mem_fold: if (s2_begin)\n                top <= => if (1'b0)\n                top <=
// mutant samhw_mem_fold: top_there <= !s2_begin && ( => top_there <= (
// mutant samhw_mem_fold: (top[s1_top] || (s2_we && s2_top == s1_top)) => (top[s1_top])
// mutant samhw_mem_fold: s1_valid ? s1_addr[INDEX_W-1:0] : s2_at; => s1_addr[INDEX_W-1:0];
// mutant of near samhw_mem_fold: host_there <= s2_there; => host_there <= top_there;
// mutant of far samhw_mem_fold: f_there ? read : fill => s3_there ? read : fill
// mutant of far samhw_mem_fold: f_there  = &there => f_there  = there[1]
// mutant of far samhw_mem_fold: hit     <= s3_we && => hit     <= s2_begin &&
// mutant of far samhw_mem_fold: one_ago <= s3_we && => one_ago <= s3_we && s3_there &&
// mutant of far samhw_mem_fold: two_ago <= hit => two_ago <= hit && s3_we
// mutant of far samhw_mem_fold: past    <= written => past    <= word
// mutant of far samhw_mem_fold: kept = (&there[k-1:0]) ? old => kept = 1'b1 ? old
// mutant of far samhw_mem_fold: read_at = host_read ? host_addr[INDEX_W-1:0] : s2_at => read_at = at
// mutant of far samhw_mem_fold: next_at = s2_at; => next_at = s1_addr[INDEX_W-1:0];
// mutant samhw_fold_in_place: s2_late  <= s4_we && s4_at == next_at; => s2_late  <= s4_we && s4_at == next_at && s3_we;
// mutant samhw_fold_in_place: s2_past  <= s3_we && s3_at == next_at;
//     => s2_past  <= s3_we && s3_at == next_at && s3_fresh;
`default_nettype none

module formal_mem_fold #(
    parameter LEVEL_W = 3
) (
    input wire                  clk,
    input wire                  write_valid,
    input wire [8:0]            write_beat,
    input wire                  settled_ready,
    input wire                  host_read,
    input wire [5:0]            host_addr,
    input wire                  s1_go,
    input wire                  s1_valid,
    input wire                  s1_mark,
    input wire [5:0]            s1_addr,
    input wire [1:0]            s1_val,
    input wire                  s2_begin,
    input wire                  s2_we,
    input wire [5:0]            s2_at,
    input wire [1:0]            s2_val,
    input wire [1:0]            fill,
    input wire [2**LEVEL_W-1:0] top,
    input wire                  top_there,
    input wire                  hit,
    input wire [2**LEVEL_W-1:0] bits_written,
    input wire [2**LEVEL_W-1:0] bits_answer,
    input wire [2**LEVEL_W-1:0] bits,
    input wire                  s3_we,
    input wire [5:0]            s3_at,
    input wire [1:0]            s3_val,
    input wire                  s3_there,
    input wire                  low_hit,
    input wire                  low_two_ago,
    input wire                  low_one_ago,
    input wire [3:0]            low_past,
    input wire [3:0]            low_written,
    input wire [3:0]            low_found,
    input wire [3:0]            low_answer,
    input wire [3:0]            low_bits,
    input wire                  f2_next,
    input wire                  f2_past,
    input wire                  f2_late,
    input wire                  f3_we,
    input wire [5:0]            f3_at,
    input wire                  f3_fresh,
    input wire [1:0]            f3_old,
    input wire [1:0]            f3_new,
    input wire                  f4_we,
    input wire [5:0]            f4_at,
    input wire [1:0]            written,
    input wire [1:0]            past,
    input wire [1:0]            answer,
    input wire [1:0]            word
);

    localparam FAR = LEVEL_W == 2;

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire       write_ready;
    wire       settled_valid;
    wire       settled_beat;
    wire [1:0] host_rdata;
    samhw_mem_fold #(.ADDR_W(6), .DATA_W(2), .WORDS(64), .LEVEL_W(LEVEL_W)) dut (
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

    wire quiet = !s1_valid && !s2_we && !s2_begin && !(FAR && s3_we) && !f3_we && !f4_we;
    always @*
        assume (!host_read || (quiet && begun));

    // A read is answered two cycles later with what was there, also where the next run begins meanwhile; if
    // none does, the answer stays.
    reg       asked = 1'b0;
    reg       came  = 1'b0;
    reg [1:0] due;
    always @(posedge clk) begin
        asked <= started && (host_read ? host_addr == 6'd0 : asked && !s1_valid);
        came  <= asked;
        due   <= known ? fold : nothing;
    end

    // Of the lowest level, stage 3's word as it is, and what it will be for the next arrival.
    wire       s3_near = FAR && s3_we && s3_at[5:2] == 4'd0;
    wire [3:0] low_old = low_one_ago ? low_written : low_two_ago ? low_past : low_found;
    wire       low_set = s3_near ? s3_at == 6'd0 || (s3_there && low_bits[0]) : low_bits[0];

    // Behind stage 2 the bit of address 0, behind the fold its word.
    wire       set   = top[0] && bits[0] && (!FAR || low_set);
    wire       two   = s2_we && s2_at == 6'd0;
    wire       three = FAR && s3_we && s3_at == 6'd0;
    wire       near  = s2_we && s2_at[5:6-LEVEL_W] == {LEVEL_W{1'b0}};
    wire       fetch = FAR ? three : two;
    wire       fetch_set = FAR ? s3_there && low_old[0] : set;
    wire       folds = f3_we && f3_at == 6'd0;
    wire       ends  = f4_we && f4_at == 6'd0;
    wire [2**LEVEL_W-1:0] old = hit ? bits_written : bits_answer;
    wire [1:0] there = ends ? written : word;
    wire [1:0] base  = folds ? f3_new : there;
    wire [1:0] then  = !three ? base : fetch_set ? base + s3_val : s3_val;
    always @*
        if (started) begin
            assert (!came || host_rdata == due);
            // Where the bit is.
            assert (!(s2_we || asked) || top_there == top[s2_at[5:6-LEVEL_W]]);
            assert (!near || old == bits);
            assert (!FAR || !(s2_we && s2_at[5:2] == 4'd0) || (low_hit ? low_written : low_answer) == low_bits);
            assert (!s3_near || low_old == low_bits);
            assert (known == (two || (set && !s2_begin)));
            assert (!(s2_we && s2_begin));
            // Where the value is on its way.
            assert (!known || fold == (two ? (set ? then + s2_val : s2_val) : then));
            assert (!folds || f3_fresh || f3_old == there);
            assert (!fetch || (f2_next == folds && f2_past == ends));
            assert (!fetch || !fetch_set || (f2_late ? past : answer) == word);
            // The fill, and what the host's read found.
            assert (!begun || (s2_begin ? s2_val : fill) == nothing);
            assert (!asked || (s2_at == 6'd0 && !hit && bits_answer == bits && answer == word && !ends && !folds
                               && !fetch && !two && !s2_begin));
            assert (!asked || !FAR || (!low_hit && low_answer == low_bits && !s3_we && !s2_we));
        end

endmodule

`default_nettype wire
