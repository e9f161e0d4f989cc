// SPDX-License-Identifier: Apache-2.0
//
// Proof: requests go, in order and unchanged, to the bank that was turned to last; a write goes to
// the other one of banks 1 and 2 (to 1 while bank 0 is read); the bank turns when every answer was
// given, once per turn; answers are those of the banks, in order.
// probe is_owed = dut.owed
// probe is_bank = dut.bank
// probe is_pending = dut.pending
// probe is_next = dut.next
// mutant samhw_banks: owed == {OWED_W{1'b0}} && !asks => !asks
// mutant samhw_banks: bank <= next; => bank <= ~next;
// mutant samhw_banks: bank == 2'd1 ? 2'd2 : 2'd1 => bank == 2'd1 ? 2'd1 : 2'd2
// mutant samhw_banks: pending ? !turns : turn_valid => turn_valid
// mutant samhw_banks: (req_valid & ~req_ready) == 3'd0; => 1'b1;
// mutant samhw_banks: asked ? 3'd1 << bank => asked ? 3'd2 << bank
`default_nettype none

module formal_banks (
    input wire       clk,
    input wire [9:0] is_owed,
    input wire [1:0] is_bank,
    input wire       is_pending,
    input wire [1:0] is_next,
    input wire       read_req_valid,
    input wire [1:0] read_req_beat,
    input wire       turn_valid,
    input wire [1:0] turn_beat,
    input wire       write_valid,
    input wire [3:0] write_beat,
    input wire [2:0] rsp_valid,
    input wire [5:0] rsp_beat,
    input wire       read_rsp_ready,
    input wire       turned_ready,
    input wire [2:0] req_ready,
    input wire [1:0] put_ready
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire       read_req_ready, turn_ready, write_ready, read_rsp_valid, turned_valid, turned_beat;
    wire [2:0] rsp_ready, req_valid;
    wire [1:0] read_rsp_beat, put_valid;
    wire [5:0] req_beat;
    wire [7:0] put_beat;
    samhw_banks #(.ADDR_W(2), .BURST(0), .ANSWER_W(2), .DATA_W(2)) dut (
        .clk(clk), .rst(rst),
        .read_req_valid(read_req_valid), .read_req_ready(read_req_ready), .read_req_beat(read_req_beat),
        .turn_valid(turn_valid), .turn_ready(turn_ready), .turn_beat(turn_beat),
        .write_valid(write_valid), .write_ready(write_ready), .write_beat(write_beat),
        .rsp_valid(rsp_valid), .rsp_ready(rsp_ready), .rsp_beat(rsp_beat),
        .read_rsp_valid(read_rsp_valid), .read_rsp_ready(read_rsp_ready), .read_rsp_beat(read_rsp_beat),
        .turned_valid(turned_valid), .turned_ready(turned_ready), .turned_beat(turned_beat),
        .req_valid(req_valid), .req_ready(req_ready), .req_beat(req_beat),
        .put_valid(put_valid), .put_ready(put_ready), .put_beat(put_beat)
    );

    // Of its own: the bank, the turn that waits, answers that are owed, and what each output holds.
    // Skid buffers are wires here.
    reg [1:0] bank    = 2'd0;
    reg       pending = 1'b0;
    reg [1:0] next;
    reg [9:0] owed    = 10'd0;
    reg       turned  = 1'b0;
    reg [2:0] req     = 3'd0;
    reg [1:0] addr;
    reg [1:0] put     = 2'd0;
    reg [3:0] word;
    reg       rsp     = 1'b0;
    reg [1:0] answer;

    wire ask      = read_req_valid && read_req_ready;
    wire give     = (rsp_valid & rsp_ready) != 3'd0;
    wire turns    = pending && owed == 10'd0 && !read_req_valid && (!turned || turned_ready);
    wire [1:0] at = rsp_valid[0] ? rsp_beat[1:0] : rsp_valid[1] ? rsp_beat[3:2] : rsp_beat[5:4];
    always @(posedge clk)
        if (started) begin
            owed <= owed + {9'd0, ask} - {9'd0, give};
            if (turn_valid && !pending) begin
                pending <= 1'b1;
                next    <= turn_beat;
            end
            if (turns) begin
                pending <= 1'b0;
                bank    <= next;
            end
            turned <= turns || (turned && !turned_ready);
            req    <= ask ? (bank == 2'd0 ? 3'd1 : bank == 2'd1 ? 3'd2 : 3'd4) : req & ~req_ready;
            if (ask)
                addr <= read_req_beat;
            put    <= write_valid && write_ready ? (bank == 2'd1 ? 2'd2 : 2'd1) : put & ~put_ready;
            if (write_valid && write_ready)
                word <= write_beat;
            rsp    <= give || (rsp && !read_rsp_ready);
            if (give)
                answer <= at;
        end

    always @*
        if (started) begin
            assume (turn_beat != 2'd3);
            assume (rsp_valid == 3'd0 || rsp_valid == 3'd1 || rsp_valid == 3'd2 || rsp_valid == 3'd4);
            assume (rsp_valid == 3'd0 || owed != 10'd0);
            assume (owed < 10'd500);
            assert (bank != 2'd3 && (!pending || next != 2'd3));
            assert (turn_ready == !pending);
            assert (turned_valid == turned);
            assert (req_valid == req && put_valid == put && read_rsp_valid == rsp);
            assert (req == 3'd0 || req == 3'd1 || req == 3'd2 || req == 3'd4);
            assert (put != 2'd3);
            assert (req == 3'd0 || req_beat == {3{addr}});
            assert (put == 2'd0 || put_beat == {2{word}});
            assert (!rsp || read_rsp_beat == answer);
            assert (is_owed == owed && is_bank == bank && is_pending == pending);
            assert (!pending || is_next == next);
        end

    wire _unused_ok = &{1'b0, turned_beat, 1'b0};

endmodule

`default_nettype wire
