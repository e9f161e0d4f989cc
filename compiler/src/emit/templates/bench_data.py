class Data:
    """What @FILE_data.txt says: registers by name, words of operands and of results by array."""

    def __init__(self, path):
        self.registers, self.operands, self.results = {}, {}, {}
        tokens = iter(Path(path).read_text().split())
        for kind in tokens:
            name, value = next(tokens), int(next(tokens), 16)
            if kind == "register":
                self.registers[name] = value
            else:
                words = [int(next(tokens), 16) for _ in range(value)]
                {"operand": self.operands, "result": self.results}[kind][name] = words


def compare(array, found, expected):
    assert len(found) == len(expected), array
    for k, (f, e) in enumerate(zip(found, expected)):
        assert f == e, f"{array}[{k}] is {f:#x}, not {e:#x}"
