//! Names that users choose never break the Verilog, and the manifest says what they became.

use crate::kernels::design;

/// A kernel with tensors called as Verilog's words, ports of the tops, and each other's arrays.
const NASTY: &str = r#"
name = "samhw_workspace"
expr = "start(i) = module(i) + host_addr(i) + module_crd0(i) + clk(i)"
[dims]
i = 8
[tensors.start]
levels = ["compressed"]
type = "u8"
[tensors.module]
levels = ["compressed"]
type = "u8"
[tensors.host_addr]
levels = ["compressed"]
type = "u8"
[tensors.module_crd0]
levels = ["compressed"]
type = "u8"
[tensors.clk]
levels = ["compressed"]
type = "u8"
"#;

#[test]
fn tops_do_not_clash_with_the_library() {
    let d = design(NASTY);
    assert_eq!(d.name, "kernel_samhw_workspace");
    assert_eq!(d.tops, ["kernel_samhw_workspace_core", "kernel_samhw_workspace_ram"]);
    let mut files: Vec<&str> = d.files.iter().map(|(name, _)| name.as_str()).collect();
    let count = files.len();
    files.sort_unstable();
    files.dedup();
    assert_eq!(files.len(), count);
}

#[test]
fn nasty_names_are_clean() {
    let d = design(NASTY);
    for t in &d.tops {
        let top = crate::tools::top(&d, t);
        crate::tools::tool(t, samhw_rtlsim::lint_verilator(&top, &crate::tools::cache()));
        crate::tools::tool(t, samhw_rtlsim::lint_iverilog(&top, &crate::tools::cache()));
        crate::tools::tool(t, samhw_rtlsim::lint_slang(&top, &crate::tools::cache()));
    }
}

/// Host regions do not overlap, are aligned to their size, and hold their words.
#[test]
fn regions_are_aligned_and_apart() {
    for k in crate::kernels::KERNELS {
        let m = design(&crate::kernels::toml(k)).manifest;
        let mut end = 0;
        let mut regions: Vec<(u64, u64)> = m.arrays.iter().filter_map(|a| a.base.map(|b| (b, a.words))).collect();
        regions.sort_unstable();
        // Arrays of equal contents share their addresses.
        regions.dedup();
        for (base, words) in regions {
            assert!(base >= end, "{}", k.name);
            assert_eq!(base % words.next_power_of_two(), 0, "{}", k.name);
            end = base + words;
        }
        assert!(end <= 1 << m.host.addr_width);
    }
}

#[test]
fn output_is_the_same_every_time() {
    for k in crate::kernels::KERNELS.iter().take(8) {
        let toml = crate::kernels::toml(k);
        assert_eq!(design(&toml), design(&toml));
    }
}

/// The list of kernels is a test of every primitive.
#[test]
fn every_module_of_the_library_is_used() {
    let designs: Vec<_> = crate::kernels::KERNELS.iter().map(|k| design(&crate::kernels::toml(k))).collect();
    let used = |name: &str| designs.iter().any(|d| d.files.iter().any(|(file, _)| *file == format!("{name}.v")));
    let missing: Vec<&str> =
        samhw_primitives::library::MODULES.iter().map(|m| m.name).filter(|name| !used(name)).collect();
    assert_eq!(missing, [""; 0]);
}
