// SPDX-License-Identifier: Apache-2.0
//
// Proof: what comes in leaves in order, with the quotient and the rest of its key by SIZE0 if it is a leaf, and
// the hole of its key otherwise; it leaves as soon as what is ahead of it has, and what is offered stays until
// it is taken.
// case three: SIZE0=3
// case five: SIZE0=5
// case eleven: SIZE0=11
// probe dut_valids = dut.valids
// probe dut_rests = dut.rests
// probe dut_keys = dut.keys
// probe dut_quotient = dut.quotient
// probe dut_uppers = dut.uppers
// probe dut_back = dut.back_r
// mutant samhw_digits: ((ONE << POINT) + SIZE - ONE) / SIZE => (ONE << POINT) / SIZE
// mutant samhw_digits: assign in_ready  = out_ready || !valids[DEPTH-1]; => assign in_ready  = out_ready;
// mutant samhw_digits: padded[SHIFT-1:0] - back => padded[SHIFT-1:0] + back
// mutant samhw_digits: !rests[(DEPTH-1)*REST_W-1] => !rests[(DEPTH-1)*REST_W-2]
// mutant samhw_digits: if (in_ready) begin => if (out_ready) begin
`default_nettype none

module formal_digits #(
    parameter SIZE0 = 3
) (
    input wire       clk,
    input wire       in_valid,
    input wire [8:0] in_beat,
    input wire       out_ready,
    input wire [2:0]  dut_valids,
    input wire [8:0]  dut_rests,
    input wire [11:0] dut_keys,
    input wire [5:0]  dut_quotient,
    input wire [5:0]  dut_uppers,
    input wire [$clog2(SIZE0)-1:0] dut_back
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    // Keys of six bits, of which the quotient has as many; two bits of kind and one more accompany them.
    localparam SHIFT = $clog2(SIZE0);
    wire               in_ready;
    wire               out_valid;
    wire [8+SHIFT:0]   out_beat;
    samhw_digits #(.KEY_W(6), .SIZE0(SIZE0), .CRD1_W(6), .REST_W(3), .STOP_W(2)) dut (
        .clk(clk), .rst(rst),
        .in_valid(in_valid), .in_ready(in_ready), .in_beat(in_beat),
        .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat)
    );

    // The beats on their way: the oldest one is offered.
    reg        full = 1'b0;
    reg        next = 1'b0;
    reg        last = 1'b0;
    reg  [8:0] item;
    reg  [8:0] later;
    reg  [8:0] latest;
    localparam [5:0] SIZE = SIZE0;
    wire [5:0] quotient = item[5:0] / SIZE;
    wire [5:0] rest     = item[5:0] % SIZE;
    wire [5:0] multiple = later[5:0] / SIZE * SIZE;
    always @(posedge clk)
        if (started && (!full || out_ready)) begin
            full   <= next;
            next   <= last;
            last   <= in_valid;
            item   <= later;
            later  <= latest;
            latest <= in_beat;
        end
    always @*
        if (started) begin
            assert (dut_valids == {full, next, last});
            assert (!next || dut_rests[5:3] == later[8:6]);
            assert (!last || dut_rests[2:0] == latest[8:6]);
            assert (!next || dut_keys[11:6] == later[5:0]);
            assert (!last || dut_keys[5:0] == latest[5:0]);
            assert (!last || dut_quotient == latest[5:0] / SIZE);
            assert (!next || dut_uppers == later[5:0] / SIZE);
            assert (!next || dut_back == multiple[SHIFT-1:0]);
            assert (out_valid == full);
            assert (in_ready == (!full || out_ready));
            assert (!full || out_beat[6+SHIFT +: 3] == item[8:6]);
            assert (!full || item[8] || out_beat[0 +: 6+SHIFT] == {quotient, rest[SHIFT-1:0]});
            assert (!full || !item[8] || out_beat[0 +: 6+SHIFT] == {{(4+SHIFT){1'b0}}, item[1:0]});
        end

    wire _unused_ok = &{1'b0, rest, multiple, dut_rests, 1'b0};

endmodule

`default_nettype wire
