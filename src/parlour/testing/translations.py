"""Find the texts of a game that have no translation."""

import random
from collections.abc import Iterator

from parlour.core.game import CHANCE, Game, State
from parlour.core.scene import Scene
from parlour.translations import Translator, has_words, translations

PLAYS = 4
TRIED = 40


def missing_translations(game: Game, language: str, plays: int = PLAYS, seed: int = 1) -> list[str]:
    """Return the texts, or the parts of texts, without a translation, sorted.

    Walks the options, the guide and `plays` random games; looks at every scene, action and
    refusal on the way. A test of a game's package can assert that the list is empty.
    """
    translator = Translator(translations(game.name, language))
    texts = {*described(game)}
    rng = random.Random(seed)
    for number in range(plays):
        texts.update(played(game, number, rng))
    if game.guide().has_solver:
        texts.update(played(game, seed, rng, solves=True))
    return sorted({part for text in texts if has_words(text) for part in translator.missing(text)})


def described(game: Game) -> Iterator[str]:
    """Yield the title, the summary, the options and the rules."""
    yield game.title
    for option in type(game).OPTIONS:
        yield option.words()
        yield option.help
        yield from option.choice_labels or option.choices
    guide = game.guide()
    yield guide.summary
    for section in guide.rules():
        yield from section


def played(game: Game, seed: int, rng: random.Random, solves: bool = False) -> Iterator[str]:
    """Yield the texts of a random game, or of one that follows the solution."""
    guide = game.guide()
    start = state = game.start(seed)
    solution = iter((guide.solution(start) or ()) if solves else ())
    for step in guide.coach(start):
        yield step.text
    while not state.is_over:
        yield from shown(state, rng)
        if state.actor == CHANCE:
            action = rng.choice([outcome for outcome, _ in state.chance_outcomes()])
        else:
            yield from refused(state, rng)
            action = next(solution, -1)
            if action < 0:
                action = rng.choice([*state.legal_actions()])
            for frame in game.frames(state, action):
                yield from scene_texts(frame)
        yield game.action_words(state, action, None)
        yield guide.remark(start, state, None)
        state = state.apply(action)
    yield from shown(state, rng)
    yield guide.remark(start, state, None)


def shown(state: State, rng: random.Random) -> Iterator[str]:
    """Yield what a player sees in a position."""
    scene = state.scene(max(state.actor, 0))
    yield from scene_texts(scene)
    for view in rng.sample(scene.actions, min(len(scene.actions), TRIED)):
        yield view.text


def scene_texts(scene: Scene) -> Iterator[str]:
    """Yield the texts of a scene: cells, seats and status."""
    yield scene.status
    yield from {cell.label for cell in scene.cells}
    yield from scene.names
    for seat in scene.seats:
        yield seat.score
        yield from seat.tray_texts()


def refused(state: State, rng: random.Random) -> Iterator[str]:
    """Yield why some actions are not legal."""
    for _ in range(TRIED):
        yield state.refusal(rng.randrange(state.game.num_actions)) or ""
