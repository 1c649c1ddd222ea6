"""The page's picker behaves like the one in `drawing/`."""

import json
from pathlib import Path

VECTORS = json.loads((Path(__file__).parent.parent / "drawing" / "picker.json").read_text("utf-8"))

RUN = """
async ([scene, steps, base]) => {
  const {Picker} = await import(`${base}/picker.js`);
  const {sceneOf} = await import(`${base}/scene.js`);
  const picker = new Picker(sceneOf(scene));
  const up = (a, b) => a - b;
  const ways = {
    touch: (cell) => {
      const found = picker.touch(cell);
      const {touched} = picker;
      return {action: found.action?.id ?? null, refused: Boolean(found.refused), touched};
    },
    targets: () => [...picker.targets()].sort(up),
    groups: () => picker.groups,
    pick: (group) => picker.pick(group),
    turn: () => (picker.turn(), picker.shape),
    flip: () => (picker.flip(), picker.shape),
    ghost: (cell) => {
      const ghost = picker.ghost(cell);
      return ghost && {cells: ghost.cells.sort(up), action: ghost.action?.id ?? null};
    },
    places: () => picker.places(),
    step: ([cell, by]) => picker.step(cell, by),
  };
  return steps.map(([name, argument]) => ways[name](argument));
}
"""


def test_the_picker_matches_the_reference_vectors(server, visit):
    person = visit(server)
    person.page.goto(server.url)
    base = person.page.locator("script[src]").get_attribute("src").rsplit("/", 1)[0]
    for vector in VECTORS:
        answers = person.page.evaluate(RUN, [vector["scene"], vector["steps"], base])
        for (name, argument, expected), found in zip(vector["steps"], answers, strict=True):
            assert found == expected, (vector["game"], name, argument)
    assert {vector["game"] for vector in VECTORS} >= {"octa", "banqi"}
