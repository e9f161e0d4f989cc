// SPDX-License-Identifier: Apache-2.0
//
// Walks over the bits of words, from the lowest on, in two steps, each with little to decide: a word's groups
// of four bits that have any; a group's bits.
//
//   Consumes    in: words {halves, many, any, bits} with what samhw_word_groups and samhw_word_halves say of
//               them, and a tag. A word that counts as empty has nothing but bits.
//   Produces    a step for every bit set: index, over (no other of the word follows), the word's tag; one
//               step for a word without any, with any index.
//   Throughput  one step per cycle, also where every word has a single bit.
//   Latency     2 cycles.
//   Boundary    what is produced comes from registers, two lookup tables deep; in_ready depends on out_ready.
//   Parameters  IDX_W: log2 of the bits of a word, 3 to 5; TAG_W bits of a tag.
//   Reset       valid bits.
`default_nettype none

module samhw_word_walk #(
    parameter IDX_W = 5,
    parameter TAG_W = 1
) (
    input  wire                    clk,
    input  wire                    rst,

    input  wire                    in_valid,
    output wire                    in_ready,
    input  wire [(2**IDX_W)*3/2+3:0] in_word,
    input  wire [TAG_W-1:0]        in_tag,

    output reg                     out_valid,
    input  wire                    out_ready,
    output wire [IDX_W-1:0]        out_index,
    output wire                    out_over,
    output reg  [TAG_W-1:0]        out_tag
);
    generate
        if (IDX_W < 3 || IDX_W > 5 || TAG_W < 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam N      = 2**IDX_W;
    localparam GROUPS = N / 4;
    localparam AT_W   = IDX_W - 2;

    // A word, with the groups that are left of it.
    reg               a_valid;
    reg  [TAG_W-1:0]  a_tag;
    reg  [N-1:0]      a_bits;
    reg  [GROUPS-1:0] a_any;
    reg  [GROUPS-1:0] a_many;
    reg  [3:0]        a_halves;
    wire [AT_W-1:0]   a_at;
    wire [GROUPS-1:0] a_rest;
    samhw_lowest_bit #(.IDX_W(AT_W)) u_group (.bits(a_any), .index(a_at), .rest(a_rest));

    // How many are left of each half is known a cycle before it matters, and with it whether others follow the lowest.
    wire [7:0]        groups = {{(8-GROUPS){1'b0}}, a_any};
    wire [1:0]        threes;
    wire [1:0]        _unused_twos;
    samhw_bits_set #(.IDX_W(2)) u_low (.bits(groups[3:0]), .two(_unused_twos[0]), .three(threes[0]));
    samhw_bits_set #(.IDX_W(2)) u_high (.bits(groups[7:4]), .two(_unused_twos[1]), .three(threes[1]));
    wire a_more = a_halves[1] || a_halves[3] || (a_halves[0] && a_halves[2]);

    // What the lowest group that has any has, chosen by which groups have any: its number takes as long to
    // find. Absent groups are constants.
    wire [39:0] items;
    genvar g;
    generate
        for (g = 0; g < 8; g = g + 1) begin : g_item
            if (g < GROUPS) begin : g_there
                assign items[5*g +: 5] = {a_many[g], a_bits[4*g +: 4]};
            end else begin : g_absent
                assign items[5*g +: 5] = 5'd0;
            end
        end
    endgenerate
    wire [4:0] a_low   = groups[0] || groups[1] ? (groups[0] ? items[4:0] : items[9:5])
                         : (groups[2] ? items[14:10] : items[19:15]);
    wire [4:0] a_high  = groups[4] || groups[5] ? (groups[4] ? items[24:20] : items[29:25])
                         : (groups[6] ? items[34:30] : items[39:35]);
    wire [4:0] a_first = a_halves[0] ? a_low : a_high;

    // A group, with the bits that are left of it.
    reg  [AT_W-1:0]   b_at;
    reg               b_last;  // of the word
    reg  [3:0]        b_bits;
    reg               b_many;  // others follow the lowest, known a cycle before
    wire [1:0]        b_index;
    wire [3:0]        b_rest;
    wire              b_three;
    wire              _unused_bits;
    samhw_lowest_bit #(.IDX_W(2)) u_bit (.bits(b_bits), .index(b_index), .rest(b_rest));
    samhw_bits_set #(.IDX_W(2)) u_bits (.bits(b_bits), .two(_unused_bits), .three(b_three));
    assign out_index = {b_at, b_index};
    assign out_over  = b_last && !b_many;

    wire b_load = !out_valid || (out_ready && !b_many);
    assign in_ready = !a_valid || (b_load && !a_more);

    always @(posedge clk) begin
        if (in_ready) begin
            a_tag <= in_tag;
            {a_halves, a_many, a_any, a_bits} <= in_word;
        end else if (b_load) begin
            a_any    <= a_rest;
            a_halves <= a_halves[0] ? {a_halves[3:2], threes[0], a_halves[1]} : {threes[1], a_halves[3], 2'b00};
        end
        if (b_load) begin
            out_tag <= a_tag;
            b_at    <= a_at;
            b_last  <= !a_more;
            {b_many, b_bits} <= a_first;
        end else if (out_ready) begin
            b_bits  <= b_rest;
            b_many  <= b_three;
        end
        if (rst) begin
            a_valid   <= 1'b0;
            out_valid <= 1'b0;
        end else begin
            a_valid   <= in_valid || !in_ready;
            out_valid <= a_valid || !b_load;
        end
    end

endmodule

`default_nettype wire
