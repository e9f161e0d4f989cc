// SPDX-License-Identifier: Apache-2.0
//
// Proof: requests leave in order and unchanged, and none before its last word was written since the
// last begin, unless all is; one that may leave does; each begin and finished has its token.
// probe is_progress = dut.u_progress.progress
// probe is_complete = dut.u_progress.complete
// mutant samhw_follower: complete || last <= progress => complete || last <= progress + 3'd1
// mutant samhw_follower: (complete || last <= progress) && (!req_valid || req_ready) => (complete || last <= progress)
// mutant samhw_progress: progress <= {(ADDR_W+1){1'b0}};\n                complete <= 1'b0; => complete <= 1'b0;
// mutant samhw_progress: opened_valid ? !opened_ready : finished_valid => finished_valid
// mutant samhw_progress: complete <= 1'b1; => complete <= 1'b0;
`default_nettype none

module formal_follower (
    input wire       clk,
    input wire [2:0] is_progress,
    input wire       is_complete,
    input wire       read_req_valid,
    input wire [3:0] read_req_beat,
    input wire       begin_valid,
    input wire       written_valid,
    input wire [3:0] written_beat,
    input wire       finished_valid,
    input wire       req_ready,
    input wire       begun_ready,
    input wire       opened_ready
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire       read_req_ready, begin_ready, written_ready, finished_ready;
    wire       req_valid, begun_valid, begun_beat, opened_valid, opened_beat;
    wire [3:0] req_beat;
    samhw_follower #(.ADDR_W(2), .DATA_W(2), .BURST(1), .PAIR(0)) dut (
        .clk(clk), .rst(rst),
        .read_req_valid(read_req_valid), .read_req_ready(read_req_ready), .read_req_beat(read_req_beat),
        .begin_valid(begin_valid), .begin_ready(begin_ready), .begin_beat(1'b0),
        .written_valid(written_valid), .written_ready(written_ready), .written_beat(written_beat),
        .finished_valid(finished_valid), .finished_ready(finished_ready), .finished_beat(1'b0),
        .req_valid(req_valid), .req_ready(req_ready), .req_beat(req_beat),
        .begun_valid(begun_valid), .begun_ready(begun_ready), .begun_beat(begun_beat),
        .opened_valid(opened_valid), .opened_ready(opened_ready), .opened_beat(opened_beat)
    );

    // Of its own: the word after the last one written, whether all is, and what each output holds.
    // The skid buffer is a wire here.
    reg [2:0] words    = 3'd0;
    reg       complete = 1'b0;
    reg       held     = 1'b0;
    reg [3:0] request;
    reg       begun    = 1'b0;
    reg       opened   = 1'b0;
    wire [2:0] last  = {1'b0, read_req_beat[1:0]} + {1'b0, read_req_beat[3:2]};
    wire       there = complete || words >= last;
    wire       take  = read_req_valid && there && (!held || req_ready);
    always @(posedge clk)
        if (started) begin
            held <= take || (held && !req_ready);
            if (take)
                request <= read_req_beat;
            if (written_valid)
                words <= {1'b0, written_beat[1:0]} + 3'd1;
            if (finished_valid && !opened)
                complete <= 1'b1;
            opened <= (finished_valid && !opened) || (opened && !opened_ready);
            if (begin_valid && !begun) begin
                words    <= 3'd0;
                complete <= 1'b0;
            end
            begun <= (begin_valid && !begun) || (begun && !begun_ready);
        end

    always @*
        if (started) begin
            assert (read_req_valid == 1'b0 || read_req_ready == take);
            assert (req_valid == held && begun_valid == begun && opened_valid == opened);
            assert (begin_ready == !begun && finished_ready == !opened && written_ready);
            assert (!held || req_beat == request);
            assert (is_progress == words && is_complete == complete);
        end

    wire _unused_ok = &{1'b0, begun_beat, opened_beat, written_beat[3:2], 1'b0};

endmodule

`default_nettype wire
