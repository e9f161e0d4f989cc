// SPDX-License-Identifier: Apache-2.0
//
// Proof: a run's first turn reads what the host gave, later ones the banks in turn; a turn follows
// a round's token only if the scalar was not 0 and the most rounds have not been; otherwise one
// done token ends the run. Turns and done stay until taken.
// probe is_running = dut.running
// probe is_more = dut.more
// mutant samhw_rounds: rounds[0] ? 2'd1 : 2'd2 => rounds[0] ? 2'd2 : 2'd1
// mutant samhw_rounds: more && rounds != AT_MOST => more
// mutant samhw_rounds: decides && !again; => decides;
// mutant samhw_rounds: asked && !running && => asked &&
// mutant samhw_rounds: here && (!turn_valid || turn_ready) => here
// mutant samhw_rounds: open    <= more; => open    <= 1'b0;
`default_nettype none

module formal_rounds (
    input wire       clk,
    input wire       is_running,
    input wire       is_more,
    input wire       start_valid,
    input wire       finished_valid,
    input wire       write_valid,
    input wire [3:0] write_beat,
    input wire       turn_ready,
    input wire       done_ready
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire        start_ready;
    wire        finished_ready;
    wire        write_ready;
    wire        turn_valid;
    wire [1:0]  turn_beat;
    wire        done_valid;
    wire        done_beat;
    wire [31:0] rounds;
    wire        open;
    samhw_rounds #(.ADDR_W(1), .DATA_W(3), .MASK(3'd3), .AT_MOST(32'd3)) dut (
        .clk(clk), .rst(rst),
        .start_valid(start_valid), .start_ready(start_ready), .start_beat(1'b0),
        .finished_valid(finished_valid), .finished_ready(finished_ready), .finished_beat(1'b0),
        .write_valid(write_valid), .write_ready(write_ready), .write_beat(write_beat),
        .turn_valid(turn_valid), .turn_ready(turn_ready), .turn_beat(turn_beat),
        .done_valid(done_valid), .done_ready(done_ready), .done_beat(done_beat),
        .rounds(rounds), .open(open)
    );

    // Of its own: the tokens that wait, the round, the scalar, and what is offered.
    reg       asked   = 1'b0;
    reg       here    = 1'b0;
    reg [1:0] round   = 2'd0;
    reg       running = 1'b0;
    reg       more    = 1'b0;
    reg       turn    = 1'b0;
    reg       last    = 1'b0;
    reg       short   = 1'b0;
    wire turn_free = !turn || turn_ready;
    wire done_free = !last || done_ready;
    always @(posedge clk) begin
        if (started) begin
            if (write_valid)
                more <= write_beat[1] || write_beat[2];
            if (turn_ready)
                turn <= 1'b0;
            if (done_ready)
                last <= 1'b0;
            if (start_valid && !asked)
                asked <= 1'b1;
            if (finished_valid && !here)
                here <= 1'b1;
            if (!running && asked && done_free) begin
                asked   <= 1'b0;
                running <= 1'b1;
                turn    <= 1'b1;
                round   <= 2'd1;
                short   <= 1'b0;
            end
            if (running && here && turn_free) begin
                here <= 1'b0;
                if (more && round < 2'd3) begin
                    turn  <= 1'b1;
                    round <= round + 2'd1;
                end else begin
                    running <= 1'b0;
                    last    <= 1'b1;
                    short   <= more;
                end
            end
        end
    end

    always @*
        if (started) begin
            assert (write_ready);
            assert (start_ready == !asked && finished_ready == !here);
            assert (turn_valid == turn && done_valid == last);
            assert (rounds == {30'd0, round} && open == short);
            assert (running == is_running);
            assert (round != 2'd0 || (!running && !turn));
            assert (!turn || running);
            if (turn)
                assert (turn_beat == (round == 2'd1 ? 2'd0 : round == 2'd2 ? 2'd1 : 2'd2));
            assert (is_more == more);
        end

    wire _unused_ok = &{1'b0, done_beat, write_beat[0], write_beat[3], 1'b0};

endmodule

`default_nettype wire
