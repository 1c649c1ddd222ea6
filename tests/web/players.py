"""Play whole games in the browser by mouse, touch, keys or accessible names."""

import random

import parlour


def banqi_near_its_end():
    """Return the record of a game that is almost over."""
    for seed in range(200):
        game = parlour.game("banqi", quiet_limit=14)
        rng = random.Random(seed)
        state, actions = game.start(seed), []
        while state.result() is None:
            if state.actor < 0:
                choice = rng.choice([action for action, _ in state.chance_outcomes()])
            else:
                choice = rng.choice(list(state.legal_actions()))
            actions.append(choice)
            state = state.apply(choice)
        record = parlour.Record(game, seed=seed, actions=actions[:-7])
        if len(actions) > 60 and record.final.result() is None and record.final.actor == 0:
            return record.to_text()
    raise AssertionError("no game ends as wanted")


def banqi_with_a_cannon_shot():
    """Return the record of a game in which seat 0 can jump, and the cells of the jump."""
    game, rng = parlour.game("banqi"), random.Random(1)
    state, actions = game.start(1), []
    while state.result() is None:
        if state.actor < 0:
            actions.append(rng.choice([action for action, _ in state.chance_outcomes()]))
        else:
            legal = list(state.legal_actions())
            for action in legal:
                cells = (action - 32) // 32, (action - 32) % 32
                if action >= 32 and state.actor == 0 and abs(cells[0] - cells[1]) not in (1, 8):
                    return parlour.Record(game, seed=1, actions=actions).to_text(), cells
            actions.append(rng.choice(legal))
        state = state.apply(actions[-1])
    raise AssertionError("no cannon can jump in this game")


def near_its_end(name, left, **options):
    """Return the record of a random game with about `left` moves to its end, and seat 0 to act."""
    game, rng = parlour.game(name, **options), random.Random(1)
    state, actions = game.start(1), []
    while state.result() is None:
        actions.append(rng.choice(list(state.legal_actions())))
        state = state.apply(actions[-1])
    while True:
        record = parlour.Record(game, seed=1, actions=actions[:-left])
        if record.final.actor == 0:
            return record.to_text()
        left += 1


def resumed(server, record, agents=1):
    """Go on with a recorded game against agents."""
    seats = [{"kind": "me"}] + [{"kind": "agent", "level": 1}] * agents
    answer = server.post("/tables", {"record": record, "seats": seats})
    assert answer.status_code == 201, answer.text
    return answer.json()


def table_of(server, kind):
    """Create a game of a kind that ends soon, against agents."""
    if kind == "banqi":
        return resumed(server, banqi_near_its_end())
    if kind == "octa":
        return resumed(server, near_its_end("octa", 8, size=2))
    if kind == "duo":
        return resumed(server, near_its_end("blokus", 8, variant="duo"))
    if kind == "blokus":
        return resumed(server, near_its_end("blokus", 16), agents=3)
    return server.table("cat_mouse", ["me"], options={"ply_cap": 8}, seed=7)


def customise(person, game):
    """Open the front page and the dialog that customises a game."""
    person.page.goto(person.server.url)
    person.page.get_by_role("button", name=f"Customise: {game}", exact=True).click()
    dialog = person.page.get_by_role("dialog")
    dialog.wait_for()
    return dialog


KINDS = ["octa", "banqi", "duo", "cat_mouse"]


def choose(scene, rng):
    """Choose an action; a large piece if there are pieces, to end the game soon."""
    actions = scene["actions"]
    laid = [action for action in actions if action["group"]]
    return max(laid, key=lambda action: len(action["cells"])) if laid else rng.choice(actions)


def play(person, act, most=200):
    """Play until the game is over; `act` executes one action."""
    rng = random.Random(1)
    for _ in range(most):
        if not person.wait_turn():
            return person.page.locator(".status-words").text_content()
        scene = person.scene()
        if not scene["actions"]:
            person.page.wait_for_timeout(20)
            continue
        before = len(person.page.query_selector_all(".history li"))
        act(person, scene, choose(scene, rng))
        person.page.wait_for_function(
            "(before) => document.querySelectorAll('.history li').length > before", arg=before
        )
    raise AssertionError("the game does not end")


# Ways to execute an action.


def by_mouse(person, scene, action):
    if not action["cells"]:
        person.page.locator(".named").get_by_role("button", name=action["text"]).click()
    elif action["group"]:
        cursor = take(person, scene, action, lambda locator: locator.click())
        person.cell(cursor).click()
    else:
        for cell in action["cells"]:
            person.cell(cell).click()


def by_touch(person, scene, action):
    if action["group"]:
        cursor = take(person, scene, action, lambda locator: locator.tap())
        person.drag_under(cursor)
        held = person.page.evaluate("() => document.querySelector('parlour-board').ghost.cells")
        assert sorted(held) == sorted(action["cells"])
        person.page.get_by_role("button", name="Place").tap()
        return
    if person.page.locator(".pad").count():
        person.page.locator(".pad").get_by_role("button", name=action["text"]).tap()
        return
    for cell in action["cells"]:
        tap(person, cell)


def tap(person, cell):
    """Tap a cell; a second time if the first tap only shows what the action would do."""
    page, board = person.page, "document.querySelector('parlour-board')"
    moves = "document.querySelectorAll('.history li').length"
    before = page.evaluate(f"() => {moves}")
    person.cell(cell).tap()
    # The move and its reply may be over before the page is asked.
    page.wait_for_function(
        f"(before) => {board}.armed || {board}.pending || {board}.picker.touched.length"
        f"|| !{board}.scene.actions.length || {board}.isPremove || {moves} > before",
        arg=before,
    )
    if page.evaluate(f"() => Boolean({board}.armed)"):
        person.cell(cell).tap()


def take(person, scene, action, press):
    """Take a piece and rotate it as wanted. Return the cell at which to hold it."""
    press(person.page.locator(f'.piece[data-group="{action["group"]}"]'))
    cols = scene["board"]["cols"]
    top = min(cell // cols for cell in action["cells"])
    left = min(cell % cols for cell in action["cells"])
    wanted = sorted([cell // cols - top, cell % cols - left] for cell in action["cells"])
    board = "document.querySelector('parlour-board')"
    for turn in range(9):
        if person.page.evaluate(f"() => {board}.picker.shape") == wanted:
            break
        name = "Flip" if turn == 4 else "Rotate"
        press(person.page.get_by_role("button", name=name))
    return person.page.evaluate(f"(cells) => {board}.picker.cursorFor(cells)", action["cells"])


def by_keys(person, scene, action):
    """Use only the keyboard: arrows, Enter, and letters for pieces."""
    page, cols = person.page, scene["board"]["cols"]
    press = page.keyboard.press
    board = "document.querySelector('parlour-board')"
    if page.locator(".pad").count():
        page.evaluate("() => document.activeElement.blur()")
        press(f"Arrow{action['text'].capitalize()}")
        return
    for _ in range(60):
        if page.evaluate("() => document.activeElement?.getAttribute('role')") == "gridcell":
            break
        press("Tab")
    if action["group"]:
        for _ in range(40):
            if page.evaluate(f"() => {board}.picker.group") == action["group"]:
                break
            press("n")
        top = min(cell // cols for cell in action["cells"])
        left = min(cell % cols for cell in action["cells"])
        wanted = sorted([cell // cols - top, cell % cols - left] for cell in action["cells"])
        for turn in range(9):
            if page.evaluate(f"() => {board}.picker.shape") == wanted:
                break
            press("f" if turn == 4 else "r")
        targets = [page.evaluate(f"(cells) => {board}.picker.cursorFor(cells)", action["cells"])]
    else:
        targets = action["cells"]
    for target in targets:
        here = page.evaluate(f"() => {board}.cursor")
        down, right = target // cols - here // cols, target % cols - here % cols
        for _ in range(abs(down)):
            press("ArrowDown" if down > 0 else "ArrowUp")
        for _ in range(abs(right)):
            press("ArrowRight" if right > 0 else "ArrowLeft")
        press("Enter")


def by_names(person, scene, action):
    """Use roles, accessible names and the text box, like a screen reader."""
    page = person.page
    if action["group"]:
        page.keyboard.press("m")
        page.get_by_role("textbox", name="Move as text").fill(action["text"])
        page.get_by_role("button", name="Play", exact=True).click()
        return
    steps = page.get_by_role("group", name="Steps")
    if steps.count():
        steps.get_by_role("button", name=action["text"]).click()
        return
    board = scene["board"]
    for cell in action["cells"]:
        row, col = divmod(cell, board["cols"])
        name = f"row {board['row_names'][row]}, column {board['col_names'][col]}: "
        page.get_by_role("gridcell", name=name).first.click()


def wait_moves(person, number):
    person.page.wait_for_function(
        "(number) => document.querySelectorAll('.history li').length >= number", arg=number
    )
