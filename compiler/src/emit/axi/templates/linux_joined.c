static uint64_t @name_numbers_@RESULT[@LEVELS + 1];

static int @name_once_@RESULT(struct @name_machine *m, struct @name_whole_@RESULT *x)
{
    const uint64_t *numbers = @name_numbers_@RESULT;
    return @name_join_@RESULT(&run, seen, m, numbers, numbers[@LEVELS], x);
}

/* Prints @RESULT as one: 0, or an error. */
static int @name_print_@RESULT(struct @name_machine *m, FILE *out)
{
    struct @name_whole_@RESULT x;
    int error, short_of = 0;
    memset(&x, 0, sizeof x);
    /* Without room: what it needs. */
    error = @name_once_@RESULT(m, &x);
    if (error == @NAME_ERROR_ROOM) {
@ROOMS        error = short_of ? error : @name_once_@RESULT(m, &x);
    }
    if (error == 0) {
@PRINTS    }
@FREES    return error;
}

