// SPDX-License-Identifier: Apache-2.0
//
// Proof: each start token makes one reference 0 and one DONE after it, and nothing else; a token waits for
// the run before to have left, one at a time; the reference is there in the cycle after the token.
// mutant samhw_root: <= !owes && wants; => <= wants;
// mutant samhw_root: ref_valid <= {N{owes || wants}}; => ref_valid <= {N{wants}};
// mutant samhw_root: asked <= wants && !(load && !owes); => asked <= wants && !load;
`default_nettype none

module formal_root (
    input wire clk,
    input wire start_valid,
    input wire ref_ready
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire       start_ready;
    wire       ref_valid;
    wire [4:0] ref_beat;
    samhw_root #(.REF_W(2), .STOP_W(1)) dut (
        .clk(clk), .rst(rst),
        .start_valid(start_valid), .start_ready(start_ready), .start_beat(1'b0),
        .ref_valid(ref_valid), .ref_ready(ref_ready), .ref_beat(ref_beat)
    );

    wire token = started && start_valid && start_ready;
    wire take  = started && ref_valid && ref_ready;

    // Beats owed for the tokens taken, the one offered included; an even number begins with a reference.
    reg [2:0] owed = 3'd0;
    always @(posedge clk)
        if (started)
            owed <= owed + {1'b0, token, 1'b0} - {2'b0, take};

    always @*
        if (started) begin
            assert (owed <= 3'd4);
            assert (start_ready == (owed <= 3'd2));
            assert (ref_valid == (owed != 3'd0));
            assert (!ref_valid || ref_beat == (owed[0] ? 5'b11000 : 5'b00000));
        end

endmodule

`default_nettype wire
