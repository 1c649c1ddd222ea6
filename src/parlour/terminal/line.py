"""A game line by line: for pipes, scripts, screen readers and simple terminals."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TextIO

from parlour.core.checks import printable
from parlour.core.errors import ActionTextError, ContractError, ParlourError
from parlour.core.guide import NO_RULES, rules_to_text
from parlour.core.options import did_you_mean
from parlour.core.scene import Scene
from parlour.drawing.choices import advice_lines
from parlour.drawing.text import draw, list_actions
from parlour.drawing.words import board_words, changes, every_cell, find_cell, row_words, seat_words
from parlour.exit_codes import INTERRUPTED
from parlour.files import write_atomically
from parlour.table import (
    EventView,
    GameLost,
    LiveGame,
    NotYourTurn,
    OfferDraw,
    Play,
    Redo,
    Replace,
    Resign,
    StaleEvents,
    Undo,
    drive,
)
from parlour.table.clock import clock_face
from parlour.terminal.opponents import DEFAULT_OPPONENT
from parlour.terminal.sentences import hint_words, sentence, shortened

SHOWN_ACTIONS = 24
WAYS_OUT = (
    f"Type replace {DEFAULT_OPPONENT} to let another agent continue, replace person to take over, "
    "undo, new or quit."
)

HELP = """\
Type an action as listed under the board, or one of these commands (you can shorten them as
long as they are unambiguous):
  actions  list every legal action
  analyse  show a strong agent's evaluation of the choices
  board    draw the board again, or describe all of it in words
  cells    describe every cell in words
  draw     offer a draw, or accept an offer
  help     show this text
  hint     suggest an action
  history  list the actions so far
  look     describe one cell or row in words: look ROW COLUMN, look ROW
  new      start another game
  quit     leave; the game is saved
  redo     play an action again that you took back
  replace  replace AGENT gives the seat to move to an agent, replace person gives it to you;
           on your turn you hand over your own seat
  resign   give up the game
  rules    explain how this game is played
  save     save FILE writes the record to a file; save alone shows where it is
  undo     take back your last action
  words    words on describes boards and changes in words, words off draws them"""


class LineGame:
    """One game after another for the people at this terminal."""

    def __init__(
        self,
        open_game: Callable[[], LiveGame],
        stdin: TextIO | None = None,
        stdout: TextIO | None = None,
        in_words: bool = False,
    ) -> None:
        """Set `open_game`, which opens the first game and each next one.

        The streams default to those of the process. With `in_words`, boards are described, not
        drawn.
        """
        self.open_game = open_game
        self.stdin = stdin or sys.stdin
        self.stdout = stdout or sys.stdout
        self.in_words = in_words
        self.warned = ""
        self.game: LiveGame
        self.confirmed: int | None = None
        self.failed_at: int | None = None
        """The game's version at which the agent to act failed."""
        self.commands: dict[str, Callable[[str], None]] = {
            "actions": lambda _: self.show_actions(),
            "analyse": lambda _: self.analyse(),
            "board": lambda _: self.show_board(),
            "cells": lambda _: self.say("\n".join(every_cell(self.scene))),
            "draw": lambda _: self.offer_draw(),
            "help": self.help,
            "?": self.help,
            "hint": lambda _: self.hint(),
            "history": lambda _: self.show_history(),
            "look": self.look,
            "new": lambda _: self.new(),
            "redo": lambda _: self.redo(),
            "replace": self.replace,
            "resign": lambda _: self.resign(),
            "rules": lambda _: self.say(rules_to_text(self.game.rules) or NO_RULES),
            "save": self.save,
            "undo": lambda _: self.undo(),
            "words": self.set_words,
        }

    def run(self) -> int:
        """Play until the player leaves; return the exit status."""
        interrupted = False
        started = False
        try:
            while True:
                try:
                    if not started:
                        started = True
                        self.new()
                    elif self.others_are_to_act and not self.is_stuck:
                        # The player interrupted the wait for the others.
                        self.let_agents_act()
                        self.show()
                    self.report_news()
                    line = self.ask()
                    if line is None:
                        self.say("\nEnd of input: goodbye.")
                        return 0
                    interrupted = False
                    if not self.execute(line.strip()):
                        return 0
                except KeyboardInterrupt:
                    if interrupted:
                        self.say("\nGoodbye.")
                        return INTERRUPTED
                    interrupted = True
                    self.say(
                        "\nInterrupted: the game is still here. "
                        "Type quit, or Ctrl-C again, to leave."
                    )
        finally:
            if hasattr(self, "game"):
                self.game.close()

    @property
    def is_covered(self) -> bool:
        """Whether private information is hidden until the next person confirms."""
        return self.game.is_shared and self.game.is_my_turn and self.confirmed != self.game.viewer

    @property
    def others_are_to_act(self) -> bool:
        """Whether an agent or a player elsewhere is to act."""
        return not self.game.is_over and not self.game.is_my_turn

    @property
    def is_stuck(self) -> bool:
        """Whether the agent to act has failed."""
        return self.failed_at == self.game.version

    @property
    def scene(self) -> Scene:
        """What the person at the keyboard may see."""
        return self.game.public_scene() if self.is_covered else self.game.scene()

    def say(self, text: str) -> None:
        """Print a text with control characters escaped."""
        print(printable(text), file=self.stdout, flush=True)

    def ask(self) -> str | None:
        """Read a line from the player; `None` at the end of input."""
        print("> ", end="", file=self.stdout, flush=True)
        return (self.stdin.readline() or None) if self.stdin else None

    def execute(self, line: str) -> bool:
        """Execute a line and return whether to continue. Errors are printed."""
        if self.is_covered and line not in ("quit", "exit", "q"):
            before = self.scene
            self.confirmed = self.game.viewer
            self.report_changes(before)
            self.show()
            return True
        if not line:
            return True
        word, _, rest = line.partition(" ")
        if word in ("quit", "exit") or (not rest and word == "q"):
            self.say(f"Goodbye. {self.game.where()}".rstrip())
            return False
        try:
            command = self.commands.get(word)
            if command is not None:
                command(rest.strip())
            else:
                self.act(line)
        except (ContractError, GameLost):
            raise  # the game is broken or cannot be reached
        except ParlourError as error:
            self.say(sentence(error))
        self.warn()
        return True

    def warn(self) -> None:
        """Print the game's warning once."""
        if self.game.notice != self.warned:
            self.warned = self.game.notice
            if self.warned:
                self.say(self.warned)

    # Commands.

    def help(self, topic: str) -> None:
        """Explain the commands, or one of the game's topics."""
        topics = self.game.help_topics()
        if not topic:
            lines = [f"  help {name}  {meaning}" for name, meaning in topics.items()]
            if self.game.promise():
                lines.append(f"Chance is fixed by a key with the SHA-256 {self.game.promise()}.")
            self.say("\n".join([HELP, *lines]))
            return
        text = self.game.explain(topic)
        known = ", ".join(topics) or "none"
        self.say(
            text or f"There is no help on {shortened(topic, 60)!r}; this game's topics: {known}."
        )

    def new(self) -> None:
        """Start a game, or resume one."""
        fresh = self.open_game()
        if hasattr(self, "game"):
            self.game.close()
        else:
            self.say(f"{fresh.title}. Type help for the commands.")
        self.game = fresh
        self.confirmed = self.failed_at = None
        for line in fresh.introduction():
            self.say(line)
        if self.in_words:
            self.describe()
        elif fresh.actor >= 0 and fresh.actor not in fresh.people:
            self.say("\n" + draw(self.scene))
        self.let_agents_act()
        self.show()

    def undo(self) -> None:
        """Take back the last action of a person."""
        before = self.scene
        for view in self.game.send(Undo()):
            self.say(view.sentence)
        self.report_changes(before)
        self.let_agents_act()
        self.show()

    def redo(self) -> None:
        """Repeat what was taken back."""
        before = self.scene
        self.report(self.game.send(Redo()), before)
        self.let_agents_act()
        self.show()

    def replace(self, who: str) -> None:
        """Give the seat to act to another player."""
        self.check_not_over()
        if not who:
            raise ActionTextError(f"replace needs an agent such as {DEFAULT_OPPONENT}, or person")
        before = self.scene
        self.report(self.game.send(Replace(self.game.actor, who)), before)
        self.let_agents_act()
        self.show()

    def resign(self) -> None:
        """Resign for the person to act. If others play on, say so."""
        self.check_not_over()
        before = self.scene
        events = self.game.send(Resign())
        if not self.game.is_over:
            self.report(events, before)
            self.let_agents_act()
        self.show()

    def offer_draw(self) -> None:
        """Offer or accept a draw for the person to act."""
        self.check_not_over()
        self.game.send(OfferDraw())
        if self.game.is_over:
            self.show()
        else:
            self.say("A draw is offered. The other player can type draw to accept it, or play on.")

    def check_not_over(self) -> None:
        """Raise `ActionTextError` after the end of the game."""
        if self.game.is_over:
            raise ActionTextError("The game is over: type new, undo or quit")

    def hint(self) -> None:
        """Suggest an action."""
        self.check_not_over()
        best = self.game.analyse().choices[0]
        typed = best.choice.text
        how = "" if best.words[0] == typed else f". Type {typed} to play it."
        self.say(f"{hint_words(best)}{how}")

    def analyse(self) -> None:
        """List the best choices."""
        self.check_not_over()
        self.say("\n".join(advice_lines(self.game.analyse())))

    def look(self, where: str) -> None:
        """Describe a cell or a row in words."""
        scene = self.scene
        rows, cols = scene.board.row_names, scene.board.col_names
        if not rows:
            raise ActionTextError("this game has no board to look at")
        if where in rows and where:
            self.say(row_words(scene, rows.index(where)))
            return
        cell = find_cell(scene, where)
        if cell is None:
            raise ActionTextError(
                f"look needs a row from {rows[0]} to {rows[-1]} "
                f"and a column from {cols[0]} to {cols[-1]}, not {where!r}"
            )
        self.say(f"{scene.cells[cell].label}.")

    def set_words(self, how: str) -> None:
        """Switch between describing and drawing boards."""
        if how not in ("on", "off", ""):
            raise ActionTextError(f"words must be on or off, not {how!r}")
        self.in_words = how == "on" if how else not self.in_words
        self.show_board()

    def save(self, where: str) -> None:
        """Write the record to a file of the player's choice, or say where it is saved."""
        if not where:
            self.game.save()
            self.say(self.game.where() or "The game is not saved.")
            return
        text = self.game.record_text()
        try:
            write_atomically(Path(where).expanduser(), text)
        except OSError as error:
            name = shortened(where)
            self.say(f"{name} cannot be written ({error.strerror}).")
        else:
            self.say(f"Saved in {where}.")

    def show_history(self) -> None:
        """List the actions so far."""
        texts = [view.sentence for view in self.game.history()]
        self.say("\n".join(texts) if texts else "Nothing has happened yet.")

    def act(self, text: str) -> None:
        """Play an action's text, or explain what is wrong with it."""
        self.check_not_over()
        before = self.scene
        try:
            events = self.game.send(Play(text))
        except NotYourTurn as error:
            if not self.abbreviation(text):
                ways_out = WAYS_OUT if self.is_stuck else ""
                self.say(f"{sentence(error)} {ways_out}".rstrip())
            return
        except ActionTextError as error:
            if not self.abbreviation(text):
                self.say(f"{sentence(error)} {self.suggestion(text)}")
            return
        except (ContractError, GameLost, StaleEvents):
            raise
        except ParlourError as error:
            self.say(f"{shortened(text)} is not legal: {shortened(str(error))}.")
            self.say(list_actions(self.scene, SHOWN_ACTIONS))
            return
        self.report(events, before)
        self.let_agents_act()
        self.show()

    def suggestion(self, text: str) -> str:
        """Return what to type after a line that is not understood."""
        near = did_you_mean(text.partition(" ")[0], self.commands)
        return f"Type help for the commands{near}."

    def abbreviation(self, text: str) -> bool:
        """Run the only command or action that begins with the text. Return whether one does."""
        word, _, rest = text.partition(" ")
        if not word.isalpha():
            return False
        known = [name for name in (*self.commands, "quit") if name.startswith(word)]
        if not rest:
            texts = (view.text for view in self.scene.actions)
            known += [name for name in texts if name.isalpha() and name.startswith(word)]
        if len(known) > 1:
            self.say(f"{word!r} could be {', '.join(known[:-1])} or {known[-1]}.")
        elif known and known[0] != "quit":
            self.execute(f"{known[0]} {rest}".strip())
        return bool(known) and known != ["quit"]

    # Events.

    def let_agents_act(self) -> None:
        """Play the agents' turns until a person is to act. The caller shows the last position."""
        before = self.scene

        def report(events: list[EventView]) -> None:
            nonlocal before
            self.report(events, before)
            before = self.scene
            if not self.game.has_people and not self.game.is_over:
                self.show()

        try:
            drive(self.game, report)
        except GameLost:
            raise
        except ParlourError as error:
            self.failed_at = self.game.version
            self.say(f"{sentence(error)} {WAYS_OUT}")

    def report_news(self) -> None:
        """Print events that came unasked."""
        before = self.scene
        events = self.game.check_clocks()
        if events:
            self.report(events, before)
            self.show()

    def report(self, events: list[EventView], before: Scene) -> None:
        """Print events; a person's own action only if boards are described in words."""
        people = self.game.people
        for view in events:
            if view.seat not in people or view.is_aside or self.in_words:
                self.say(view.sentence)
        self.report_changes(before)

    def report_changes(self, before: Scene) -> None:
        """Print what changed on the board, if boards are described in words."""
        if self.in_words:
            for line in changes(before, self.scene):
                self.say(f"  {line}")

    def describe(self) -> None:
        """Describe the whole board in words."""
        self.say("\n".join(["", *board_words(self.scene)]))

    def show_board(self) -> None:
        """Draw the board again, or describe all of it."""
        if self.in_words:
            self.describe()
        self.show()

    def show(self) -> None:
        """Draw or describe the board, and list what can be done."""
        game, scene = self.game, self.scene
        if self.in_words:
            self.say("\n".join(["", *seat_words(scene), scene.status]))
        else:
            self.say("\n" + draw(scene))
        remark = game.remark()
        if remark:
            self.say(remark)
        if game.clocks:
            self.say(f"Clocks: {' '.join(clock_face(seconds) for seconds in game.clocks)}")
        if game.draw_offer is not None:
            self.say("A draw is offered: type draw to accept it.")
        if self.is_covered:
            viewer = game.viewer
            assert viewer is not None
            self.say(f"Press Enter when {game.names[viewer]} is at the keyboard.")
        elif scene.actions:
            self.say(list_actions(scene, SHOWN_ACTIONS))
        elif game.is_over:
            proof = game.proof()
            if proof:
                self.say(f"The chance key was {proof}.")
            self.say("Type new, undo or quit.")

    def show_actions(self) -> None:
        """List every legal action."""
        over = self.game.is_over
        self.say("The game is over: there are no actions." if over else list_actions(self.scene))
