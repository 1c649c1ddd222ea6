"""The command `parlour convert`."""

from pathlib import Path

import click

from parlour.commands.game_command import settings_option
from parlour.commands.parameters import RecordName
from parlour.core.checks import counted
from parlour.core.errors import ParlourError, RecordError
from parlour.core.options import settings_from_words
from parlour.core.record import Record
from parlour.core.registry import game_class, game_names
from parlour.files import LARGEST_FILE, read_text, write_atomically
from parlour.interchange import RecordFormat
from parlour.table.locations import SUFFIX, find_record

OWN = SUFFIX.removeprefix(".")


@click.command(
    epilog="""SOURCE is a file, a name from 'parlour records', or the beginning of one. The suffix
of a file determines its format: .blksgf (Pentobi), .cdc and .uci (Banqi), and those of installed
games.

\b
Examples:
  parlour convert game.parlour game.blksgf
  parlour convert game.blksgf game.parlour
  parlour convert match.cdc game.parlour --set rules=taiwan
"""
)
@click.argument("source", type=RecordName())
@click.argument("target", type=click.Path(path_type=Path))
@click.option(
    "--to", metavar="FORMAT", help="The format, if TARGET's suffix does not determine it."
)
@settings_option("An option of the game, if the file does not contain it.")
def convert(source: str, target: Path, to: str | None, settings: tuple[str, ...]) -> int:
    """Convert records to and from other formats."""
    return convert_file(source, target, to, list(settings))


def formats() -> dict[str, tuple[str, RecordFormat]]:
    """Return every format of the installed games by name, each with its game's name."""
    found: dict[str, tuple[str, RecordFormat]] = {}
    for name in game_names():
        try:
            offered = game_class(name).FORMATS
        except ParlourError:
            continue  # a game that does not load has none
        for each in offered:
            found.setdefault(each.name, (name, each))
    return found


def convert_file(source: str, target: Path, form: str | None, settings: list[str]) -> int:
    """Read one file and write the other. Return the exit status."""
    known = formats()
    record = _read(source, known, settings)
    written = form or target.suffix.removeprefix(".")
    if written == OWN:
        text = record.to_text()
    else:
        game, found = _form(written, known, f"{target}: to write it")
        if game != record.game.name:
            raise RecordError(f"{written} is for {game}; this is a game of {record.game.name}")
        text = found.write(record)
    try:
        write_atomically(target, text)
    except OSError as error:
        raise RecordError(f"{target} cannot be written: {error.strerror}") from error
    print(f"{counted(len(record.actions), 'action')} of {record.game.title} written to {target}.")
    return 0


def _read(source: str, known: dict[str, tuple[str, RecordFormat]], settings: list[str]) -> Record:
    suffix = Path(source).suffix.removeprefix(".")
    if suffix in known:
        path = Path(source)
        name, found = known[suffix]
        options: dict[str, object] = dict(
            settings_from_words(name, game_class(name).OPTIONS, settings)
        )
    else:
        path, found, options = find_record(source), None, {}
        if settings:
            raise RecordError(f"a record contains its options: leave out --set {settings[0]}")
    try:
        text = read_text(path, LARGEST_FILE)
    except UnicodeDecodeError:
        raise RecordError(f"{path} is not a text file in UTF-8") from None
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror}") from None
    try:
        return Record.from_text(text) if found is None else found.read(text, options)
    except RecordError as error:
        raise RecordError(f"{path}: {error}") from error


def _form(
    name: str, known: dict[str, tuple[str, RecordFormat]], what: str
) -> tuple[str, RecordFormat]:
    if name not in known:
        listed = ", ".join(sorted([OWN, *known]))
        raise RecordError(f"{what}, name the format: --to NAME, one of {listed}")
    return known[name]
