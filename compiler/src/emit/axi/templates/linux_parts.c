/* What the process sees at an address of the kernel's bus. */
static void *seen(void *context, uint64_t address)
{
    const struct @name_machine *m = (const struct @name_machine *)context;
    return m->memory + (address - m->address);
}

/* Memory for words; short_of: there is none. */
static void *room(uint32_t words, size_t bytes, int *short_of)
{
    void *at = malloc(words == 0u ? 1u : words * bytes);
    *short_of |= at == NULL;
    return at;
}

