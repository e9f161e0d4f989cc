// SPDX-License-Identifier: Apache-2.0
//
// Proof: what is asked for is what an adapter offers, stays until it is taken, and is granted then, to all
// that are granted at that time the same; each line goes to those whose burst it is of, in the cycle after. A
// fetch is granted in time whatever the other adapter does.
// by: reachability
// mutant samhw_axi_share: same[k] <= fetch_valid[k] && fetch_beat[k*W +: W] == ask_beat; => same[k] <= fetch_valid[k];
// mutant samhw_axi_share: wire                 go   = seen && (all || over) && room;
//     => wire                 go   = seen && all && room;
// mutant samhw_axi_share: wire                 go   = seen && (all || over) && room;
//     => wire                 go   = seen && (all || over);
// mutant samhw_axi_share: wire         ends = line_valid && past == more;
//     => wire         ends = line_valid && past == 8'd0;
// mutant samhw_axi_share: data_valid <= line_valid ? whose : {N{1'b0}}; => data_valid <= {N{line_valid}};
`default_nettype none

module formal_axi_share (
    input wire        clk,
    input wire [1:0]  fetch_valid,
    input wire [17:0] fetch_beat,
    input wire        ask_ready,
    input wire        line_valid,
    input wire [7:0]  line_beat
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire [1:0] fetch_ready, data_valid;
    wire [7:0] data_beat;
    wire       ask_valid;
    wire [8:0] ask_beat;
    wire       line = started && line_valid;
    samhw_axi_share #(.N(2), .BUS_LOG2(0), .AXI_W(1), .WAIT_LOG2(1), .OPEN_LOG2(1)) dut (
        .clk(clk), .rst(rst), .fetch_valid(fetch_valid & {2{started}}), .fetch_ready(fetch_ready),
        .fetch_beat(fetch_beat),
        .data_valid(data_valid), .data_beat(data_beat),
        .ask_valid(ask_valid), .ask_ready(ask_ready), .ask_beat(ask_beat),
        .line_valid(line), .line_beat(line_beat));
    samhw_steady #(.W(9)) low (
        .clk(clk), .started(started), .valid(fetch_valid[0]), .ready(fetch_ready[0]), .beat(fetch_beat[8:0]));
    samhw_steady #(.W(9)) high (
        .clk(clk), .started(started), .valid(fetch_valid[1]), .ready(fetch_ready[1]), .beat(fetch_beat[17:9]));

    // Bursts have a line or two.
    always @* begin
        assume (fetch_beat[8:2] == 7'd0);
        assume (fetch_beat[17:11] == 7'd0);
    end

    // Bursts on their way, the oldest first: whose, whether two lines are left.
    wire      ask   = started && ask_valid && ask_ready;
    reg       asked = 1'b0;
    reg [8:0] what;
    reg [1:0] count = 2'd0;
    reg [2:0] first;
    reg [2:0] second;
    wire      done  = line && !first[2];
    wire [2:0] next = {what[1], fetch_ready};
    always @(posedge clk)
        if (started) begin
            asked <= ask;
            what  <= ask_beat;
            count <= count + {1'b0, asked} - {1'b0, done};
            if (line)
                first <= done ? (count == 2'd2 ? second : next) : {1'b0, first[1:0]};
            else if (count == 2'd0)
                first <= next;
            if (asked)
                second <= next;
        end
    always @*
        assume (!line || count != 2'd0);

    reg       stays = 1'b0;
    reg [8:0] was;
    reg [1:0] was_for = 2'd0;
    reg [7:0] was_line;
    always @(posedge clk) begin
        stays    <= started && ask_valid && !ask_ready;
        was      <= ask_beat;
        was_for  <= {2{line}} & first[1:0];
        was_line <= line_beat;
    end
    samhw_soon #(.MOST(28)) low_granted (
        .clk(clk), .started(started), .waits(fetch_valid[0] && !fetch_ready[0] && ask_ready && count == 2'd0));
    samhw_soon #(.MOST(28)) high_granted (
        .clk(clk), .started(started), .waits(fetch_valid[1] && !fetch_ready[1] && ask_ready && count == 2'd0));

    always @*
        if (started) begin
            assert (!stays || (ask_valid && ask_beat == was));
            assert ((fetch_ready != 2'd0) == asked);
            assert (!fetch_ready[0] || (fetch_valid[0] && fetch_beat[8:0] == what));
            assert (!fetch_ready[1] || (fetch_valid[1] && fetch_beat[17:9] == what));
            assert (count != 2'd2 || !asked);
            assert (data_valid == was_for);
            assert (data_valid == 2'd0 || data_beat == was_line);
        end

endmodule

`default_nettype wire
