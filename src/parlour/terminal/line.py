"""A game line by line: for pipes, scripts, screen readers and simple terminals."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TextIO

from parlour.agents.hints import advise, analyse
from parlour.core.errors import ActionTextError, ParlourError
from parlour.core.files import write_atomically
from parlour.core.game import CHANCE, OVER
from parlour.core.options import did_you_mean
from parlour.core.scene import Scene
from parlour.scenes.choices import analysis_lines, choice_words
from parlour.scenes.text import draw, list_actions
from parlour.scenes.words import (
    changes,
    every_cell,
    find_cell,
    row_words,
    seat_words,
)
from parlour.table import PERSON, Event, Table
from parlour.table.clock import clock_face
from parlour.table.opening import Opening

SHOWN_ACTIONS = 24

HELP = """\
Type the text of an action, as listed under the board, or one of these (the first letters
are enough where they are clear):
  actions  list every legal action
  analyse  what a strong agent thinks of the choices
  board    draw the board again
  cells    every cell in words
  draw     offer a draw, or accept the other's offer
  help     this text
  hint     an action to consider
  history  the actions so far
  look     one cell or row in words: look ROW COLUMN, look ROW
  new      start another game
  quit     leave; the game is kept
  resign   give the game up
  save     save FILE writes the record there; save alone says where it is kept
  undo     take your last action back
  words    words on describes boards and changes in words, words off draws them"""


class LineGame:
    """One game after another for the people at this terminal."""

    def __init__(
        self,
        opening: Opening,
        stdin: TextIO | None = None,
        stdout: TextIO | None = None,
        in_words: bool = False,
    ) -> None:
        """The streams are the process's own by default; `in_words` draws no board."""
        self.opening = opening
        self.stdin = stdin or sys.stdin
        self.stdout = stdout or sys.stdout
        self.in_words = in_words
        self.warned = ""
        self.table: Table
        self.commands: dict[str, Callable[[str], None]] = {
            "actions": lambda _: self.show_actions(),
            "analyse": lambda _: self.analyse(),
            "board": lambda _: self.show(),
            "cells": lambda _: self.say("\n".join(every_cell(self.scene))),
            "draw": lambda _: self.offer_draw(),
            "help": self.help,
            "?": self.help,
            "hint": lambda _: self.hint(),
            "history": lambda _: self.show_history(),
            "look": self.look,
            "new": lambda _: self.new(),
            "resign": lambda _: self.resign(),
            "save": self.save,
            "undo": lambda _: self.undo(),
            "words": self.set_words,
        }

    def run(self) -> int:
        """Play until the player leaves; the exit status."""
        self.say(f"{self.opening.game.title}. Type help for help.")
        interrupted = False
        started = False
        while True:
            try:
                if not started:
                    started = True
                    self.new()
                elif self.is_agents_turn():  # somebody interrupted it
                    self.let_agents_act()
                    self.show()
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
                    "\nInterrupted: the game is still here. Type quit, or Ctrl-C again, to leave."
                )

    @property
    def scene(self) -> Scene:
        """What the person at the keyboard may see."""
        return self.table.state.scene(self.table.viewer)

    def say(self, text: str) -> None:
        """Print."""
        print(text, file=self.stdout, flush=True)

    def ask(self) -> str | None:
        """A line from the player, or `None` at the end of input."""
        print("> ", end="", file=self.stdout, flush=True)
        return (self.stdin.readline() or None) if self.stdin else None

    def obey(self, line: str) -> bool:
        """Carry out a line; whether to go on. A refusal is said, and changes nothing."""
        if not line:
            return True
        word, _, rest = line.partition(" ")
        if word in ("quit", "exit") or (not rest and word == "q"):
            self.say("Goodbye." if not self.table.path else f"Goodbye. {self.kept()}")
            return False
        try:
            command = self.commands.get(word)
            if command is not None:
                command(rest.strip())
            else:
                self.act(line)
        except ParlourError as error:
            self.say(_sentence(str(error)))
        self.warn()
        return True

    def kept(self) -> str:
        """Where the game is, or why it is nowhere."""
        if self.table.save_problem:
            return self.table.save_problem
        if self.table.path is None or not self.table.path.exists():
            return "The game is not kept."
        return f"The game is kept in {self.table.path}."

    def warn(self) -> None:
        """Say once that the game cannot be saved."""
        if self.table.save_problem != self.warned:
            self.warned = self.table.save_problem
            if self.warned:
                self.say(self.warned)

    # Commands.

    def help(self, topic: str) -> None:
        """Explain the commands, or a topic of the game's own."""
        game = self.table.game
        topics = game.help_topics()
        if not topic:
            lines = [f"  help {name}  {meaning}" for name, meaning in topics.items()]
            self.say("\n".join([HELP, *lines]))
            return
        text = game.explain(self.table.state, topic, self.table.viewer)
        known = ", ".join(topics) or "none"
        self.say(text or f"There is no help on {topic!r}; this game's topics: {known}.")

    def new(self) -> None:
        """Start a game, or take one up."""
        taken_up = self.opening.resumed
        self.table = self.opening.sit_down()
        if taken_up is not None:
            count = sum(event.seat != CHANCE for event in self.table.events)
            self.say(f"Taking up {taken_up.name} after {count} actions.")
        else:
            self.say(f"New game, seed {self.table.seed}.")
            if self.table.game.has_chance:
                self.say(f"Chance is fixed by a key with the SHA-256 {self.table.commitment}.")
            self.tell(self.table.events)
        self.let_agents_act()
        self.show()

    def undo(self) -> None:
        """Take the last action of a person back."""
        undone = self.table.takeback()
        self.say("Taken back: " + ", ".join(event.text for event in undone) + ".")
        self.let_agents_act()
        self.show()

    def resign(self) -> None:
        """Give up for the person to act."""
        self.table.resign(self.person())
        self.show()

    def offer_draw(self) -> None:
        """Offer or accept a draw for the person to act."""
        self.person()
        if self.table.offer_draw(self.table.draw_speaker) is None:
            self.say("The draw is offered: the other player types draw to accept, or plays on.")
        else:
            self.show()

    def person(self) -> int:
        """The person to act; `ActionTextError` after the end."""
        if self.table.is_over:
            raise ActionTextError("The game is over: type new, undo or quit")
        return self.table.actor

    def hint(self) -> None:
        """Name an action."""
        self.person()
        state, seat = self.table.state, self.table.actor
        self.say(f"Consider {choice_words(state, advise(state, seat), seat)}.")

    def analyse(self) -> None:
        """The best choices."""
        self.person()
        state, seat = self.table.state, self.table.actor
        self.say("\n".join(analysis_lines(state, analyse(state, seat), seat)))

    def look(self, where: str) -> None:
        """A cell or a row in words."""
        scene = self.scene
        if where in scene.board.row_names and where:
            self.say(row_words(scene, scene.board.row_names.index(where)))
            return
        cell = find_cell(scene, where)
        if cell is None:
            rows, cols = scene.board.row_names, scene.board.col_names
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
        self.show()

    def save(self, where: str) -> None:
        """Write the record to a file of the player's choice, or say where it is."""
        if not where:
            self.table.save()
            self.say(self.kept())
            return
        try:
            write_atomically(Path(where).expanduser(), self.table.record().to_text())
        except OSError as error:
            self.say(f"{where} cannot be written ({error.strerror}); the game goes on.")
        else:
            self.say(f"Saved in {where}.")

    def show_history(self) -> None:
        """The actions so far."""
        texts = [self.table.event_words(event) for event in self.table.events]
        self.say("\n".join(texts) if texts else "Nothing has happened yet.")

    def act(self, text: str) -> None:
        """Play an action's text, or say what would be right."""
        self.person()
        state = self.table.state
        try:
            action = self.table.game.action_from_text(state, text)
        except ActionTextError as error:
            if not self.abbreviation(text):
                self.say(f"{_sentence(str(error))} {self.suggestion(text)}")
            return
        reason = state.refusal(action)
        if reason is not None:
            self.say(f"{text} is not legal: {reason}.")
            self.show_actions()
            return
        self.tell(self.table.play(action))
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

    def is_agents_turn(self) -> bool:
        """Whether an agent is to act."""
        return not self.table.is_over and self.table.seats[self.table.actor] != PERSON

    def let_agents_act(self) -> None:
        """Play the agents' turns until a person is to act."""
        table = self.table
        while self.is_agents_turn():
            self.tell(table.play(table.agent_choice()))
            if not table.people:
                self.show()

    def tell(self, events: list[Event]) -> None:
        """Say what happened; a person's own action only where boards are in words."""
        for event in events:
            is_agent = event.seat != CHANCE and self.table.seats[event.seat] != PERSON
            if event.seat == CHANCE or is_agent or self.in_words:
                self.say(self.table.event_words(event))
            if self.in_words:
                viewer = self.table.viewer
                for line in changes(event.before.scene(viewer), event.after.scene(viewer)):
                    self.say(f"  {line}")

    def show(self) -> None:
        """Draw or describe the board, and say what can be done."""
        table, scene = self.table, self.scene
        if table.ending is not None:
            scene = scene._replace(status=table.outcome_words(), actor=OVER, actions=())
        if self.in_words:
            self.say("\n".join(["", *seat_words(scene), scene.status]))
        else:
            self.say("\n" + draw(scene))
        remark = table.game.remark(table.start, table.state, table.viewer)
        if remark:
            self.say(remark)
        if table.clocks is not None:
            faces = (clock_face(table.clocks.left(seat)) for seat in range(table.game.seats))
            self.say(f"Clocks: {' '.join(faces)}")
        if table.draw_offer is not None:
            self.say("A draw is offered: type draw to accept it.")
        if scene.actions:
            self.say(list_actions(scene, SHOWN_ACTIONS))
        elif table.is_over:
            if table.game.has_chance:
                self.say(f"The chance key was {table.reveal().hex()}.")
            self.say("Type new, undo or quit.")

    def show_actions(self) -> None:
        """List every legal action."""
        over = self.table.is_over
        self.say("The game is over: there is none." if over else list_actions(self.scene))


def _sentence(text: str) -> str:
    """An error as a sentence."""
    return f"{text[:1].upper()}{text[1:]}".rstrip(".") + "."
