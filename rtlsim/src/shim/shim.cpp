// The C interface through which Rust drives a Verilated design; see library.rs for the Rust
// side. It is compiled once for all designs: see design.h.
#include "design.h"

#include "verilated.h"
#if VM_TRACE
#include "verilated_vcd_c.h"
#endif

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace {

// Messages of $display, and the place of a $stop or $finish, of the running evaluation.
thread_local std::string printed;
thread_local std::string stopped;

uint64_t word(const Signal& s, uint32_t k) {
    if (s.width <= 8) return *static_cast<const uint8_t*>(s.data);
    if (s.width <= 16) return *static_cast<const uint16_t*>(s.data);
    if (s.width <= 32) return *static_cast<const uint32_t*>(s.data);
    if (s.width <= 64) return *static_cast<const uint64_t*>(s.data);
    const uint32_t* w = static_cast<const uint32_t*>(s.data);
    const uint64_t low = w[2 * k];
    return 2 * k + 1 < (s.width + 31) / 32 ? low | uint64_t(w[2 * k + 1]) << 32 : low;
}

void set(const Signal& s, const uint64_t* from) {
    const uint32_t rest = s.width % 64;
    const uint32_t words = (s.width + 63) / 64;
    for (uint32_t k = 0; k < words; ++k) {
        const uint64_t v = k + 1 == words && rest ? from[k] & ((uint64_t(1) << rest) - 1) : from[k];
        if (s.width <= 8) *static_cast<uint8_t*>(s.data) = v;
        else if (s.width <= 16) *static_cast<uint16_t*>(s.data) = v;
        else if (s.width <= 32) *static_cast<uint32_t*>(s.data) = v;
        else if (s.width <= 64) *static_cast<uint64_t*>(s.data) = v;
        else {
            uint32_t* w = static_cast<uint32_t*>(s.data);
            w[2 * k] = uint32_t(v);
            if (2 * k + 1 < (s.width + 31) / 32) w[2 * k + 1] = uint32_t(v >> 32);
        }
    }
}

struct Channel {
    const uint8_t* valid;
    const uint8_t* ready;
    Signal beat;
    bool record;
    // Nodes it leaves and enters; 0: none that is watched.
    uint32_t from = 0, to = 0;
    uint64_t transfers = 0;
    uint64_t waits = 0;
    uint64_t when = 0;
    uint64_t hash = 0;
    std::vector<uint64_t> trace;
};

struct Node {
    uint64_t since = 0, busy = 0, stalled = 0;
    // What its channels did in this cycle.
    uint8_t seen = 0;
};

constexpr uint8_t FIRED = 1, BLOCKED = 2;

uint64_t mix(uint64_t h, uint64_t w) { return ((h << 23 | h >> 41) ^ w) * 0x9E3779B97F4A7C15ull; }

#if VM_TRACE
// A waveform's file. Its first error is kept, and what comes after it is dropped: the runtime would report it as a failure of
// the design.
class WaveFile : public VerilatedVcdFile {
public:
    int error = 0;
    bool open(const std::string& name) override {
        errno = 0;
        const bool ok = VerilatedVcdFile::open(name);
        if (!ok) error = errno;
        return ok;
    }
    ssize_t write(const char* bytes, ssize_t len) override {
        if (error) return len;
        const ssize_t got = VerilatedVcdFile::write(bytes, len);
        if (got >= 0 || errno == EAGAIN || errno == EINTR) return got;
        error = errno;
        return len;
    }
};
#endif

struct Model {
    VerilatedContext context;
    Vtop* top;
    std::vector<Signal> signals;
    uint8_t* clk;
    uint64_t cycle = 0;
    std::vector<Channel> channels;
    // Number 0 stands for the outside.
    std::vector<Node> nodes{1};
    std::string message;
#if VM_TRACE
    WaveFile file;
    std::unique_ptr<VerilatedVcdC> vcd;
    uint64_t time = 0;
#endif

    void eval() {
        printed.clear();
        stopped.clear();
        design_eval(top);
        if (!stopped.empty() && message.empty()) message = stopped + ": " + printed;
    }

    void dump() {
#if VM_TRACE
        if (vcd) vcd->dump(time);
        if (file.error && message.empty()) message = "the waveform cannot be written";
        time += 5;
#endif
    }

    void sample() {
        for (Channel& c : channels) {
            if (!*c.valid) continue;
            if (!*c.ready) {
                ++c.waits;
                nodes[c.from].seen |= BLOCKED;
                continue;
            }
            nodes[c.from].seen |= FIRED;
            nodes[c.to].seen |= FIRED;
            ++c.transfers;
            c.when += cycle;
            const uint32_t words = (c.beat.width + 63) / 64;
            uint64_t h = mix(c.hash, cycle);
            if (c.record) c.trace.push_back(cycle);
            for (uint32_t k = 0; k < words; ++k) {
                const uint64_t w = word(c.beat, k);
                h = mix(h, w);
                if (c.record) c.trace.push_back(w);
            }
            c.hash = h;
        }
        for (Node& n : nodes) {
            n.busy += n.seen & FIRED;
            n.stalled += n.seen == BLOCKED;
            n.seen = 0;
        }
    }

    // One clock cycle: settle, sample what the edge will see, rise.
    void edge() {
        if (clk) *clk = 0;
        eval();
        dump();
        sample();
        if (clk) *clk = 1;
        eval();
        dump();
        ++cycle;
    }
};

// The runtime finds the context of a model through a thread-local pointer, also when it
// destroys the model; with many models in a thread it must be set at each entry.
Model* model(void* m) {
    Model* x = static_cast<Model*>(m);
    Verilated::threadContextp(&x->context);
    return x;
}

}  // namespace

int samhw_printf(const char* format, ...) {
    char text[1024];
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (printed.size() < 4096) printed += text;
    return n;
}

void vl_stop(const char* file, int line, const char*) VL_MT_UNSAFE {
    if (stopped.empty()) stopped = std::string(file) + ":" + std::to_string(line);
}
void vl_finish(const char* file, int line, const char* hier) VL_MT_UNSAFE { vl_stop(file, line, hier); }
void vl_fatal(const char* file, int line, const char* hier, const char* text) VL_MT_UNSAFE {
    vl_stop(file, line, hier);
    printed += text;
}

#define SAMHW_API extern "C" __attribute__((visibility("default")))

SAMHW_API void* samhw_new(uint64_t seed) {
    Model* m = model(new Model);
    // Everything that is not reset starts with random bits.
    m->context.threads(1);
    m->context.randReset(2);
    m->context.randSeed(int(seed & 0x7fffffff) | 1);
#if VM_TRACE
    m->context.traceEverOn(true);
#endif
    m->top = design_new(&m->context);
    m->signals.resize(design_signals);
    design_bind(m->top, m->signals.data());
    m->clk = design_clock(m->top);
    return m;
}
SAMHW_API void samhw_free(void* m) {
    Model* x = model(m);
    design_final(x->top);
#if VM_TRACE
    if (x->vcd) x->vcd->close();
    x->vcd.reset();
#endif
    design_free(x->top);
    delete x;
    Verilated::threadContextp(nullptr);
}
SAMHW_API void samhw_poke(void* m, uint32_t s, const uint64_t* words) { set(model(m)->signals[s], words); }
SAMHW_API void samhw_peek(void* m, uint32_t s, uint64_t* words) {
    const Signal& x = model(m)->signals[s];
    for (uint32_t k = 0; k < (x.width + 63) / 64; ++k) words[k] = word(x, k);
}
SAMHW_API void samhw_eval(void* m) { model(m)->eval(); }
SAMHW_API const char* samhw_message(void* m) { return model(m)->message.c_str(); }
SAMHW_API uint64_t samhw_cycle(void* m) { return model(m)->cycle; }
SAMHW_API void samhw_restart(void* m) {
    model(m)->cycle = 0;
    for (Channel& c : model(m)->channels) {
        c.transfers = c.waits = c.when = c.hash = 0;
        c.trace.clear();
    }
    for (Node& n : model(m)->nodes) n = Node{};
}
// Two cycles of reset, then counting starts at cycle 0.
SAMHW_API void samhw_reset(void* m) {
    Model* x = model(m);
    uint8_t* rst = design_reset(x->top);
    if (rst) *rst = 1;
    x->edge();
    x->edge();
    if (rst) *rst = 0;
    x->eval();
    x->message.clear();
    samhw_restart(m);
}
SAMHW_API void samhw_watch_channel(void* m, uint32_t valid, uint32_t ready, uint32_t beat, uint32_t record) {
    const std::vector<Signal>& s = model(m)->signals;
    Channel c;
    c.valid = static_cast<const uint8_t*>(s[valid].data);
    c.ready = static_cast<const uint8_t*>(s[ready].data);
    c.beat = s[beat];
    c.record = record;
    model(m)->channels.push_back(c);
}
SAMHW_API void samhw_watch_node(void* m, const uint32_t* ins, uint32_t n_in, const uint32_t* outs, uint32_t n_out) {
    Model* x = model(m);
    const uint32_t node = x->nodes.size();
    for (uint32_t k = 0; k < n_in; ++k) x->channels[ins[k]].to = node;
    for (uint32_t k = 0; k < n_out; ++k) x->channels[outs[k]].from = node;
    x->nodes.push_back(Node{x->cycle});
}
// Writes words through a port that takes one per cycle: `strobe`, `addr`, `data`. Returns the
// number written; fewer than `n` if the design executed $stop or $finish.
SAMHW_API uint64_t samhw_store(void* m, uint32_t strobe, uint32_t addr, uint32_t data, uint64_t base,
                               const uint64_t* words, uint64_t n) {
    Model* x = model(m);
    const uint64_t on = 1, off = 0;
    uint64_t k = 0;
    set(x->signals[strobe], &on);
    for (; k < n && x->message.empty(); ++k) {
        const uint64_t at = base + k;
        set(x->signals[addr], &at);
        set(x->signals[data], words + k);
        x->edge();
    }
    set(x->signals[strobe], &off);
    return k;
}
// Reads words through a port that answers after the edge behind the one that sees `strobe` and `addr`.
SAMHW_API uint64_t samhw_fetch(void* m, uint32_t strobe, uint32_t addr, uint32_t data, uint64_t base,
                               uint64_t* words, uint64_t n) {
    Model* x = model(m);
    const uint64_t on = 1, off = 0;
    uint64_t k = 0;
    for (; k <= n && n != 0 && x->message.empty(); ++k) {
        const uint64_t at = base + k;
        set(x->signals[strobe], k < n ? &on : &off);
        if (k < n) set(x->signals[addr], &at);
        x->edge();
        if (k != 0) words[k - 1] = word(x->signals[data], 0);
    }
    set(x->signals[strobe], &off);
    return k == 0 ? 0 : k - 1;
}
// Clocks until `stop` (a signal; -1: none) is 1 after an edge, or `limit` edges are done, or
// the design executed $stop or $finish. Returns the number of edges.
SAMHW_API uint64_t samhw_run(void* m, uint64_t limit, uint32_t stop) {
    Model* x = model(m);
    uint64_t n = 0;
    while (n < limit && x->message.empty()) {
        x->edge();
        ++n;
        if (stop != UINT32_MAX && word(x->signals[stop], 0)) break;
    }
    return n;
}
SAMHW_API void samhw_channel(void* m, uint32_t c, uint64_t* counts) {
    const Channel& x = model(m)->channels[c];
    counts[0] = x.transfers;
    counts[1] = x.waits;
    counts[2] = x.hash;
    counts[3] = x.when;
}
SAMHW_API const uint64_t* samhw_trace(void* m, uint32_t c, uint64_t* len) {
    *len = model(m)->channels[c].trace.size();
    return model(m)->channels[c].trace.data();
}
SAMHW_API void samhw_node(void* m, uint32_t n, uint64_t* counts) {
    const Node& x = model(m)->nodes[n + 1];
    counts[0] = x.busy;
    counts[1] = x.stalled;
    counts[2] = model(m)->cycle - x.since - x.busy - x.stalled;
}
// Begins a waveform. Returns 0, the system's error number, or -1 where the library was built without tracing.
SAMHW_API int32_t samhw_wave(void* m, const char* path) {
#if VM_TRACE
    Model* x = model(m);
    x->vcd.reset();
    x->file.error = 0;
    x->vcd.reset(new VerilatedVcdC{&x->file});
    design_trace(x->top, x->vcd.get());
    x->vcd->open(path);
    return x->file.error;
#else
    (void)m;
    (void)path;
    return -1;
#endif
}
// Ends it. Returns the number of the first error there was.
SAMHW_API int32_t samhw_wave_end(void* m) {
#if VM_TRACE
    Model* x = model(m);
    x->vcd.reset();
    return x->file.error;
#else
    (void)m;
    return 0;
#endif
}
