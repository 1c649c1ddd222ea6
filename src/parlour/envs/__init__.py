"""Every game as a training environment: PettingZoo, Gymnasium and OpenSpiel.

parlour.envs.aec("banqi")                              # PettingZoo: agents take turns
parlour.envs.versus("octa", opponents="level:3")       # Gymnasium: one seat, others inside
parlour.envs.vector("blokus", 256)                     # many games at once, self-play
gymnasium.make("parlour.envs:parlour/CatMouse-v0")     # the same as versus
parlour.envs.evaluate(policy, "octa", opponents="level:3", games=200)
parlour.envs.openspiel.register()                      # parlour_octa and others in pyspiel
"""

from typing import TYPE_CHECKING, Any

from parlour.core.errors import MissingExtra
from parlour.core.registry import game_names

try:
    import gymnasium
    from gymnasium.envs.registration import registry

    from parlour.envs import settings
    from parlour.envs.errors import ActionsError, NotRunning, WorkerLost
    from parlour.envs.evaluation import Evaluation, evaluate
except ModuleNotFoundError as error:
    if error.name not in ("gymnasium", "numpy"):
        raise
    raise MissingExtra(
        f"environments need the extra: pip install 'parlour[envs]' ({error.name} is missing)"
    ) from None

if TYPE_CHECKING:
    from parlour.envs.aec_env import AecEnv
    from parlour.envs.vector_env import SelfPlayEnv
    from parlour.envs.versus_env import VersusEnv

__all__ = [
    "ActionsError",
    "Evaluation",
    "NotRunning",
    "WorkerLost",
    "aec",
    "evaluate",
    "register_games",
    "vector",
    "versus",
]

NAMESPACE = "parlour"
VERSION = 0


def env_id(name: str) -> str:
    """Return the id of a game in Gymnasium: `parlour/CatMouse-v0`."""
    words = "".join(word.capitalize() for word in name.replace("-", "_").split("_"))
    return f"{NAMESPACE}/{words}-v{VERSION}"


def register_games() -> list[str]:
    """Register every game with Gymnasium that is not registered yet. Return all their ids.

    Called when `parlour.envs` is imported; call it again after `parlour.register`.
    """
    found = []
    for name in game_names():
        known = env_id(name)
        found.append(known)
        if known not in registry:
            gymnasium.register(
                known, entry_point="parlour.envs.versus_env:VersusEnv", kwargs={"game": name}
            )
    return found


register_games()


def aec(
    game: object,
    *,
    render_mode: str | None = None,
    flat: bool = False,
    illegal: str = settings.RAISE,
    max_plies: int | None = None,
    statistics: bool = False,
    **options: Any,
) -> "AecEnv":
    """The game of that name or text, or a `Game`, as an AEC environment of PettingZoo.

    `render_mode` is `ansi`, `rgb_array` or `human`, which prints. With `flat` observations are
    one array of float32, and the mask is in the infos. `illegal` is `raise`, or `lose` to end
    the episode with -1 for who does what is not legal. `max_plies` truncates. With `statistics`
    `infos[agent]["episode"]` has `r`, `l` and `t` at the end. `options` are the game's own.
    """
    try:
        from parlour.envs.aec_env import AecEnv
    except ModuleNotFoundError as error:
        if error.name != "pettingzoo":
            raise
        raise MissingExtra("aec needs the extra: pip install 'parlour[envs]'") from None
    return AecEnv(
        settings.game_of(game, options),
        render_mode=render_mode,
        flat=flat,
        illegal=illegal,
        max_plies=max_plies,
        statistics=statistics,
    )


def versus(
    game: Any,
    *,
    opponents: Any = "level:3",
    seat: int | None = None,
    render_mode: str | None = None,
    flat: bool = False,
    illegal: str = settings.RAISE,
    max_plies: int | None = None,
    statistics: bool = False,
    **options: Any,
) -> "VersusEnv":
    """One seat of a game as an environment of Gymnasium; the others are played inside.

    `opponents` is an agent's text, or a function `policy(observation, action_mask)`, or a list
    of such, from which each other seat gets one in each episode. `seat` is the own one, `None`
    for another one in each episode. The other parameters are those of `aec`.
    """
    from parlour.envs.versus_env import VersusEnv

    return VersusEnv(
        game,
        opponents=opponents,
        seat=seat,
        render_mode=render_mode,
        flat=flat,
        illegal=illegal,
        max_plies=max_plies,
        statistics=statistics,
        **options,
    )


def vector(
    game: object,
    num_envs: int,
    *,
    processes: int = 1,
    copy: bool = True,
    flat: bool = False,
    illegal: str = settings.RAISE,
    max_plies: int | None = None,
    starts: int | None = None,
    statistics: bool = False,
    **options: Any,
) -> "SelfPlayEnv":
    """Many games at once as a vector environment of Gymnasium: self-play on `parlour.Batch`.

    `processes` share the games; the results are the same for any number of them. With
    `copy=False` observations are read-only views that the next step changes. With `starts`
    games begin with one of so many starts. The other parameters are those of `aec`.
    """
    from parlour.envs.vector_env import SelfPlayEnv

    return SelfPlayEnv(
        settings.game_of(game, options),
        num_envs,
        processes=processes,
        copy=copy,
        flat=flat,
        illegal=illegal,
        max_plies=max_plies,
        starts=starts,
        statistics=statistics,
    )


def __getattr__(name: str) -> Any:
    """`parlour.envs.openspiel` without an import of its own; it needs open_spiel."""
    if name == "openspiel":
        from importlib import import_module

        return import_module("parlour.envs.openspiel")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
