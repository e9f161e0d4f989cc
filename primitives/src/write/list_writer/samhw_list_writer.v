// SPDX-License-Identifier: Apache-2.0
//
// List writer: a crd stream as linked lists, one for each position above, in the order of writing.
//
//   Consumes    crd and pos, of one shape: a coordinate and the position that it lies below.
//   Produces    seg_write {end, begin, addr}: at the run's start 0 at every address below chunk; then for
//               each coordinate, at its position, the place of the list's first one and that behind its
//               last one. crd_write {data, addr}: coordinate n of the run at place n; next_write
//               {n, addr}: at the place of the one before it in its list, if there is one. finished: one
//               token per run, after its DONE and all its writes have left.
//   Status      count: coordinates, also beyond crd_capacity; overflow: one was beyond it and not
//               written. Both hold until the next run's first beat arrives.
//   Throughput  one coordinate per cycle, also to one list; chunk cycles in which a run begins.
//   Latency     4 cycles.
//   Parameters  CRD_W payload bits; REF_IN_W bits of a position above (chunk < 2**REF_IN_W), REF_W of a
//               place (crd_capacity < 2**REF_W); STOP_W; WORDS: positions above at most, from 2
//               to 2**REF_IN_W.
//   Reset       valid bits and state; the lists' ends are cleared by each run.
//   Source      "OuterSPACE" (Pal and others, HPCA 2018), section 4.
`default_nettype none

module samhw_list_writer #(
    parameter CRD_W    = 16,
    parameter REF_IN_W = 16,
    parameter REF_W    = 16,
    parameter STOP_W   = 3,
    parameter WORDS    = 256
) (
    input  wire                        clk,
    input  wire                        rst,

    input  wire [REF_W-1:0]            crd_capacity,
    input  wire [REF_IN_W-1:0]         chunk,

    input  wire                        crd_valid,
    output wire                        crd_ready,
    input  wire [2+STOP_W+CRD_W-1:0]   crd_beat,

    input  wire                        pos_valid,
    output wire                        pos_ready,
    input  wire [2+STOP_W+REF_IN_W-1:0] pos_beat,

    output reg                         seg_write_valid,
    input  wire                        seg_write_ready,
    output reg  [2*REF_W+REF_IN_W-1:0] seg_write_beat,

    output wire                        crd_write_valid,
    input  wire                        crd_write_ready,
    output wire [CRD_W+REF_W-1:0]      crd_write_beat,

    output reg                         next_write_valid,
    input  wire                        next_write_ready,
    output reg  [2*REF_W-1:0]          next_write_beat,

    output reg                         finished_valid,
    input  wire                        finished_ready,
    output wire                        finished_beat,

    output wire [REF_W-1:0]            count,
    output wire                        overflow
);
    generate
        if (CRD_W < 1 || REF_IN_W < 1 || REF_W < 1 || STOP_W < 1
            || STOP_W > CRD_W || STOP_W > REF_IN_W
            || WORDS < 2 || (REF_IN_W < 31 && WORDS > 1 << REF_IN_W)) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    `include "samhw_kinds.vh"
    localparam [REF_W-1:0]    NONE  = 0;
    localparam [REF_W-1:0]    ONE   = 1;
    localparam [REF_IN_W-1:0] FIRST = 0;
    localparam [REF_IN_W-1:0] STEP  = 1;
    // Bits of an address of the lists' ends.
    localparam                ADDR_W = $clog2(WORDS);

    wire              c_valid;
    wire              c_pop;
    wire [1:0]        c_kind;
    wire [STOP_W-1:0] c_stop;
    wire [CRD_W-1:0]  c_crd;
    wire              start;
    samhw_run_skid #(.W(2+STOP_W+CRD_W)) u_crd (
        .clk(clk), .rst(rst),
        .in_valid(crd_valid), .in_ready(crd_ready), .in_beat(crd_beat),
        .out_valid(c_valid), .out_ready(c_pop), .out_beat({c_kind, c_stop, c_crd}), .start(start)
    );

    wire                p_valid;
    wire [1:0]          p_kind;
    wire [STOP_W-1:0]   p_stop;
    wire [REF_IN_W-1:0] p_pos;
    samhw_skid #(.W(2+STOP_W+REF_IN_W)) u_pos (
        .clk(clk), .rst(rst),
        .in_valid(pos_valid), .in_ready(pos_ready), .in_beat(pos_beat),
        .out_valid(p_valid), .out_ready(c_valid && c_pop), .out_beat({p_kind, p_stop, p_pos})
    );

    // The coordinate whose list's ends are read, or known because one before it changes them in that cycle.
    reg                h_valid;
    reg [CRD_W-1:0]    h_crd;
    reg [REF_IN_W-1:0] h_pos;
    reg                h_known;
    reg [2*REF_W:0]    h_ends;
    // The one that is written. The ends of its list before, as they were read, or known: whether it has any, the last
    // place and the first.
    reg                w_valid;
    reg [CRD_W-1:0]    w_crd;
    reg [REF_IN_W-1:0] w_pos;
    reg                w_known;
    reg [2*REF_W:0]    w_ends;
    reg [2*REF_W:0]    w_read;
    wire               some;
    wire [REF_W-1:0]   last;
    wire [REF_W-1:0]   from;
    assign {some, last, from} = w_known ? w_ends : w_read;

    reg                clears;
    reg [REF_IN_W-1:0] cleared;
    wire seg_free  = !seg_write_valid || seg_write_ready;
    wire next_free = !next_write_valid || next_write_ready;
    wire fin_free  = !finished_valid || finished_ready;
    wire crd_free;
    wire clear  = clears && seg_free;

    wire w_go   = w_valid && seg_free && next_free && crd_free;
    wire h_go   = h_valid && (!w_valid || w_go);
    wire leaf   = !c_kind[1];
    wire done   = c_kind == DONE;
    assign c_pop = p_valid && !clears
                   && (leaf ? !h_valid || h_go
                            : !done || (!h_valid && !w_valid && seg_free && next_free && crd_free && fin_free));
    wire go     = c_valid && c_pop;
    wire read   = go && leaf;

    wire             store = w_go && !overflow && count != crd_capacity;
    wire [REF_W-1:0] first = some ? from : count;
    wire [2*REF_W:0] ends  = {1'b1, count, first};
    wire             same  = store && w_pos == h_pos;
    wire [2*REF_W:0] r_ends;
    samhw_workspace_ram #(.W(2*REF_W+1), .DEPTH(WORDS), .ADDR_W(ADDR_W)) u_ends (
        .clk(clk),
        .we(store || clear), .waddr(clears ? cleared[ADDR_W-1:0] : w_pos[ADDR_W-1:0]),
        .wdata(ends & {(2*REF_W+1){!clears}}),
        .raddr(read ? p_pos[ADDR_W-1:0] : h_pos[ADDR_W-1:0]), .rdata(r_ends)
    );

    wire [REF_W-1:0] crd_next;
    samhw_append #(.ADDR_W(REF_W), .DATA_W(CRD_W), .LEAD(0)) u_crd_array (
        .clk(clk), .rst(rst), .capacity(crd_capacity),
        .start(start), .push(w_go), .data(w_crd), .free(crd_free),
        .next(crd_next), .count(count), .overflow(overflow),
        .write_valid(crd_write_valid), .write_ready(crd_write_ready), .write_beat(crd_write_beat)
    );

    assign finished_beat = 1'b1;
    always @(posedge clk) begin
        if (read) begin
            h_crd   <= c_crd;
            h_pos   <= p_pos;
            h_known <= store && p_pos == w_pos;
            h_ends  <= ends;
        end
        if (h_go) begin
            w_crd <= h_crd;
            w_pos <= h_pos;
            w_known <= same || h_known;
            w_ends  <= same ? ends : h_ends;
            w_read  <= r_ends;
        end
        if (clear)
            seg_write_beat <= {NONE, NONE, cleared};
        else if (store)
            seg_write_beat <= {count + ONE, first, w_pos};
        if (store)
            next_write_beat <= {count, last};
        if (start)
            cleared <= FIRST;
        else if (clear)
            cleared <= cleared + STEP;
        if (rst) begin
            h_valid          <= 1'b0;
            w_valid          <= 1'b0;
            clears           <= 1'b0;
            seg_write_valid  <= 1'b0;
            next_write_valid <= 1'b0;
            finished_valid   <= 1'b0;
        end else begin
            h_valid <= read || (h_valid && !h_go);
            w_valid <= h_go || (w_valid && !w_go);
            clears  <= start ? chunk != FIRST : clears && !(clear && cleared + STEP == chunk);
            if (seg_free)
                seg_write_valid <= clear || store;
            if (next_free)
                next_write_valid <= store && some;
            if (fin_free)
                finished_valid <= go && done;
        end
    end

`ifdef SAMHW_ASSERT
    wire aligned = p_stop == c_stop
                   && (leaf ? p_kind == 2'd0 : p_kind == c_kind && p_pos[STOP_W-1:0] == c_crd[STOP_W-1:0]);
    always @(posedge clk)
        if (!rst && go && !aligned) begin
            $display("samhw_list_writer: crd and pos are not aligned");
            $stop;
        end else if (!rst && read && p_pos >= chunk) begin
            $display("samhw_list_writer: a coordinate without a position above");
            $stop;
        end
`endif

    wire _unused_ok = &{1'b0, c_stop, p_kind, p_stop, crd_next, 1'b0};

endmodule

`default_nettype wire
