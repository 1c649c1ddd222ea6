"""The full screen on a pseudo-terminal, read back by an emulator: characters and colours."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time

import pyte
import pytest
from patience import PATIENCE

from parlour.terminal.characters import draws_wide_characters

COLUMNS, LINES = 80, 24


class Terminal:
    """`parlour play` on a pseudo-terminal, and its screen."""

    def __init__(self, folder, *arguments, **environ):
        self.screen = pyte.Screen(COLUMNS, LINES)
        self.stream = pyte.ByteStream(self.screen)
        self.codes = b""
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
        kept = {
            name: value
            for name, value in os.environ.items()
            if name not in ("NO_COLOR", "COLORTERM", "TERM", "TEXTUAL_COLOR_SYSTEM", "COLORFGBG")
        }
        self.process = subprocess.Popen(
            [sys.executable, "-m", "parlour.cli", "play", *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={**kept, "XDG_DATA_HOME": str(folder), "LANG": "C.UTF-8", **environ},
            close_fds=True,
        )
        os.close(theirs)
        self.file = ours

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        os.close(self.file)

    def read(self):
        """Read the pending output."""
        while select.select([self.file], [], [], 0.2)[0]:
            try:
                data = os.read(self.file, 65536)
            except OSError:
                return
            self.codes += data
            self.stream.feed(data)

    def until(self, text):
        """Wait until a text is on the screen and the output stops."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            self.read()
            if text in "\n".join(self.screen.display):
                self.read()
                return
        raise AssertionError("\n".join(self.screen.display))

    def press(self, keys):
        os.write(self.file, keys.encode())

    def characters(self):
        """Return each character with its style."""
        return [self.screen.buffer[y][x] for y in range(LINES) for x in range(COLUMNS)]


WIDE = "帥仕相俥傌炮兵將士象車馬砲卒"
START = "choose a game"

GAMES = {
    "octa": "Turn 1",
    "banqi": "flip a piece",
    "blokus": "Blue to place",
    "cat_mouse": "Catch the mouse",
}


@pytest.mark.parametrize("game", GAMES)
def test_a_16_colour_terminal_gets_only_its_colours(game, tmp_path):
    with Terminal(tmp_path, game, TERM="xterm") as terminal:
        terminal.until(GAMES[game])
        used = {part for sign in terminal.characters() for part in (sign.fg, sign.bg)}
        assert b"\x1b[38;2;" not in terminal.codes
        assert b";48;2;" not in terminal.codes
        assert b"38;5;" not in terminal.codes
    assert len(used) > 4
    assert not any(part.isalnum() and len(part) == 6 and part.isdigit() for part in used)


@pytest.mark.parametrize("game", GAMES)
def test_no_color_disables_colours(game, tmp_path):
    with Terminal(tmp_path, game, TERM="xterm-256color", NO_COLOR="1") as terminal:
        terminal.until(GAMES[game])
        assert {(sign.fg, sign.bg) for sign in terminal.characters()} == {("default", "default")}
        text = "".join(terminal.screen.display)
        assert "┌" in text
        if game == "cat_mouse":
            assert "C" in text
            assert "M" in text


def test_letters_are_shown_on_terminals_with_bad_wide_characters(tmp_path):
    for environ, is_letter in (({"TERM": "linux"}, True), ({"TERM": "xterm-256color"}, False)):
        with Terminal(tmp_path / environ["TERM"], "banqi", **environ) as terminal:
            terminal.until(GAMES["banqi"])
            terminal.press("\r")
            terminal.until("Moves")
            text = "".join(terminal.screen.display)
            signs = [sign for sign in text if sign in WIDE]
            assert bool(signs) != is_letter


def test_wide_characters_depend_on_terminal_and_locale():
    utf = {"LANG": "en_GB.UTF-8"}
    assert draws_wide_characters({**utf, "TERM": "xterm-256color"})
    assert not draws_wide_characters({**utf, "TERM": "linux"})
    assert not draws_wide_characters({"LANG": "en_GB.ISO-8859-1", "TERM": "xterm"})
    assert not draws_wide_characters({**utf, "LC_ALL": "C", "TERM": "xterm"})
    assert not draws_wide_characters({**utf, "TERM": "xterm", "PARLOUR_LETTERS": "1"})
    assert draws_wide_characters({**utf, "TERM": "linux", "PARLOUR_LETTERS": "0"})


def test_the_start_screen_opens_a_game_and_m_returns(tmp_path):
    with Terminal(tmp_path, TERM="xterm-256color") as terminal:
        terminal.until(START)
        for key, text in (("\x1b[B", "▸ Blokus"), ("\r", "Blue to place"), ("m", "▸ Blokus")):
            terminal.press(key)
            terminal.until(text)
        terminal.press("\x1b[A")
        terminal.until("▸ Banqi")
        terminal.press("\r")
        terminal.until("flip a piece")
        terminal.press("\r")
        terminal.until("Moves")
        terminal.press("m")
        terminal.until("1 unfinished")
        terminal.press("\x1b[A")
        terminal.until("▸ Resume")
        terminal.press("\r")
        terminal.until("The game was resumed where it stopped.")
        terminal.press("q")
        assert terminal.process.wait(PATIENCE) == 0


def test_a_named_game_starts_immediately(tmp_path):
    with Terminal(tmp_path, "octa", TERM="xterm-256color") as terminal:
        terminal.until(GAMES["octa"])
        assert START not in "".join(terminal.screen.display)


def test_plain_mode_asks_for_the_game(tmp_path):
    with Terminal(tmp_path, "--plain", TERM="xterm-256color") as terminal:
        terminal.until("Which game?")


@pytest.mark.parametrize("environ", [{"TERM": "linux"}, {"TERM": "xterm", "PARLOUR_LETTERS": "1"}])
def test_letters_are_shown_on_the_start_screen_and_in_the_help(environ, tmp_path):
    with Terminal(tmp_path, **environ) as terminal:
        terminal.until(START)
        for key, text in (
            ("?", "How to play"),
            ("\x1b", "Press Enter to play"),
            ("\r", "flip a piece"),
        ):
            terminal.press(key)
            terminal.until(text)
            assert not set("".join(terminal.screen.display)) & set(WIDE)
        for key, text in (("\r", "Moves"), ("?", "Keys"), ("\t", "Moves and captures")):
            terminal.press(key)
            terminal.until(text)
            assert not set("".join(terminal.screen.display)) & set(WIDE)


def test_the_start_screen_uses_only_the_terminals_colours(tmp_path):
    with Terminal(tmp_path / "few", TERM="xterm") as terminal:
        terminal.until(START)
        assert b"\x1b[38;2;" not in terminal.codes
        assert b"38;5;" not in terminal.codes
    with Terminal(tmp_path / "none", TERM="xterm-256color", NO_COLOR="1") as terminal:
        terminal.until(START)
        assert {(sign.fg, sign.bg) for sign in terminal.characters()} == {("default", "default")}
        assert "▸ Banqi" in "".join(terminal.screen.display)


@pytest.mark.parametrize(
    "environ",
    [
        {"TERM": "xterm-256color", "LC_ALL": "C"},
        {"TERM": "xterm-256color", "LC_ALL": "en_GB.ISO-8859-1", "PYTHONIOENCODING": "latin-1"},
        {"TERM": "dumb"},
    ],
    ids=["C", "latin-1", "dumb"],
)
def test_a_terminal_without_unicode_or_cursor_gets_lines(environ, tmp_path):
    with Terminal(tmp_path, "octa", "--seed", "8", **environ) as terminal:
        terminal.until("player 1 to move")
        assert b"\x1b[?1049h" not in terminal.codes
        if "LC_ALL" in environ:
            assert terminal.codes.isascii()
            assert b"?" not in terminal.codes
            assert ".> .n .u .b" in "".join(terminal.screen.display)
        terminal.press("quit\n")
        assert terminal.process.wait(PATIENCE) == 0


def test_ctrl_c_in_the_full_screen_ends_with_its_status(tmp_path):
    for arguments, text in (((), START), (("octa",), GAMES["octa"])):
        with Terminal(tmp_path, *arguments, TERM="xterm-256color") as terminal:
            terminal.until(text)
            terminal.press("\x03")
            assert terminal.process.wait(PATIENCE) == 130
