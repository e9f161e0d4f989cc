// SPDX-License-Identifier: Apache-2.0
//
// Proof: each store of a writer is asked for once, in order, with the writer's ID, and its lines follow, all
// of them and no other's, in the order of the bursts, the last of each marked; what is offered stays until it
// is taken. Each response goes to the writer whose ID it has, in the next cycle. `idle` if and only if
// nothing is on its way; no burst begins after `stop`. The first response with an error is told, with its
// kind and its port. A store is granted in time, and lines are taken.
// with: samhw_skid
// with: samhw_skid_ahead
// by: reachability
// probe open_inside = dut.open
// mutant samhw_axi_write_mux: !begins && !busy && room && !stop => !busy && room && !stop
// mutant samhw_axi_write_mux: !begins && !busy && room && !stop => !begins && !busy && !stop
// mutant samhw_axi_write_mux: !begins && !busy && room && !stop => !begins && room && !stop
// mutant samhw_axi_write_mux: wire            last  = left == 8'd0; => wire            last  = left == 8'd1;
// mutant samhw_axi_write_mux: else if (moves && last) => else if (moves)
// mutant samhw_axi_write_mux: m_axi_bvalid && m_axi_bid == n[ID_W-1:0]; => m_axi_bvalid && m_axi_bid != n[ID_W-1:0];
// mutant samhw_axi_write_mux: wire            moves = here && w_room; => wire            moves = here;
`default_nettype none

module formal_axi_write_mux (
    input wire        clk,
    input wire        stop,
    input wire [1:0]  store_valid,
    input wire [1:0]  lens,
    input wire [5:0]  addrs,
    input wire [1:0]  line_valid,
    input wire [17:0] line_beat,
    input wire        awready,
    input wire        wready,
    input wire        bvalid,
    input wire        bid,
    input wire [1:0]  bresp,
    input wire [15:0] open_inside
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    // Bursts of one or two lines.
    wire [21:0] store_beat = {7'd0, lens[1], addrs[5:3], 7'd0, lens[0], addrs[2:0]};
    wire        idle, error, error_decode, error_port, awvalid, awid, wvalid, wlast, wstrb, bready;
    wire [1:0]  store_ready, line_ready, ack;
    wire [7:0]  awlen, wdata;
    wire [2:0]  awaddr;
    wire        answer = started && bvalid;
    samhw_axi_write_mux #(.N(2), .BUS_LOG2(0), .AXI_W(3), .ID_W(1)) dut (
        .clk(clk), .rst(rst), .stop(stop), .idle(idle),
        .error(error), .error_decode(error_decode), .error_port(error_port),
        .store_valid(store_valid), .store_ready(store_ready), .store_beat(store_beat),
        .line_valid(line_valid), .line_ready(line_ready), .line_beat(line_beat), .ack(ack),
        .m_axi_awvalid(awvalid), .m_axi_awready(awready), .m_axi_awid(awid), .m_axi_awaddr(awaddr), .m_axi_awlen(awlen),
        .m_axi_wvalid(wvalid), .m_axi_wready(wready), .m_axi_wdata(wdata), .m_axi_wstrb(wstrb), .m_axi_wlast(wlast),
        .m_axi_bvalid(answer), .m_axi_bready(bready), .m_axi_bid(bid), .m_axi_bresp(bresp)
    );
    wire [1:0] store = {2{started}} & store_valid & store_ready;
    wire [1:0] line  = {2{started}} & line_valid & line_ready;
    wire       ask   = started && awvalid && awready;
    samhw_steady #(.W(11)) low (
        .clk(clk), .started(started), .valid(store_valid[0]), .ready(store_ready[0]), .beat(store_beat[10:0]));
    samhw_steady #(.W(11)) high (
        .clk(clk), .started(started), .valid(store_valid[1]), .ready(store_ready[1]), .beat(store_beat[21:11]));
    samhw_steady #(.W(9)) low_line (
        .clk(clk), .started(started), .valid(line_valid[0]), .ready(line_ready[0]), .beat(line_beat[8:0]));
    samhw_steady #(.W(9)) high_line (
        .clk(clk), .started(started), .valid(line_valid[1]), .ready(line_ready[1]), .beat(line_beat[17:9]));

    // The burst whose lines go by: whose, and how many are left.
    reg        going = 1'b0;
    reg        whose;
    reg        two;
    wire       ends  = line != 2'd0 && !two;
    wire [2:0] owed;
    wire [2:0] lines;
    samhw_owed #(.W(12), .DEPTH(2)) bursts (
        .clk(clk), .started(started), .put(store != 2'd0),
        .beat(store[1] ? {1'b1, store_beat[21:11]} : {1'b0, store_beat[10:0]}),
        .valid(awvalid), .ready(awready), .given({awid, awlen, awaddr}), .count(owed));
    samhw_owed #(.W(10), .DEPTH(2)) data (
        .clk(clk), .started(started), .put(line != 2'd0), .beat({!two, whose ? line_beat[17:9] : line_beat[8:0]}),
        .valid(wvalid), .ready(wready), .given({wlast, wstrb, wdata}), .count(lines));

    // Bursts on their way, in the memory at most three; it answers those that were taken.
    reg  [2:0] open  = 3'd0;
    reg  [2:0] taken = 3'd0;
    reg        was_stop = 1'b1;
    reg  [1:0] was_for  = 2'd0;
    reg        bad      = 1'b0;
    reg        kind, port;
    always @(posedge clk) begin
        if (started) begin
            open  <= open + {2'd0, store != 2'd0} - {2'd0, answer};
            taken <= taken + {2'd0, ask} - {2'd0, answer};
            if (store != 2'd0)
                {going, whose, two} <= {1'b1, store[1], store[1] ? lens[1] : lens[0]};
            else if (line != 2'd0)
                {going, two} <= {two, 1'b0};
        end
        was_stop <= stop || !started;
        was_for  <= {2{answer}} & {bid, !bid};
        bad      <= bad || (answer && bresp[1]);
        if (!bad)
            {kind, port} <= {bresp[0], bid};
    end
    always @* begin
        assume (!answer || taken != 3'd0);
        assume (!awready || taken != 3'd3);
    end
    samhw_soon #(.MOST(2)) moved (.clk(clk), .started(started), .waits(going && wready && line_ready == 2'd0));
    wire waits = !stop && awready && wready && (line_valid == 2'd3);
    samhw_soon #(.MOST(12)) low_granted (
        .clk(clk), .started(started), .waits(store_valid[0] && !store_ready[0] && waits));
    samhw_soon #(.MOST(12)) high_granted (
        .clk(clk), .started(started), .waits(store_valid[1] && !store_ready[1] && waits));

    always @*
        if (started) begin
            assert (store != 2'd3 && (store_ready & ~store_valid) == 2'd0);
            assert (!was_stop || store_ready == 2'd0);
            assert (store == 2'd0 || (!going || ends));
            assert ((line_ready & ~({2{going}} & {whose, !whose})) == 2'd0);
            assert (bready);
            assert (ack == was_for);
            assert (open_inside == {13'd0, open});
            assert (idle == (open == 3'd0 && store_ready == 2'd0 && was_for == 2'd0));
            assert (open == owed + taken);
            assert (error == bad);
            assert (!bad || (error_decode == kind && error_port == port));
        end

endmodule

`default_nettype wire
