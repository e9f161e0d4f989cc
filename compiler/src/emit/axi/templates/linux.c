/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs @FILE_axi from a process of Linux: registers and a piece of memory are mapped, arrays come from a file that
 * `samhw gen --data` writes, results are printed (or go to a file) in the same form.
 *
 *     cc -O2 -o @name @FILE_linux.c @FILE.c
 *     ./@name /dev/mem@43c00000 /dev/mem@10000000+100000 @FILE_data.txt
 *     ./@name /dev/uio0@0 /dev/udmabuf0@0+100000=10000000 @FILE_data.txt
 *
 * Registers are DEVICE@OFFSET, memory DEVICE@OFFSET+BYTES=ADDRESS: what mmap takes, and the address that the kernel's
 * bus has for it (left out: the offset), all hexadecimal. Nobody else may use that memory - reserve it, or use a driver
 * that gives it out - and it must be mapped without cache or be coherent with the bus: /dev/mem is opened with O_SYNC.
 */
#define _POSIX_C_SOURCE 200809L
#include "@FILE.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define REGISTER_BYTES @REGISTER_BYTESu
#define POLLS 4000000000u

/* A kernel and memory that it and the process see. */
struct machine {
    struct @name kernel;
    uint8_t *memory;
    uint64_t address; /* of memory, at the kernel's bus */
    uint64_t bytes;
};

/* What an array is in the arguments of a run. */
struct array {
    const char *name;
    unsigned word; /* bytes */
    uint64_t *base;
    uint32_t *words;
    int result;
    uint64_t offset; /* in memory */
};

static struct @name_run run;
static struct array arrays[] = {
@ARRAYS
};
enum { ARRAYS = sizeof arrays / sizeof arrays[0] };

#ifdef SAMHW_OTHER_MACHINE
/* Where there is another way to registers and memory, such as a simulation. */
int samhw_machine(struct machine *m, const char *registers, const char *memory);
#else
static void *map(const char *device, uint64_t offset, uint64_t bytes)
{
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), low = offset % page;
    int file = open(device, O_RDWR | O_SYNC);
    void *at = file < 0 ? MAP_FAILED
                        : mmap(NULL, (size_t)(low + bytes), PROT_READ | PROT_WRITE, MAP_SHARED, file, (off_t)(offset - low));
    if (file >= 0)
        close(file);
    return at == MAP_FAILED ? NULL : (uint8_t *)at + low;
}

static int samhw_machine(struct machine *m, const char *registers, const char *memory)
{
    char device[256];
    uint64_t offset, bytes;
    if (sscanf(registers, "%255[^@]@%" SCNx64, device, &offset) != 2)
        return -1;
    m->kernel.registers = map(device, offset, REGISTER_BYTES);
    int got = sscanf(memory, "%255[^@]@%" SCNx64 "+%" SCNx64 "=%" SCNx64, device, &offset, &bytes, &m->address);
    if (m->kernel.registers == NULL || got < 3)
        return -1;
    if (got == 3)
        m->address = offset;
    m->bytes = bytes;
    m->memory = map(device, offset, bytes);
    return m->memory == NULL ? -1 : 0;
}
#endif

/* Words are moved whole: memory that is not cached may not take parts of them. */
static void store(uint8_t *at, unsigned word, uint64_t value)
{
    switch (word) {
    case 1: *(volatile uint8_t *)at = (uint8_t)value; break;
    case 2: *(volatile uint16_t *)(void *)at = (uint16_t)value; break;
    case 4: *(volatile uint32_t *)(void *)at = (uint32_t)value; break;
    default: *(volatile uint64_t *)(void *)at = value; break;
    }
}

static uint64_t load(const uint8_t *at, unsigned word)
{
    switch (word) {
    case 1: return *(const volatile uint8_t *)at;
    case 2: return *(const volatile uint16_t *)(const void *)at;
    case 4: return *(const volatile uint32_t *)(const void *)at;
    default: return *(const volatile uint64_t *)(const void *)at;
    }
}

/* Sets a register of the run; 0 if there is none of this name. */
static int set(const char *name, uint64_t value)
{
    (void)value;
@SETTINGS
    return 0;
}

/* Reads the data of a run and places its arrays, each at a multiple of 64 bytes. */
static const char *prepare(struct machine *m, FILE *data)
{
    char kind[16], name[256];
    uint64_t value, next = 0;
    while (fscanf(data, "%15s %255s %" SCNx64, kind, name, &value) == 3) {
        if (strcmp(kind, "register") == 0) {
            if (!set(name, value))
                return "the data have a register that the kernel has not";
            continue;
        }
        struct array *a = arrays;
        while (a < arrays + ARRAYS && strcmp(a->name, name) != 0)
            a++;
        if (a == arrays + ARRAYS || value > UINT32_MAX)
            return "the data have an array that the kernel has not";
        a->result = strcmp(kind, "result") == 0;
        a->offset = next;
        *a->base = m->address + next;
        *a->words = (uint32_t)value;
        next = (next + value * a->word + 63u) / 64u * 64u;
        if (next > m->bytes)
            return "the memory is too small";
        for (uint64_t k = 0; k < *a->words; k++) {
            if (fscanf(data, "%" SCNx64, &value) != 1)
                return "the data end too early";
            store(m->memory + a->offset + k * a->word, a->word, a->result ? 0 : value);
        }
    }
    return feof(data) ? NULL : "the data cannot be read";
}

int main(int argc, char **argv)
{
    struct machine m = {0};
    struct @name_result result = {0};
    if (argc < 4 || argc > 5) {
        fprintf(stderr, "usage: %s DEVICE@OFFSET DEVICE@OFFSET+BYTES[=ADDRESS] DATA [RESULTS]\n", argv[0]);
        return 2;
    }
    if (samhw_machine(&m, argv[1], argv[2]) != 0) {
        fprintf(stderr, "%s: %s or %s cannot be mapped\n", argv[0], argv[1], argv[2]);
        return 1;
    }
    FILE *data = fopen(argv[3], "r");
    const char *wrong = data == NULL ? "the data cannot be opened" : prepare(&m, data);
    if (data != NULL)
        fclose(data);
    if (wrong != NULL) {
        fprintf(stderr, "%s: %s: %s\n", argv[0], argv[3], wrong);
        return 1;
    }
    int error = @name_call(&m.kernel, &run, &result, POLLS);
    if (error != 0) {
        fprintf(stderr, "%s: error %d at port %u\n", argv[0], error, (unsigned)result.port);
        return 1;
    }
    FILE *out = argc > 4 ? fopen(argv[4], "w") : stdout;
    if (out == NULL) {
        fprintf(stderr, "%s: %s cannot be written\n", argv[0], argv[4]);
        return 1;
    }
    fprintf(stderr, "%" PRIu64 " cycles\n", result.cycles);
    for (struct array *a = arrays; a < arrays + ARRAYS; a++) {
        if (!a->result)
            continue;
        fprintf(out, "result %s %" PRIx32 "\n", a->name, *a->words);
        for (uint64_t k = 0; k < *a->words; k++) {
            uint64_t word = load(m.memory + a->offset + k * a->word, a->word);
            fprintf(out, "%" PRIx64 "%c", word, k % 16u == 15u || k + 1u == *a->words ? '\n' : ' ');
        }
    }
    return fclose(out) == 0 ? 0 : 1;
}
