//! Proofs that a synthesised primitive equals its Verilog: with the same inputs and resets at any time, Verilog and
//! netlist have the same outputs in every cycle.
//!
//! Of each module the forms with the narrowest ports, on one family after the other; some of them, drawn by `SAMHW_SEED`, or all with
//! `SAMHW_FULL`; those of [`LONG`] only so, or if `SAMHW_EQUAL` names them.

use super::narrow::{ALONE, narrow, steps};
use super::programs::parts;
use super::{Hosted, all_signals, groups};
use crate::library::{MODULES, closure};
use samhw_rtlsim as rtl;
use samhw_streams::{Dir, Param};
use samhw_testing::rtl::{cache, files, literals, tool};
use samhw_values::Rng;
use std::collections::BTreeMap;

/// Forms of a module, the narrowest ones.
const OF_A_MODULE: usize = 2;

/// Words of a memory, at most: it is made of registers.
const WORDS: u32 = 16;

/// What becomes a block RAM on iCE40, whose model has thousands of registers.
const BLOCK_RAMS: [&str; 4] = ["samhw_program", "samhw_ram", "samhw_rom", "samhw_workspace_ram"];

/// What a module expects of its inputs: registers that say so, and an assumption over them.
///
/// A host that reads the memory in the middle of a run takes the cycle of a read of the run's, and gets a word that may be written in
/// that cycle, which is undefined.
const EXPECTS: [(&str, &str); 1] = [(
    "samhw_mem_fold",
    "    reg [4:0] calm = 5'd0;
    always @(posedge clk)
        calm <= (write_valid || rst) ? 5'd0 : calm + {4'd0, !(&calm)};
    reg asked = 1'b0;
    reg read = 1'b0;
    always @(posedge clk) begin
        asked <= host_read;
        read <= (read || asked) && !write_valid;
    end
    always @*
        assume (!host_read || (&calm && !write_valid));
",
)];

/// Outputs that mean something only while a register of [`EXPECTS`], or another output, is set.
const MEANT: [(&str, &str, &str); 2] = [("samhw_gcd_parts", "y", "done_0"), ("samhw_mem_fold", "host_rdata", "read")];

/// What Verilog leaves undefined, and what netlists make of it: a module, one in it, and the text of both.
///
/// A word read while it is written is not looked at, but registers hold what was made of it until it is thrown away. Those differ
/// if the word may be any, so that nothing behind them corresponds; a memory of lookup tables gives the word as it was before.
const DEFINED: [(&str, &str, &str, &str); 4] = [
    ("samhw_list_writer", "samhw_workspace_ram", READ_WHILE_WRITTEN, "words[raddr]"),
    ("samhw_mem_fold", "samhw_workspace_ram", READ_WHILE_WRITTEN, "words[raddr]"),
    ("samhw_reducer_vector", "samhw_workspace_ram", READ_WHILE_WRITTEN, "words[raddr]"),
    ("samhw_workspace", "samhw_workspace_ram", READ_WHILE_WRITTEN, "words[raddr]"),
];

const READ_WHILE_WRITTEN: &str = "(we && waddr == raddr) ? {W{1'bx}} : words[raddr]";

/// A module in the form of one parameter, proved on that family whichever's turn it is: on ECP5 the program's product of 64 bits is open when
/// `dprove` ends, after 7 minutes.
const ALWAYS_ON: [(&str, &str, &str, rtl::Family); 1] = [("samhw_program", "HAS", "24'h808001", rtl::Family::Gowin)];

/// Modules whose proofs take minutes.
const LONG: [&str; 6] = [
    "samhw_alu_program",
    "samhw_alu_real",
    "samhw_power",
    "samhw_program",
    "samhw_reducer_iterative",
    "samhw_workspace",
];

/// Time after which a proof is given up, except what finding registers that hold the same takes.
const MOST_SECONDS: u32 = 300;

const METHOD: rtl::Method = rtl::Method::Correspondence { seconds: MOST_SECONDS };

/// Proofs that are made if not all are.
const DRAWN: usize = 3;

/// Wrong netlists of a form that are tried until one is refused, and the time for each: some are wrong only where no search comes.
const WRONG: usize = 16;
const WRONG_METHOD: rtl::Method = rtl::Method::Correspondence { seconds: 15 };

/// The reset: two cycles at least, the first of which [`METHOD`] runs before the proof.
const STARTED: &str = "    reg before = 1'b0;
    reg started = 1'b0;
    always @(posedge clk) begin
        before <= 1'b1;
        started <= before;
    end
    wire rst = !started || again;
";

/// A module with parameters.
struct ModuleForm {
    module: &'static str,
    params: Vec<(String, String)>,
}

impl ModuleForm {
    fn of((p, _): &Hosted) -> Self {
        let i = p.instance();
        Self { module: i.module, params: literals(&i.params) }
    }

    /// It as an instance, except the ports.
    fn instance(&self, name: &str) -> String {
        let params: Vec<String> = self.params.iter().map(|(n, v)| format!(".{n}({v})")).collect();
        format!("{} #({}) {name}", self.module, params.join(", "))
    }

    /// Its netlist of cells of `family`.
    fn netlist(&self, family: rtl::Family) -> rtl::Result<String> {
        let mut design = rtl::Design::new(self.module, files(self.module));
        design.params.clone_from(&self.params);
        Ok(rtl::mapped(&design, family, &cache())?.files.remove(0).1)
    }

    /// The Verilog next to `netlist`, equality asserted.
    fn beside(&self, netlist: &str) -> rtl::Design {
        let module = self.module;
        let (from, to) = (format!("module {module}("), format!("module {module}_cells("));
        assert_eq!(netlist.matches(&from).count(), 1, "{module}: one module in the netlist");
        let mut all = files(module);
        for (_, inside, text, made) in DEFINED.iter().filter(|d| d.0 == module) {
            let of = |(name, _): &&mut (String, String)| name.strip_suffix(".v") == Some(inside);
            let verilog = &mut all.iter_mut().find(of).expect("a module in it").1;
            assert_eq!(verilog.matches(text).count(), 1, "{inside}");
            *verilog = verilog.replace(text, made);
        }
        all.push(("equal.v".into(), self.equal(&ports(netlist))));
        all.push((format!("{module}_cells.v"), netlist.replace(&from, &to)));
        rtl::Design::new("equal", all)
    }

    /// The module that has both in it.
    fn equal(&self, signals: &[(String, u32, Dir)]) -> String {
        let module = self.module;
        let (mut inputs, mut wires, mut of, mut equal) =
            (String::new(), String::new(), [Vec::new(), Vec::new()], String::new());
        for (name, width, dir) in signals {
            let range = format!("[{}:0]", width - 1);
            if *dir == Dir::In {
                if name != "clk" && name != "rst" {
                    inputs += &format!(", input wire {range} {name}");
                }
                of.iter_mut().for_each(|o| o.push(format!(".{name}({name})")));
                continue;
            }
            wires += &format!("    wire {range} {name}_0;\n    wire {range} {name}_1;\n");
            of.iter_mut().enumerate().for_each(|(k, o)| o.push(format!(".{name}({name}_{k})")));
            // A beat means something while it is offered.
            let valid = name.strip_suffix("_beat").map(|stream| format!("{stream}_valid"));
            let offered =
                signals.iter().find(|s| Some(&s.0) == valid.as_ref() && s.1 == 1).map(|s| format!("{}_0", s.0));
            let meant = MEANT.iter().find(|m| (m.0, m.1) == (module, name.as_str())).map(|m| m.2.to_string());
            let unless = offered.or(meant).map_or_else(String::new, |m| format!("!{m} || "));
            equal += &format!("            assert ({unless}{name}_0 == {name}_1);\n");
        }
        let [verilog, cells] = of.map(|o| o.join(", "));
        let expects: String = EXPECTS.iter().filter(|e| e.0 == module).map(|e| e.1).collect();
        format!(
            "module equal (input wire clk, input wire again{inputs});\n{STARTED}{expects}{wires}    {} ({verilog});\n    \
             {module}_cells cells ({cells});\n    always @*\n        if (started) begin\n{equal}        end\nendmodule\n",
            self.instance("verilog")
        )
    }
}

/// Ports of the one module of a netlist that yosys wrote.
fn ports(netlist: &str) -> Vec<(String, u32, Dir)> {
    let port = |line: &str| {
        let (dir, rest) = line.trim_start().split_once(' ')?;
        let dir = match dir {
            "input" => Dir::In,
            "output" => Dir::Out,
            _ => return None,
        };
        let (range, name) = rest.strip_suffix(';')?.rsplit_once(' ').unwrap_or(("[0:0]", rest.strip_suffix(';')?));
        let high: u32 = range.strip_prefix('[')?.strip_suffix(":0]")?.parse().ok()?;
        Some((name.to_string(), high + 1, dir))
    };
    // Functions, which yosys writes for some cells, have inputs, too.
    let head = netlist.split_once("\nmodule ").and_then(|(_, rest)| rest.split_once('(')?.1.split_once(')'));
    let names: Vec<&str> = head.map_or("", |(list, _)| list).split(',').map(str::trim).collect();
    let ports: Vec<_> = netlist.lines().filter_map(port).filter(|p| names.contains(&p.0.as_str())).collect();
    assert_eq!(ports.len(), names.len(), "ports {names:?}");
    ports
}

/// The narrowest of each module.
fn narrowest() -> Vec<ModuleForm> {
    let bits = |(p, host): &Hosted| all_signals(p.as_ref(), *host).iter().map(|s| s.1).sum::<u32>();
    let mut items: Vec<Hosted> = groups().into_iter().flat_map(|(_, items)| items).collect();
    // What a memory has behind its end is not defined, nor what comes from a copy that is not there, so netlists differ there.
    items.retain(|(p, _)| {
        let whole = |(name, value): &(&str, Param)| match (*name, value) {
            ("WORDS", Param::Int(words)) => words.is_power_of_two() && *words <= WORDS,
            ("COPIES", Param::Int(copies)) => copies.is_power_of_two(),
            _ => true,
        };
        p.instance().params.iter().all(whole)
    });
    items.sort_by_key(bits);
    let own = |&(module, params): &(&'static str, &[(&str, u128)])| {
        let literal = |v: u128| if v >> 31 == 0 { v.to_string() } else { format!("128'h{v:032x}") };
        let params = params.iter().map(|(n, v)| (n.to_string(), literal(*v))).collect();
        ModuleForm { module, params }
    };
    let program = |params: Vec<_>| ModuleForm { module: "samhw_program", params: literals(&params) };
    let alone = ALONE.iter().map(own).chain(parts().into_iter().map(program));
    let mut all: Vec<ModuleForm> = narrow().iter().map(ModuleForm::of).chain(alone).collect();
    let mut seen: BTreeMap<&str, usize> = all.iter().map(|f| (f.module, OF_A_MODULE)).collect();
    for form in items.iter().map(ModuleForm::of) {
        let number = seen.entry(form.module).or_default();
        *number += 1;
        if *number <= OF_A_MODULE {
            all.push(form);
        }
    }
    // Behind the others, so that what is drawn of them stays.
    all.push(ModuleForm::of(&steps()));
    all
}

/// Those to be proved, on one family after the other: of the modules that `SAMHW_EQUAL` names (`joiner,fork`), else with `SAMHW_FULL`
/// all, else `number` that are drawn.
fn jobs(number: usize) -> Vec<(ModuleForm, rtl::Family)> {
    let seed = std::env::var("SAMHW_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(1);
    println!("SAMHW_SEED={seed}");
    let named = std::env::var("SAMHW_EQUAL").ok();
    let full = std::env::var_os("SAMHW_FULL").is_some();
    let on = |(form, family): (ModuleForm, rtl::Family)| {
        let is_ram = closure([form.module]).iter().any(|s| BLOCK_RAMS.contains(&s.name));
        let family = if is_ram && family == rtl::Family::Ice40 { rtl::Family::Ecp5 } else { family };
        let fits = |n: &str, v: &str| form.params.iter().any(|(name, value)| name == n && value == v);
        let always = ALWAYS_ON.iter().find(|(module, n, v, _)| *module == form.module && fits(n, v));
        (form, always.map_or(family, |a| a.3))
    };
    let wanted = |(form, _): &(ModuleForm, rtl::Family)| match &named {
        Some(names) => names.split(',').any(|n| form.module.strip_prefix("samhw_") == Some(n)),
        None => full || !LONG.contains(&form.module),
    };
    let mut jobs: Vec<_> =
        narrowest().into_iter().zip(rtl::Family::ALL.into_iter().cycle()).filter(wanted).map(on).collect();
    assert!(!jobs.is_empty(), "SAMHW_EQUAL names no module");
    let mut rng = Rng::new(seed);
    while named.is_none() && !full && jobs.len() > number {
        jobs.swap_remove(rng.below(jobs.len() as u64) as usize);
    }
    jobs
}

/// What a test says of a form: not all that a program's parameters are.
fn told(form: &ModuleForm, family: rtl::Family) -> String {
    form.instance(&format!("on {}", family.name())).chars().take(300).collect()
}

#[test]
fn netlists_are_equivalent() {
    let mut wrong = Vec::new();
    for (form, family) in jobs(DRAWN) {
        let what = told(&form, family);
        let start = std::time::Instant::now();
        let proved = form.netlist(family).and_then(|n| rtl::prove(&form.beside(&n), &[], METHOD, &cache()));
        match tool(&what, proved) {
            None => return,
            Some(rtl::Proof::Proven { .. }) => println!("{what}: equivalent, {} s", start.elapsed().as_secs()),
            Some(other) => {
                println!("{what}: {other:?}, {} s", start.elapsed().as_secs());
                wrong.push(what);
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What stands before half of a lookup table of a netlist.
const HALF: &str = " ? 8'h";

/// Where halves of lookup tables are in `netlist`.
fn tables(netlist: &str) -> Vec<usize> {
    netlist.match_indices(HALF).map(|(at, _)| at + HALF.len()).collect()
}

/// `netlist` with the half of a table at `at` inverted.
fn inverted(netlist: &str, at: usize) -> String {
    let half = u8::from_str_radix(&netlist[at..at + 2], 16).expect("two digits");
    format!("{}{:02x}{}", &netlist[..at], !half, &netlist[at + 2..])
}

/// A proof that cannot fail says nothing: half of a lookup table inverted, of one after the other.
#[test]
fn wrong_netlists_are_refused() {
    let form = ModuleForm { module: "samhw_skid", params: vec![("W".into(), "2".into())] };
    let Some(netlist) = tool("equivalence", form.netlist(rtl::Family::Ecp5)) else { return };
    let tables = tables(&netlist);
    assert!(tables.len() > 3, "{netlist}");
    for at in tables {
        let wrong = form.beside(&inverted(&netlist, at));
        let Some(proof) = tool("equivalence", rtl::prove(&wrong, &[], METHOD, &cache())) else { return };
        assert!(matches!(proof, rtl::Proof::Broken { .. }), "{at}: {proof:?}");
    }
}

/// Of no form a netlist is believed whatever is in it. Not every wrong table shows: what it is asked may never occur. Of programs a
/// run that shows it is long: that nothing is proved will do.
#[test]
fn a_wrong_netlist_of_each_form_is_refused() {
    let refused = |p: &rtl::Proof| !matches!(p, rtl::Proof::Proven { .. });
    let mut believed = Vec::new();
    for (form, family) in jobs(1) {
        let what = told(&form, family);
        let start = std::time::Instant::now();
        let Some(netlist) = tool("equivalence", form.netlist(family)) else { return };
        let (mut tables, mut rng) = (tables(&netlist), Rng::new(1));
        let mut proofs = Vec::new();
        while proofs.len() < WRONG && !tables.is_empty() && !proofs.iter().any(refused) {
            let at = tables.swap_remove(rng.below(tables.len() as u64) as usize);
            let wrong = form.beside(&inverted(&netlist, at));
            let Some(proof) = tool("equivalence", rtl::prove(&wrong, &[], WRONG_METHOD, &cache())) else { return };
            proofs.push(proof);
        }
        println!("{what}: {proofs:?}, {} s", start.elapsed().as_secs());
        if !proofs.iter().any(refused) {
            believed.push(what);
        }
    }
    assert!(believed.is_empty(), "{}", believed.join("\n"));
}

/// Modules in no form: their smallest has products of 40 bits, which stay open (docs/proofs.md).
const OPEN: [&str; 2] = ["samhw_float_pow", "samhw_pow_tables"];

/// Every other module is in one of the forms.
#[test]
fn every_module_is_in_a_proof_of_equality() {
    let forms = narrowest();
    let instances: String =
        forms.iter().enumerate().map(|(k, f)| format!("    {} ();\n", f.instance(&format!("u{k}")))).collect();
    let modules = closure(forms.iter().map(|f| f.module));
    let mut all: Vec<_> = modules.iter().map(|s| (format!("{}.v", s.name), s.text.to_string())).collect();
    all.push(("all.v".into(), format!("module all;\n{instances}endmodule\n")));
    let Some(shown) = tool("modules", rtl::elaborated(&rtl::Design::new("all", all), &cache())) else { return };
    let others: Vec<&str> =
        MODULES.iter().map(|s| s.name).filter(|n| !shown.contains(*n) && !OPEN.contains(n)).collect();
    assert!(others.is_empty(), "in no proof: {others:?}");
}
