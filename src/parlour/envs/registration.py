"""The games under Gymnasium's names: `parlour/CatMouse-v0`."""

import gymnasium
from gymnasium.envs.registration import registry

from parlour.core.registry import game_names

NAMESPACE = "parlour"
VERSION = 0


def env_id(name: str) -> str:
    """The id of a game of that name."""
    words = "".join(word.capitalize() for word in name.replace("-", "_").split("_"))
    return f"{NAMESPACE}/{words}-v{VERSION}"


def register_games() -> list[str]:
    """Make every game known to Gymnasium that is not yet; the ids of all of them.

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
