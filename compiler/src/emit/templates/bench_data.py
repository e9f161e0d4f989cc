class Data:
    """What @FILE_data.txt says: registers by name, words of operands and of results by array, and of
    results whose words depend on the order of sums what they may be. Of results in parts the words
    are those of the whole; `rooms` has the words of every array that the hardware writes."""

    def __init__(self, path):
        self.registers, self.operands, self.results, self.between = {}, {}, {}, {}
        self.joins, self.rooms = {}, {}
        single = {"register": self.registers, "room": self.rooms}
        lists = {"operand": self.operands, "result": self.results, "between": self.between, "join": self.joins}
        tokens = iter(Path(path).read_text().split())
        for kind in tokens:
            name, value = next(tokens), int(next(tokens), 16)
            if kind in single:
                single[kind][name] = value
                continue
            form = [int(next(tokens), 16) for _ in range(2)] if kind == "between" else None
            words = [int(next(tokens), 16) for _ in range(value)]
            lists[kind][name] = (*form, words) if form else words
        joined = {a["name"] for result in MANIFEST.get("results", []) for a in result["arrays"]}
        self.whole = [array for array in self.results if array not in joined]
        self.rooms |= {array: len(self.results[array]) for array in self.whole}

    async def check(self, read):
        """Checks all results of a run: `read(array, n)` gives the first n words of an array that the
        hardware wrote."""
        for array in self.whole:
            self.compare(array, await read(array, len(self.results[array])))
        for result in MANIFEST.get("results", []):
            for array, words in (await Whole(result, self.joins[result["tensor"]]).join(self.rooms, read)).items():
                self.compare(array, words)

    def compare(self, array, found):
        """Checks the words of a result."""
        expected = self.results[array]
        assert len(found) == len(expected), f"{array} has {len(found)} words, not {len(expected)}"
        for k, (f, e) in enumerate(zip(found, expected)):
            assert f == e or self.may_be(array, k, f), f"{array}[{k}] is {show(f)}, not {e:#x}"

    def may_be(self, array, k, word):
        """Whether sums in another order may have this word."""
        if array not in self.between or word is None:
            return False
        kind, bits, words = self.between[array]
        sign = 1 << (bits - 1)

        def number(w):
            if not kind or not w & sign:
                return w
            return w - 2 * sign if kind == 1 else sign - w

        low, high = number(words[2 * k]), number(words[2 * k + 1])
        return low > high or low <= number(word) <= high


def show(word):
    """A word; one of memory that was not written may be none."""
    return "unknown" if word is None else f"{word:#x}"
@WHOLE
