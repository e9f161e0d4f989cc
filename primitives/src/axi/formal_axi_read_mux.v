// SPDX-License-Identifier: Apache-2.0
//
// Proof: each fetch of a reader is asked for once, in order, with the reader's ID; what is asked for stays
// until it is taken. Each line goes to the reader whose ID it has, in the next cycle. `idle` if and only if
// nothing is on its way; no burst is asked for after `stop`. The first answer with an error is told, with its
// kind and its port. A fetch is granted in time.
// with: samhw_skid
// with: samhw_skid_ahead
// by: reachability
// probe open_inside = dut.open
// mutant samhw_axi_read_mux: grant == {N{1'b0}} && room && !stop => grant == {N{1'b0}} && !stop
// mutant samhw_axi_read_mux: grant == {N{1'b0}} && room && !stop => room && !stop
// mutant samhw_axi_read_mux: grant == {N{1'b0}} && room && !stop => grant == {N{1'b0}} && room
// mutant samhw_axi_read_mux: m_axi_rvalid && m_axi_rid == k[ID_W-1:0]; => m_axi_rvalid && m_axi_rid != k[ID_W-1:0];
// mutant samhw_axi_read_mux: if (m_axi_rvalid && m_axi_rresp[1] && !error) => if (m_axi_rvalid && m_axi_rresp[1])
// mutant samhw_axi_read_mux: wire        less = m_axi_rvalid && m_axi_rlast; => wire        less = m_axi_rvalid;
`default_nettype none

module formal_axi_read_mux (
    input wire        clk,
    input wire        stop,
    input wire [1:0]  fetch_valid,
    input wire [21:0] fetch_beat,
    input wire        arready,
    input wire        rvalid,
    input wire        rid,
    input wire [7:0]  rdata,
    input wire [1:0]  rresp,
    input wire        rlast,
    input wire [15:0] open_inside
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire        idle, error, error_decode, error_port, arvalid, arid, rready;
    wire [1:0]  fetch_ready, data_valid;
    wire [7:0]  data_beat, arlen;
    wire [2:0]  araddr;
    wire        answer = started && rvalid;
    samhw_axi_read_mux #(.N(2), .BUS_LOG2(0), .AXI_W(3), .ID_W(1)) dut (
        .clk(clk), .rst(rst), .stop(stop), .idle(idle),
        .error(error), .error_decode(error_decode), .error_port(error_port),
        .fetch_valid(fetch_valid), .fetch_ready(fetch_ready), .fetch_beat(fetch_beat),
        .data_valid(data_valid), .data_beat(data_beat),
        .m_axi_arvalid(arvalid), .m_axi_arready(arready), .m_axi_arid(arid), .m_axi_araddr(araddr), .m_axi_arlen(arlen),
        .m_axi_rvalid(answer), .m_axi_rready(rready), .m_axi_rid(rid), .m_axi_rdata(rdata), .m_axi_rresp(rresp),
        .m_axi_rlast(rlast)
    );
    wire [1:0] fetch = {2{started}} & fetch_valid & fetch_ready;
    wire       ask   = started && arvalid && arready;
    samhw_steady #(.W(11)) low (
        .clk(clk), .started(started), .valid(fetch_valid[0]), .ready(fetch_ready[0]), .beat(fetch_beat[10:0]));
    samhw_steady #(.W(11)) high (
        .clk(clk), .started(started), .valid(fetch_valid[1]), .ready(fetch_ready[1]), .beat(fetch_beat[21:11]));

    wire [2:0] owed;
    samhw_owed #(.W(12), .DEPTH(2)) bursts (
        .clk(clk), .started(started), .put(fetch != 2'd0),
        .beat(fetch[1] ? {1'b1, fetch_beat[21:11]} : {1'b0, fetch_beat[10:0]}),
        .valid(arvalid), .ready(arready), .given({arid, arlen, araddr}), .count(owed));

    // Bursts on their way, in the memory at most three; it answers those that were taken.
    reg  [2:0] open  = 3'd0;
    reg  [2:0] taken = 3'd0;
    wire       done  = answer && rlast;
    always @(posedge clk)
        if (started) begin
            open  <= open + {2'd0, fetch != 2'd0} - {2'd0, done};
            taken <= taken + {2'd0, ask} - {2'd0, done};
        end
    reg        was_stop = 1'b1;
    reg  [1:0] was_for  = 2'd0;
    reg  [7:0] was_data;
    reg        bad      = 1'b0;
    reg        kind, port;
    always @(posedge clk) begin
        was_stop <= stop || !started;
        was_for  <= {2{answer}} & {rid, !rid};
        was_data <= rdata;
        bad      <= bad || (answer && rresp[1]);
        if (!bad)
            {kind, port} <= {rresp[0], rid};
    end
    always @* begin
        assume (!answer || taken != 3'd0);
        assume (!arready || taken != 3'd3);
    end
    samhw_soon #(.MOST(5)) low_granted (
        .clk(clk), .started(started), .waits(fetch_valid[0] && !fetch_ready[0] && !stop && arready));
    samhw_soon #(.MOST(5)) high_granted (
        .clk(clk), .started(started), .waits(fetch_valid[1] && !fetch_ready[1] && !stop && arready));

    always @*
        if (started) begin
            assert (fetch != 2'd3 && (fetch_ready & ~fetch_valid) == 2'd0);
            assert (!was_stop || fetch_ready == 2'd0);
            assert (rready);
            assert (data_valid == was_for);
            assert (data_valid == 2'd0 || data_beat == was_data);
            assert (open_inside == {13'd0, open});
            assert (idle == (open == 3'd0 && fetch_ready == 2'd0 && was_for == 2'd0));
            assert (open == owed + taken);
            assert (error == bad);
            assert (!bad || (error_decode == kind && error_port == port));
        end

endmodule

`default_nettype wire
