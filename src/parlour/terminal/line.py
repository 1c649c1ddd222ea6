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
from parlour.drawing.choices import advice_lines, choice_words
from parlour.drawing.text import draw, list_actions
from parlour.drawing.words import board_words, changes, every_cell, find_cell, row_words, seat_words
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
from parlour.terminal.sentences import sentence, shortened

SHOWN_ACTIONS = 24
WAYS_OUT = (
    f"Type replace {DEFAULT_OPPONENT} or another agent to let it go on, replace person to take "
    "over, undo, new or quit."
)

HELP = """\
Type the text of an action, as listed under the board, or one of these (the first letters
are enough where they are clear):
  actions  list every legal action
  analyse  what a strong agent thinks of the choices
  board    draw the board again, or tell all of it in words
  cells    every cell in words
  draw     offer a draw, or accept the other's offer
  help     this text
  hint     an action to consider
  history  the actions so far
  look     one cell or row in words: look ROW COLUMN, look ROW
  new      start another game
  quit     leave; the game is kept
  redo     make again what was taken back, until another action is made
  replace  replace AGENT lets another agent play for the one to act, replace person you;
           on your own turn it hands your seat over
  resign   give the game up
  rules    how this game is played
  save     save FILE writes the record there; save alone says where it is kept
  undo     take your last action back
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
        """`open_game` sits down at a game, and at the next one when that is asked for.

        The streams are the process's own by default; `in_words` draws no board.
        """
        self.open_game = open_game
        self.stdin = stdin or sys.stdin
        self.stdout = stdout or sys.stdout
        self.in_words = in_words
        self.warned = ""
        self.game: LiveGame
        self.confirmed: int | None = None
        self.failed_at: int | None = None
        """The version of the game at which the agent to act could not go on."""
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
        """Play until the player leaves; the exit status."""
        interrupted = False
        started = False
        try:
            while True:
                try:
                    if not started:
                        started = True
                        self.new()
                    elif self.others_are_to_act and not self.is_stuck:
                        # Somebody interrupted it.
                        self.let_agents_act()
                        self.show()
                    self.tell_news()
                    line = self.ask()
                    if line is None:
                        self.say("\nEnd of input: goodbye.")
                        return 0
                    interrupted = False
                    if not self.obey(line.strip()):
                        return 0
                except KeyboardInterrupt:
                    if interrupted:
                        self.say("\nGoodbye.")
                        return 130
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
        """Whether what is private waits for the next person to be there."""
        return self.game.is_shared and self.game.is_my_turn and self.confirmed != self.game.viewer

    @property
    def others_are_to_act(self) -> bool:
        """Whether somebody elsewhere, or an agent, is waited for."""
        return not self.game.is_over and not self.game.is_my_turn

    @property
    def is_stuck(self) -> bool:
        """Whether the agent to act cannot go on."""
        return self.failed_at == self.game.version

    @property
    def scene(self) -> Scene:
        """What the person at the keyboard may see."""
        return self.game.public_scene() if self.is_covered else self.game.scene()

    def say(self, text: str) -> None:
        """Print, with whatever would steer the terminal escaped."""
        print(printable(text), file=self.stdout, flush=True)

    def ask(self) -> str | None:
        """A line from the player, or `None` at the end of input."""
        print("> ", end="", file=self.stdout, flush=True)
        return (self.stdin.readline() or None) if self.stdin else None

    def obey(self, line: str) -> bool:
        """Carry out a line; whether to go on. A refusal is said, and changes nothing."""
        if self.is_covered and line not in ("quit", "exit", "q"):
            before = self.scene
            self.confirmed = self.game.viewer
            self.tell_changes(before)
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
            raise  # the game is broken, or out of reach: nobody can go on with it
        except ParlourError as error:
            self.say(sentence(error))
        self.warn()
        return True

    def warn(self) -> None:
        """Say once that the game cannot be saved."""
        if self.game.notice != self.warned:
            self.warned = self.game.notice
            if self.warned:
                self.say(self.warned)

    # Commands.

    def help(self, topic: str) -> None:
        """Explain the commands, or a topic of the game's own."""
        topics = self.game.help_topics()
        if not topic:
            lines = [f"  help {name}  {meaning}" for name, meaning in topics.items()]
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
            self.say(f"{fresh.title}. Type help for help.")
        self.game = fresh
        self.confirmed = self.failed_at = None
        for line in fresh.introduction():
            self.say(line)
        if self.in_words:
            self.describe()
        self.let_agents_act()
        self.show()

    def undo(self) -> None:
        """Take the last action of a person back."""
        before = self.scene
        for view in self.game.send(Undo()):
            self.say(view.sentence)
        self.tell_changes(before)
        self.let_agents_act()
        self.show()

    def redo(self) -> None:
        """Make again what was taken back."""
        before = self.scene
        self.tell(self.game.send(Redo()), before)
        self.let_agents_act()
        self.show()

    def replace(self, who: str) -> None:
        """Let somebody else hold the seat to act."""
        self.check_going_on()
        if not who:
            raise ActionTextError(f"replace takes an agent such as {DEFAULT_OPPONENT}, or person")
        before = self.scene
        self.tell(self.game.send(Replace(self.game.actor, who)), before)
        self.let_agents_act()
        self.show()

    def resign(self) -> None:
        """Give up for the person to act."""
        self.check_going_on()
        self.game.send(Resign())
        self.show()

    def offer_draw(self) -> None:
        """Offer or accept a draw for the person to act."""
        self.check_going_on()
        self.game.send(OfferDraw())
        if self.game.is_over:
            self.show()
        else:
            self.say("The draw is offered: the other player types draw to accept, or plays on.")

    def check_going_on(self) -> None:
        """`ActionTextError` after the end."""
        if self.game.is_over:
            raise ActionTextError("The game is over: type new, undo or quit")

    def hint(self) -> None:
        """Name an action."""
        self.check_going_on()
        best = self.game.analyse().choices[0]
        typed = best.choice.text
        how = "" if best.words[0] == typed else f" Type {typed} to play it."
        self.say(f"Consider {choice_words(best)}.{how}")

    def analyse(self) -> None:
        """The best choices."""
        self.check_going_on()
        self.say("\n".join(advice_lines(self.game.analyse())))

    def look(self, where: str) -> None:
        """A cell or a row in words."""
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
                f"look takes a row from {rows[0]} to {rows[-1]} "
                f"and a column from {cols[0]} to {cols[-1]}, not {where!r}"
            )
        self.say(f"{scene.cells[cell].label}.")

    def set_words(self, how: str) -> None:
        """Describe or draw from now on."""
        if how not in ("on", "off", ""):
            raise ActionTextError(f"words takes on or off, not {how!r}")
        self.in_words = how == "on" if how else not self.in_words
        self.show_board()

    def save(self, where: str) -> None:
        """Write the record to a file of the player's choice, or say where it is."""
        if not where:
            self.game.save()
            self.say(self.game.where() or "The game is not kept.")
            return
        text = self.game.record_text()
        try:
            write_atomically(Path(where).expanduser(), text)
        except OSError as error:
            name = shortened(where)
            self.say(f"{name} cannot be written ({error.strerror}); the game goes on.")
        else:
            self.say(f"Saved in {where}.")

    def show_history(self) -> None:
        """The actions so far."""
        texts = [view.sentence for view in self.game.history()]
        self.say("\n".join(texts) if texts else "Nothing has happened yet.")

    def act(self, text: str) -> None:
        """Play an action's text, or say what would be right."""
        self.check_going_on()
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
            self.show_actions()
            return
        self.tell(events, before)
        self.let_agents_act()
        self.show()

    def suggestion(self, text: str) -> str:
        """How to go on after a line that is nothing."""
        near = did_you_mean(text.partition(" ")[0], self.commands)
        return f"Type help for the commands{near}."

    def abbreviation(self, text: str) -> bool:
        """Whether the text is the beginning of commands or actions; one is obeyed."""
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
            self.obey(f"{known[0]} {rest}".strip())
        return bool(known) and known != ["quit"]

    # What happens.

    def let_agents_act(self) -> None:
        """Play the agents' turns until a person is to act."""
        before = self.scene

        def tell(events: list[EventView]) -> None:
            nonlocal before
            self.tell(events, before)
            before = self.scene
            if not self.game.has_people:
                self.show()

        try:
            drive(self.game, tell)
        except GameLost:
            raise
        except ParlourError as error:
            self.failed_at = self.game.version
            self.say(f"{sentence(error)} {WAYS_OUT}")

    def tell_news(self) -> None:
        """Say what happened while nobody waited for it."""
        before = self.scene
        events = self.game.check_clocks()
        if events:
            self.tell(events, before)
            self.show()

    def tell(self, events: list[EventView], before: Scene) -> None:
        """Say what happened; a person's own action only where boards are in words."""
        people = self.game.people
        for view in events:
            if view.seat not in people or view.is_aside or self.in_words:
                self.say(view.sentence)
        self.tell_changes(before)

    def tell_changes(self, before: Scene) -> None:
        """Say what is another on the board now, where boards are in words."""
        if self.in_words:
            for line in changes(before, self.scene):
                self.say(f"  {line}")

    def describe(self) -> None:
        """The whole board in words."""
        self.say("\n".join(["", *board_words(self.scene)]))

    def show_board(self) -> None:
        """Draw the board again, or describe all of it."""
        if self.in_words:
            self.describe()
        self.show()

    def show(self) -> None:
        """Draw or describe the board, and say what can be done."""
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
        self.say("The game is over: there is none." if over else list_actions(self.scene))
