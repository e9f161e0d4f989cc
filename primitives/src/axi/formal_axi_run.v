// SPDX-License-Identifier: Apache-2.0
//
// Proof: between a start that is taken and its end a run has one reset, then one cycle of load, then one
// start token, which stays until it is taken, then takes one done token, then flushes
// until nothing is held or on the bus, in this order; a fault or being told to quit ends it anywhere. Then
// nothing is reset before reads and writes have come to rest, and both are told to. The end is told once,
// with the reason if there is one, of every run that was not told to quit, and of no other; a bad one ends at
// once. Cycles are those from load to the end; the watchdog expires after as many without a transfer as it is
// told, never where that is 0. With neighbours that answer no state lasts.
// by: reachability
// probe quiet = dut.quiet
// mutant samhw_axi_run: assign load        = state == LOAD && !entered; => assign load        = state == LOAD;
// mutant samhw_axi_run: assign start_valid = state == RUN && !entered; => assign start_valid = state == RUN;
// mutant samhw_axi_run: if (reads_idle && writes_idle)\n                        state <= RESET;
//     => if (reads_idle)\n                        state <= RESET;
// mutant samhw_axi_run: entered <= state != RUN ? 1'b1 : entered || start_ready; => entered <= 1'b1;
// mutant samhw_axi_run: ended <= !told && !quit; => ended <= !told;
// mutant samhw_axi_run: expired <= limit != 32'd0 && quiet == limit; => expired <= quiet == limit;
// mutant samhw_axi_run: assign stop_writes = state == DRAIN || state == RESET; => assign stop_writes = state == RESET;
// mutant samhw_axi_run: if (state == FLUSH && reads_idle && writers_idle && writes_idle) begin
//     => if (state == FLUSH && reads_idle && writes_idle) begin
`default_nettype none

module formal_axi_run (
    input wire        clk,
    input wire        go,
    input wire        quit,
    input wire        bad,
    input wire [15:0] bad_code,
    input wire        fault,
    input wire [15:0] fault_code,
    input wire        full,
    input wire [15:0] full_code,
    input wire        moved,
    input wire [31:0] limit,
    input wire        start_ready,
    input wire        done_valid,
    input wire        reads_idle,
    input wire        writes_idle,
    input wire        writers_idle,
    input wire [31:0] quiet
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire        expired;
    wire        busy;
    wire        ended;
    wire [15:0] error;
    wire [63:0] cycles;
    wire        load;
    wire        start_valid;
    wire        done_ready;
    wire        flush;
    wire        stop_reads;
    wire        stop_writes;
    wire        core_rst;
    wire        port_rst;
    samhw_axi_run dut (
        .clk(clk), .rst(rst), .go(go), .quit(quit), .bad(bad), .bad_code(bad_code),
        .fault(fault), .fault_code(fault_code),
        .full(full), .full_code(full_code), .moved(moved), .limit(limit), .expired(expired),
        .busy(busy), .ended(ended), .error(error), .cycles(cycles),
        .load(load), .start_valid(start_valid), .start_ready(start_ready),
        .done_valid(done_valid), .done_ready(done_ready), .flush(flush),
        .stop_reads(stop_reads), .stop_writes(stop_writes),
        .reads_idle(reads_idle), .writes_idle(writes_idle), .writers_idle(writers_idle), .core_rst(core_rst),
        .port_rst(port_rst)
    );

    // A start that is taken, until its end is told, with the reason; and how far its run is.
    reg         open   = 1'b0;
    reg  [15:0] why;
    reg         clean  = 1'b0;
    reg         works_ = 1'b0;   // from the cycle behind load on
    reg         given  = 1'b0;   // the start token
    reg         taken  = 1'b0;   // the done token
    reg         live   = 1'b0;   // something may be on the bus
    wire        begins = started && go && !busy && !quit;
    wire        works  = load || works_;
    wire        rests  = reads_idle && writes_idle;
    wire        breaks = works && (quit || fault);
    wire        closes = works && !breaks && flush && rests && writers_idle;
    reg         bad_end;
    always @(posedge clk)
        if (started) begin
            open <= begins || (open && !ended && !quit);
            if (begins)
                why <= bad ? bad_code : 16'd0;
            else if (breaks)
                why <= fault_code;
            else if (closes)
                why <= full ? full_code : 16'd0;
            bad_end <= begins ? bad : bad_end || breaks;
            clean   <= begins ? 1'b0 : clean || (core_rst && port_rst);
            works_  <= works && !breaks && !closes;
            given   <= works && (given || (start_valid && start_ready));
            taken   <= works && (taken || (done_valid && done_ready));
            live    <= load || (live && !(stop_reads && stop_writes && rests) && !closes);
        end

    // The core is not done before it was started.
    always @*
        assume (!done_valid || given);

    // What was a cycle ago, and what it makes of the counters.
    reg        closed = 1'b0;
    reg        held   = 1'b0;
    reg [63:0] run_for;
    reg [31:0] quiet_for;
    reg        expires;
    always @(posedge clk) begin
        closed    <= started && closes;
        held      <= started && start_valid && !start_ready && !breaks;
        run_for   <= rst || begins ? 64'd0 : works ? cycles + 64'd1 : cycles;
        quiet_for <= rst || !works || moved ? 32'd0 : quiet + 32'd1;
        expires   <= started && works && limit != 32'd0 && quiet == limit;
    end

    samhw_soon #(.MOST(28)) ends (.clk(clk), .started(started),
        .waits(busy && start_ready && (done_valid || !given) && rests && writers_idle));

    always @*
        if (started) begin
            assert (!ended || (open && !busy && error == why));
            assert (busy || !open || ended);
            assert (!ended || bad_end || closed);
            assert (!works || (open && busy));
            assert (!load || (clean && !core_rst && !port_rst && !works_));
            assert (!start_valid || (works_ && !given && !taken));
            assert (!held || start_valid);
            assert (!done_ready || (works_ && !taken));
            assert (!flush || taken);
            assert (!(core_rst || port_rst) || !live);
            assert (!works || (!core_rst && !port_rst && !stop_writes && stop_reads == flush));
            assert (works || stop_reads);
            assert (cycles == run_for);
            assert (quiet == quiet_for);
            assert (expired == expires);
        end

endmodule

`default_nettype wire
