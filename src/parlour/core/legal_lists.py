"""The legal actions of many games: as one list of ids, and as masks."""

from typing import Final

from librt.vecs import append, extend, vec
from mypy_extensions import i64, u8

_PART_BITS: Final = 6
_PARTS: Final = 64
"""Into so many parts the ids are dealt out to find one of them by its rank."""


class LegalLists:
    """The actions of each game as its state gave them; and a byte for each action.

    Of a mask only what was set before is cleared: it can be far longer than the list.
    """

    def __init__(self, count: i64, num_actions: i64, mask: bool) -> None:
        """Nothing is legal yet; without `mask` there are no masks."""
        self._count: Final = count
        self._choices: Final = num_actions
        self._masks: Final = mask
        self._shift: Final[i64] = max(0, int(num_actions).bit_length() - _PART_BITS)
        self.mask: Final[vec[u8]] = vec[u8](bytes(count * num_actions if mask else 0))
        self.starts: Final[vec[i64]] = vec[i64]([0] * (count + 1))
        self._listed: Final[vec[vec[i64]]] = vec[vec[i64]]([vec[i64]() for _ in range(count)])

    def add(self, i: i64, legal: vec[i64]) -> None:
        """List the actions of game i instead of those before, and mark them; from game 0 on."""
        self.starts[i + 1] = self.starts[i] + len(legal)
        if self._masks:
            mask = self.mask
            base = i * self._choices
            for action in self._listed[i]:
                mask[base + action] = 0
            for action in legal:
                mask[base + action] = 1
        self._listed[i] = legal

    def repeat(self, i: i64) -> None:
        """List the actions of game i as they were."""
        self.starts[i + 1] = self.starts[i] + len(self._listed[i])

    def ids(self) -> vec[i64]:
        """Those of game 0, then those of game 1 and so on."""
        ids = vec[i64]()
        i: i64 = 0
        while i < self._count:
            ids = extend(ids, self._listed[i])
            i += 1
        return ids

    def forget(self) -> None:
        """Nothing is legal any more: for lists that were left half done."""
        k: i64 = 0
        while k < len(self.mask):
            self.mask[k] = 0
            k += 1
        k = 0
        while k < self._count:
            self._listed[k] = vec[i64]()
            k += 1

    def is_marked(self, i: i64, action: i64) -> bool:
        """Whether the mask of game i has that action."""
        return self.mask[i * self._choices + action] != 0

    def nth(self, i: i64, k: i64) -> i64:
        """The action of game i that so many smaller ones come before."""
        legal = self._listed[i]
        j: i64 = 1
        while j < len(legal) and legal[j - 1] < legal[j]:
            j += 1
        return legal[k] if j >= len(legal) else _ranked(legal, k, self._shift)

    def size(self, i: i64) -> i64:
        """How many actions game i has."""
        return len(self._listed[i])


def _ranked(ids: vec[i64], k: i64, shift: i64) -> i64:
    """What would stand at `k` if the ids ascended: only the part that it is in is sorted."""
    counts = vec[i64]([0] * _PARTS)
    for each in ids:
        counts[each >> shift] += 1
    chosen: i64 = 0
    while k >= counts[chosen]:
        k -= counts[chosen]
        chosen += 1
    few = vec[i64]()
    for each in ids:
        if each >> shift == chosen:
            few = append(few, each)
            at = i64(len(few)) - 1
            while at > 0 and few[at - 1] > each:
                few[at] = few[at - 1]
                at -= 1
            few[at] = each
    return few[k]
