"""The legal actions of many games, as lists of ids and as masks."""

from typing import Final

from librt.vecs import append, extend, vec
from mypy_extensions import i64, u8

_PART_BITS: Final = 6
_PARTS: Final = 64
"""The number of buckets in which a rank is searched."""


class LegalLists:
    """For each game the list of legal actions, and a mask with a byte for each action.

    Only the bytes that were set are cleared: a mask can be far longer than its list.
    """

    def __init__(self, count: i64, num_actions: i64, mask: bool) -> None:
        """Start with empty lists. Without `mask` no masks are kept."""
        self._count: Final = count
        self._choices: Final = num_actions
        self._masks: Final = mask
        self._shift: Final[i64] = max(0, int(num_actions).bit_length() - _PART_BITS)
        self.mask: Final[vec[u8]] = vec[u8](bytes(count * num_actions if mask else 0))
        self.starts: Final[vec[i64]] = vec[i64]([0] * (count + 1))
        self._listed: Final[vec[vec[i64]]] = vec[vec[i64]]([vec[i64]() for _ in range(count)])

    def add(self, i: i64, legal: vec[i64]) -> None:
        """Replace the actions of game i. Call it for the games in order, from game 0."""
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
        """Keep the actions of game i."""
        self.starts[i + 1] = self.starts[i] + len(self._listed[i])

    def ids(self) -> vec[i64]:
        """Return the actions of game 0, then those of game 1 and so on."""
        ids = vec[i64]()
        i: i64 = 0
        while i < self._count:
            ids = extend(ids, self._listed[i])
            i += 1
        return ids

    def clear(self) -> None:
        """Clear all lists and masks, after a step that failed halfway."""
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
        """Return the action of rank `k` in game i; the smallest has rank 0."""
        legal = self._listed[i]
        j: i64 = 1
        while j < len(legal) and legal[j - 1] < legal[j]:
            j += 1
        return legal[k] if j >= len(legal) else _ranked(legal, k, self._shift)

    def size(self, i: i64) -> i64:
        """Return the number of actions of game i."""
        return len(self._listed[i])


def _ranked(ids: vec[i64], k: i64, shift: i64) -> i64:
    """Return the id of rank `k` (bucket select: only one bucket is sorted)."""
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
