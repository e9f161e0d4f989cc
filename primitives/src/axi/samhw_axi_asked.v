// SPDX-License-Identifier: Apache-2.0
//
// Where answers of a memory come from: the places of requests, one for each answer.
//
//   Consumes    asked, asked_beat {len, addr} (BURSTS) or {addr}: a request is taken, for addr .. addr+len-1
//               or for addr; step: an answer is looked at, in the order of the requests.
//   Produces    place: of the answer that is looked at next.
//   Latency     a request counts from the cycle after it.
//   Parameters  ADDR_W bits of a place; at most 2**WAIT_LOG2 requests wait for the first of their answers.
//   Reset       all state but places.
`default_nettype none

module samhw_axi_asked #(
    parameter ADDR_W    = 16,
    parameter BURSTS    = 1,
    parameter WAIT_LOG2 = 4
) (
    input  wire                                         clk,
    input  wire                                         rst,

    input  wire                                         asked,
    input  wire [(BURSTS != 0 ? 2*ADDR_W : ADDR_W)-1:0] asked_beat,

    input  wire                                         step,
    output wire [ADDR_W-1:0]                            place
);
    generate
        if (ADDR_W < 1 || WAIT_LOG2 < 1 || BURSTS < 0 || BURSTS > 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam REQ_W = BURSTS != 0 ? 2*ADDR_W : ADDR_W;
    localparam [ADDR_W-1:0] ONE = 1;

    wire             room;
    wire             valid;
    wire             pop;
    wire [REQ_W-1:0] beat;
    samhw_queue #(.W(REQ_W), .LOG2(WAIT_LOG2)) u_asked (
        .clk(clk), .rst(rst),
        .in_valid(asked), .in_ready(room), .in_data(asked_beat),
        .out_valid(valid), .out_ready(pop), .out_data(beat)
    );
    generate
        if (BURSTS != 0) begin : g_bursts
            reg               going;
            reg  [ADDR_W-1:0] next;
            reg  [ADDR_W-1:0] left;
            wire [ADDR_W-1:0] len = going ? left : beat[ADDR_W +: ADDR_W];
            assign pop   = step && !going;
            assign place = going ? next : beat[ADDR_W-1:0];
            always @(posedge clk) begin
                if (step) begin
                    next <= place + ONE;
                    left <= len - ONE;
                end
                if (rst)
                    going <= 1'b0;
                else if (step)
                    going <= len != ONE;
            end
        end else begin : g_single
            assign pop   = step;
            assign place = beat;
        end
    endgenerate

    wire _unused_ok = &{1'b0, room, valid, 1'b0};

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst && ((asked && !room) || (pop && !valid))) begin
            $display("samhw_axi_asked: more requests than can wait, or an answer that nobody asked for");
            $stop;
        end
`endif

endmodule

`default_nettype wire
