//! The C files of kernels behind AXI: compiled as C and C++ whatever users call things, and run on
//! registers that a program makes up.

use crate::kernels::design;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What drivers must pass without a warning, before the language.
const STRICT: [&str; 5] = ["-Wall", "-Wextra", "-Wconversion", "-Wpedantic", "-Werror"];

/// A folder that goes when this goes.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("drivers-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }
    fn write(&self, name: &str, text: &str) {
        fs::write(self.0.join(name), text).unwrap();
    }
    /// The C files of a kernel.
    fn emit(&self, toml: &str) {
        let of_c = |name: &str| name.ends_with(".h") || name.ends_with(".c");
        design(toml).files.iter().filter(|(n, _)| of_c(n)).for_each(|(name, text)| self.write(name, text));
    }
    /// Runs a compiler here; what it printed.
    fn compile(&self, compiler: &str, args: &[&str]) -> String {
        let out = Command::new(compiler).current_dir(&self.0).args(STRICT).args(args).output().expect("a compiler");
        let said = String::from_utf8_lossy(&out.stderr).into_owned();
        assert!(out.status.success(), "{compiler} {args:?}: {said}");
        String::from_utf8_lossy(&out.stdout).into_owned()
    }
    /// Compiles `main.c` and the rest, and runs it; `main` returns the number of a line that is wrong.
    fn run(&self, args: &[&str]) {
        self.compile("cc", &[&["-std=c99", "-o", "main", "main.c"][..], args].concat());
        let out = Command::new(self.0.join("main")).output().expect("the program");
        assert!(out.status.success(), "{:?}, {}", out.status, String::from_utf8_lossy(&out.stdout));
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A kernel of this name with these two operands, over this index, behind a bus with addresses of
/// this number of bits.
fn kernel(name: &str, [a, b]: [&str; 2], index: &str, address_width: u32) -> String {
    let mut text =
        format!("name = \"{name}\"\nexpr = \"y_({index}) = {a}({index}) * {b}({index})\"\n[dims]\n{index} = 20\n");
    for (tensor, level) in [(a, "compressed"), (b, "compressed"), ("y_", "dense")] {
        text += &format!("[tensors.{tensor}]\nlevels = [\"{level}\"]\ntype = \"i16\"\n");
    }
    text + &format!("[hardware]\nmemory = \"axi\"\n[hardware.axi]\naddress_width = {address_width}\ncounters = true\n")
}

/// Words of C and C++, macros of compilers, headers, what the programs have names for, what differs
/// in case only.
#[test]
fn names_that_mean_something_in_c_compile() {
    let kernels = [
        "double", "char", "volatile", "sizeof", "linux", "unix", "i386", "template", "operator", "Double", "math",
        "stdio", "stdint", "_", "_Bool", "run", "machine", "array", "main", "number",
    ];
    let tensors = [["B", "b"], ["float", "Float"], ["linux", "short"], ["arrays", "run"]];
    let indices = ["i", "goto", "errno", "namespace", "long"];
    let folder = Folder::new("names");
    for (k, name) in kernels.into_iter().enumerate() {
        folder.emit(&kernel(name, tensors[k % tensors.len()], indices[k % indices.len()], [32, 40, 64][k % 3]));
        let files: Vec<String> =
            fs::read_dir(&folder.0).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        let sources: Vec<&str> = files.iter().map(String::as_str).filter(|f| f.ends_with(".c")).collect();
        assert_eq!(sources.len(), 2, "{name}: {sources:?}");
        for source in sources {
            folder.compile("cc", &["-std=c99", "-I.", "-fsyntax-only", source]);
            folder.compile("cc", &["-std=gnu17", "-I.", "-fsyntax-only", source]);
            folder.compile("c++", &["-std=c++17", "-I.", "-fsyntax-only", "-x", "c++", source]);
        }
        files.iter().for_each(|f| fs::remove_file(folder.0.join(f)).unwrap());
    }
}

/// C++ finds what C compiled, and two drivers can be one file.
#[test]
fn two_drivers_in_one_file_and_a_user_of_both_in_cpp() {
    let folder = Folder::new("unity");
    folder.emit(&kernel("one", ["A", "B"], "i", 32));
    folder.emit(&kernel("two", ["A", "B"], "i", 64));
    folder.write("both.c", "#include \"one.c\"\n#include \"two.c\"\n");
    folder.write(
        "user.cpp",
        "#include \"one.h\"\n#include \"two.h\"\nint main()\n{\n    one_run a{};\n    two_run b{};\n    uint32_t port;\n    \
         return one_accepts(&a, &port) + two_accepts(&b, &port);\n}\n",
    );
    folder.compile("cc", &["-std=c99", "-ffreestanding", "-c", "both.c"]);
    folder.compile("c++", &["-o", "user", "user.cpp", "both.o"]);
    assert!(Command::new(folder.0.join("user")).status().expect("the program").success());
}

/// No operating system, and not the processor that this runs on.
const BARE: [&str; 2] = ["-ffreestanding", "-U__x86_64__"];

/// The driver as the preprocessor leaves it, from the definition of function `from` on.
fn preprocessed(folder: &Folder, machine: &[&str], from: &str) -> String {
    let text = folder.compile("cc", &[&["-std=c99", "-E", "-P"][..], machine, &["k.c"]].concat());
    text[text.rfind(from).unwrap_or_else(|| panic!("no {from} in {text}"))..].to_string()
}

#[test]
fn barriers_and_caches_stand_between_data_doorbell_and_status() {
    let folder = Folder::new("barriers");
    folder.emit(&kernel("k", ["A", "B"], "i", 32));
    let arm7: &[&str] = &["-D__arm__", "-D__ARM_ARCH=7", "-D__ARM_ARCH_PROFILE='A'"];
    let own: &[&str] = &[
        "-DK_BARRIER()=my_barrier()",
        "-DK_CACHE_CLEAN(a,n)=my_clean(a,n)",
        "-DK_CACHE_INVALIDATE(a,n)=my_invalidate(a,n)",
    ];
    let machines: [(&[&str], &str, Option<&str>); 6] = [
        (&["-D__aarch64__"], "\"dsb sy\"", Some("dc civac")),
        (arm7, "\"dsb sy\"", Some("mcr p15, 0, %0, c7, c14, 1")),
        (&["-D__riscv"], "\"fence iorw, iorw\"", None),
        (&["-D__riscv", "-D__riscv_zicbom"], "\"fence iorw, iorw\"", Some("cbo.flush")),
        (&[], "__sync_synchronize()", None),
        (own, "my_barrier()", None),
    ];
    let header = fs::read_to_string(folder.0.join("k.h")).unwrap();
    let arrays = header.lines().filter(|l| l.starts_with("#define K_") && l.contains("_BASE 0x")).count();
    for (defines, barrier, flush) in machines {
        let machine = [&BARE[..], defines].concat();
        let text = preprocessed(&folder, &machine, "int k_start(");
        let (start, rest) = text.split_once("int k_poll(").expect("k_poll");
        let (poll, rest) = rest.split_once("k_look(").expect("k_look");
        let finish = &rest[rest.find("void k_finish(").expect("k_finish")..];
        let at =
            |text: &str, what: &str| text.rfind(what).unwrap_or_else(|| panic!("{defines:?}: no {what} in {text}"));
        // Arrays, barrier, doorbell.
        let (last, fence, doorbell) =
            (at(start, "k_write(k, 0x018u"), at(start, barrier), at(start, "k_write(k, 0x010u, 1u"));
        assert!(last < fence && fence < doorbell, "{defines:?}: {start}");
        // Status, barrier, results.
        assert!(at(poll, "k_read(k, 0x014u") < at(poll, barrier), "{defines:?}: {poll}");
        assert!(finish.contains(barrier), "{defines:?}: {finish}");
        let (clean, drop) =
            if defines == own { ("my_clean(", "my_invalidate(") } else { ("k_out_of_caches(", "k_out_of_caches(") };
        let looked_after = flush.is_some() || defines == own;
        assert_eq!(start.matches(clean).count(), if looked_after { arrays } else { 0 }, "{defines:?}: {start}");
        assert_eq!(
            finish.split("int k_call(").next().map(|f| f.matches(drop).count()),
            Some(usize::from(looked_after))
        );
        if let Some(flush) = flush {
            assert!(preprocessed(&folder, &machine, "static void k_out_of_caches").contains(flush), "{defines:?}");
        }
        assert!(!looked_after || clean.starts_with("my") || at(start, clean) < fence, "{defines:?}: {start}");
    }
    // Under an operating system addresses of the bus are not those of a process.
    let text = preprocessed(&folder, &["-D__aarch64__", "-D__unix__"], "int k_start(");
    assert!(!text.contains("k_out_of_caches(") && text.contains("\"dsb sy\""), "{text}");
}

/// Registers that a program makes up, and a clock.
const REGISTERS: &str = r#"
#include "k.h"
#include <stdio.h>
static uint32_t registers[1024];
static uint64_t ticks;
static int stores, starts, resets;
static uint32_t read(void *context, uint32_t address) { (void)context; return registers[address / 4u]; }
static void write(void *context, uint32_t address, uint32_t value)
{
    (void)context;
    stores++;
    if (address == K_CONTROL) {
        starts += (value & K_CONTROL_START) != 0u;
        resets += (value & K_CONTROL_RESET) != 0u;
    } else
        registers[address / 4u] = value;
}
static uint64_t now(void *context) { (void)context; return ticks += 10u; }
#define SAY(what) do { if (!(what)) { printf("line %d: %s\n", __LINE__, #what); return 1; } } while (0)
static void fresh(void)
{
    registers[K_ID / 4u] = 0x53414d48u;
    registers[K_VERSION / 4u] = 1u;
    registers[K_HASH_LO / 4u] = (uint32_t)K_KERNEL_HASH;
    registers[K_HASH_HI / 4u] = (uint32_t)(K_KERNEL_HASH >> 32);
    registers[K_STATUS / 4u] = 0u;
    stores = starts = resets = 0;
}
"#;

/// A list between two statements has no array behind the bus, and no port that an error could name.
#[test]
fn lists_without_room_are_an_error() {
    let tensor = |name: &str, levels: &str| format!("[tensors.{name}]\ntype = \"i32\"\nlevels = [{levels}]\n");
    let folder = Folder::new("lists");
    folder.emit(&format!(
        "name = \"k\"\nexpr = \"Y(i,j) = A(i,j); X(i,j) = Y(i,j)\"\norder = {{ Y = [\"j\", \"i\"] }}\n\
         [dims]\ni = 9\nj = 8\n{}mode_order = [1, 0]\n{}{}[hardware]\nmemory = \"axi\"\n",
        tensor("A", "\"dense\", \"compressed\""),
        tensor("Y", "\"dense\", \"linked_list\""),
        tensor("X", "\"dense\", \"compressed\""),
    ));
    let main = r#"
int main(void)
{
    struct k_kernel k = { 0, read, write, 0, now };
    struct k_result r = { 0 };
    fresh();
    k_finish(&k, &r);
    SAY(r.error == 0u);
    registers[K_WRITE_Y_VALS_OVERFLOW / 4u] = 1u;
    k_finish(&k, &r);
    SAY(r.error == K_ERROR_CAPACITY && r.port == K_NO_PORT && r.write_y_vals_overflow == 1u);
    registers[K_ERROR / 4u] = K_ERROR_WATCHDOG;
    k_finish(&k, &r);
    SAY(r.error == K_ERROR_WATCHDOG && r.port == 0u);
    return starts + resets;
}
"#;
    folder.write("main.c", &format!("{REGISTERS}{main}"));
    folder.run(&["k.c"]);
}

/// Rows 0 and 2 in one copy's arrays, row 1 in those of the other.
#[test]
fn results_in_parts_are_joined() {
    let tensor = |name: &str| format!("[tensors.{name}]\ntype = \"i16\"\nformat = \"csr\"\n");
    let folder = Folder::new("joined");
    folder.emit(&format!(
        "name = \"k\"\nexpr = \"X(i,j) = B(i,j) * C(i,j)\"\nschedule.parallel.i = {{ copies = 2, balance = \"elements\" }}\n[dims]\ni = 3\nj = 20\n{}{}{}\
         [hardware]\nmemory = \"axi\"\n",
        tensor("B"),
        tensor("C"),
        tensor("X"),
    ));
    for source in ["k.c", "k_linux.c"] {
        folder.compile("c++", &["-std=c++17", "-I.", "-fsyntax-only", "-x", "c++", source]);
    }
    folder.compile("cc", &["-std=c99", "-ffreestanding", "-fsyntax-only", "k.c"]);
    folder.write(
        "main.c",
        r#"#include "k.h"
#define SAY(what) if (!(what)) return __LINE__
static uint8_t segments[2][4] = {{0, 2, 2, 3}, {0, 0, 1, 1}}, coordinates[2][3] = {{4, 7, 19}, {5}};
static uint16_t values[2][3] = {{40, 70, 190}, {50}};
#define AT(array) (uint64_t)(uintptr_t)(array)
int main(void)
{
    struct k_run run = {0};
    struct k_whole_X x = {0};
    const uint64_t sizes[2] = {3, 20};
    uint32_t seg[4];
    uint8_t crd[4];
    uint16_t vals[4];
    run.x_seg1_base = AT(segments[0]), run.x_c1_seg1_base = AT(segments[1]);
    run.x_crd1_base = AT(coordinates[0]), run.x_c1_crd1_base = AT(coordinates[1]);
    run.x_vals_base = AT(values[0]), run.x_c1_vals_base = AT(values[1]);
    run.x_seg1_words = run.x_c1_seg1_words = 4u;
    run.x_crd1_words = run.x_c1_crd1_words = run.x_vals_words = run.x_c1_vals_words = 3u;
    SAY(k_join_X(&run, 0, 0, sizes, 0u, &x) == K_ERROR_ROOM);
    SAY(x.seg1_words == 4u && x.crd1_words == 4u && x.vals_words == 4u);
    x.seg1 = seg, x.crd1 = crd, x.vals = vals;
    SAY(k_join_X(&run, 0, 0, sizes, 0u, &x) == 0);
    SAY(seg[0] == 0u && seg[1] == 2u && seg[2] == 3u && seg[3] == 4u);
    SAY(crd[0] == 4u && crd[1] == 7u && crd[2] == 5u && crd[3] == 19u);
    SAY(vals[0] == 40u && vals[1] == 70u && vals[2] == 50u && vals[3] == 190u);
    x.crd1_words = 3u;
    crd[3] = 99u;
    SAY(k_join_X(&run, 0, 0, sizes, 0u, &x) == K_ERROR_ROOM && x.crd1_words == 4u && crd[3] == 99u);
    /* Both have one coordinate; a fiber that is beyond its array. */
    segments[1][1] = 1u, coordinates[1][0] = 7u;
    SAY(k_join_X(&run, 0, 0, sizes, 0u, &x) == K_ERROR_PARTS);
    segments[1][1] = 0u, segments[1][3] = 200u;
    SAY(k_join_X(&run, 0, 0, sizes, 0u, &x) == K_ERROR_PARTS);
    return 0;
}
"#,
    );
    folder.run(&["k.c"]);
}

#[test]
fn addresses_beyond_the_bus_are_refused() {
    for (width, beyond, edge) in [(32, "0x100000b00ull", "0xfffffffcull"), (40, "1ull << 40", "0xfffffffffcull")] {
        let folder = Folder::new(&format!("beyond{width}"));
        folder.emit(&kernel("k", ["A", "B"], "i", width));
        let body = format!(
            "int main(void)\n{{\n    struct k_kernel k = {{0, read, write, 0, now}};\n    struct k_run a;\n    struct k_result r;\n    \
             uint32_t port = 7u;\n    const struct k_run none = {{0}};\n    fresh();\n    a = none;\n    \
             a.b_vals_base = {beyond};\n    SAY(k_accepts(&a, &port) == K_ERROR_ADDRESS && port == K_PORT_B_VALS);\n    \
             SAY(k_start(&k, &a, 0) == K_ERROR_ADDRESS && stores == 0);\n    \
             SAY(k_call(&k, &a, &r, 100u) == K_ERROR_ADDRESS && stores == 0);\n    \
             SAY(r.error == K_ERROR_ADDRESS && r.port == K_PORT_B_VALS && r.cycles == 0u);\n    \
             /* The last words of the bus, and one more. */\n    a.b_vals_base = {edge};\n    a.b_vals_words = 2u;\n    \
             SAY(k_accepts(&a, &port) == 0 && port == K_NO_PORT);\n    a.b_vals_words = 3u;\n    \
             SAY(k_accepts(&a, &port) == K_ERROR_ADDRESS && port == K_PORT_B_VALS);\n    \
             a.b_vals_words = 2u;\n    SAY(k_start(&k, &a, 1) == 0 && starts == 1);\n    \
             SAY(registers[K_B_VALS_BASE / 4u] == (uint32_t)a.b_vals_base && registers[K_IRQ_ENABLE / 4u] == 1u);\n    return 0;\n}}\n"
        );
        folder.write("main.c", &format!("{REGISTERS}{body}"));
        folder.run(&["k.c"]);
    }
}

#[test]
fn limits_are_in_time_and_what_is_known_after_them_is_told() {
    let folder = Folder::new("limits");
    folder.emit(&kernel("k", ["A", "B"], "i", 32));
    let body = r#"
int main(void)
{
    struct k_kernel k = {0, read, write, 0, now};
    const struct k_run none = {0};
    struct k_run a = none;
    struct k_result r = {1u, 2u, 3u};
    uint64_t before;
    fresh();
    registers[K_CYCLES_LO / 4u] = 77u;
    registers[K_CYCLES_HI / 4u] = 1u;
    before = ticks;
    SAY(k_call(&k, &a, &r, 1000u) == K_ERROR_TIMEOUT && starts == 1);
    SAY(ticks - before >= 1000u && ticks - before < 1100u);
    SAY(r.error == K_ERROR_TIMEOUT && r.port == K_NO_PORT && r.cycles == 0x10000004dull);
    /* Nothing but a reset gives the memory back. */
    SAY(resets == 0);
    SAY(k_reset(&k, 1000u) == 0 && resets == 1);
    registers[K_STATUS / 4u] = K_STATUS_BUSY;
    before = ticks;
    SAY(k_reset(&k, 1000u) == K_ERROR_TIMEOUT && ticks - before >= 1000u);
    SAY(k_call(&k, &a, &r, 1000u) == K_ERROR_TIMEOUT && starts == 1);
    /* A limit needs a clock. */
    k.now = 0;
    fresh();
    SAY(k_call(&k, &a, &r, 1000u) == K_ERROR_CLOCK && r.error == K_ERROR_CLOCK && starts == 0 && k_reset(&k, 1u) == K_ERROR_CLOCK);
    registers[K_STATUS / 4u] = K_STATUS_DONE;
    registers[K_ERROR / 4u] = K_ERROR_CAPACITY | 3u << 8;
    SAY(k_call(&k, &a, &r, 0u) == K_ERROR_CAPACITY && r.port == 3u && starts == 1);
    registers[K_ERROR / 4u] = 0u;
    SAY(k_call(&k, &a, &r, 0u) == 0 && r.port == K_NO_PORT);
    registers[K_HASH_LO / 4u]++;
    SAY(k_call(&k, &a, &r, 0u) == K_ERROR_HASH && r.error == K_ERROR_HASH && r.cycles == 0u && r.port == K_NO_PORT);
    return 0;
}
"#;
    folder.write("main.c", &format!("{REGISTERS}{body}"));
    folder.run(&["-Wno-missing-field-initializers", "k.c"]);
}
