"""A game line by line: for pipes, scripts and terminals that can do no more."""

import sys
from typing import TextIO

from parlour.core.errors import ActionTextError
from parlour.core.game import CHANCE, OVER, Game, State
from parlour.core.rng import Rng
from parlour.terminal.drawing import draw, list_actions

SHOWN_ACTIONS = 24

HELP = """\
Type the text of an action, as listed under the board, or one of these:
  actions  list every legal action
  board    draw the board again
  help     this text
  undo     take the last action back
  new      start again from a new seed
  quit     leave"""


class LineGame:
    """One game for the people at this terminal, taking turns at the keyboard."""

    def __init__(
        self, game: Game, seeds: Rng, stdin: TextIO | None = None, stdout: TextIO | None = None
    ) -> None:
        """`seeds` gives each new game its seed; the streams are the process's own by default."""
        self.game = game
        self.seeds = seeds
        self.stdin = stdin or sys.stdin
        self.stdout = stdout or sys.stdout
        self.history: list[State] = []
        self.chance = Rng(0)

    def run(self, seed: int | None = None) -> int:
        """Play until the player leaves; the exit status. `seed` is the first game's."""
        self.say(f"{self.game.title}. Type help for help.")
        self.new(seed)
        interrupted = False
        while True:
            try:
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
    def state(self) -> State:
        """The position on the board."""
        return self.history[-1]

    def say(self, text: str) -> None:
        """Print."""
        print(text, file=self.stdout, flush=True)

    def ask(self) -> str | None:
        """A line from the player, or `None` at the end of input."""
        print("> ", end="", file=self.stdout, flush=True)
        return (self.stdin.readline() or None) if self.stdin else None

    def obey(self, line: str) -> bool:
        """Carry out a line; whether to go on."""
        if line == "quit":
            self.say("Goodbye.")
            return False
        commands = {
            "": lambda: None,
            "actions": self.show_actions,
            "board": self.show,
            "help": self.help,
            "?": self.help,
            "new": self.new,
            "undo": self.undo,
        }
        command = commands.get(line)
        if command is not None:
            command()
        elif line.startswith("help "):
            self.explain(line.removeprefix("help ").strip())
        else:
            self.act(line)
        return True

    def help(self) -> None:
        """Explain the commands, and what this game can explain."""
        topics = self.game.help_topics()
        lines = [f"  help {topic}  {meaning}" for topic, meaning in topics.items()]
        self.say("\n".join([HELP, *lines]))

    def explain(self, topic: str) -> None:
        """Show what the game has to say on a topic of its own."""
        text = self.game.explain(self.state, topic)
        if text is None:
            topics = ", ".join(self.game.help_topics()) or "none"
            text = f"There is no help on {topic!r}; this game's topics: {topics}."
        self.say(text)

    def new(self, seed: int | None = None) -> None:
        """Start a game, from a fresh seed unless one is given."""
        chosen = self.seeds.next32() if seed is None else seed
        self.chance = Rng(chosen)
        self.history = [self.game.start(chosen)]
        self.say(f"New game, seed {chosen}.")
        self.let_chance_act()
        self.show()

    def undo(self) -> None:
        """Take the last action back, but never a random event."""
        if len(self.history) > 1:
            self.history.pop()
            self.show()
        else:
            self.say("There is no action to take back.")

    def act(self, text: str) -> None:
        """Play an action's text, or say what would be right."""
        if self.state.actor == OVER:
            self.say("The game is over: type new, undo or quit.")
            return
        try:
            action = self.game.action_from_text(self.state, text)
        except ActionTextError as error:
            self.say(f"{error}. Type help for the commands.")
            return
        reason = self.state.refusal(action)
        if reason is not None:
            self.say(f"{text} is not legal: {reason}.")
            self.show_actions()
            return
        self.history.append(self.state.apply(action))
        self.let_chance_act()
        self.show()

    def let_chance_act(self) -> None:
        """Draw random events; what lies before one cannot be taken back."""
        while self.state.actor == CHANCE:
            outcome = self.state.sample(self.chance)
            text = self.game.action_to_text(self.state, outcome)
            self.history = [self.state.apply(outcome)]
            self.say(f"Chance: {text}")

    def show(self) -> None:
        """Draw the board and what can be done."""
        scene = self.state.scene(None)
        self.say("\n" + draw(scene))
        if scene.actions:
            self.say(list_actions(scene, SHOWN_ACTIONS))
        else:
            self.say("Type new, undo or quit.")

    def show_actions(self) -> None:
        """List every legal action."""
        scene = self.state.scene(None)
        self.say(list_actions(scene) if scene.actions else "The game is over: there is none.")
