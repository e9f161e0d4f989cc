class Data:
    """What @FILE_data.txt says: registers by name, words of operands and of results by array, and of results whose
    words depend on the order of sums what they may be."""

    def __init__(self, path):
        self.registers, self.operands, self.results, self.between = {}, {}, {}, {}
        tokens = iter(Path(path).read_text().split())
        for kind in tokens:
            name, value = next(tokens), int(next(tokens), 16)
            if kind == "register":
                self.registers[name] = value
                continue
            form = [int(next(tokens), 16) for _ in range(2)] if kind == "between" else None
            words = [int(next(tokens), 16) for _ in range(value)]
            if form:
                words = (*form, words)
            {"operand": self.operands, "result": self.results, "between": self.between}[kind][name] = words

    def compare(self, array, found):
        """Checks the words of a result."""
        expected = self.results[array]
        assert len(found) == len(expected), array
        for k, (f, e) in enumerate(zip(found, expected)):
            assert f == e or self.may_be(array, k, f), f"{array}[{k}] is {f:#x}, not {e:#x}"

    def may_be(self, array, k, word):
        """Whether sums in another order may have this word."""
        if array not in self.between:
            return False
        kind, bits, words = self.between[array]
        sign = 1 << (bits - 1)

        def number(w):
            if not kind or not w & sign:
                return w
            return w - 2 * sign if kind == 1 else sign - w

        low, high = number(words[2 * k]), number(words[2 * k + 1])
        return low > high or low <= number(word) <= high
