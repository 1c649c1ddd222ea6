"""Train an agent for Cat and Mouse with PPO: MaskablePPO of sb3-contrib on `parlour.envs`.

    pip install 'parlour[envs]' -r examples/ppo_requirements.txt
    python examples/ppo_cat_mouse.py                     minutes on one core; then evaluations

The weights are written to `ppo_cat_mouse.npz` in the current folder. From there they can be used as
an agent, without torch, if the folder of this file is on the module path. The cat has the only
seat,
so agents do not meet: they hunt from the same starts.

    parlour watch cat_mouse --against ppo_cat_mouse:Trained
    parlour match cat_mouse ppo_cat_mouse:Trained greedy level:3 --games 200

The network sees the obstacles around the cat and around the mouse, and the offset of the mouse from
the cat. Random play hardly ever wins, so the reward is shaped: coming closer earns the change of a
potential. The potential does not change which policy is optimal.
"""

import argparse
import time

import gymnasium
import numpy as np

import parlour
import parlour.envs
from parlour.agents import Agent, Analysis, Choice

FILE = "ppo_cat_mouse.npz"
SIDE = 25
SIGHT = 5
"""The number of cells visible in each direction around the cat and around the mouse."""
WINDOW = 2 * SIGHT + 1
GAMMA = 0.99
NEARNESS = 2.0
"""The growth of the potential from one corner of the board to the opposite one."""
RIVALS = ("random", "greedy", "mcts:sims=100,cutoff=20", "level:2", "level:3")
PLY_CAP = 100
"""The ply cap while training: lost episodes end soon. The agent can play with any."""


def places(planes: np.ndarray) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the row and column of the cat, and of the mouse."""
    return divmod(int(planes[1].argmax()), SIDE), divmod(int(planes[2].argmax()), SIDE)


def features(planes: np.ndarray) -> np.ndarray:
    """Return the network's input from the planes (3, 25, 25): numbers from -1 to 1."""
    walls = np.ones((SIDE + 2 * SIGHT, SIDE + 2 * SIGHT), np.float32)
    walls[SIGHT:-SIGHT, SIGHT:-SIGHT] = planes[0]
    cat, mouse = places(planes)
    rows, cols = mouse[0] - cat[0], mouse[1] - cat[1]
    near = np.zeros((WINDOW, WINDOW), np.float32)
    if max(abs(rows), abs(cols)) <= SIGHT:
        near[rows + SIGHT, cols + SIGHT] = 1.0
    windows = [walls[row : row + WINDOW, col : col + WINDOW].ravel() for row, col in (cat, mouse)]
    # An even distance stays even: such a mouse can be trapped, but not caught.
    numbers = [rows / SIDE, cols / SIDE, np.sign(rows), np.sign(cols), (rows + cols) % 2]
    return np.concatenate([*windows, near.ravel(), np.array(numbers, np.float32)])


def potential(planes: np.ndarray) -> float:
    """Return the shaping potential: higher when closer, at most 0."""
    (row, col), (to_row, to_col) = places(planes)
    return -NEARNESS * (abs(row - to_row) + abs(col - to_col)) / (2 * SIDE)


class Hunt(gymnasium.Wrapper):
    """Cat and Mouse with the network's features and a shaped reward."""

    observation_space = gymnasium.spaces.Box(-1.0, 1.0, (3 * WINDOW**2 + 5,), np.float32)

    def reset(self, **given):
        """Begin an episode."""
        seen, info = self.env.reset(**given)
        self._potential = potential(seen["observation"])
        return features(seen["observation"]), info

    def step(self, action):
        """Apply a step of the cat and the mouse's answer."""
        seen, reward, terminated, truncated, info = self.env.step(action)
        before, self._potential = self._potential, potential(seen["observation"])
        reward += (0.0 if terminated else GAMMA * self._potential) - before
        return features(seen["observation"]), reward, terminated, truncated, info


class Network:
    """The trained actor and critic in numpy."""

    ACTOR = ("mlp_extractor.policy_net.0", "mlp_extractor.policy_net.2", "action_net")
    CRITIC = ("mlp_extractor.value_net.0", "mlp_extractor.value_net.2", "value_net")

    def __init__(self, weights) -> None:
        """Store the arrays by the names that sb3 gives them."""
        self.weights = dict(weights)

    def odds(self, planes: np.ndarray, legal: np.ndarray) -> np.ndarray:
        """Return the policy's probability of each step; 0 for illegal ones."""
        scores = self._through(self.ACTOR, features(planes))
        grown = np.exp(scores - scores[legal].max()) * legal
        return grown / grown.sum()

    def drawn(self, planes: np.ndarray, legal: np.ndarray, rng: np.random.Generator) -> int:
        """Sample a step from the policy; a deterministic hunter would run in circles."""
        return int(rng.choice(4, p=self.odds(planes, legal)))

    def value(self, planes: np.ndarray) -> float:
        """Return the expected return: the critic's value without the shaping."""
        return float(self._through(self.CRITIC, features(planes))[0]) + potential(planes)

    def _through(self, layers: tuple[str, ...], numbers: np.ndarray) -> np.ndarray:
        for name in layers:
            sums = self.weights[f"{name}.weight"] @ numbers + self.weights[f"{name}.bias"]
            numbers = np.maximum(sums, 0.0)
        return sums


def seen_by_cat(state: parlour.State) -> tuple[np.ndarray, np.ndarray]:
    """Return the planes, and which steps are legal."""
    planes, _ = parlour.observer(state.game).observe(state, 0)
    legal = np.isin(np.arange(4), list(state.legal_actions()))
    return np.frombuffer(planes, np.uint8).reshape(3, SIDE, SIDE), legal


class Trained(Agent):
    """Samples steps from the network's policy."""

    def __init__(self, seed: int = 0, blunder: float | None = None) -> None:
        """Load the network from the current folder."""
        super().__init__(seed, blunder)
        self.dice = np.random.default_rng(seed % 2**64)
        with np.load(FILE, allow_pickle=False) as weights:
            self.network = Network(weights)

    def check_game(self, game: parlour.Game) -> None:
        """Raise `AgentError` unless the game is Cat and Mouse."""
        if game.name != "cat_mouse":
            raise parlour.AgentError("this network plays Cat and Mouse only")

    def analyse(self, state: parlour.State) -> Analysis:
        """Return every step, most likely first; the value is that of the position."""
        began = time.perf_counter()
        planes, legal = seen_by_cat(state)
        odds = self.network.odds(planes, legal)
        value = min(max(self.network.value(planes), -1.0), 1.0)
        likeliest = sorted(state.legal_actions(), key=lambda action: -odds[action])
        texts = [state.game.action_to_text(state, action) for action in likeliest]
        choices = (Choice(a, t, value, 0, 0, (t,)) for a, t in zip(likeliest, texts, strict=True))
        return Analysis(tuple(choices), 1, time.perf_counter() - began)

    def best(self, state: parlour.State, limit: object = None) -> int:
        """Sample a step from the policy."""
        return self.network.drawn(*seen_by_cat(state), self.dice)


def train(steps: int, seed: int = 1) -> tuple[Network, Network]:
    """Train for this many steps; return the network before and after."""
    import torch
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.vec_env import DummyVecEnv, VecMonitor

    torch.set_num_threads(1)
    hunts = [lambda: Hunt(parlour.envs.versus("cat_mouse", ply_cap=PLY_CAP))] * 16
    model = MaskablePPO(
        "MlpPolicy", VecMonitor(DummyVecEnv(hunts)), learning_rate=lambda left: 7e-4 * left,
        n_steps=256, batch_size=512, n_epochs=4, gamma=GAMMA, ent_coef=0.01, seed=seed,
        policy_kwargs={"net_arch": [128, 128], "activation_fn": torch.nn.ReLU},
        device="cpu", verbose=1,
    )  # fmt: skip
    weights = model.policy.state_dict()  # training updates these tensors in place
    before = Network({name: tensor.numpy().copy() for name, tensor in weights.items()})
    model.learn(steps, log_interval=20)
    return before, Network({name: tensor.numpy() for name, tensor in weights.items()})


def main() -> None:
    """Train, save and compare."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=1_500_000, help="training steps of the cat")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=400, help="games per evaluation")
    chosen = parser.parse_args()
    before, after = train(chosen.steps, chosen.seed)
    np.savez_compressed(FILE, **after.weights)
    print(f"Trained in {time.process_time():.0f} s of CPU, written to {FILE}.\n")
    rng = np.random.default_rng(chosen.seed)
    entrants = {
        "before training": lambda seen, mask: before.drawn(seen["observation"], mask != 0, rng)
    } | {text: text for text in ("ppo_cat_mouse:Trained", *RIVALS)}
    for ply_cap in (PLY_CAP, 500):
        print(f"Hunts won within {ply_cap} steps, of {chosen.games} from the same starts:")
        game = parlour.game("cat_mouse", ply_cap=ply_cap)
        for name, who in entrants.items():
            found = parlour.envs.evaluate(who, game, games=chosen.games, seed=chosen.seed)
            won, low, high = (100 * share for share in found.score)
            print(f"  {name:24} {won:5.1f} % [{low:.1f}, {high:.1f}]", flush=True)


if __name__ == "__main__":
    main()
