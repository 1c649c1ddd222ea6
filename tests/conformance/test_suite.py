"""The suite finds what it promises to find: one broken game per promise."""

import pytest
from dice import Dice, DiceState
from nim import Nim, NimState

import parlour
from parlour import Actions, ActionView, IllegalAction, Result
from parlour.testing import ConformanceError, check_game


def new_class(base, **methods):
    """A subclass that can be pickled, which needs a name in this module."""
    name = f"{base.__name__}{len(globals())}"
    made = type(name, (base,), {"__module__": __name__, **methods})
    globals()[name] = made
    return made


def nim_with(**methods):
    """Nim whose states have other methods."""
    broken = new_class(NimState)

    def apply(self, action):
        return broken(self.game, self.heap - action - 1, 1 - self.seat)

    def start(self, seed=0):
        Nim.start(self, seed)
        return broken(self, self.options["heap"], 0)

    def state_from_text(self, text):
        state = Nim.state_from_text(self, text)
        return broken(self, state.heap, state.seat)

    broken.apply = apply
    for name, method in methods.items():
        setattr(broken, name, method)
    return new_class(Nim, start=start, state_from_text=state_from_text)(heap=6)


def game_with(**methods):
    return new_class(Nim, **methods)(heap=6)


def changing_apply(self, action):
    self.heap -= 0 if self.heap < 3 else 1
    return NimState(self.game, max(0, self.heap - action - 1), 1 - self.seat)


BROKEN = {
    "legal actions ascend": nim_with(legal_actions=lambda s: Actions([1, 0][: s.heap])),
    "occur once": nim_with(legal_actions=lambda s: Actions([0, 0] if s.heap else [])),
    "no legal action if, and only if, OVER": nim_with(legal_actions=lambda s: Actions([])),
    "a result if, and only if, OVER": nim_with(result=lambda s: None),
    "agrees with legal_actions": nim_with(rule_against=lambda s, a: None),
    "one return per seat": nim_with(result=lambda s: None if s.heap else Result((0.0,), None, "x")),
    "returns lie in": nim_with(result=lambda s: None if s.heap else Result((2.0, -2.0), None, "x")),
    "returns sum to 0": nim_with(
        result=lambda s: None if s.heap else Result((1.0, 1.0), None, "x")
    ),
    "has a reason": nim_with(result=lambda s: None if s.heap else Result((1.0, -1.0), None, " ")),
    "sample draws legal actions only": nim_with(sample=lambda s, r: 2 if s.heap == 1 else 0),
    "evaluate stays within 0.96 of 0": nim_with(evaluate=lambda s, seat: 0.97),
    "evaluate stays within 1 of 0": nim_with(evaluate=lambda s, seat: 0.5 if s.heap else 1.5),
    "actor: a seat": nim_with(actor=property(lambda s: 5 if s.heap else -2)),
    "advance and apply agree": nim_with(advance=lambda s, a: s.apply(0)),
    "has no space": game_with(action_to_text=lambda g, s, a: f"take {a + 1}"),
    "share a text": game_with(action_to_text=lambda g, s, a: "take"),
    "starts with '='": game_with(action_to_text=lambda g, s, a: f"={a}"),
    "a state equals its text": game_with(
        state_from_text=lambda g, t: NimState(g, Nim.state_from_text(g, t).heap, 1)
    ),
    "text that is no state": game_with(
        state_from_text=lambda g, t: Nim.state_from_text(g, t) if "left" in t else NimState(g, 6, 0)
    ),
    "rows * cols": game_with(scene=lambda g, s, v: Nim.scene(g, s, v)._replace(cells=())),
    "label": game_with(
        scene=lambda g, s, v: Nim.scene(g, s, v)._replace(
            cells=tuple(c._replace(label="") for c in Nim.scene(g, s, v).cells)
        )
    ),
    "the same seed gives the same start": game_with(
        start=lambda g, seed=0: NimState(g, 6, next(TOGGLE))
    ),
    "a seed that is no int": game_with(start=lambda g, seed=0: NimState(g, 6, 0)),
}
TOGGLE = iter([0, 1] * 1000)


@pytest.mark.parametrize("promise", BROKEN)
def test_a_broken_promise_is_named(promise):
    with pytest.raises(ConformanceError) as caught:
        check_game(BROKEN[promise])
    assert promise in str(caught.value)


def test_a_state_that_apply_changes_is_found():
    with pytest.raises(ConformanceError):
        check_game(nim_with(apply=changing_apply))


class Loaded(DiceState):
    def chance_outcomes(self):
        return [(1, 0.5), (4, 0.5), (6, 0.5)] if self.rolled else []

    def apply(self, action):
        after = super().apply(action)
        return Loaded(self.game, after.steps, after.turns, after.rolled)


class LoadedDice(Dice):
    def start(self, seed=0):
        return Loaded(self, (0, 0), 0, False)

    def state_from_text(self, text):
        state = super().state_from_text(text)
        return Loaded(self, state.steps, state.turns, state.rolled)


def test_odds_that_do_not_sum_to_one_are_found():
    with pytest.raises(ConformanceError, match=r"the odds sum to 1, not 1\.5"):
        check_game(LoadedDice())


class Long(Nim):
    def action_view(self, state, action):
        return ActionView(action, f"take{action + 1}")

    def scene(self, state, seat):
        return Nim.scene(self, NimState(self, min(state.heap, 2), state.seat), seat)

    def start(self, seed=0):
        return NimState(self, 6, 0)

    def state_from_text(self, text):
        state = Nim(heap=6).state_from_text(text)
        return NimState(self, state.heap, state.seat)


def test_a_game_longer_than_max_plies_is_found():
    with pytest.raises(ConformanceError, match="ends within max_plies, 2"):
        check_game(Long(heap=2))


def test_a_game_under_another_name_than_its_own_is_found():
    parlour.register("nimble", Nim)
    with pytest.raises(ConformanceError, match="the one it is registered under, 'nimble'"):
        check_game("nimble")


def test_the_way_to_see_it_again_is_told():
    with pytest.raises(ConformanceError, match=r"\(start\(0\), then \["):
        check_game(BROKEN["returns sum to 0"])


def test_an_error_where_none_may_be_is_a_broken_promise():
    def refuse(state, action):
        raise IllegalAction("never")

    with pytest.raises(ConformanceError, match="raised IllegalAction where it must not"):
        check_game(nim_with(rule_against=refuse))
