//! Legal Verilog names, and a scope that makes names unique.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Reserved words of Verilog-2005, of SystemVerilog, which many tools read instead, and Icarus' `bool`.
const RESERVED: &str = "accept_on alias always always_comb always_ff always_latch and assert assign assume automatic bool \
before begin bind bins binsof bit break buf bufif0 bufif1 byte case casex casez cell chandle checker class clocking \
cmos config const constraint context continue cover covergroup coverpoint cross deassign default defparam design \
disable dist do edge else end endcase endchecker endclass endclocking endconfig endfunction endgenerate endgroup \
endinterface endmodule endpackage endprimitive endprogram endproperty endsequence endspecify endtable endtask enum \
event eventually expect export extends extern final first_match for force foreach forever fork forkjoin function \
generate genvar global highz0 highz1 if iff ifnone ignore_bins illegal_bins implements implies import incdir include \
initial inout input inside instance int integer interconnect interface intersect join join_any join_none large let \
liblist library local localparam logic longint macromodule matches medium modport module nand negedge nettype new \
nexttime nmos nor noshowcancelled not notif0 notif1 null or output package packed parameter pmos posedge primitive \
priority program property protected pull0 pull1 pulldown pullup pulsestyle_ondetect pulsestyle_onevent pure rand randc \
randcase randsequence rcmos real realtime ref reg reject_on release repeat restrict return rnmos rpmos rtran rtranif0 \
rtranif1 s_always s_eventually s_nexttime s_until s_until_with scalared sequence shortint shortreal showcancelled \
signed small soft solve specify specparam static string strong strong0 strong1 struct super supply0 supply1 \
sync_accept_on sync_reject_on table tagged task this throughout time timeprecision timeunit tran tranif0 tranif1 tri \
tri0 tri1 triand trior trireg type typedef union unique unique0 unsigned until until_with untyped use uwire var \
vectored virtual void wait wait_order wand weak weak0 weak1 while wildcard wire with within wor xnor xor";

/// Returns true for a reserved word.
pub fn is_reserved(name: &str) -> bool {
    static WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| RESERVED.split_ascii_whitespace().collect());
    WORDS.contains(name)
}

/// Returns true for an identifier that needs no escaping and is not reserved.
pub fn is_legal(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !is_reserved(name)
}

/// The names in use in one module.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    taken: HashSet<String>,
}

impl Scope {
    /// Returns an unused legal name close to `wish` and marks it as used.
    pub fn name(&mut self, wish: &str) -> String {
        self.group(wish, &[""])
    }
    /// Returns a name that is legal and unused with each of `suffixes` appended, and marks these as used.
    pub fn group(&mut self, wish: &str, suffixes: &[&str]) -> String {
        let mut base: String = wish.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        if !base.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            base.insert(0, 'n');
        }
        let free = |name: &str| is_legal(name) && !self.taken.contains(name);
        let mut name = base.clone();
        let mut count = 1;
        while !suffixes.iter().all(|s| free(&format!("{name}{s}"))) {
            count += 1;
            name = format!("{base}_{count}");
        }
        self.taken.extend(suffixes.iter().map(|s| format!("{name}{s}")));
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_legal_and_unique() {
        let mut scope = Scope::default();
        assert_eq!(scope.name("wire"), "wire_2");
        assert_eq!(scope.name("wire"), "wire_3");
        assert_eq!(scope.name("2x-y"), "n2x_y");
        assert_eq!(scope.name("é"), "_");
        assert_eq!(scope.name("a"), "a");
        assert_eq!(scope.name("a"), "a_2");
    }

    #[test]
    fn groups_keep_their_names_together() {
        let mut scope = Scope::default();
        assert_eq!(scope.name("x_ready"), "x_ready");
        assert_eq!(scope.group("x", &["_valid", "_ready"]), "x_2");
        assert_eq!(scope.name("x_2_valid"), "x_2_valid_2");
        assert_eq!(scope.name("x_valid"), "x_valid");
    }
}
