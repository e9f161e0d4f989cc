use super::reached;

const SUB: &str = "module sub #(
    parameter W = 8, // a comment with if (
    parameter [3:0] HAS = 4'b0101,
    parameter N = 2
) (input wire [W-1:0] a, output reg [W-1:0] b);
    localparam WIDE = W > 16 && HAS[2], LOG = $clog2(N + 1);
    (* keep *) wire x = a[0] ? 1'b1 : 1'b0;
    function [1:0] two(input c); begin two = c ? 2'd1 : 2'd2; end endfunction
    always @(posedge a[0]) begin : proc
        if (x) b <= a; else case (a) 0: b <= 1; default: begin b <= 2; end endcase
    end
    always @(*) if (x) b = 1; else b = 2;
    generate
        if (WIDE) begin : g_wide
            wide #(.W(W)) u (.a(a));
        end else if (HAS == 4'd5) begin : g_five
            localparam WIDE = 1;
            five u (a);
        end else begin : g_other
            other u (a);
        end
        for (k = 0; k < N; k = k + 1) begin : g_each
            if (k == 3) begin : g_third
                third #(.K(k - LOG)) u (a);
            end
        end
        if (two(W) == 1) begin : g_unknown
            maybe u (a);
        end
    endgenerate
    if ({N{1'b0}} == 0) begin : g_zero zero u (a); end
endmodule
";

fn of(parameters: &str) -> Vec<String> {
    let top = format!("module top; sub #({parameters}) u (.a(), .b()); endmodule");
    let top: &'static str = top.leak();
    let library = ["wide", "five", "other", "third", "maybe", "zero", "never"];
    let empty = "module wide; endmodule module five; endmodule module other; endmodule module third; endmodule
        module maybe; endmodule module zero; endmodule module never; endmodule";
    let text = |name: &str| match name {
        "top" => Some(top),
        "sub" => Some(SUB),
        name => library.contains(&name).then_some(empty),
    };
    reached(["top"], text).into_iter().filter(|name| !["top", "sub"].contains(&name.as_str())).collect()
}

#[test]
fn conditions_leave_out_what_is_not_reached() {
    assert_eq!(of(""), ["five", "maybe", "zero"]);
    assert_eq!(of(".W(32)"), ["maybe", "wide", "zero"]);
    assert_eq!(of(".W(32), .HAS(4'h3), .N(4)"), ["maybe", "other", "third", "zero"]);
    assert_eq!(of(".HAS(8'd21)"), ["five", "maybe", "other", "zero"], "what does not fit is unknown");
}
