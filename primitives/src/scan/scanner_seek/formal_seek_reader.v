// SPDX-License-Identifier: Apache-2.0
//
// Proof, with a memory of any rising coordinates that answers when it likes: of a short fiber everything
// comes out, of a long one what lies between LO and HI and at most NEAR entries on either side, without a
// gap, each once and in order, with its coordinate; a fiber without any such entry may be an empty list. Of
// what a canonical stream of references gives it makes a canonical stream; what is offered, requests too,
// stays until it is taken; with a memory that answers and a consumer that takes, a beat leaves in time.
// by: reachability
// mutant samhw_seek_reader: low <= higher[REF_W:1]; => low <= higher[REF_W:1] + NEXT;
// mutant samhw_seek_reader: ~high}, {1'b0, NEAR} + ONE); => ~high}, {1'b0, NEAR} + ONE + ONE);
// mutant samhw_seek_reader: assign c_pop = (take && b_list) || answer; => assign c_pop = take && b_list;
// mutant samhw_seek_reader: (state == BELOW ? LO : HI) => LO
// mutant samhw_seek_reader: turn    = looking && !asked && !b_valid; => turn    = looking && !asked;
// mutant samhw_seek_reader: && begins != ends; => && in_begin != in_end;
`default_nettype none

module formal_seek_reader (
    input wire       clk,
    input wire [5:0] contents,
    input wire       ref_valid,
    input wire [5:0] ref_beat,
    input wire [1:0] from,
    input wire [1:0] to,
    input wire       may,
    input wire       go,
    input wire       out_ready
);

    localparam [1:0] LO = 2'd2;
    localparam [1:0] HI = 2'd3;

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    // Three entries; within a fiber the coordinates rise.
    reg  [5:0] crds;
    always @(posedge clk)
        if (!started)
            crds <= contents;
    wire [1:0] c0 = crds[1:0];
    wire [1:0] c1 = crds[3:2];
    wire [1:0] c2 = crds[5:4];
    wire [2:0] needed = {c2 >= LO && c2 < HI, c1 >= LO && c1 < HI, c0 >= LO && c0 < HI};

    // As samhw_ref_skid gives the references of lists of depth 1.
    wire [1:0] r_kind = ref_beat[5:4];
    wire       list   = r_kind == 2'd0;
    wire [1:0] stop   = r_kind == 2'd3 ? 2'd0 : ref_beat[3:2] + 2'd1;
    wire [1:0] hole   = r_kind == 2'd3 ? 2'd0 : r_kind == 2'd2 ? ref_beat[1:0] + 2'd1 : 2'd1;

    wire       ref_ready;
    wire       req_valid;
    wire [3:0] req;
    wire       rsp_valid;
    wire       rsp_ready;
    wire [1:0] at;
    wire       room;
    wire       out_valid;
    wire [7:0] out_beat;
    samhw_seek_reader #(
        .REF_W(2), .CRD_W(2), .STOP_W(2), .QUEUE_LOG2(1), .LO({1'b0, LO}), .HI({1'b0, HI}), .LONG(3'd1), .NEAR(3'd1)
    ) dut (
        .clk(clk), .rst(rst),
        .in_valid(ref_valid), .in_ready(ref_ready), .in_list(list), .in_stop(stop), .in_hole(hole), .in_begin(from),
        .in_end(to),
        .crd_req_valid(req_valid), .crd_req_ready(may && room), .crd_req_beat(req),
        .crd_rsp_valid(rsp_valid), .crd_rsp_ready(rsp_ready), .crd_rsp_beat(at[1] ? c2 : at[0] ? c1 : c0),
        .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat)
    );
    samhw_answers #(.ADDR_W(2), .LEN_W(2)) memory (
        .clk(clk), .started(started), .req_valid(req_valid), .req_ready(may && room), .addr(req[1:0]), .len(req[3:2]),
        .room(room), .go(go), .rsp_valid(rsp_valid), .rsp_ready(rsp_ready), .at(at));
    samhw_kept #(.W(4)) req_kept (.clk(clk), .started(started), .valid(req_valid), .ready(may && room), .beat(req));
    samhw_kept #(.W(8)) out_kept (.clk(clk), .started(started), .valid(out_valid), .ready(out_ready), .beat(out_beat));
    wire       take = started && ref_valid && ref_ready;
    wire       give = started && out_valid && out_ready;

    wire       legal;
    wire       o_legal;
    samhw_rules #(.DEPTH(1), .STOP_W(2), .W(2)) rules (
        .clk(clk), .rst(rst), .take(take), .beat(ref_beat), .legal(legal), .state(), .after());
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) o_rules (
        .clk(clk), .rst(rst), .take(give), .beat({out_beat[7:4], out_beat[1:0]}), .legal(o_legal), .state(), .after());
    // The bounds stay with their beat.
    samhw_steady #(.W(10)) steady (
        .clk(clk), .started(started), .valid(ref_valid), .ready(ref_ready), .beat({ref_beat, from, to}));
    always @* begin
        assume (!ref_valid || (legal && (!list || from <= to)));
        assume (!ref_valid || ((from > 2'd0 || to < 2'd2 || c0 < c1) && (from > 2'd1 || to < 2'd3 || c1 < c2)));
    end

    // The fibers that are not through, the oldest lowest: {list, stop, hole, from, to}; and the entry after
    // the last one that left.
    reg  [1:0]  count = 2'd0;
    reg  [26:0] fibers;
    reg         begun = 1'b0;
    reg  [1:0]  next;
    wire        is_list;
    wire [1:0]  stop_at;
    wire [1:0]  hole_at;
    wire [1:0]  first;
    wire [1:0]  end_;
    assign {is_list, stop_at, hole_at, first, end_} = fibers[8:0];
    wire        item  = !out_beat[7];
    wire        ends  = !item || out_beat[5:4] != 2'd0;
    wire        over  = give && ends;
    wire [1:0]  rest  = count - {1'b0, over};
    wire [26:0] left  = over ? fibers >> 9 : fibers;
    wire [26:0] new_  = {18'd0, list, stop, hole, from, to};
    wire [26:0] low   = {18'd0, 9'h1ff};
    always @(posedge clk)
        if (started) begin
            count  <= rest + {1'b0, take};
            fibers <= !take ? left : (left & ~(low << (rest * 5'd9))) | (new_ << (rest * 5'd9));
            if (give) begin
                begun <= !ends;
                next  <= out_beat[3:2] + 2'd1;
            end
        end

    // Of the fiber at hand: the entries in it, in it and needed, before and behind the one on offer.
    wire [1:0] place  = out_beat[3:2];
    wire [2:0] inside = {first <= 2'd2 && end_ > 2'd2, first <= 2'd1 && end_ > 2'd1, first == 2'd0 && end_ != 2'd0};
    wire [2:0] before_ = {1'b0, place > 2'd1, place > 2'd0};
    wire [2:0] behind = {place < 2'd2, place < 2'd1, 1'b0};
    wire       long   = end_ - first > 2'd1;
    wire [2:0] wanted = long ? inside & needed : inside;
    wire [1:0] crd    = place == 2'd0 ? c0 : place == 2'd1 ? c1 : c2;
    // The two next entries.
    wire [1:0] crd_up = place == 2'd0 ? c1 : c2;
    wire [1:0] crd_dn = place == 2'd2 ? c1 : c0;
    samhw_soon #(.MOST(15)) given (.clk(clk), .started(started), .waits(count != 2'd0 && !out_valid && may && go));
    samhw_soon #(.MOST(24)) taken (
        .clk(clk), .started(started), .waits(ref_valid && !ref_ready && out_ready && may && go)
    );

    always @*
        if (started) begin
            assert (!take || rest != 2'd3);
            assert (!out_valid || (count != 2'd0 && o_legal));
            if (out_valid && item) begin
                assert (is_list && place >= first && place < end_ && out_beat[1:0] == crd);
                assert (out_beat[7:6] == 2'd0);
                assert (begun ? place == next : (wanted & before_) == 3'd0);
                assert (!ends || (out_beat[5:4] == stop_at && (wanted & behind) == 3'd0));
                // At most one on either side: of two there the inner one is needed.
                assert (begun || !long || crd >= LO || place + 2'd1 >= end_ || crd_up >= LO);
                assert (!ends || !long || crd < HI || place == first || crd_dn < HI);
            end
            if (out_valid && !item) begin
                assert (!begun && (!is_list || wanted == 3'd0));
                assert (out_beat == {1'b1, stop_at == 2'd0, stop_at, 2'd0, hole_at});
            end
        end

endmodule

`default_nettype wire
