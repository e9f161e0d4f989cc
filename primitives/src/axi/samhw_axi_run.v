// SPDX-License-Identifier: Apache-2.0
//
// Leads a core behind AXI through a run: loads, start token, done token, flush; or, after a fault or when told to,
// waits until nothing is on the bus and resets all.
//
//   Consumes    go: begin, between runs (busy 0); quit: end what goes on, or reset between runs. bad: the run must
//               not begin. fault: the run must end; bad_code, fault_code, full_code {port, code} say why.
//               full: a result did not fit, when all is written.
//   Produces    load: 1 in the cycle in which adapters begin to copy; flush, stop_reads, stop_writes: to
//               adapters; core_rst and port_rst: to the core and the adapters. ended: 1 in the cycle after a
//               run that was not told to quit; error {port, code} of it, 0 if none; cycles of it.
//   Watchdog    `expired` after `limit` cycles of a run in which moved was 0; never where limit is 0.
//   Parameters  none.
//   Reset       all state.
`default_nettype none

module samhw_axi_run (
    input  wire        clk,
    input  wire        rst,

    input  wire        go,
    input  wire        quit,
    input  wire        bad,
    input  wire [15:0] bad_code,
    input  wire        fault,
    input  wire [15:0] fault_code,
    input  wire        full,
    input  wire [15:0] full_code,
    input  wire        moved,
    input  wire [31:0] limit,
    output reg         expired,

    output reg         busy,
    output reg         ended,
    output reg  [15:0] error,
    output reg  [63:0] cycles,

    output wire        load,
    output wire        start_valid,
    input  wire        start_ready,
    input  wire        done_valid,
    output wire        done_ready,
    output wire        flush,
    output wire        stop_reads,
    output wire        stop_writes,
    input  wire        reads_idle,
    input  wire        writes_idle,
    input  wire        writers_idle,
    output reg         core_rst,
    output reg         port_rst
);

    localparam [2:0] IDLE  = 3'd0;
    localparam [2:0] CLEAR = 3'd1;
    localparam [2:0] LOAD  = 3'd2;
    localparam [2:0] RUN   = 3'd3;
    localparam [2:0] FLUSH = 3'd4;
    localparam [2:0] DRAIN = 3'd5;
    localparam [2:0] RESET = 3'd6;

    reg  [2:0]  state;
    reg  [2:0]  count;                       // cycles in CLEAR or RESET
    reg         told;                        // to quit: the end is not announced
    reg         entered;                     // not the first cycle of LOAD or RUN
    reg  [31:0] quiet;

    wire works = state == LOAD || state == RUN || state == FLUSH;

    assign load        = state == LOAD && !entered;
    assign start_valid = state == RUN && !entered;
    assign done_ready  = state == RUN;
    assign flush       = state == FLUSH;
    assign stop_reads  = state != LOAD && state != RUN;
    assign stop_writes = state == DRAIN || state == RESET;

    always @(posedge clk)
        if (rst) begin
            state    <= RESET;
            count    <= 3'd0;
            told     <= 1'b1;
            entered  <= 1'b0;
            busy     <= 1'b1;
            ended    <= 1'b0;
            error    <= 16'd0;
            cycles   <= 64'd0;
            quiet    <= 32'd0;
            expired  <= 1'b0;
            core_rst <= 1'b1;
            port_rst <= 1'b1;
        end else begin
            core_rst <= (state == RESET || state == CLEAR) && !count[2];
            port_rst <= (state == RESET || state == CLEAR) && !count[2];
            count    <= state == RESET || state == CLEAR ? count + 3'd1 : 3'd0;
            ended    <= 1'b0;
            if (works) begin
                cycles  <= cycles + 64'd1;
                // Asked with `if`: in four states, moved that is X is none, and the watchdog still fires.
                if (moved)
                    quiet <= 32'd0;
                else
                    quiet <= quiet + 32'd1;
                expired <= limit != 32'd0 && quiet == limit;
            end else begin
                quiet   <= 32'd0;
                expired <= 1'b0;
            end
            case (state)
                IDLE:
                    if (quit) begin
                        state <= RESET;
                        busy  <= 1'b1;
                        told  <= 1'b1;
                        error <= 16'd0;
                    end else if (go) begin
                        cycles <= 64'd0;
                        error  <= bad ? bad_code : 16'd0;
                        ended  <= bad;
                        busy   <= !bad;
                        told   <= 1'b0;
                        state  <= bad ? IDLE : CLEAR;
                    end
                CLEAR: begin
                    entered <= 1'b0;
                    if (quit)
                        told <= 1'b1;
                    if (count == 3'd7)
                        state <= told || quit ? DRAIN : LOAD;
                end
                DRAIN: begin
                    if (quit)
                        told <= 1'b1;
                    if (reads_idle && writes_idle)
                        state <= RESET;
                end
                RESET: begin
                    if (quit)
                        told <= 1'b1;
                    if (count == 3'd7) begin
                        state <= IDLE;
                        busy  <= 1'b0;
                        ended <= !told && !quit;
                        if (told || quit)
                            error <= 16'd0;
                    end
                end
                default:
                    if (quit || fault) begin
                        told  <= quit;
                        error <= fault_code;
                        state <= DRAIN;
                    end else begin
                        entered <= state != RUN ? 1'b1 : entered || start_ready;
                        if (state == LOAD && entered) begin
                            state   <= RUN;
                            entered <= 1'b0;
                        end
                        if (state == RUN && done_valid)
                            state <= FLUSH;
                        if (state == FLUSH && reads_idle && writers_idle && writes_idle) begin
                            state <= IDLE;
                            busy  <= 1'b0;
                            ended <= 1'b1;
                            error <= full ? full_code : 16'd0;
                        end
                    end
            endcase
        end

endmodule

`default_nettype wire
