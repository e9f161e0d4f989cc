// SPDX-License-Identifier: Apache-2.0
//
// Topmost level of the workspace's occupancy bitmap: a word in registers for every list that arrives, waits
// or is walked over.
//
//   Consumes    acc: arrivals; each sets the bit of its address' top bits.
//   Produces    acc_fresh, with the arrival: the bit was not set before. item: one for every
//               bit set once the list has arrived, lowest first; a `none` item if there is none.
//   How         with each arrival it is known which groups of four bits have any and which more than one, so
//               a complete word is walked over at once; with its last arrival it is there already where
//               nothing is in the way.
//   Throughput  one arrival and one item per cycle.
//   Latency     arrival: none; item: 2 cycles after the list's last arrival.
//   Boundary    the item comes from registers, two lookup tables deep.
//   Parameters  TOP_W: log2 of the bits, at most 5; BANK_W: log2 of the banks.
//   Reset       valid bits; the first arrival of a list replaces what the words hold.
`default_nettype none

module samhw_workspace_top #(
    parameter TOP_W  = 5,
    parameter BANK_W = 1
) (
    input  wire              clk,
    input  wire              rst,

    input  wire              acc_valid,
    output wire              acc_ready,
    input  wire [TOP_W-1:0]  acc_bit,
    input  wire              acc_update,
    input  wire              acc_last,
    output reg  [BANK_W-1:0] acc_bank,
    output wire              acc_fresh,

    output wire              item_valid,
    input  wire              item_ready,
    output wire [BANK_W-1:0] item_bank,
    output wire [TOP_W-1:0]  item_word,
    output wire              item_none,
    output wire              item_last
);
    generate
        if (TOP_W < 1 || TOP_W > 5 || BANK_W < 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam N = 2**TOP_W;

    // Lists that are complete or arriving; one more is walked over.
    localparam PLACES  = 2**BANK_W - 1;
    localparam [BANK_W-1:0] ONE  = 1;
    localparam [BANK_W-1:0] LAST = ~ONE;

    // Words as the walk wants them: two groups at least.
    localparam WIDE_W = TOP_W > 3 ? TOP_W : 3;
    localparam WIDE   = 2**WIDE_W;
    localparam GROUPS = WIDE / 4;
    localparam BITS_W = N + 2*GROUPS;
    localparam [N-1:0]      BIT_0   = 1;
    localparam [GROUPS-1:0] GROUP_0 = 1;

    reg  [BANK_W-1:0]        acc_place;
    reg  [BANK_W-1:0]        walk_place;
    reg  [BANK_W-1:0]        walk_bank;
    wire [PLACES-1:0]        place_full;
    wire [PLACES-1:0]        place_first;
    wire [PLACES*BITS_W-1:0] place_old;
    wire [PLACES*BITS_W-1:0] place_new;

    // What the arriving list has so far, and with the arrival. What is there of a list before counts as nothing.
    wire [N-1:0]      bits;
    wire [GROUPS-1:0] any;
    assign {any, bits} = place_old[acc_place*BITS_W +: N+GROUPS];
    wire              first = place_first[acc_place];
    assign acc_ready = !place_full[acc_place];
    assign acc_fresh = first || !bits[acc_bit];
    wire acc_go = acc_valid && acc_ready;

    wire [WIDE_W-3:0] acc_at;
    generate
        if (TOP_W > 2) begin : g_groups
            assign acc_at = acc_bit[TOP_W-1:2];
        end else begin : g_one_group
            assign acc_at = 1'b0;
        end
    endgenerate
    wire              one       = acc_update && acc_ready;
    // Masked behind the shift: while a complete list waits there may be no arrival, and zeros are shifted to X.
    wire [GROUPS-1:0] one_group = {GROUPS{one}} & (GROUP_0 << acc_at);
    wire [BITS_W-1:0] added = {
        one_group & any & {GROUPS{!first && acc_fresh}},
        one_group,
        {N{one}} & (BIT_0 << acc_bit)
    };

    // The list that is walked over next: complete, or with this arrival.
    wire              walk_go;
    wire              walk_ready;
    wire [BITS_W-1:0] walk_new = place_new[walk_place*BITS_W +: BITS_W];
    wire              walk_valid = place_full[walk_place] || (acc_go && acc_last && acc_place == walk_place);
    wire [WIDE_W-1:0] walk_index;
    wire              walk_over;
    assign walk_go = walk_valid && walk_ready;
    wire [GROUPS-1:0] walk_any = walk_new[N +: GROUPS];
    wire [3:0]        walk_halves;
    samhw_word_halves #(.GROUPS(GROUPS)) u_halves (.any(walk_any), .halves(walk_halves));
    samhw_word_walk #(.IDX_W(WIDE_W), .TAG_W(BANK_W+1)) u_walk (
        .clk(clk), .rst(rst),
        .in_valid(walk_valid), .in_ready(walk_ready),
        .in_word({walk_halves, walk_new[N+GROUPS +: GROUPS], walk_any, {(WIDE-N){1'b0}}, walk_new[N-1:0]}),
        .in_tag({walk_bank, walk_any == {GROUPS{1'b0}}}),
        .out_valid(item_valid), .out_ready(item_ready), .out_index(walk_index), .out_over(walk_over),
        .out_tag({item_bank, item_none})
    );
    assign item_word = walk_index[TOP_W-1:0];
    assign item_last = walk_over;

    always @(posedge clk)
        if (rst) begin
            acc_bank   <= {BANK_W{1'b0}};
            acc_place  <= {BANK_W{1'b0}};
            walk_bank  <= {BANK_W{1'b0}};
            walk_place <= {BANK_W{1'b0}};
        end else begin
            if (acc_go && acc_last) begin
                acc_bank  <= acc_bank + ONE;
                acc_place <= acc_place == LAST || PLACES == 1 ? {BANK_W{1'b0}} : acc_place + ONE;
            end
            if (walk_go) begin
                walk_bank  <= walk_bank + ONE;
                walk_place <= walk_place == LAST || PLACES == 1 ? {BANK_W{1'b0}} : walk_place + ONE;
            end
        end

    genvar k;
    generate
        for (k = 0; k < PLACES; k = k + 1) begin : g_place
            localparam [BANK_W-1:0] K = k;
            reg               full;
            reg               fresh;
            reg  [BITS_W-1:0] held;
            wire              here   = acc_place == K;
            wire              leaves = walk_ready && walk_place == K;
            assign place_full[k]  = full;
            assign place_first[k] = fresh;
            assign place_old[k*BITS_W +: BITS_W] = held;
            assign place_new[k*BITS_W +: BITS_W] = (held & {BITS_W{!fresh}}) | (added & {BITS_W{here}});
            always @(posedge clk) begin
                if (acc_go && here)
                    held <= place_new[k*BITS_W +: BITS_W];
                if (rst) begin
                    full  <= 1'b0;
                    fresh <= 1'b1;
                end else begin
                    full  <= !leaves && (full || (acc_go && here && acc_last));
                    fresh <= full ? leaves : acc_go && here ? leaves && acc_last : fresh;
                end
            end
        end
    endgenerate

    wire _unused_ok = &{1'b0, walk_index, 1'b0};

endmodule

`default_nettype wire
