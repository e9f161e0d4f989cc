// SPDX-License-Identifier: Apache-2.0
//
// Proof: after the start word k of the array in memory is written to address k, in order and each once, all
// of them and no more, whenever the memory gives its lines; then, and not before, it is done, and stays so.
// Fetches stay until they are taken and lie within the lines of the array. Of an array that has no room
// nothing is fetched or written, and that is told. With a memory that answers something moves every few
// cycles.
// by: reachability
// mutant samhw_axi_loader: assign done   = going && count == words && !host_write;
//     => assign done   = going && count == words;
// mutant samhw_axi_loader: asks  <= fits && words != NONE; => asks  <= fits;
// mutant samhw_axi_loader: .read_req_beat({words, NONE}) => .read_req_beat({words - ONE, NONE})
// mutant samhw_axi_loader: host_addr  <= count[ADDR_W-1:0]; => host_addr  <= count[ADDR_W-1:0] + 1'b1;
// mutant samhw_axi_reader: wire                hit    = held && ahead < got - tail;
//     => wire                hit    = held && ahead < asked - tail;
`default_nettype none

module formal_axi_loader (
    input wire        clk,
    input wire [7:0]  bits,
    input wire [1:0]  begins,
    input wire [2:0]  size,
    input wire        start_in,
    input wire        fetch_ready_in,
    input wire        goes,
    input wire [15:0] rest
);

    reg started = 1'b0;
    reg ready   = 1'b0;
    always @(posedge clk)
        {started, ready} <= {1'b1, started};
    wire rst = !ready;

    // What the memory's bytes are, one bit of each; where the array begins, its words; there is room for three.
    wire [7:0] memory;
    wire [1:0] base;
    wire [2:0] words;
    wire      fits = words <= 3'd3;

    reg         begun = 1'b0;
    wire        start = ready && start_in && !begun;
    wire        beyond, done, fetch_valid, host_write, host_wdata;
    wire [1:0]  host_addr;
    wire [17:0] fetch_beat;
    wire        some;
    wire        data_valid;
    wire [15:0] data;
    wire        fetch_ready;
    samhw_axi_loader #(
        .ADDR_W(2), .DATA_W(1), .WORDS(3), .SIZE_LOG2(0), .BUS_LOG2(1), .AXI_W(10), .LINES_LOG2(1), .BURST_LOG2(0)
    ) dut (
        .clk(clk), .rst(rst), .base({8'd0, base}), .words(words), .beyond(beyond), .start(start), .done(done),
        .fetch_valid(fetch_valid), .fetch_ready(fetch_ready), .fetch_beat(fetch_beat),
        .data_valid(data_valid), .data_beat(data),
        .host_write(host_write), .host_addr(host_addr), .host_wdata(host_wdata)
    );

    wire [2:0] open;
    samhw_lines #(.DEPTH(5)) bus (
        .clk(clk), .started(ready), .drawn(started), .bits(bits), .begins(begins), .size(size), .memory(memory),
        .base(base), .words(words),
        .last_line(), .goes(goes), .rest(rest), .fetch_ready_in(fetch_ready_in),
        .fetch_valid(fetch_valid), .fetch_ready(fetch_ready), .fetch_beat(fetch_beat), .from(), .to(),
        .data_valid(data_valid), .data(data), .some(some), .open(open));

    reg  [2:0] written = 3'd0;
    reg        was_done = 1'b0;
    always @(posedge clk)
        if (ready) begin
            begun    <= begun || start;
            written  <= written + {2'd0, host_write};
            was_done <= done;
        end

    wire [2:0] at   = {1'b0, base} + written;
    samhw_soon #(.MOST(12)) moves (.clk(clk), .started(ready),
        .waits(begun && fits && !done && !host_write && fetch_ready_in && (goes || !some)));

    always @*
        if (ready) begin
            assert (!host_write || (written < words && host_addr == written[1:0] && host_wdata == memory[at]));
            assert (!(fetch_valid || host_write || done) || (begun && fits));
            assert (!done || written == words);
            assert (!was_done || done);
            assert (beyond == (begun && !fits));
        end

endmodule

`default_nettype wire
