/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs @TOP from a process of Linux: registers and a piece of memory are mapped, arrays come from a file that
 * `samhw gen --data` writes, results are printed (or go to a file) in the same form.
 *
 *     cc -O2 -o @name @FILE_linux.c @FILE.c
 *     ./@name /dev/mem@43c00000 /dev/mem@10000000+100000 @DATA
 *     ./@name /dev/uio0@0 /dev/udmabuf0@0+100000=10000000 @DATA
 *
 * Registers are DEVICE@OFFSET, memory DEVICE@OFFSET+BYTES=ADDRESS: what mmap takes, and the address that the kernel's
 * bus has for it (left out: the offset), all hexadecimal. Nobody else may use that memory - reserve it, or use a driver
 * that gives it out - and it must be mapped without cache or be coherent with the bus: /dev/mem is opened with O_SYNC.
 * The end of a run is an interrupt of /dev/uioN, and asked for elsewhere.
 *
 * Exit status: 0 fine; 1 a device, the data or the run is at fault, as standard error says; 2 wrong arguments.
 */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#undef _FILE_OFFSET_BITS
#define _FILE_OFFSET_BITS 64
#include "@FILE.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Devices are mapped beyond 2 GiB, too. */
typedef char offsets_have_64_bits[sizeof(off_t) == 8 ? 1 : -1];

#define REGISTER_BYTES @REGISTER_BYTESu
/* Microseconds that the kernel may take to come to rest. */
#define REST 10000000u
/* Arrays begin at multiples of it, in bytes. */
#define ALIGNMENT 64u

/* A kernel and memory that it and the process see. */
struct @name_machine {
    struct @name_kernel kernel;
    uint8_t *memory;
    uint64_t address; /* of memory, at the kernel's bus */
    uint64_t bytes;
    int interrupts; /* a UIO device that tells of them; -1: none does */
};

/* What an array is in the arguments of a run. */
struct @name_array {
    const char *name;
    unsigned bytes, bits; /* of a word */
    int result; /* 0: an operand; 1: a result; 2: a part of one */
    uint64_t *base;
    uint32_t *words;
    int known;
    uint64_t offset; /* in memory */
};

/* What a run-time value is in the arguments of a run; neither: the driver computes it. */
struct @name_setting {
    const char *name;
    unsigned bits;
    uint32_t *narrow;
    uint64_t *wide;
    int known;
};

static struct @name_run run;
static struct @name_array arrays[] = {
@ARRAYS
    {0, 0u, 0u, 0, 0, 0, 0, 0u}
};
static struct @name_setting settings[] = {
@SETTINGS
    {0, 0u, 0, 0, 0}
};

/* A result that the hardware has in parts: numbers of the data about it, what prints it, the names
   of its arrays. */
struct @name_parted {
    const char *name;
    unsigned count;
    uint64_t *numbers;
    int (*print)(struct @name_machine *m, FILE *out);
    const char *arrays;
    int known;
};

static void print_words(FILE *out, const char *name, const void *words, size_t bytes, uint32_t count);
@PRINTED
static struct @name_parted parted[] = {
@PARTED    {0, 0u, 0, 0, 0, 0}
};

/* A hexadecimal number, and nothing behind it. */
static int number(const char *text, uint64_t *value)
{
    static const char digits[] = "0123456789abcdef";
    unsigned count = 0u;
    *value = 0u;
    if (text[0] == '0' && text[1] == 'x')
        text += 2;
    for (; *text != '\0'; text++, count++) {
        char lower = *text >= 'A' && *text <= 'F' ? (char)(*text - 'A' + 'a') : *text;
        const char *digit = strchr(digits, lower);
        if (digit == NULL || count == 16u)
            return 0;
        *value = *value << 4 | (uint64_t)(digit - digits);
    }
    return count > 0u;
}

/* Microseconds. */
static uint64_t now(void *context)
{
    struct timespec t;
    (void)context;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000u + (uint64_t)t.tv_nsec / 1000u;
}

#ifdef SAMHW_OTHER_MACHINE
/* Where there is another way to registers and memory, such as a simulation: 0, or -1 where there is none. */
int samhw_machine(struct @name_machine *m, const char *registers, const char *memory);
#else
/* Splits DEVICE@A, DEVICE@A+B or DEVICE@A+B=C, in place; how many numbers there are, 0: it is something else. */
static int parts(char *text, uint64_t numbers[3])
{
    char *at = strrchr(text, '@'), *plus = at == NULL ? NULL : strchr(at, '+');
    char *equals = plus == NULL ? NULL : strchr(plus, '=');
    if (at == NULL || at == text)
        return 0;
    *at++ = '\0';
    if (plus != NULL)
        *plus++ = '\0';
    if (equals != NULL)
        *equals++ = '\0';
    if (!number(at, &numbers[0]) || (plus != NULL && !number(plus, &numbers[1])))
        return 0;
    if (equals != NULL && !number(equals, &numbers[2]))
        return 0;
    return equals != NULL ? 3 : plus != NULL ? 2 : 1;
}

/* Maps a part of a device, and says why where that is not possible. The open device stays in `kept`, if that is wanted. */
static uint8_t *map(const char *device, uint64_t offset, uint64_t bytes, int *kept)
{
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), low = offset % page;
    struct stat what;
    void *at = MAP_FAILED;
    int file = open(device, O_RDWR | O_SYNC);
    if (file < 0 || fstat(file, &what) != 0) {
        fprintf(stderr, "%s cannot be opened: %s\n", device, strerror(errno));
    } else if (bytes == 0u || offset + bytes < offset || offset + bytes > (uint64_t)INT64_MAX
               || (uint64_t)(size_t)(low + bytes) != low + bytes) {
        fprintf(stderr, "%s cannot be mapped: it has not %" PRIx64 " bytes at %" PRIx64 "\n", device, bytes, offset);
    } else if (S_ISREG(what.st_mode) && (uint64_t)what.st_size < offset + bytes) {
        fprintf(stderr, "%s cannot be mapped: the file ends before %" PRIx64 "\n", device, offset + bytes);
    } else {
        at = mmap(NULL, (size_t)(low + bytes), PROT_READ | PROT_WRITE, MAP_SHARED, file, (off_t)(offset - low));
        if (at == MAP_FAILED)
            fprintf(stderr, "%s cannot be mapped: %s\n", device, strerror(errno));
    }
    if (at != MAP_FAILED && kept != NULL)
        *kept = file;
    else if (file >= 0)
        close(file);
    return at == MAP_FAILED ? NULL : (uint8_t *)at + low;
}

/* 0; 1: a device does not do; 2: the arguments are wrong. */
static int samhw_machine(struct @name_machine *m, char *registers, char *memory)
{
    uint64_t place[3] = {0u, 0u, 0u}, span[3] = {0u, 0u, 0u};
    int one = parts(registers, place), more = parts(memory, span);
    uint8_t *at;
    if (one != 1 || place[0] % 4u != 0u) {
        fprintf(stderr, "the registers are not DEVICE@OFFSET, the offset hexadecimal and a multiple of 4\n");
        return 2;
    }
    if (more < 2 || span[1] == 0u) {
        fprintf(stderr, "the memory is not DEVICE@OFFSET+BYTES or DEVICE@OFFSET+BYTES=ADDRESS, all hexadecimal\n");
        return 2;
    }
    m->address = more == 3 ? span[2] : span[0];
    m->bytes = span[1];
    if (m->address % ALIGNMENT != 0u) {
        fprintf(stderr, "the memory's address is no multiple of %u bytes\n", ALIGNMENT);
        return 2;
    }
    at = map(registers, place[0], REGISTER_BYTES, strncmp(registers, "/dev/uio", 8) == 0 ? &m->interrupts : NULL);
    m->kernel.registers = (volatile uint32_t *)(void *)at;
    m->memory = at == NULL ? NULL : map(memory, span[0], span[1], NULL);
    return m->memory == NULL ? 1 : 0;
}
#endif

/* Words are moved whole: memory that is not cached may not take parts of them. */
static void store(uint8_t *at, unsigned bytes, uint64_t value)
{
    switch (bytes) {
    case 1: *(volatile uint8_t *)at = (uint8_t)value; break;
    case 2: *(volatile uint16_t *)(void *)at = (uint16_t)value; break;
    case 4: *(volatile uint32_t *)(void *)at = (uint32_t)value; break;
    default: *(volatile uint64_t *)(void *)at = value; break;
    }
}

static uint64_t load(const uint8_t *at, unsigned bytes)
{
    switch (bytes) {
    case 1: return *(const volatile uint8_t *)at;
    case 2: return *(const volatile uint16_t *)(const void *)at;
    case 4: return *(const volatile uint32_t *)(const void *)at;
    default: return *(const volatile uint64_t *)(const void *)at;
    }
}

/* The next word between blanks: 1; 0 at the end; -1 where it is longer than any that is known; -2 where the file ends
   within a line, so that the word may be cut. */
static int token(FILE *data, char text[@TOKEN])
{
    size_t length = 0u;
    int c = getc(data);
    while (c == ' ' || c == '\t' || c == '\n' || c == '\r')
        c = getc(data);
    for (; c != EOF && c != ' ' && c != '\t' && c != '\n' && c != '\r'; c = getc(data)) {
        if (length + 1u == @TOKEN)
            return -1;
        text[length++] = (char)c;
    }
    text[length] = '\0';
    return length == 0u ? 0 : c == EOF ? -2 : 1;
}

/* A number of the data, of at most so many bits. */
static const char *read_number(FILE *data, unsigned bits, uint64_t *value)
{
    char text[@TOKEN];
    int got = token(data, text);
    if (got == 0 || got == -2)
        return "the data end too early";
    if (got < 0 || !number(text, value))
        return "this is no hexadecimal number";
    return bits < 64u && *value >> bits != 0u ? "a number has more bits than the hardware has for it" : NULL;
}

static const char *read_setting(FILE *data, const char *name)
{
    struct @name_setting *s = settings;
    const char *wrong;
    uint64_t value;
    while (s->name != NULL && strcmp(s->name, name) != 0)
        s++;
    if (s->name == NULL)
        return "the kernel has no such register";
    if (s->known)
        return "this register stands there twice";
    s->known = 1;
    wrong = read_number(data, s->bits, &value);
    if (wrong == NULL && s->narrow != NULL)
        *s->narrow = (uint32_t)value;
    if (wrong == NULL && s->wide != NULL)
        *s->wide = value;
    return wrong;
}

/* Reads what is told of a result in parts. */
static const char *read_join(FILE *data, const char *name)
{
    struct @name_parted *r = parted;
    const char *wrong;
    uint64_t count, k;
    while (r->name != NULL && strcmp(r->name, name) != 0)
        r++;
    if (r->name == NULL)
        return "the kernel has no such result in parts";
    if (r->known)
        return "this result stands there twice";
    r->known = 1;
    wrong = read_number(data, 32u, &count);
    if (wrong == NULL && count != r->count)
        wrong = "this result has another number of levels";
    for (k = 0u; wrong == NULL && k < r->count; k++)
        wrong = read_number(data, 64u, &r->numbers[k]);
    return wrong;
}

/* True of a word of a list between blanks. */
static int listed(const char *list, const char *word)
{
    char spaced[@TOKEN + 2];
    sprintf(spaced, " %s ", word);
    return strstr(list, spaced) != NULL;
}

/* True of the name of an array of a result that is in parts. */
static int is_joined(const char *name)
{
    const struct @name_parted *r = parted;
    while (r->name != NULL && !listed(r->arrays, name))
        r++;
    return r->name != NULL;
}

/* Reads an array and places it in memory from `next` on. */
static const char *read_array(struct @name_machine *m, FILE *data, const char *name, int result, uint64_t *next)
{
    struct @name_array *a = arrays;
    const char *wrong;
    uint64_t value, k;
    while (a->name != NULL && strcmp(a->name, name) != 0)
        a++;
    if (a->name == NULL)
        return "the kernel has no such array";
    if (a->known)
        return "this array stands there twice";
    if (a->result != result)
        return result == 2  ? "this is no array of a part of a result"
               : result == 1 ? "the kernel reads this array, it is no result"
                             : "the kernel writes this array, it is no operand";
    wrong = read_number(data, 32u, &value);
    if (wrong != NULL)
        return wrong;
    if (*next > m->bytes || value * a->bytes > m->bytes - *next)
        return "the memory is too small";
    a->known = 1;
    a->offset = *next;
    *a->base = m->address + *next;
    *a->words = (uint32_t)value;
    *next += (value * a->bytes + ALIGNMENT - 1u) / ALIGNMENT * ALIGNMENT;
    for (k = 0u; k < *a->words; k++) {
        value = 0u;
        wrong = result == 2 ? NULL : read_number(data, a->bits, &value);
        if (wrong != NULL)
            return wrong;
        store(m->memory + a->offset + k * a->bytes, a->bytes, result ? 0u : value);
    }
    return NULL;
}

/* Passes over words, and `more` of them than their number says. */
static const char *pass(FILE *data, unsigned more)
{
    const char *wrong = NULL;
    uint64_t count = 0u, word, k;
    wrong = read_number(data, 32u, &count);
    for (k = 0u; wrong == NULL && k < count + more; k++)
        wrong = read_number(data, 64u, &word);
    return wrong;
}

/* Reads the data of a run and places its arrays. What is wrong of what is in `about`. */
static const char *prepare(struct @name_machine *m, FILE *data, char about[@TOKEN])
{
    const struct @name_setting *s;
    const struct @name_array *a;
    const struct @name_parted *r;
    const char *wrong = NULL;
    uint64_t next = 0u;
    char kind[@TOKEN];
    int got;
    while (wrong == NULL && (got = token(data, kind)) != 0) {
        strcpy(about, got == -1 ? "a word" : kind);
        if (got == -2)
            return "the data end too early";
        if (got < 0 || !listed(" register join operand room result between ", kind))
            return "register, join, operand, room, result or between is wanted here";
        if (token(data, about) <= 0) {
            strcpy(about, kind);
            return "a name must follow";
        }
        if (kind[0] == 'b')
            wrong = pass(data, 2u);
        else if (kind[0] == 'j')
            wrong = read_join(data, about);
        else if (kind[2] == 'g')
            wrong = read_setting(data, about);
        else if (kind[2] == 's' && is_joined(about))
            wrong = pass(data, 0u);
        else
            wrong = read_array(m, data, about, kind[1] == 'o' ? 2 : kind[0] == 'r', &next);
    }
    if (wrong != NULL)
        return wrong;
    for (s = settings; s->name != NULL; s++)
        if (!s->known && (s->narrow != NULL || s->wide != NULL)) {
            strcpy(about, s->name);
            return "the data lack this register";
        }
    for (a = arrays; a->name != NULL; a++)
        if (!a->known) {
            strcpy(about, a->name);
            return "the data lack this array";
        }
    for (r = parted; r->name != NULL; r++)
        if (!r->known) {
            strcpy(about, r->name);
            return "the data lack the sizes of this result";
        }
    return ferror(data) ? "the data cannot be read" : NULL;
}

/* Allows the next interrupt; where there are none after all, the end of a run is asked for. */
static void arm(struct @name_machine *m)
{
    const uint32_t on = 1u;
    if (m->interrupts >= 0 && write(m->interrupts, &on, sizeof on) != (ssize_t)sizeof on) {
        fprintf(stderr, "no interrupts: %s\n", strerror(errno));
        m->interrupts = -1;
    }
}

/* Waits for an interrupt, or for some time: at most a second, and `left` microseconds. True where one came. */
static int pause_for(struct @name_machine *m, uint64_t left)
{
    const struct timespec nap = {0, 100000};
    struct pollfd device = {m->interrupts, POLLIN, 0};
    uint32_t count;
    if (m->interrupts < 0) {
        nanosleep(&nap, NULL);
        return 0;
    }
    if (poll(&device, 1, (int)((left < 1000000u ? left : 1000000u) / 1000u + 1u)) <= 0)
        return 0;
    if (read(m->interrupts, &count, sizeof count) != (ssize_t)sizeof count) {
        fprintf(stderr, "no interrupts: %s\n", strerror(errno));
        m->interrupts = -1;
    }
    return 1;
}

/* Waits for the end of the run: 0, or @NAME_ERROR_TIMEOUT after so many microseconds (0: no limit). */
static int wait_for_end(struct @name_machine *m, uint64_t limit)
{
    uint64_t from = now(NULL), gone;
    while (!@name_poll(&m->kernel)) {
        gone = now(NULL) - from;
        if (limit != 0u && gone >= limit)
            return @NAME_ERROR_TIMEOUT;
        /* One that was not the end was of an earlier run. */
        if (pause_for(m, limit != 0u ? limit - gone : UINT64_MAX) && !@name_poll(&m->kernel))
            arm(m);
    }
    return 0;
}

/* Runs the kernel on what is prepared: 0, or the exit status. */
static int execute(struct @name_machine *m, uint64_t limit)
{
    struct @name_result result;
    uint32_t port;
    int error = @name_accepts(&run, &port);
    if (error != 0) {
        fprintf(stderr, "error %d at port %u: the memory is not within the addresses of the bus\n", error, (unsigned)port);
        return 1;
    }
    arm(m);
    error = @name_start(&m->kernel, &run, m->interrupts >= 0);
    if (error == 0)
        error = wait_for_end(m, limit);
    if (error == @NAME_ERROR_TIMEOUT) {
        fprintf(stderr, "error %d: the run has not ended in time\n", error);
        if (@name_reset(&m->kernel, REST) != 0)
            fprintf(stderr, "nor does it end when it is told to: the kernel still owns the memory\n");
        return 1;
    }
    @name_finish(&m->kernel, &result);
    if (result.error != 0u) {
        fprintf(stderr, "error %u", (unsigned)result.error);
        if (result.port != @NAME_NO_PORT)
            fprintf(stderr, " at port %u", (unsigned)result.port);
        fprintf(stderr, ": see @PAGE\n");
        return 1;
    }
    fprintf(stderr, "%" PRIu64 " cycles\n", result.cycles);
    return 0;
}

/* Prints an array as the data have it. */
static void print_words(FILE *out, const char *name, const void *words, size_t bytes, uint32_t count)
{
    uint32_t k;
    fprintf(out, "result %s %" PRIx32 "\n", name, count);
    for (k = 0u; k < count; k++) {
        uint64_t word = load((const uint8_t *)words + k * bytes, (unsigned)bytes);
        fprintf(out, "%" PRIx64 "%c", word, k % 16u == 15u || k + 1u == count ? '\n' : ' ');
    }
}

/* Prints every result as the data have it: 0; 1: the parts of one cannot be joined; -1: they cannot
   be written. */
static int print(struct @name_machine *m, FILE *out)
{
    const struct @name_array *a;
    const struct @name_parted *r;
    int error;
    for (a = arrays; a->name != NULL; a++)
        if (a->result == 1)
            print_words(out, a->name, m->memory + a->offset, a->bytes, *a->words);
    for (r = parted; r->name != NULL; r++) {
        error = r->print(m, out);
        if (error != 0) {
            fprintf(stderr, "error %d: the parts of %s cannot be joined\n", error, r->name);
            return 1;
        }
    }
    return fflush(out) == 0 && !ferror(out) ? 0 : -1;
}

static int usage(void)
{
    fprintf(stderr, "usage: @name [-t SECONDS] DEVICE@OFFSET DEVICE@OFFSET+BYTES[=ADDRESS] DATA [RESULTS]\n"
                    "-t: the longest that the run may take; 0 or left out: without limit\n");
    return 2;
}

int main(int argc, char **argv)
{
    struct @name_machine m;
    char about[@TOKEN], *end;
    const char *wrong;
    unsigned long seconds = 0u;
    FILE *data, *out = stdout;
    int status;
    if (argc > 2 && strcmp(argv[1], "-t") == 0) {
        seconds = strtoul(argv[2], &end, 10);
        if (argv[2][0] < '0' || argv[2][0] > '9' || *end != '\0' || seconds > 100000000u)
            return usage();
        argv += 2;
        argc -= 2;
    }
    if (argc < 4 || argc > 5)
        return usage();
    memset(&m, 0, sizeof m);
    m.interrupts = -1;
    data = fopen(argv[3], "r");
    if (data == NULL) {
        fprintf(stderr, "%s cannot be opened: %s\n", argv[3], strerror(errno));
        return 1;
    }
    status = samhw_machine(&m, argv[1], argv[2]);
    if (status != 0)
        return status < 0 ? 1 : status == 2 ? usage() : 1;
    m.kernel.now = now;
    if (@name_check(&m.kernel) != 0) {
        fprintf(stderr, "%s: these are not the registers of @TOP that this program was made for\n", argv[1]);
        return 1;
    }
    /* What runs may be of a program that was ended: the memory is this one's when it is still. */
    if (@name_reset(&m.kernel, REST) != 0) {
        fprintf(stderr, "%s: the kernel is busy and does not come to rest\n", argv[1]);
        return 1;
    }
    wrong = prepare(&m, data, about);
    if (wrong != NULL) {
        fprintf(stderr, "%s: %s: %s\n", argv[3], about, wrong);
        return 1;
    }
    fclose(data);
    if (argc > 4)
        out = fopen(argv[4], "w");
    if (out != NULL) {
        status = execute(&m, (uint64_t)seconds * 1000000u);
        if (status != 0)
            return status;
    }
    status = out == NULL ? -1 : print(&m, out);
    if (status > 0)
        return status;
    if (status < 0 || fclose(out) != 0) {
        fprintf(stderr, "%s cannot be written: %s\n", argc > 4 ? argv[4] : "standard output", strerror(errno));
        return 1;
    }
    return 0;
}
