"""A batch as bytes: a header line with a checksum, then JSON.

Reading executes nothing: games are found by name, positions are read from text.
"""

import json
from base64 import b64decode, b64encode
from typing import Any
from zlib import crc32

from parlour.core.batch import Batch
from parlour.core.checks import shown, type_name
from parlour.core.endings import RUNNING
from parlour.core.errors import (
    ContractError,
    GameLoadError,
    NotFound,
    RecordError,
    in_one_line,
)
from parlour.core.game import Game
from parlour.core.registry import game as find_game
from parlour.core.rng import rng_from_words

HEAD = b"parlour batch 1 "


def saved(batch: Batch) -> bytes:
    """Return the whole batch as bytes."""
    game = batch.game
    numbers = zip(batch.plies, batch.start_seeds, batch.acted, strict=True)
    content = {
        "game": game.name,
        "options": dict(game.options),
        "settings": batch._settings(),
        "streams": [stream.words() for stream in batch._streams()],
        "states": [game.state_to_text(batch.state(i)) for i in range(batch.count)],
        "numbers": list(numbers),
        "ends": [_end(batch, i) for i, done in enumerate(batch.done) if done != RUNNING],
        "rewards": list(batch._ends.rewards),
    }
    body = json.dumps(content, separators=(",", ":")).encode()
    return HEAD + b"%08x\n" % crc32(body) + body


def _end(batch: Batch, i: int) -> list[object]:
    """Return the result of a game that ended in the last step."""
    returns, obs, extras = batch._ends.row(i)
    rows = [b64encode(row).decode() for row in (obs, extras)]
    return [i, batch.done[i], batch.final_actor[i], returns, *rows]


def restored(data: bytes, game: Game | None = None) -> Batch:
    """Return the batch that `saved` wrote.

    Raises `RecordError` if the data are damaged or belong to another game.
    """
    body = _body(data)
    try:
        return _batch(json.loads(body), game)
    except (RecordError, NotFound, GameLoadError, ContractError):
        raise
    except (ValueError, KeyError, TypeError, IndexError, OverflowError) as error:
        raise RecordError(f"this is not a saved batch: {in_one_line(error)}") from error


def _body(data: bytes) -> bytes:
    if not isinstance(data, bytes):
        raise TypeError(f"a saved batch is bytes, not {type_name(data)}")
    head, _, body = data.partition(b"\n")
    if not head.startswith(HEAD):
        raise RecordError(f"a saved batch starts with {HEAD.decode()!r}, not {shown(data[:16])}")
    if head != HEAD + b"%08x" % crc32(body):
        raise RecordError("the saved batch is damaged: its checksum is wrong")
    return body


def _batch(content: dict[str, Any], game: Game | None) -> Batch:
    known = find_game(content["game"], **content["options"]) if game is None else game
    if (known.name, dict(known.options)) != (content["game"], content["options"]):
        raise RecordError(
            f"the saved batch is of {content['game']} with {content['options']}, not of {known!r}"
        )
    batch = Batch(known, **content["settings"])
    batch._resume(
        [rng_from_words(*words) for words in content["streams"]],
        [known.state_from_text(text) for text in content["states"]],
    )
    for i, numbers in enumerate(content["numbers"]):
        batch._set_numbers(i, *numbers)
    for i, done, actor, returns, obs, extras in content["ends"]:
        batch._ends.set_row(i, done, actor, returns, b64decode(obs), b64decode(extras))
    batch._ends.set_rewards(content["rewards"])
    return batch
