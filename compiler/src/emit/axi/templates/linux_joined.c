static uint64_t join_@RESULT[@LEVELS + 1];

/* Prints @RESULT as one: 0, or an error. */
static int print_@RESULT(struct @name_machine *m, FILE *out)
{
    struct @name_whole_@RESULT x;
    int error, short_of = 0;
    memset(&x, 0, sizeof x);
    /* Without room: what it needs. */
    error = @name_join_@RESULT(&run, seen, m, join_@RESULT, join_@RESULT[@LEVELS], &x);
    if (error == @NAME_ERROR_ROOM) {
@ROOMS        error = short_of ? error : @name_join_@RESULT(&run, seen, m, join_@RESULT, join_@RESULT[@LEVELS], &x);
    }
    if (error == 0) {
@PRINTS    }
@FREES    return error;
}

