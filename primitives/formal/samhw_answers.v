// SPDX-License-Identifier: Apache-2.0
//
// A memory, in proofs: it takes requests while it has room and answers them one after the other, each when it likes.
//
//   Consumes    req: bursts of `len` words from `addr` on; take them with `room` only. `go`: an answer is there now.
//   Produces    rsp: one answer per word, `at` its address; it stays until it is taken.
//   Parameters  ADDR_W; LEN_W bits of a length; two requests at most wait.
`default_nettype none

module samhw_answers #(
    parameter ADDR_W = 2,
    parameter LEN_W  = 2
) (
    input  wire              clk,
    input  wire              started,
    input  wire              req_valid,
    input  wire              req_ready,
    input  wire [ADDR_W-1:0] addr,
    input  wire [LEN_W-1:0]  len,
    output wire              room,
    input  wire              go,
    output wire              rsp_valid,
    input  wire              rsp_ready,
    output wire [ADDR_W-1:0] at
);

    localparam [ADDR_W-1:0] NEXT = 1;
    localparam [LEN_W-1:0]  ONE  = 1;

    reg  [1:0]        count = 2'd0;
    reg  [ADDR_W-1:0] addr0;
    reg  [ADDR_W-1:0] addr1;
    reg  [LEN_W-1:0]  len0;
    reg  [LEN_W-1:0]  len1;
    reg               stays = 1'b0;
    wire              put  = started && req_valid && req_ready;
    wire              give = started && rsp_valid && rsp_ready;
    wire              over = give && len0 == ONE;
    assign room      = !count[1];
    assign rsp_valid = count != 2'd0 && (go || stays);
    assign at        = addr0;

    always @(posedge clk) begin
        stays <= started && rsp_valid && !rsp_ready;
        if (started) begin
            count <= count + {1'b0, put} - {1'b0, over};
            if (count == {1'b0, over}) begin
                if (put)
                    {addr0, len0} <= {addr, len};
            end else if (over)
                {addr0, len0} <= {addr1, len1};
            else if (give)
                {addr0, len0} <= {addr0 + NEXT, len0 - ONE};
            if (put && count == {1'b0, over} + 2'd1)
                {addr1, len1} <= {addr, len};
        end
    end

    always @*
        if (started)
            assert (!put || (room && len != {LEN_W{1'b0}}));

endmodule

`default_nettype wire
