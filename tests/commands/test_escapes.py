"""Text from files never controls the terminal."""

import zlib

import pytest

import parlour
from parlour.cli import main
from parlour.table import PERSON, Table
from parlour.table.events import Resign

STEERING = "\x1b]0;owned\x07\x1b[2J\x9b1A\u202egnol"


@pytest.fixture
def records(tmp_path):
    """Two records with control characters in their notes: unfinished, and resigned."""
    folder = tmp_path / "data" / "records"
    folder.mkdir(parents=True)

    def write(name, change):
        table = Table(parlour.game("octa", size=1), [PERSON, PERSON], seed=1)
        table.play("1,1")
        if name == "over":
            table.request(1, Resign())
        text = table.record().to_text() if name == "over" else table_text(table)
        lines = [change(line) for line in text.splitlines()[:-1]]
        check = zlib.crc32("\n".join(lines).encode())
        path = folder / f"{name}.parlour"
        path.write_text("\n".join([*lines, f"check {check:08x}"]) + "\n", "utf-8")
        return path

    return write


def table_text(table):
    return table._noted(table._standing, with_key=True).to_text()


def is_harmless(text):
    return all(sign.isprintable() for line in text.split("\n") for sign in line)


@pytest.mark.parametrize("command", ["replay", "check", "records"])
def test_control_characters_in_an_ending_are_escaped(records, capsys, command):
    path = records("over", lambda line: line + STEERING if line.startswith("note ending") else line)
    arguments = {
        "replay": ["replay", str(path)],
        "check": ["replay", str(path), "--check"],
        "records": ["records"],
    }
    main(arguments[command])
    told = capsys.readouterr()
    assert is_harmless(told.out + told.err)
    if command == "replay":
        assert "\\x1b]0;owned\\x07\\x1b[2J" in told.out


@pytest.mark.parametrize("command", ["replay", "check", "analyse"])
def test_an_invalid_line_is_shown_escaped(records, capsys, command):
    path = records("left", lambda line: line.replace("1. 1,1", f"1. 1,1{STEERING}"))
    more = ["--check"] if command == "check" else []
    status = main([command.replace("check", "replay"), str(path), *more])
    assert status in (1, 2)
    told = capsys.readouterr()
    assert is_harmless(told.out + told.err)
    assert "x1b" in told.err


def test_the_names_of_seats_and_events_are_escaped():
    table = Table(parlour.game("octa", size=1), [PERSON, "random"], seed=1)
    table._standing = table.standing._replace(seats=(PERSON, f"random{STEERING}"))
    assert is_harmless(table.name_of(1))
    assert "random\\x1b" in table.name_of(1)


def test_a_title_and_a_message_are_escaped_on_the_full_screen():
    from parlour.terminal.panels import escape

    assert escape(f"[b]{STEERING}") == "\\[b]\\x1b]0;owned\\x07\\x1b[2J\\x9b1A\\u202egnol"
