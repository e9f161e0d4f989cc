// SPDX-License-Identifier: Apache-2.0
//
// Proof: each write is stored once, in order: the data of the k-th word at the k-th address, whichever of the
// two comes first; each gets one response, behind it. Each read gets the answer of the register at its
// address, once and in order. Responses stay until they are taken, and say whether there is a register. With
// a host that takes responses, writes and reads are taken.
// by: reachability
// mutant samhw_axi_lite: assign write         = has_address && has_data && !s_axi_bvalid;
//     => assign write         = has_address && has_data;
// mutant samhw_axi_lite: assign write         = has_address && has_data && !s_axi_bvalid;
//     => assign write         = has_address && !s_axi_bvalid;
// mutant samhw_axi_lite: assign s_axi_arready = !asked && !s_axi_rvalid; => assign s_axi_arready = !asked;
// mutant samhw_axi_lite: if (!has_data) begin => if (s_axi_wvalid) begin
// mutant samhw_axi_lite: s_axi_bresp <= {!write_known, 1'b0}; => s_axi_bresp <= 2'd0;
// mutant samhw_axi_lite: s_axi_rresp <= {!read_known, 1'b0}; => s_axi_rresp <= 2'd0;
// mutant samhw_axi_lite: has_address  <= !write && (has_address || s_axi_awvalid);
//     => has_address  <= has_address || s_axi_awvalid;
`default_nettype none

module formal_axi_lite (
    input wire        clk,
    input wire        awvalid,
    input wire [3:0]  awaddr,
    input wire        wvalid,
    input wire [31:0] wdata,
    input wire [3:0]  wstrb,
    input wire        bready,
    input wire        arvalid,
    input wire [3:0]  araddr,
    input wire        rready,
    input wire [31:0] held,
    input wire [3:0]  known
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire        awready, wready, bvalid, arready, rvalid, write;
    wire [1:0]  bresp, rresp, write_addr, read_addr;
    wire [31:0] rdata, write_data;
    wire [3:0]  write_strb;
    samhw_axi_lite #(.ADDR_W(4)) dut (
        .clk(clk), .rst(rst),
        .s_axi_awvalid(awvalid), .s_axi_awready(awready), .s_axi_awaddr(awaddr),
        .s_axi_wvalid(wvalid), .s_axi_wready(wready), .s_axi_wdata(wdata), .s_axi_wstrb(wstrb),
        .s_axi_bvalid(bvalid), .s_axi_bready(bready), .s_axi_bresp(bresp),
        .s_axi_arvalid(arvalid), .s_axi_arready(arready), .s_axi_araddr(araddr),
        .s_axi_rvalid(rvalid), .s_axi_rready(rready), .s_axi_rdata(rdata), .s_axi_rresp(rresp),
        .write(write), .write_addr(write_addr), .write_data(write_data), .write_strb(write_strb),
        .write_known(known[write_addr]), .read_addr(read_addr), .read_data(held), .read_known(known[read_addr])
    );

    // A write is there where it is stored: it is taken from both queues then.
    wire [2:0] addresses, words, responses, reads;
    samhw_owed #(.W(2), .DEPTH(1)) where_ (
        .clk(clk), .started(started), .put(started && awvalid && awready), .beat(awaddr[3:2]),
        .valid(write), .ready(1'b1), .given(write_addr), .count(addresses));
    samhw_owed #(.W(36), .DEPTH(1)) what (
        .clk(clk), .started(started), .put(started && wvalid && wready), .beat({wdata, wstrb}),
        .valid(write), .ready(1'b1), .given({write_data, write_strb}), .count(words));
    samhw_owed #(.W(2), .DEPTH(1)) done (
        .clk(clk), .started(started), .put(started && write), .beat({!known[write_addr], 1'b0}),
        .valid(bvalid), .ready(bready), .given(bresp), .count(responses));

    // The answer is what the register holds in the cycle after the request.
    reg         asked = 1'b0;
    reg  [1:0]  at;
    wire        ask   = started && arvalid && arready;
    always @(posedge clk) begin
        asked <= ask;
        if (ask)
            at <= araddr[3:2];
    end
    samhw_owed #(.W(34), .DEPTH(1)) answers (
        .clk(clk), .started(started), .put(asked), .beat({held, !known[at], 1'b0}),
        .valid(rvalid), .ready(rready), .given({rdata, rresp}), .count(reads));
    samhw_soon #(.MOST(3)) stored (.clk(clk), .started(started), .waits(awvalid && wvalid && bready && !write));
    samhw_soon #(.MOST(3)) told (.clk(clk), .started(started), .waits(arvalid && rready && !arready));

    always @*
        if (started) begin
            assert (!asked || read_addr == at);
            assert (bvalid == (responses != 3'd0) && rvalid == (reads != 3'd0));
            assert (awready == (addresses == 3'd0) && wready == (words == 3'd0));
        end

endmodule

`default_nettype wire
