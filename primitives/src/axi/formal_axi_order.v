// SPDX-License-Identifier: Apache-2.0
//
// Proof: `wrong` is told two cycles after the first answer that is not as it must be, and for none that is: a
// coordinate at the size or above, or not above the one before in its request (with KIND 1, below it); of bit
// vectors (KIND 2) a bit at the size or above in the last word of a request.
// by: reachability
// case rises: KIND=0
// case level: KIND=1
// case bits: KIND=2
// mutant samhw_axi_order: .out_valid(q_valid), .out_ready(told && !going), => .out_valid(q_valid), .out_ready(told),
// mutant samhw_axi_order: going <= len != ONE; => going <= q_len != ONE;
// mutant of rises samhw_axi_order: s_first  <= !going; => s_first  <= 1'b0;
// mutant of level samhw_axi_order: KIND == 1 ? s_crd < s_before : s_crd <= s_before; => s_crd <= s_before;
// mutant of rises samhw_axi_order: wide_crd >= wide_limit => wide_crd > wide_limit
// mutant of bits samhw_axi_order: s_last   <= len == ONE; => s_last   <= 1'b1;
// mutant of bits samhw_axi_order: used != {BIT_W{1'b0}} && beyond => beyond
`default_nettype none

module formal_axi_order #(
    parameter KIND = 0
) (
    input wire       clk,
    input wire [2:0] size,
    input wire       asked,
    input wire [1:0] len,
    input wire       told,
    input wire [1:0] crd
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    reg [2:0] limit;
    always @(posedge clk)
        if (!started)
            limit <= size;

    wire wrong;
    samhw_axi_order #(.ADDR_W(2), .DATA_W(2), .LIMIT_W(3), .KIND(KIND), .WAIT_LOG2(1)) dut (
        .clk(clk), .rst(rst), .limit(limit), .asked(asked), .asked_len(len), .told(told), .crd(crd), .wrong(wrong));

    // What is owed of each request, and how many wait for their first answer.
    reg  [1:0] waits = 2'd0;
    reg        begun = 1'b0;
    wire       any;
    wire [1:0] left;
    wire       pop = told && !begun;
    always @(posedge clk)
        if (started) begin
            waits <= waits + {1'b0, asked} - {1'b0, pop};
            if (told)
                begun <= left != 2'd1;
        end
    always @* begin
        assume (started || !(asked || told));
        assume (!told || any);
        assume (!asked || (waits < 2'd2 && len != 2'd0));
    end
    samhw_fibers #(.W(2), .STOP_W(1), .DEPTH(3)) owed (
        .clk(clk), .started(started), .put(asked), .list(1'b1), .stop(1'b0), .hole(1'b0), .first(2'd0),
        .len(len), .step(told), .many(2'd1), .any(any), .kind(), .stop_at(), .hole_at(), .place(), .left(left));

    reg  [1:0] before_;
    reg        bad  = 1'b0;
    reg        late = 1'b0;
    wire       word = limit[0] && crd[1] && left == 2'd1;
    wire       over = {1'b0, crd} >= limit || (begun && (KIND == 1 ? crd < before_ : crd <= before_));
    always @(posedge clk) begin
        bad  <= bad || (told && (KIND == 2 ? word : over));
        late <= bad;
        if (told)
            before_ <= crd;
    end

    always @*
        if (started)
            assert (wrong == late);

endmodule

`default_nettype wire
