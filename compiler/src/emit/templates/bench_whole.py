

class Whole:
    """A result that copies or lanes of the hardware store in parts, as one. The manifest says what
    the parts are; the fibers of all parts are merged level by level."""

    def __init__(self, result, join):
        self.result, (*self.sizes, self.fill) = result, join
        self.rules = [level["read"]["rule"] for level in result["levels"]]
        self.seg, self.crd, self.values = [[0] for _ in self.sizes], [[] for _ in self.sizes], []
        self.at, self.parts, self.last = [0] * len(self.sizes), [], list(range(len(self.sizes)))
        # Levels of a coordinate list have their coordinates together.
        self.first = self.last[:]
        for l, rule in enumerate(self.rules):
            if rule == "single" and l and "chain" in (self.rules[l - 1], self.rules[self.first[l - 1]]):
                self.first[l] = self.first[l - 1]
                for k in range(self.first[l], l):
                    self.last[k] = l

    async def join(self, rooms, read):
        """The arrays of the whole, by name."""
        self.parts = [(part["levels"], await self.held(part, rooms, read)) for part in self.result["parts"]]
        self.level(0, [(p, range(1)) for p in range(len(self.parts))])
        found = {("vals", None): self.values}
        for l in range(len(self.rules)):
            found |= self.written(l)
        return {a["name"]: found[a["part"], a["level"]] for a in self.result["arrays"]}

    def size(self, l, level):
        """Coordinates that a level of a part has."""
        first = 0 if level["even"] else level["start"]
        return -(-max(self.sizes[l] - first, 0) // level["stride"])

    async def held(self, part, rooms, read):
        """The words of a part, by kind and level of the array."""
        names = {(a["part"], a["level"]): a["name"] for a in MANIFEST["arrays"] if a["packing"] == part["packing"]}
        held, above = {}, 1

        async def take(kind, l, count):
            array = names[kind, l]
            fits = count is not None and count <= rooms[array]
            assert fits, f"{array} has room for {rooms[array]:#x} words, not for {show(count)}"
            words = await read(array, count)
            assert kind == "vals" or None not in words, f"{array} has words that were not written"
            held[kind, l] = words
            return words

        for l, level in enumerate(part["levels"]):
            rule, bits = level["read"]["rule"], level["read"].get("bits")
            if rule == "dense":
                above *= self.size(l, level)
            elif rule == "single":
                await take("crd", l, above)
            elif rule == "words":
                words = above * -(-self.size(l, level) // bits)
                above = sum(w.bit_count() for w in await take("bits", l, words * -(-bits // 64)))
                await take("rank", l, words)
            else:
                entries = (await take("seg", l, above + 1))[-1]
                words = await take("crd" if bits is None else "runs", l, entries)
                mask = (1 << (bits or 0)) - 1
                above = sum((w >> bits & mask) - (w & mask) + 1 for w in words) if rule == "blocks" else entries
        await take("vals", None, above)
        return held

    def below(self, p, l, span):
        """Coordinates of a part below positions of the level above, each with its positions."""
        levels, held = self.parts[p]
        rule, bits, size = levels[l]["read"]["rule"], levels[l]["read"].get("bits"), self.size(l, levels[l])
        at, out = span.start, []
        if rule == "dense":
            return [(c, range(at * size + c, at * size + c + 1)) for c in range(size)]
        if rule == "words":
            words, parts = -(-size // bits), -(-bits // 64)
            for w in range(at * words, (at + 1) * words):
                word = sum(held["bits", l][w * parts + k] << 64 * k for k in range(parts))
                for b in (b for b in range(bits) if word >> b & 1):
                    rank = held["rank", l][w] + (word & (1 << b) - 1).bit_count()
                    out.append(((w - at * words) * bits + b, range(rank, rank + 1)))
            return out
        if rule != "single":
            span = range(*held["seg", l][at : at + 2])
        for p in span:
            if rule in ("blocks", "runs"):
                word, mask = held["runs", l][p], (1 << bits) - 1
                for c in range(word & mask, (word >> bits & mask) + 1):
                    place = p if rule == "runs" else (word >> 2 * bits) + c - (word & mask)
                    out.append((c, range(place, place + 1)))
            elif out and out[-1][0] == held["crd", l][p]:
                out[-1] = (out[-1][0], range(out[-1][1].start, p + 1))
            else:
                out.append((held["crd", l][p], range(p, p + 1)))
        return out

    def level(self, l, parts):
        """Adds a fiber of level l, which parts have below these positions."""
        if l == len(self.rules):
            assert len(parts) < 2, f"two parts of {self.result['tensor']} have a value at {self.at}"
            self.values.append(self.parts[parts[0][0]][1]["vals", None][parts[0][1].start] if parts else self.fill)
            return
        found = {}
        for p, span in parts:
            level = self.parts[p][0][l]
            for c, positions in self.below(p, l, span):
                found.setdefault(level["start"] + c * level["stride"], []).append((p, positions))
        dense = self.rules[l] == "dense"
        for c in range(self.sizes[l]) if dense else sorted(c for c in found if c < self.sizes[l]):
            self.at[l] = c
            for k in range(self.first[l], l + 1) if l == self.last[l] and not dense else []:
                self.crd[k].append(self.at[k])
            self.level(l + 1, found.get(c, []))
        if l == self.first[l]:
            self.seg[l].append(len(self.crd[l]))

    def written(self, l):
        """The arrays of a level of the whole, by kind and level."""
        rule, bits, size = self.rules[l], self.result["levels"][l]["read"].get("bits"), self.sizes[l]
        if bits is None:
            return {("seg", l): self.seg[l], ("crd", l): self.crd[l]}
        out, rank, seg, values = [], [], [0], []
        for begin, end in zip(self.seg[l], self.seg[l][1:]):
            crd, at = self.crd[l][begin:end], len(out)
            for w in range(-(-size // bits) if rule == "words" else 0):
                rank.append(begin + sum(c < w * bits for c in crd))
                word = sum(1 << (c - w * bits) for c in crd if c // bits == w)
                out += [word >> 64 * k & (1 << min(bits, 64)) - 1 for k in range(-(-bits // 64))]
            for p, c in enumerate(crd, begin) if rule != "words" else ():
                follows = len(out) > at and out[-1][1] + 1 == c
                if follows and (rule == "blocks" or values[-1] == self.values[p]):
                    out[-1] = (out[-1][0], c, out[-1][2])
                    continue
                out.append((c, c, p if rule == "blocks" else 0))
                values.append(self.values[p] if rule == "runs" else 0)
            seg.append(len(out))
        if rule == "words":
            return {("bits", l): out, ("rank", l): rank}
        found = {("seg", l): seg, ("runs", l): [at << 2 * bits | last << bits | first for first, last, at in out]}
        return found | {("vals", None): values} if rule == "runs" else found
