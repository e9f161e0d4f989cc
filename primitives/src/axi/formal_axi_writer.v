// SPDX-License-Identifier: Apache-2.0
//
// Proof: words within the array that follow each other in one line become that line, and nothing else does:
// the lines of the bursts are these, in order and each once, at their addresses, with the bytes written and
// no other strobed, each byte as it was written last, what is above a word's bits 0. Bursts lie within the
// lines of the array and end where they may; all lines of a burst are there before it is offered, until they
// are taken; what is offered stays until it is taken. A word beyond the array is told. When the writer is
// idle all has been written; with a memory that takes lines words are taken, and after the last one all
// leaves.
//
// One line is watched, drawn of all and any. What is known of the inside: where the lines are that were
// begun, and how many bursts are under way.
// by: reachability
// case lines: BURST=0
// case bursts: BURST=1
// probe held = dut.held
// probe h_line = dut.h_line
// probe h_strobe = dut.h_strobe
// probe h_data = dut.h_data
// probe grow_at = dut.first
// probe grow_len = dut.count
// probe open = dut.open
// probe queued = dut.u_lines.count
// probe filled = dut.u_lines.filled
// probe head = dut.u_lines.head
// probe tail = dut.u_lines.tail
// probe word_0 = dut.u_lines.words[0]
// probe word_1 = dut.u_lines.words[1]
// mutant samhw_axi_writer: other || !held ? spread & mask : => other ? spread & mask :
// mutant samhw_axi_writer: h_strobe <= other || !held ? strobe : h_strobe | strobe; => h_strobe <= h_strobe | strobe;
// mutant samhw_axi_writer: wire other = held && (comes ? line != h_line : flush && !q_valid);
//     => wire other = held && flush && !q_valid;
// mutant of bursts samhw_axi_writer: wire              grows   = some && !full && next == h_line;
//     => wire              grows   = some && !full;
// mutant samhw_axi_writer: wire              q_inside = {1'b0, q_addr} < words;
//     => wire              q_inside = {1'b0, q_addr} <= words;
// mutant samhw_axi_writer: assign idle = !q_valid && !held && !some && => assign idle = !q_valid && !held &&
// mutant samhw_axi_writer: if (push && (!some || offer)) => if (push && !some)
// mutant of bursts samhw_axi_writer: || (flush && !held && !q_valid)); => );
// mutant samhw_axi_writer: assign push = other && room && (!some || offer || grows);
//     => assign push = other && (!some || offer || grows);
`default_nettype none

module formal_axi_writer #(
    parameter BURST = 0
) (
    input wire        clk,
    input wire [1:0]  begins,
    input wire [2:0]  size,
    input wire        write_valid,
    input wire [1:0]  addr,
    input wire        value,
    input wire        pick,
    input wire        flush,
    input wire        store_ready,
    input wire        line_ready_in,
    input wire        ack,
    input wire        held,
    input wire [9:0]  h_line,
    input wire [1:0]  h_strobe,
    input wire [15:0] h_data,
    input wire [9:0]  grow_at,
    input wire [8:0]  grow_len,
    input wire [4:0]  open,
    input wire [1:0]  queued,
    input wire        filled,
    input wire        head,
    input wire        tail,
    input wire [17:0] word_0,
    input wire [17:0] word_1
);

    reg started = 1'b0;
    reg ready   = 1'b0;
    always @(posedge clk)
        {started, ready} <= {1'b1, started};
    wire rst = !ready;

    // Where the array begins, its words.
    reg [1:0] base;
    reg [2:0] words;
    always @(posedge clk)
        if (!started)
            {base, words} <= {begins, size > 3'd4 ? 3'd4 : size};

    wire        write_ready, store_valid, line_valid, beyond, idle;
    wire [17:0] store_beat;
    wire [17:0] line_beat;
    reg         going = 1'b0;
    wire        line_ready = line_ready_in && going;
    samhw_axi_writer #(
        .ADDR_W(2), .DATA_W(1), .SIZE_LOG2(0), .BUS_LOG2(1), .AXI_W(10), .LINES_LOG2(1), .BURST_LOG2(BURST)
    ) dut (
        .clk(clk), .rst(rst), .base({8'd0, base}), .words(words), .beyond(beyond), .flush(flush), .idle(idle),
        .write_valid(write_valid && ready), .write_ready(write_ready), .write_beat({value, addr}),
        .store_valid(store_valid), .store_ready(store_ready), .store_beat(store_beat),
        .line_valid(line_valid), .line_ready(line_ready), .line_beat(line_beat), .ack(ack && ready)
    );
    wire put   = ready && write_valid && write_ready;
    wire store = ready && store_valid && store_ready;
    wire line  = ready && line_valid && line_ready;
    samhw_steady #(.W(3)) steady (
        .clk(clk), .started(ready), .valid(write_valid), .ready(write_ready), .beat({value, addr}));
    samhw_kept #(.W(18)) s_kept (
        .clk(clk), .started(ready), .valid(store_valid), .ready(store_ready), .beat(store_beat)
    );
    samhw_kept #(.W(18)) l_kept (.clk(clk), .started(ready), .valid(line_valid), .ready(line_ready), .beat(line_beat));

    // A burst after the other, each with its lines; it is told when it was written, some time behind its last
    // line. No word comes behind the flush.
    reg  [9:0] at;
    reg  [7:0] left;
    reg  [2:0] acks    = 3'd0;
    reg        flushes = 1'b0;
    wire       last = line && left == 8'd0;
    always @(posedge clk) begin
        flushes <= ready && flush;
        if (ready) begin
            going <= store || (going && !last);
            acks  <= acks + {2'd0, last} - {2'd0, ack};
            if (store)
                {left, at} <= {store_beat[17:10], store_beat[9:0] >> 1};
            else if (line)
                {left, at} <= {left - 8'd1, at + 10'd1};
        end
    end
    always @* begin
        assume (!store_ready || !going);
        assume (!ack || acks != 3'd0);
        assume (!line_ready_in || acks < 3'd6);
        assume (!(flush && write_valid) && !(flushes && !flush));
    end

    // Lines that words were combined in and that have not left; the one that was begun last.
    wire       in    = {1'b0, addr} < words;
    wire       word  = put && in;
    wire [2:0] byte_ = {1'b0, base} + {1'b0, addr};
    reg        some  = 1'b0;
    reg  [1:0] newest;
    reg  [2:0] lines = 3'd0;
    reg        lost  = 1'b0;
    wire       fresh = word && !(some && newest == byte_[2:1]);
    always @(posedge clk)
        if (ready) begin
            lost  <= lost || (put && !in);
            lines <= lines + {2'd0, fresh} - {2'd0, line};
            if (word)
                {some, newest} <= {1'b1, byte_[2:1]};
        end

    // The line that is watched: lines before it, its bytes.
    reg        picked = 1'b0;
    reg        owed   = 1'b0;
    reg  [2:0] ahead  = 3'd0;
    reg        grows  = 1'b0;
    reg  [1:0] who;
    reg  [1:0] bytes;
    reg  [1:0] bits;
    wire       first  = fresh && pick && !picked;
    wire       adds   = word && !fresh && grows;
    wire [1:0] one    = byte_[0] ? 2'd2 : 2'd1;
    wire       hit    = line && owed && ahead == 3'd0;
    always @(posedge clk)
        if (ready) begin
            picked <= picked || first;
            grows  <= first || (grows && !fresh);
            owed   <= first || (owed && !hit);
            if (first || ahead != 3'd0)
                ahead <= (first ? lines : ahead) - {2'd0, line};
            if (first)
                {who, bytes, bits} <= {byte_[2:1], one, {2{value}} & one};
            else if (adds)
                {bytes, bits} <= {bytes | one, (bits & ~one) | ({2{value}} & one)};
        end
    wire [17:0] due = {bytes, 7'd0, bits[1], 7'd0, bits[0]};

    // Where lines are, the oldest first: those of the burst that leaves, of the one that is offered, of the
    // one that may grow, the one that words are combined in.
    wire [9:0] b_line  = {8'd0, 1'b0, base[1]};
    wire [9:0] n_left  = going ? {2'd0, left} + 10'd1 : 10'd0;
    wire [9:0] n_store = store_valid ? {2'd0, store_beat[17:10]} + 10'd1 : 10'd0;
    wire [9:0] n_grow  = {1'b0, grow_len};
    wire [9:0] k       = {7'd0, ahead};
    wire [9:0] n_out   = n_left + n_store;
    wire [9:0] from    = store_beat[9:0] >> 1;
    wire [9:0] to      = from + {2'd0, store_beat[17:10]};
    wire [9:0] spot    = k < n_left ? at + k : k < n_out ? from + k - n_left
                       : b_line + (k < n_out + n_grow ? grow_at + k - n_out : h_line);
    wire       out     = k < n_out + n_grow;
    wire [17:0] there  = !out ? {h_strobe, h_data} : head ^ ahead[0] ? word_1 : word_0;

    wire [2:0] end_ = {1'b0, base} + words - 3'd1;
    wire [9:0] stop = {8'd0, end_[2:1]};
    wire       all  = (going ? line_ready_in : store_ready) && (acks == 3'd0 || ack);
    samhw_soon #(.MOST(24)) leaves (.clk(clk), .started(ready), .waits(flush && !idle && all));
    samhw_soon #(.MOST(12)) taken (.clk(clk), .started(ready), .waits(write_valid && !write_ready && all));

    always @*
        if (ready) begin
            assert (!line || lines != 3'd0);
            assert (!hit || (at == {8'd0, who} && line_beat == due));
            assert (!idle || write_valid || (lines == 3'd0 && !owed && acks == 3'd0 && !going));
            assert (!store_valid || (!store_beat[0] && from >= b_line && to <= stop));
            assert (!store_valid || (BURST != 0 ? to[9:1] == from[9:1] : to == from));
            assert (!going || line_valid);
            assert (beyond == lost || (beyond && write_valid && !in));
        end

    always @*
        if (ready) begin
            assert (open == {2'd0, acks} + {4'd0, going} + {4'd0, store_valid});
            assert ({8'd0, queued} == n_out + n_grow && {7'd0, lines} == n_out + n_grow + {9'd0, held});
            assert (queued <= 2'd2 && filled == (queued != 2'd0) && (head ^ tail) == queued[0]);
            assert (!held || (some && b_line + h_line == {8'd0, newest}));
            assert (!owed || (ahead < lines && spot == {8'd0, who} && there == due));
            assert (!grows || picked);
            assert (!(owed && grows) || (ahead == lines - 3'd1));
            assert (!going || (at >= b_line && at + {2'd0, left} <= stop));
            assert (grow_len == 9'd0
                    || (words != 3'd0 && b_line + grow_at + {1'b0, grow_len} <= stop + 10'd1 && grow_at <= 10'd2));
            assert (!held || (words != 3'd0 && b_line + h_line <= stop && h_line <= 10'd2));
            assert (!some || words != 3'd0);
        end

endmodule

`default_nettype wire
