
/* An array of a run: where the run has its address and its words, and the bytes of a word. */
struct @name_place {
    size_t base, words;
    unsigned bytes;
};

enum @name_rule { @NAME_DENSE, @NAME_LISTS, @NAME_CHAIN, @NAME_SINGLE, @NAME_BITS, @NAME_BLOCKS, @NAME_RUNS };

/* A level of a part: its form, bits of a word or of a coordinate in one, whether its size is that
   of the first part; coordinate c is `start + c * stride` of the whole. Arrays: segments or words of
   bits; coordinates, ranks or runs. */
struct @name_part_level {
    enum @name_rule rule;
    unsigned bits;
    int even;
    uint32_t start, stride;
    struct @name_place first, second;
};

/* A level of the whole. Coordinates of a chain of levels are stored together. */
struct @name_whole_level {
    enum @name_rule rule;
    unsigned bits, first, last;
};

/* True of a level that has segments. */
static int @name_has_segments(enum @name_rule rule)
{
    return rule != @NAME_DENSE && rule != @NAME_BITS && rule != @NAME_SINGLE;
}

#define @NAME_NO_COORDINATE 0xffffffffffffffffu

/* What a part has next in a fiber: a coordinate of the whole, and the positions below it, up to `beyond`. */
struct @name_cursor {
    uint64_t next;
    uint32_t above, at, end, inside, child, beyond;
};

/* An array of the whole. */
struct @name_out {
    void *words;
    unsigned bytes;
    uint32_t room, count;
};

struct @name_join {
    const struct @name_run *run;
    void *(*memory)(void *context, uint64_t address);
    void *context;
    const uint64_t *sizes;
    uint64_t fill;
    unsigned levels, parts;
    const struct @name_whole_level *whole;
    const struct @name_part_level *of; /* those of a part, then those of the next */
    const struct @name_place *values;
    struct @name_cursor *cursors; /* a level's of all parts, then the next level's */
    struct @name_out *out;        /* two of each level, and the values */
    uint64_t *at;                 /* the coordinates above, and the entries of each level */
    int wrong;
};

/* Words are read whole: memory that is not cached may not give parts of them. */
static uint64_t @name_load(const volatile void *at, unsigned bytes)
{
    switch (bytes) {
    case 1: return *(const volatile uint8_t *)at;
    case 2: return *(const volatile uint16_t *)at;
    case 4: return *(const volatile uint32_t *)at;
    default: return *(const volatile uint64_t *)at;
    }
}

/* Word k of an array that the hardware wrote; 0, and all is wrong, where it has no such word. */
static uint64_t @name_word(struct @name_join *j, const struct @name_place *p, uint64_t k)
{
    const char *run = (const char *)j->run;
    uint64_t address = *(const uint64_t *)(const void *)(run + p->base) + k * p->bytes;
    if (k >= *(const uint32_t *)(const void *)(run + p->words)) {
        j->wrong = 1;
        return 0u;
    }
    return @name_load(j->memory ? j->memory(j->context, address) : (void *)(uintptr_t)address, p->bytes);
}

static void @name_store(const struct @name_out *o, uint32_t k, uint64_t value)
{
    if (k >= o->room)
        return;
    switch (o->bytes) {
    case 1: ((uint8_t *)o->words)[k] = (uint8_t)value; break;
    case 2: ((uint16_t *)o->words)[k] = (uint16_t)value; break;
    case 4: ((uint32_t *)o->words)[k] = (uint32_t)value; break;
    default: ((uint64_t *)o->words)[k] = value; break;
    }
}

static void @name_append(struct @name_out *o, uint64_t value)
{
    @name_store(o, o->count, value);
    o->count++;
}

/* Coordinates that a level of a part has. */
static uint64_t @name_size(const struct @name_join *j, const struct @name_part_level *level, unsigned l)
{
    uint64_t first = level->even ? 0u : level->start;
    return j->sizes[l] <= first ? 0u : (j->sizes[l] - first + level->stride - 1u) / level->stride;
}

/* The next coordinate of part p in its fiber of level l. */
static void @name_advance(struct @name_join *j, unsigned l, unsigned p)
{
    const struct @name_part_level *level = &j->of[p * j->levels + l];
    struct @name_cursor *c = &j->cursors[l * j->parts + p];
    uint64_t size = @name_size(j, level, l), mask = ((uint64_t)1u << level->bits % 64u) - 1u;
    uint64_t found = 0u, word;
    int none = c->at >= c->end;
    c->next = @NAME_NO_COORDINATE;
    if (none)
        return;
    switch (level->rule) {
    case @NAME_DENSE:
        found = c->at;
        c->child = (uint32_t)(c->above * size + c->at++);
        c->beyond = c->child + 1u;
        break;
    case @NAME_BITS:
        for (none = 1; none && c->at < c->end && !j->wrong; c->at++) {
            uint64_t place = c->above * ((size + level->bits - 1u) / level->bits) + c->at / level->bits;
            uint32_t bit = c->at % level->bits;
            if (bit == 0u)
                c->inside = (uint32_t)@name_word(j, &level->second, place);
            word = @name_word(j, &level->first, place);
            if ((word >> bit & 1u) != 0u) {
                none = 0;
                found = c->at;
                c->child = c->inside++;
                c->beyond = c->child + 1u;
            }
        }
        break;
    case @NAME_BLOCKS:
    case @NAME_RUNS:
        word = @name_word(j, &level->second, c->at);
        found = (word & mask) + c->inside;
        c->child = c->at;
        if (level->rule == @NAME_BLOCKS)
            c->child = (uint32_t)(word >> 2u * level->bits) + c->inside;
        c->beyond = c->child + 1u;
        c->inside++;
        if (found >= (word >> level->bits & mask)) {
            c->at++;
            c->inside = 0u;
        }
        break;
    case @NAME_LISTS:
    case @NAME_CHAIN:
    case @NAME_SINGLE:
        found = @name_word(j, &level->second, c->at);
        c->child = c->at++;
        while (level->rule != @NAME_LISTS && c->at < c->end && @name_word(j, &level->second, c->at) == found)
            c->at++;
        c->beyond = c->at;
        break;
    }
    found = level->start + found * level->stride;
    if (!none && !j->wrong && found < j->sizes[l])
        c->next = found;
}

/* Begins the fiber of level l that part p has below where it is, if it has one. */
static void @name_begin(struct @name_join *j, unsigned l, unsigned p)
{
    const struct @name_part_level *level = &j->of[p * j->levels + l];
    struct @name_cursor *c = &j->cursors[l * j->parts + p];
    const struct @name_cursor *above = l == 0u ? NULL : c - j->parts;
    c->next = @NAME_NO_COORDINATE;
    if (j->wrong || (above != NULL && above->next != j->at[l - 1u]))
        return;
    c->above = above == NULL ? 0u : above->child;
    c->inside = 0u;
    switch (level->rule) {
    case @NAME_DENSE:
    case @NAME_BITS:
        c->at = 0u;
        c->end = (uint32_t)@name_size(j, level, l);
        break;
    case @NAME_SINGLE:
        c->at = c->above;
        c->end = above == NULL ? 1u : above->beyond;
        break;
    case @NAME_LISTS:
    case @NAME_CHAIN:
    case @NAME_BLOCKS:
    case @NAME_RUNS:
        c->at = (uint32_t)@name_word(j, &level->first, c->above);
        c->end = (uint32_t)@name_word(j, &level->first, (uint64_t)c->above + 1u);
        break;
    }
    @name_advance(j, l, p);
}

/* The value where all levels are: that of the part that has one. */
static uint64_t @name_value(struct @name_join *j)
{
    const struct @name_cursor *c = &j->cursors[(j->levels - 1u) * j->parts];
    uint64_t value = j->fill;
    unsigned p, found = 0u;
    for (p = 0u; p < j->parts; p++)
        if (c[p].next == j->at[j->levels - 1u]) {
            value = @name_word(j, &j->values[p], c[p].child);
            found++;
        }
    if (found > 1u)
        j->wrong = 1;
    return value;
}

/* Adds words of bits up to one, without ones. */
static void @name_add_words(struct @name_join *j, unsigned l, uint64_t *words, uint64_t upto)
{
    for (; *words < upto; ++*words) {
        @name_append(&j->out[2u * l], 0u);
        @name_append(&j->out[2u * l + 1u], j->at[j->levels + l]);
    }
}

/* A fiber of the whole while it is written: where its words of bits begin, and how many there are;
   or its last run. */
struct @name_fiber {
    uint32_t begin;
    uint64_t words, first, last, place, value;
    int open;
};

static void @name_close_run(struct @name_join *j, unsigned l, struct @name_fiber *f)
{
    const struct @name_whole_level *w = &j->whole[l];
    uint64_t place = w->rule == @NAME_BLOCKS ? f->place << 2u * w->bits : 0u;
    if (f->open)
        @name_append(&j->out[2u * l + 1u], place | f->last << w->bits | f->first);
    f->open = 0;
}

/* Adds the coordinate at which level l is; 0: what is below it is there already. */
static int @name_entry(struct @name_join *j, unsigned l, struct @name_fiber *f)
{
    const struct @name_whole_level *w = &j->whole[l];
    struct @name_out *o = &j->out[2u * l];
    uint64_t c = j->at[l], *entries = &j->at[j->levels + l];
    unsigned k;
    int follows;
    switch (w->rule) {
    case @NAME_DENSE: break;
    case @NAME_LISTS:
    case @NAME_CHAIN:
    case @NAME_SINGLE:
        for (k = w->first; l == w->last && k <= l; k++)
            @name_append(&j->out[2u * k + 1u], j->at[k]);
        break;
    case @NAME_BITS:
        @name_add_words(j, l, &f->words, c / w->bits + 1u);
        k = f->begin + (uint32_t)(c / w->bits);
        if (k < o->room)
            @name_store(o, k, @name_load((const char *)o->words + (size_t)k * o->bytes, o->bytes)
                                  | (uint64_t)1u << c % w->bits);
        ++*entries;
        break;
    case @NAME_BLOCKS:
    case @NAME_RUNS:
        follows = f->open && f->last + 1u == c;
        if (w->rule == @NAME_RUNS) {
            uint64_t value = @name_value(j);
            follows = follows && f->value == value;
            f->value = value;
            if (!follows)
                @name_append(&j->out[2u * j->levels], value);
        }
        if (!follows) {
            @name_close_run(j, l, f);
            f->open = 1;
            f->first = c;
            f->place = *entries;
        }
        f->last = c;
        ++*entries;
        return w->rule == @NAME_BLOCKS;
    }
    return 1;
}

/* Adds the fiber of level l that parts have below where they are. */
static void @name_level(struct @name_join *j, unsigned l)
{
    const struct @name_whole_level *w = &j->whole[l];
    struct @name_cursor *c = &j->cursors[l * j->parts];
    struct @name_out *o = &j->out[2u * l];
    struct @name_fiber f = {0u, 0u, 0u, 0u, 0u, 0u, 0};
    uint64_t next = 0u;
    unsigned p;
    if (l == j->levels) {
        @name_append(o, @name_value(j));
        return;
    }
    f.begin = o->count;
    for (p = 0u; p < j->parts; p++)
        @name_begin(j, l, p);
    for (;; next++) {
        if (w->rule != @NAME_DENSE)
            for (next = @NAME_NO_COORDINATE, p = 0u; p < j->parts; p++)
                next = c[p].next < next ? c[p].next : next;
        if (next >= j->sizes[l] || j->wrong)
            break;
        j->at[l] = next;
        if (@name_entry(j, l, &f))
            @name_level(j, l + 1u);
        for (p = 0u; p < j->parts; p++)
            if (c[p].next == next)
                @name_advance(j, l, p);
    }
    if (w->rule == @NAME_BITS)
        @name_add_words(j, l, &f.words, (j->sizes[l] + w->bits - 1u) / w->bits);
    @name_close_run(j, l, &f);
    if (@name_has_segments(w->rule))
        @name_append(o, o[1].count);
}

/* Joins; arrays of the whole have their bytes and their room. */
static int @name_join_all(struct @name_join *j)
{
    unsigned k;
    for (k = 0u; k < 2u * j->levels; k++)
        j->at[k] = 0u;
    for (k = 0u; k <= 2u * j->levels; k++)
        j->out[k].count = 0u;
    for (k = 0u; k < j->levels; k++)
        if (@name_has_segments(j->whole[k].rule))
            @name_append(&j->out[2u * k], 0u);
    @name_level(j, 0u);
    for (k = 0u; k <= 2u * j->levels && !j->wrong; k++)
        if (j->out[k].count > j->out[k].room)
            return @NAME_ERROR_ROOM;
    return j->wrong ? @NAME_ERROR_PARTS : 0;
}
