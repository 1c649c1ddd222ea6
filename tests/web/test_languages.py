"""The page in other languages: its own texts, and those of games."""

import json

import pytest
from players import by_mouse

import parlour
from parlour.testing.translations import described, played
from parlour.translations import Translator, translations

GAMES = ["cat_mouse", "octa", "banqi", "blokus"]
GERMAN = {"locale": "de-DE"}

FIND = """
async ([table, texts, base]) => {
  const {Translator} = await import(`${base}/translate.js`);
  const translator = new Translator(table);
  return texts.map((text) => translator.find(text) ?? null);
}
"""


def words_of(html):
    start = html.index('id="words"')
    return json.loads(html[html.index(">", start) + 1 : html.index("</script>", start)])


@pytest.mark.parametrize(
    ("accepted", "language", "text"),
    [
        ("", "en", "Your turn"),
        ("fr, en;q=0.5", "en", "Your turn"),
        ("de-AT,de;q=0.9,en;q=0.8", "de", "Du bist am Zug"),
        ("en;q=0.5, de;q=0.8", "de", "Du bist am Zug"),
        ("de;q=0, en", "en", "Your turn"),
        ("de;q=nonsense,;;,", "de", "Du bist am Zug"),
    ],
)
def test_pages_hold_their_texts_in_the_readers_language(server, accepted, language, text):
    answer = server.http.get(f"{server.url}/", headers={"accept-language": accepted})
    assert f'<html lang="{language}"' in answer.text
    assert words_of(answer.text)["yourTurn"] == text
    assert "accept-language" in answer.headers["vary"]


def test_an_unchanged_page_is_not_sent_again(server):
    first = server.http.get(f"{server.url}/")
    again = server.http.get(f"{server.url}/", headers={"if-none-match": first.headers["etag"]})
    assert again.status_code == 304
    assert again.content == b""


class TestGameTexts:
    def test_the_table_of_a_game_is_served_and_cached(self, server):
        answer = server.get("/games/octa/languages/de")
        assert answer.json()["texts"] == dict(translations("octa", "de"))
        assert answer.headers["content-encoding"] == "gzip"
        tag = {"if-none-match": answer.headers["etag"]}
        path = f"{server.url}/api/v1/games/octa/languages/de"
        assert server.http.get(path, headers=tag).status_code == 304

    def test_a_language_without_translations_is_empty(self, server):
        assert server.get("/games/octa/languages/fr").json() == {"texts": {}}

    @pytest.mark.parametrize(
        "path", ["chess/languages/de", "octa/languages/..", "octa/languages/x"]
    )
    def test_unknown_games_and_bad_languages_are_not_found(self, server, path):
        assert server.get(f"/games/{path}").status_code == 404


@pytest.mark.parametrize("name", GAMES)
def test_the_page_translates_like_the_library(server, visit, name):
    import random

    game = parlour.game(name)
    texts = sorted({*described(game), *played(game, 1, random.Random(1)), "no such text", "1: 2"})
    person = visit(server)
    person.page.goto(server.url)
    base = person.page.locator("script[src]").get_attribute("src").rsplit("/", 1)[0]
    table = dict(translations(name, "de"))
    found = person.page.evaluate(FIND, [table, texts, base])
    assert found == [Translator(table).find(text) for text in texts]


@pytest.mark.parametrize("language", ["en-GB", "de-DE"])
def test_the_page_uses_the_language_of_the_browser(server, visit, language):
    made = server.table("octa", ["me", 1], seed=1)
    person = visit(server, locale=language).sit(made)
    wanted = {"en-GB": "Your turn", "de-DE": "Du bist am Zug"}[language]
    assert person.page.locator(".turn-words").text_content() == wanted
    assert person.page.locator("html").get_attribute("lang") == language[:2]


def test_a_german_reader_plays_banqi_in_german(server, visit):
    made = server.table("banqi", ["me", "open"], options={"first_flip_passes": False})
    token = server.claim(made)
    person = visit(server, **GERMAN).sit(made)
    page = person.page
    person.wait_turn()
    assert page.get_by_role("gridcell", name="verdeckt").count() == 32
    status = page.locator(".status-words")
    assert "decke eine Figur auf" in status.text_content()
    by_mouse(person, person.scene(), person.scene()["actions"][0])
    page.wait_for_selector(".history li small")
    assert "aufdecken" in page.locator(".history li").first.text_content()
    person.wait_turn()
    with server.socket(made["table"], token):
        pass
    # A face-up piece moves nowhere on a full board.
    cell = person.scene()["actions"]
    taken = {action["cells"][0] for action in cell}
    shown = next(number for number in range(32) if number not in taken)
    person.cell(shown).click()
    page.wait_for_selector(".toast.shown")
    assert "Hier kannst du gerade nichts wählen" in page.locator(".toast").text_content()
    assert page.locator(".toast").get_attribute("lang") == "de"
    page.get_by_role("button", name="Mehr").click()
    page.get_by_role("button", name="Regeln").click()
    rules = page.locator(".rules")
    rules.wait_for()
    assert "Die Kanone" in rules.text_content()
    assert rules.locator("[lang=en]").count() == 0
    assert person.axe() == []


def test_a_german_lobby_shows_translated_games_and_options(server, visit):
    person = visit(server, **GERMAN)
    person.page.goto(server.url)
    person.page.get_by_role("button", name="Anpassen: Katz und Maus").click()
    form = person.page.locator("form.setup")
    form.wait_for()
    assert form.get_by_text("Die Katze").count() or form.get_by_text("Spieler 1").count()
    assert form.locator("[lang=en]").count() == 0
    assert person.axe() == []


def test_a_chosen_language_overrides_the_browsers(server, visit):
    person = visit(server, **GERMAN)
    person.page.add_init_script("localStorage.setItem('parlour:language', 'en')")
    person.sit(server.table("octa", ["me", 1], seed=1))
    assert person.page.locator(".turn-words").text_content() == "Your turn"
    assert person.page.locator("html").get_attribute("lang") == "en"


def test_texts_without_a_translation_stay_english(server, visit):
    from connect_four import ConnectFour

    parlour.register("connect_four", ConnectFour)
    made = server.table("connect_four", ["me", 1], seed=1)
    person = visit(server, **GERMAN).sit(made)
    person.wait_turn()
    assert person.page.locator(".turn-words").text_content() == "Du bist am Zug"
    assert person.page.locator("h1").get_attribute("lang") == "en"
