// SPDX-License-Identifier: Apache-2.0
//
// Requests of a scanner up to a bound: of each fiber the first pair of coordinates is asked for, and further ones until
// the bound is there.
//
//   Consumes    in: lists begin..end with the last coordinate that is needed (`none`: there is none), and what is not a
//               list; crd_rsp {crd[addr+1], crd[addr]}: answers to crd_req. An answer is always taken.
//               room: one more of what comes may be under way; taken: a pair of `more` was used up.
//   Produces    start: what comes is taken; some: it is a list of which something may be needed. crd_req {addr}.
//               began: `pair` {stays1, stays0, final, ref, crd1, crd0} is the first one of the next list;
//               more: it is the next one of the next list whose first pair is not its final one. A pair says
//               which of its coordinates are needed, and whether nothing behind it is.
//   Order       First pairs go before others. Lists of which more is needed take turns: pairs behind the
//               first are asked for, one a cycle, until the final one is there; what was asked for beyond it
//               is dropped as it comes.
//   Throughput  one request per cycle; 2**MORE_LOG2 pairs behind first ones are asked for and not used up.
//   Latency     from start to crd_req 1 cycle; pairs are those of the answer's cycle.
//   Boundary    crd_req is a register; start depends on crd_req_ready, pairs on crd_rsp.
//   Parameters  REF_W bits of positions, CRD_W of coordinates; ITEMS_LOG2: at most 2**ITEMS_LOG2 lists are under way
//               whose final pair is not there; MORE_LOG2.
//   Reset       valid bits, pointers, counters, state; payloads are not reset.
`default_nettype none

module samhw_until_ask #(
    parameter REF_W      = 16,
    parameter CRD_W      = 16,
    parameter ITEMS_LOG2 = 3,
    parameter MORE_LOG2  = 3
) (
    input  wire                     clk,
    input  wire                     rst,

    input  wire                     in_valid,
    input  wire                     in_list,
    input  wire [REF_W-1:0]         in_begin,
    input  wire [REF_W-1:0]         in_end,
    input  wire                     in_none,
    input  wire [CRD_W-1:0]         in_to,
    input  wire                     room,
    output wire                     start,
    output wire                     some,

    output reg                      crd_req_valid,
    input  wire                     crd_req_ready,
    output reg  [REF_W-1:0]         crd_req_beat,

    input  wire                     crd_rsp_valid,
    input  wire [2*CRD_W-1:0]       crd_rsp_beat,

    output wire                     began,
    output wire                     more,
    output wire [3+REF_W+2*CRD_W-1:0] pair,
    input  wire                     taken
);
    generate
        if (REF_W < 1 || CRD_W < 1 || ITEMS_LOG2 < 1 || MORE_LOG2 < 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam TAGS_LOG2 = (ITEMS_LOG2 > MORE_LOG2 ? ITEMS_LOG2 : MORE_LOG2) + 1;
    localparam EPOCH_W   = MORE_LOG2 + 1;
    localparam [REF_W-1:0]   ONE  = 1;
    localparam [REF_W-1:0]   TWO  = 2;
    localparam [EPOCH_W-1:0] NEXT = 1;
    localparam [MORE_LOG2:0] PAIR = 1;

    wire free = !crd_req_valid || crd_req_ready;
    assign start = in_valid && room && free;
    assign some  = in_list && !in_none && in_begin != in_end;

    // The list of which more is asked for: the next position, how many coordinates there are from it on, its bound.
    reg               active;
    reg [EPOCH_W-1:0] epoch;
    reg [REF_W-1:0]   next;
    reg [REF_W-1:0]   left;
    reg [CRD_W-1:0]   bound;
    reg [MORE_LOG2:0] open;   // pairs behind first ones that were asked for, and not used up or dropped
    wire              ask    = active && free && !start && !open[MORE_LOG2];
    wire [REF_W-1:0]  at     = start ? in_begin : next;
    wire [REF_W-1:0]  count  = start ? in_end - in_begin : left;
    wire              one    = count == ONE;
    wire              last   = one || count == TWO;
    wire              first  = start && some;

    // What was asked for, and what comes.
    wire               t_room;
    wire               t_valid;
    wire               t_more;
    wire               t_one;
    wire               t_last;
    wire [EPOCH_W-1:0] t_epoch;
    wire [REF_W-1:0]   t_count;
    wire [REF_W-1:0]   t_at;
    wire [CRD_W-1:0]   t_to;
    samhw_queue #(.W(3+EPOCH_W+2*REF_W+CRD_W), .LOG2(TAGS_LOG2)) u_tags (
        .clk(clk), .rst(rst),
        .in_valid(first || ask), .in_ready(t_room),
        .in_data({!start, one, last, epoch, count, at, start ? in_to : bound}),
        .out_valid(t_valid), .out_ready(crd_rsp_valid), .out_data({t_more, t_one, t_last, t_epoch, t_count, t_at, t_to})
    );
    reg  [EPOCH_W-1:0] over;   // the last list of which more was asked for and that is complete
    wire [CRD_W-1:0]   c0     = crd_rsp_beat[CRD_W-1:0];
    wire [CRD_W-1:0]   c1     = crd_rsp_beat[2*CRD_W-1:CRD_W];
    wire               stays0 = c0 <= t_to;
    wire               stays1 = !t_one && c1 <= t_to;
    wire               final_ = t_last || c1 >= t_to;
    wire               behind = crd_rsp_valid && t_more;
    wire               drop   = behind && t_epoch == over;
    assign more  = behind && t_epoch != over;
    assign began = crd_rsp_valid && !t_more;
    assign pair  = {stays1, stays0, final_, t_at, crd_rsp_beat};

    wire               w_room;
    wire               w_valid;
    wire [REF_W-1:0]   w_at;
    wire [REF_W-1:0]   w_count;
    wire [CRD_W-1:0]   w_to;
    wire               turn = w_valid && !active;
    samhw_queue #(.W(2*REF_W+CRD_W), .LOG2(ITEMS_LOG2)) u_wants (
        .clk(clk), .rst(rst),
        .in_valid(began && !final_), .in_ready(w_room), .in_data({t_at, t_count, t_to}),
        .out_valid(w_valid), .out_ready(!active), .out_data({w_at, w_count, w_to})
    );

    wire [MORE_LOG2:0] gone = {{MORE_LOG2{1'b0}}, drop} + {{MORE_LOG2{1'b0}}, taken};
    always @(posedge clk) begin
        if (free)
            crd_req_beat <= at;
        if (turn) begin
            next  <= w_at + TWO;
            left  <= w_count - TWO;
            bound <= w_to;
        end else if (ask) begin
            next  <= next + TWO;
            left  <= left - TWO;
        end
        if (rst) begin
            crd_req_valid <= 1'b0;
            active        <= 1'b0;
            epoch         <= {EPOCH_W{1'b0}};
            over          <= {EPOCH_W{1'b0}};
            open          <= {(MORE_LOG2+1){1'b0}};
        end else begin
            if (free)
                crd_req_valid <= first || ask;
            if (turn)
                active <= 1'b1;
            else if ((ask && last) || (more && final_ && t_epoch == epoch))
                active <= 1'b0;
            if (turn)
                epoch <= epoch + NEXT;
            if (more && final_)
                over <= t_epoch;
            open <= open + (ask ? PAIR : {(MORE_LOG2+1){1'b0}}) - gone;
        end
    end

    wire _unused_ok = &{1'b0, t_room, t_valid, w_room, 1'b0};

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst && start && in_list && in_end < in_begin) begin
            $display("samhw_until_ask: a fiber ends before it begins");
            $stop;
        end
    always @(posedge clk)
        if (!rst && (((first || ask) && !t_room) || (crd_rsp_valid && !t_valid) || (began && !final_ && !w_room))) begin
            $display("samhw_until_ask: an answer without a request, or without a place");
            $stop;
        end
`endif

endmodule

`default_nettype wire
