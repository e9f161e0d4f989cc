// SPDX-License-Identifier: Apache-2.0
//
// Proof: one output beat for each input beat, in order, with its structure: the word that memory has at the
// reference, nothing where that is absent. Requests are the references in order, one each; answers may take
// any time. Kinds, stops and holes stay, so a canonical stream stays one; a beat is taken while the queue has
// room and the memory takes requests, and leaves when its answer is there and the consumer allows; what is
// offered stays until it is taken.
// probe head = dut.u_queue.head
// probe tail = dut.u_queue.tail
// probe inside = dut.u_queue.count
// probe filled = dut.u_queue.filled
// probe word_0 = dut.u_queue.words[0]
// probe word_1 = dut.u_queue.words[1]
// mutant samhw_array: req_valid <= fetch && r_kind == DATA; => req_valid <= fetch;
// mutant samhw_array: assign d_pop = emit && load; => assign d_pop = emit;
// mutant samhw_array: wire emit = q_valid && (d_valid || !load) => wire emit = q_valid && d_valid
// mutant samhw_array: wire              r_pop    = q_room && req_free; => wire              r_pop    = q_room;
// mutant samhw_array: else if (emit || val_ready) => else if (emit)
// mutant samhw_array: if (clear) => if (1'b0)
// mutant samhw_array: r_ref[STOP_W-1:0] & {STOP_W{r_kind != DATA}} => r_ref[STOP_W-1:0]
`default_nettype none

module formal_array (
    input wire       clk,
    input wire       ref_valid,
    input wire [5:0] ref_beat,
    input wire       req_ready,
    input wire       rsp_valid,
    input wire       val_ready,
    input wire       head,
    input wire       tail,
    input wire [1:0] inside,
    input wire       filled,
    input wire [5:0] word_0,
    input wire [5:0] word_1
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire       ref_ready;
    wire       req_valid;
    wire [1:0] req_beat;
    wire       rsp_ready;
    wire       val_valid;
    wire [6:0] val_beat;
    wire [2:0] answer;
    samhw_array #(.REF_W(2), .VAL_W(3), .STOP_W(2), .QUEUE_LOG2(1)) dut (
        .clk(clk), .rst(rst),
        .ref_valid(ref_valid), .ref_ready(ref_ready), .ref_beat(ref_beat),
        .req_valid(req_valid), .req_ready(req_ready), .req_beat(req_beat),
        .rsp_valid(rsp_valid), .rsp_ready(rsp_ready), .rsp_beat(answer),
        .val_valid(val_valid), .val_ready(val_ready), .val_beat(val_beat)
    );
    wire take = started && ref_valid && ref_ready;
    wire ask  = started && req_valid && req_ready;
    wire told = started && rsp_valid && rsp_ready;

    wire       r_legal;
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) r_rules (
        .clk(clk), .rst(rst), .take(take), .beat(ref_beat), .legal(r_legal), .state(), .after());
    always @*
        assume (!ref_valid || r_legal);

    // Beats under way, the oldest lowest, and the one offered.
    reg  [1:0]  count  = 2'd0;
    reg  [11:0] beats  = 12'd0;
    reg         offers = 1'b0;
    reg  [6:0]  offered;
    wire [5:0]  first = beats[5:0];
    wire        load  = first[5:4] == 2'd0;
    wire        emit  = count != 2'd0 && (!load || rsp_valid) && (!offers || val_ready);
    wire [11:0] left  = emit ? {6'd0, beats[11:6]} : beats;
    wire [1:0]  rest  = count - {1'b0, emit};

    // What memory has at a reference; it answers what it was asked, in order.
    wire [2:0] word = {!first[0], first[0], !first[1]};
    assign answer = word;
    wire [1:0] loads = {1'b0, count != 2'd0 && load} + {1'b0, count[1] && beats[11:10] == 2'd0};
    reg  [1:0] asked = 2'd0;  // and not answered
    always @*
        assume (!rsp_valid || asked != 2'd0);

    always @(posedge clk)
        if (started) begin
            count  <= rest + {1'b0, take};
            beats  <= take ? left | (rest[0] ? {ref_beat, 6'd0} : {6'd0, ref_beat}) : left;
            asked  <= asked + {1'b0, ask} - {1'b0, told};
            offers <= emit || (offers && !val_ready);
            if (emit)
                offered <= {first[5:2], load ? word : {1'b0, first[1:0]}};
        end

    wire [11:0] in_order = head ? {word_0, word_1} : {word_1, word_0};
    // The payload waits of what is no load.
    wire [11:0] kept     = {beats[11:8], beats[7:6] & {2{beats[11:10] != 2'd0}}, beats[5:2], beats[1:0] & {2{!load}}};
    wire [5:0]  newest   = count[1] ? beats[11:6] : first;

    always @*
        if (started) begin
            assert (count <= 2'd2 && inside == count && filled == (count != 2'd0) && tail == (head ^ count[0]));
            assert (count == 2'd0 || in_order[5:0] == kept[5:0]);
            assert (count != 2'd2 || in_order[11:6] == kept[11:6]);
            assert (count == 2'd2 || beats[11:6] == 6'd0);
            assert (count != 2'd0 || first == 6'd0);
            assert (!ref_valid || ref_ready == (count != 2'd2 && (!req_valid || req_ready)));
            assert (loads == asked + {1'b0, req_valid});
            assert (!req_valid || (count != 2'd0 && newest[5:4] == 2'd0 && req_beat == newest[1:0]));
            assert (told == (emit && load));
            assert (val_valid == offers);
            assert (!offers || val_beat == offered);
        end

endmodule

`default_nettype wire
