
static const struct @name_whole_level @name_whole_levels_@RESULT[@LEVELS] = {
@WHOLE};
static const struct @name_part_level @name_part_levels_@RESULT[@PARTS * @LEVELS] = {
@OF};
static const struct @name_place @name_values_@RESULT[@PARTS] = {
@VALUES};

@SIGNATURE
{
    struct @name_cursor cursors[@PARTS * @LEVELS];
    struct @name_out out[@OUT];
    uint64_t at[2 * @LEVELS];
    struct @name_join j;
    int wrong;
    unsigned k;
    for (k = 0u; k < @OUTu; k++) {
        out[k].words = NULL;
        out[k].bytes = 1u;
        out[k].room = 0u;
    }
@SET    j.run = a;
    j.memory = memory;
    j.context = context;
    j.sizes = sizes;
    j.fill = fill;
    j.levels = @LEVELSu;
    j.parts = @PARTSu;
    j.whole = @name_whole_levels_@RESULT;
    j.of = @name_part_levels_@RESULT;
    j.values = @name_values_@RESULT;
    j.cursors = cursors;
    j.out = out;
    j.at = at;
    j.wrong = 0;
    wrong = @name_join_all(&j);
@GET    return wrong;
}
