// SPDX-License-Identifier: Apache-2.0
//
// In front of an operator of several cycles: an arrival whose address has a fold under way waits beside the
// others, so that those behind it go on.
//
//   Consumes    acc: arrivals of lists in banks; a `fresh` one is the first at its address. full: banks that
//               do not take any. complete: banks of which all folds are done.
//   Produces    s1: what is folded now, never at an address to which a fold is under way; what arrives has
//               precedence, except over what has let 2**AGE_W - 1 arrivals go first. mark: banks whose last fold
//               that is. ended: the bank whose list ends with what is taken now, in the way `ending` says.
//   Order       values of one address are folded in any order, but the fresh one first.
//   Throughput  one arrival and one fold per cycle, unless 2**PARK_LOG2 + 1 wait.
//   Latency     2 cycles from acc to the fold.
//   Boundary    s1 and mark are registers; acc_ready depends on nothing outside but `full`.
//   Parameters  ADDR_W, BANK_W bits of an address and of a bank; VAL_W, END_W bits of a value and of how a
//               list ends; LATE: cycles after a fold in which none is at its address; PARK_LOG2: log2 of the
//               arrivals that wait in the queue; AGE_W bits of the count of those let first.
//   Reset       valid bits, counters and `closed`.
`default_nettype none

module samhw_workspace_issue #(
    parameter ADDR_W    = 8,
    parameter BANK_W    = 1,
    parameter VAL_W     = 16,
    parameter END_W     = 6,
    parameter LATE      = 8,
    parameter PARK_LOG2 = 4,
    parameter AGE_W     = 3
) (
    input  wire                   clk,
    input  wire                   rst,

    input  wire                   acc_valid,
    output wire                   acc_ready,
    input  wire [BANK_W-1:0]      acc_bank,
    input  wire [ADDR_W-1:0]      acc_addr,
    input  wire                   acc_update,
    input  wire                   acc_fresh,
    input  wire                   acc_last,
    input  wire [VAL_W+END_W-1:0] acc_tail,

    input  wire [2**BANK_W-1:0]   full,
    input  wire [2**BANK_W-1:0]   complete,

    output reg                    s1_valid,
    output reg  [BANK_W-1:0]      s1_bank,
    output reg  [ADDR_W-1:0]      s1_addr,
    output reg                    s1_update,
    output reg                    s1_fresh,
    output reg  [VAL_W-1:0]       s1_val,
    output reg  [2**BANK_W-1:0]   mark,
    output wire [2**BANK_W-1:0]   ended,
    output wire [END_W-1:0]       ending
);
    generate
        if (ADDR_W < 1 || BANK_W < 1 || VAL_W < 1 || END_W < 1 || PARK_LOG2 < 1 || AGE_W < 1
            || LATE < 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam BANKS = 2**BANK_W;
    localparam AT_W  = BANK_W + ADDR_W;
    localparam [BANKS-1:0]   BANK_0 = 1;
    localparam [PARK_LOG2:0] NONE   = 0;
    localparam [PARK_LOG2:0] ONE    = 1;

    // An arrival, and the oldest of those that wait.
    reg              a_valid;
    reg [BANK_W-1:0] a_bank;
    reg [ADDR_W-1:0] a_addr;
    reg              a_update;
    reg              a_fresh;
    reg              a_last;
    reg [VAL_W-1:0]  a_val;
    reg [END_W-1:0]  a_end;
    reg              r_valid;
    reg [BANK_W-1:0] r_bank;
    reg [ADDR_W-1:0] r_addr;
    reg [VAL_W-1:0]  r_val;

    // Folds under way from s1 on, the youngest lowest.
    localparam KEPT = LATE > 1 ? LATE - 1 : 1;
    reg  [KEPT-1:0]      wes;
    reg  [KEPT*AT_W-1:0] ats;
    wire                 s1_we   = s1_valid && s1_update;
    wire [KEPT:0]        wes_in  = {wes, s1_we};
    wire [AT_W-1:0]      s1_at   = {s1_bank, s1_addr};
    wire [(KEPT+1)*AT_W-1:0] ats_in = {ats, s1_at};
    wire [LATE-1:0]      a_same;
    wire [LATE-1:0]      r_same;
    genvar p;
    generate
        for (p = 0; p < LATE; p = p + 1) begin : g_same
            assign a_same[p] = wes_in[p] && ats_in[p*AT_W +: AT_W] == {a_bank, a_addr};
            assign r_same[p] = wes_in[p] && ats_in[p*AT_W +: AT_W] == {r_bank, r_addr};
        end
    endgenerate

    // Arrivals that what waited has let go first.
    reg  [AGE_W-1:0] late;

    // Banks whose last arrival has been taken, until they are full; what waits of each.
    reg  [BANKS-1:0] closed;
    wire [BANKS-1:0] none;
    wire [BANKS-1:0] one;

    wire             room;
    wire             q_valid;
    wire [VAL_W+AT_W-1:0] q_data;
    wire             a_here = a_valid && !full[a_bank] && !closed[a_bank];
    wire             a_busy = a_update && !a_fresh && |a_same;
    wire             r_busy = |r_same;
    wire             ready  = r_valid && !r_busy;
    wire             goes   = a_here && !a_busy && !(ready && &late);
    wire             parks  = a_here && a_busy && room;
    wire             again  = ready && !goes;
    // What still waits makes way for the next.
    wire             turns  = r_valid && r_busy && !(a_here && a_busy) && room;
    wire             taken  = goes || parks;
    assign acc_ready = !a_valid || taken;
    assign ended     = {BANKS{taken && a_last}} & (BANK_0 << a_bank);
    assign ending    = a_end;

    wire a_closes = a_last && none[a_bank];
    wire r_closes = closed[r_bank] && one[r_bank];

    samhw_queue #(.W(VAL_W+AT_W), .LOG2(PARK_LOG2)) u_parked (
        .clk(clk), .rst(rst),
        .in_valid(parks || turns), .in_ready(room),
        .in_data(parks ? {a_val, a_bank, a_addr} : {r_val, r_bank, r_addr}),
        .out_valid(q_valid), .out_ready(!r_valid || again || turns), .out_data(q_data)
    );

    always @(posedge clk) begin
        if (acc_ready) begin
            a_bank   <= acc_bank;
            a_addr   <= acc_addr;
            a_update <= acc_update;
            a_fresh  <= acc_fresh;
            a_last   <= acc_last;
            {a_end, a_val} <= acc_tail;
        end
        if (!r_valid || again || turns)
            {r_val, r_bank, r_addr} <= q_data;
        s1_bank   <= goes ? a_bank : r_bank;
        s1_addr   <= goes ? a_addr : r_addr;
        s1_update <= goes ? a_update : 1'b1;
        s1_fresh  <= goes && a_fresh;
        s1_val    <= goes ? a_val : r_val;
        ats       <= ats_in[KEPT*AT_W-1:0];
        if (rst) begin
            a_valid  <= 1'b0;
            r_valid  <= 1'b0;
            s1_valid <= 1'b0;
            late     <= {AGE_W{1'b0}};
            wes      <= {KEPT{1'b0}};
            mark     <= {BANKS{1'b0}};
            closed   <= {BANKS{1'b0}};
        end else begin
            a_valid  <= acc_valid || !acc_ready;
            r_valid  <= q_valid || (r_valid && !again && !turns);
            s1_valid <= goes || again;
            late     <= again ? {AGE_W{1'b0}} : late + {{(AGE_W-1){1'b0}}, ready};
            wes      <= wes_in[KEPT-1:0];
            // Masked behind the shift: by a bank that no beat has set yet, zeros are shifted to X.
            mark     <= ({BANKS{goes && a_closes}} & (BANK_0 << a_bank))
                        | ({BANKS{again && r_closes}} & (BANK_0 << r_bank));
            closed   <= (closed | ended) & ~complete;
        end
    end

    genvar k;
    generate
        for (k = 0; k < BANKS; k = k + 1) begin : g_bank
            localparam [BANK_W-1:0] K = k;
            reg  [PARK_LOG2:0] parked;
            wire               comes = parks && a_bank == K;
            wire               gone  = again && r_bank == K;
            assign none[k] = parked == NONE;
            assign one[k]  = parked == ONE;
            always @(posedge clk)
                if (rst)
                    parked <= NONE;
                else if (comes != gone)
                    parked <= comes ? parked + ONE : parked - ONE;
        end
    endgenerate

endmodule

`default_nettype wire
