// SPDX-License-Identifier: Apache-2.0
//
// Proof: the place of answer k is the k-th of all places that were asked for: of requests in order, of each
// its addr, or addr .. addr+len-1.
// by: reachability
// case single: BURSTS=0
// case burst: BURSTS=1
// mutant of single samhw_axi_asked: assign place = beat; => assign place = asked_beat;
// mutant of single samhw_axi_asked: assign pop   = step;\n => assign pop   = 1'b1;\n
// mutant of burst samhw_axi_asked: assign pop   = step && !going; => assign pop   = step;
// mutant of burst samhw_axi_asked: going <= len != ONE; => going <= beat[ADDR_W +: ADDR_W] != ONE;
// mutant of burst samhw_axi_asked: left <= len - ONE; => left <= left - ONE;
`default_nettype none

module formal_axi_asked #(
    parameter BURSTS = 1
) (
    input wire       clk,
    input wire       asked,
    input wire [1:0] addr,
    input wire [1:0] len,
    input wire       step
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire [1:0] place;
    samhw_axi_asked #(.ADDR_W(2), .BURSTS(BURSTS), .WAIT_LOG2(1)) dut (
        .clk(clk), .rst(rst), .asked(asked), .asked_beat(BURSTS != 0 ? {len, addr} : {2'd0, addr}), .step(step),
        .place(place)
    );

    // Requests that wait for their first answer.
    reg  [1:0] waits = 2'd0;
    reg        begun = 1'b0;
    wire       any;
    wire [1:0] where_;
    wire [1:0] left;
    wire       pop = step && !begun;
    always @(posedge clk)
        if (started) begin
            waits <= waits + {1'b0, asked} - {1'b0, pop};
            if (step)
                begun <= left != 2'd1;
        end
    always @* begin
        assume (started || !(asked || step));
        assume (!step || any);
        assume (!asked || (waits < 2'd2 && len != 2'd0));
    end
    samhw_fibers #(.W(2), .STOP_W(1), .DEPTH(3)) places (
        .clk(clk), .started(started), .put(asked), .list(1'b1), .stop(1'b0), .hole(1'b0), .first(addr),
        .len(BURSTS != 0 ? len : 2'd1), .step(step), .many(2'd1), .any(any), .kind(), .stop_at(), .hole_at(),
        .place(where_), .left(left));

    always @*
        if (started)
            assert (!any || place == where_);

endmodule

`default_nettype wire
