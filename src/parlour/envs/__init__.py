"""Every game as a training environment for PettingZoo, Gymnasium and OpenSpiel.

- `parlour.envs.aec("banqi")`: PettingZoo, agents take turns.
- `parlour.envs.versus("octa", opponents="level:3")`: Gymnasium, one seat against opponents.
- `parlour.envs.vector("blokus", 256)`: Gymnasium vector environment for self-play.
- `gymnasium.make("parlour.envs:parlour/CatMouse-v0")`: the same as `versus`.
- `parlour.envs.evaluate(policy, "octa", opponents="level:3", games=200)`: measure a policy.
- `parlour.envs.openspiel.register()`: `parlour_octa` and others in pyspiel.
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
    """Return the Gymnasium id of a game, such as `parlour/CatMouse-v0`."""
    words = "".join(word.capitalize() for word in name.replace("-", "_").split("_"))
    return f"{NAMESPACE}/{words}-v{VERSION}"


def register_games() -> list[str]:
    """Register every game with Gymnasium; return all ids.

    Importing `parlour.envs` calls it. Call it again after `parlour.register`.

    >>> from parlour.envs import register_games
    >>> "parlour/Octa-v0" in register_games()
    True
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
    """Return a game as a PettingZoo AEC environment.

    - `game`: a `Game`, or its name or text; `options` are the game's options.
    - `render_mode`: `ansi`, `rgb_array`, or `human` to print.
    - `flat`: observations are one float32 array, and the action mask is in the infos.
    - `illegal`: `raise`, or `lose` to end the episode with -1 for the seat that acted.
    - `max_plies`: truncates the episode.
    - `statistics`: `infos[agent]["episode"]` has `r`, `l` and `t` at the end.

    >>> from parlour.envs import aec
    >>> aec("octa").possible_agents
    ['player_0', 'player_1']
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
    """Return one seat of a game as a Gymnasium environment; opponents play the other seats.

    - `opponents`: an agent's text, a function `policy(observation, action_mask)`, or a list of
      them, from which each other seat draws one per episode.
    - `seat`: the learner's seat; `None` draws one per episode.

    The other parameters are those of `aec`.

    >>> from parlour.envs import versus
    >>> observation, info = versus("octa", opponents="random", seat=0).reset(seed=1)
    >>> info["seat"]
    0
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
    """Return many games as a Gymnasium vector environment for self-play.

    - `processes`: worker processes that share the games; the results do not depend on it.
    - `copy`: with `False`, observations are read-only views that the next step overwrites.
    - `starts`: the number of different starts, of which each game draws one.

    The other parameters are those of `aec`.

    >>> from parlour.envs import vector
    >>> observation, infos = vector("octa", 16).reset(seed=1)
    >>> observation["action_mask"].shape[0]
    16
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
    """Import `parlour.envs.openspiel` on first access, because it needs open_spiel."""
    if name == "openspiel":
        from importlib import import_module

        return import_module("parlour.envs.openspiel")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
