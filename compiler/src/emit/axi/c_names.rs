//! Names of the C driver's files and of everything in them.

use super::bus::Axi;
use super::registers::{CONTROL, Register};
use crate::emit::Context;
use samhw_hdl::Scope;

/// Headers of C and POSIX: a folder that is searched for headers must not have another file of that name.
const HEADERS: &str = "aio assert complex cpio ctype dirent dlfcn errno fcntl fenv float fmtmsg fnmatch ftw glob grp iconv \
inttypes iso646 langinfo libgen limits locale malloc math memory monetary mqueue ndbm netdb poll pthread pwd regex sched \
search semaphore setjmp signal spawn stdalign stdarg stdatomic stdbool stdckdint stdbit stddef stdint stdio stdlib \
stdnoreturn string strings stropts syslog tar termios tgmath threads time trace uchar ulimit unistd utime utmpx version \
wchar wctype wordexp";

/// The names of a kernel's items in C. Every name begins with the prefix and `_`, so none of them is a word
/// of C or C++, or a macro of a compiler.
pub(in crate::emit) struct CNames {
    /// Prefix of the names of files: the kernel's name, or `kernel_NAME` if the name has a meaning in C.
    pub file: String,
    /// Prefix of functions and types.
    pub lower: String,
    /// Prefix of macros.
    pub upper: String,
    /// Macros of the ports, after the prefix; names of arrays that differ in case only have numbers
    /// behind them.
    pub ports: Vec<String>,
}

/// The field of `struct NAME_run`, or of its result, that a register has.
pub(super) fn field(r: &Register) -> String {
    r.name.to_lowercase()
}

impl CNames {
    /// Returns the names of a kernel behind AXI.
    pub fn new(cx: &Context, axi: &Axi) -> Self {
        let name = cx.name;
        // What begins with an underscore belongs to the C library.
        let taken = name.starts_with('_') || HEADERS.split_ascii_whitespace().any(|h| h.eq_ignore_ascii_case(name));
        let file = if taken { format!("kernel_{name}") } else { name.to_string() };
        let mut macros = Scope::default();
        let fixed = CONTROL.iter().map(|c| c.0).chain(axi.registers.iter().map(|r| r.name.as_str()));
        fixed.for_each(|name| drop(macros.name(name)));
        let arrays = axi.ports.iter().map(|p| cx.net.arrays[p.array].name.to_uppercase());
        let ports = arrays.map(|array| macros.name(&format!("PORT_{array}"))).collect();
        Self { lower: file.to_lowercase(), upper: file.to_uppercase(), file, ports }
    }

    /// Replaces `@FILE`, `@NAME` and `@name` in a template.
    pub fn fill(&self, template: &str) -> String {
        template.replace("@FILE", &self.file).replace("@NAME", &self.upper).replace("@name", &self.lower)
    }
}
