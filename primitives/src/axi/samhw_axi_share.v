// SPDX-License-Identifier: Apache-2.0
//
// Asks once for what several adapters of one array fetch alike, and gives its lines to all of them.
//
//   Consumes    fetch {lines-1, byte address} per adapter; line: the lines of what was asked, in order.
//   Produces    ask {lines-1, byte address}; data: a line for the adapters that data_valid names.
//   Sharing     what one offers is asked for when every other one offers something, too, and goes to all that
//               offer the same. One that offers nothing for 2**WAIT_LOG2 cycles is late: it is not waited for
//               until it offers something. What it needs later it asks for alone. So a late adapter costs
//               time, and hangs nothing.
//   Throughput  a burst every 7 cycles; a line per cycle, two cycles after it comes.
//   Parameters  N adapters; BUS_LOG2 of the bytes of a line, AXI_W bits of an address; OPEN_LOG2 of the
//               bursts on their way.
//   Reset       valid bits and state; only while nothing is on its way.
`default_nettype none

module samhw_axi_share #(
    parameter N         = 2,
    parameter BUS_LOG2  = 3,
    parameter AXI_W     = 32,
    parameter WAIT_LOG2 = 10,
    parameter OPEN_LOG2 = 4
) (
    input  wire                     clk,
    input  wire                     rst,

    input  wire [N-1:0]             fetch_valid,
    output reg  [N-1:0]             fetch_ready,
    input  wire [N*(8+AXI_W)-1:0]   fetch_beat,

    output reg  [N-1:0]             data_valid,
    output reg  [(8<<BUS_LOG2)-1:0] data_beat,

    output reg                      ask_valid,
    input  wire                     ask_ready,
    output reg  [8+AXI_W-1:0]       ask_beat,

    input  wire                     line_valid,
    input  wire [(8<<BUS_LOG2)-1:0] line_beat
);
    generate
        if (N < 1 || AXI_W < 1 || WAIT_LOG2 < 1 || OPEN_LOG2 < 1
            || BUS_LOG2 < 0 || BUS_LOG2 > 7) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam W = 8 + AXI_W;
    localparam [1:0] CHOOSE = 2'd0, COMPARE = 2'd1, ASK = 2'd2, GIVE = 2'd3;
    localparam [WAIT_LOG2-1:0] ONE = 1;

    reg  [1:0] state;

    // Whose fetch is compared with all.
    wire [N-1:0] chosen;
    wire         chosen_port;
    wire [W-1:0] chosen_beat;
    samhw_axi_turn #(.N(N), .W(W), .ID_W(1)) u_turn (
        .clk(clk), .rst(rst), .wants(fetch_valid & {N{state == CHOOSE && chosen == {N{1'b0}}}}), .beats(fetch_beat),
        .granted(chosen), .beat({chosen_port, chosen_beat})
    );

    reg  [N-1:0]         same;
    reg  [N-1:0]         offers;
    reg  [N-1:0]         late;
    reg                  all;
    reg                  seen;               // the three above are of this fetch
    reg  [WAIT_LOG2-1:0] waited;
    wire                 over = waited == {WAIT_LOG2{1'b1}};
    wire                 room;
    wire                 go   = seen && (all || over) && room;
    wire                 asks = ask_valid && ask_ready;

    integer k;
    always @(posedge clk) begin
        if (chosen != {N{1'b0}})
            ask_beat <= chosen_beat;
        if (state == COMPARE && !go) begin
            for (k = 0; k < N; k = k + 1)
                same[k] <= fetch_valid[k] && fetch_beat[k*W +: W] == ask_beat;
            offers <= fetch_valid;
            all    <= (fetch_valid | late) == {N{1'b1}};
        end
        if (rst) begin
            state       <= CHOOSE;
            late        <= {N{1'b0}};
            seen        <= 1'b0;
            waited      <= {WAIT_LOG2{1'b0}};
            ask_valid   <= 1'b0;
            fetch_ready <= {N{1'b0}};
        end else begin
            case (state)
                CHOOSE:  state <= chosen != {N{1'b0}} ? COMPARE : CHOOSE;
                COMPARE: state <= go ? ASK : COMPARE;
                ASK:     state <= asks ? GIVE : ASK;
                default: state <= CHOOSE;
            endcase
            if (go)
                late <= (all ? late : {N{1'b1}}) & ~offers;
            seen        <= state == COMPARE && !go;
            waited      <= state != COMPARE ? {WAIT_LOG2{1'b0}} : over ? waited : waited + ONE;
            ask_valid   <= go || (ask_valid && !ask_ready);
            fetch_ready <= asks ? same : {N{1'b0}};
        end
    end

    // Whose the lines are that come.
    wire         some;
    wire [N-1:0] whose;
    wire [7:0]   more;
    reg  [7:0]   past;
    wire         ends = line_valid && past == more;
    samhw_queue #(.W(N+8), .LOG2(OPEN_LOG2)) u_open (
        .clk(clk), .rst(rst), .in_valid(asks), .in_ready(room), .in_data({same, ask_beat[W-1 -: 8]}),
        .out_valid(some), .out_ready(ends), .out_data({whose, more})
    );
    always @(posedge clk) begin
        data_beat <= line_beat;
        if (rst) begin
            data_valid <= {N{1'b0}};
            past       <= 8'd0;
        end else begin
            data_valid <= line_valid ? whose : {N{1'b0}};
            if (line_valid)
                past <= ends ? 8'd0 : past + 8'd1;
        end
    end

    wire _unused_ok = &{1'b0, k, chosen_port, some, 1'b0};

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst && line_valid && !some) begin
            $display("samhw_axi_share: a line that was not asked for");
            $stop;
        end
`endif

endmodule

`default_nettype wire
