"""Translations of games: looking texts up, reading tables, and finding what is missing."""

import json
import sys
from types import ModuleType

import pytest

import parlour
from parlour.core.errors import ContractError, UnknownGame
from parlour.testing.translations import missing_translations
from parlour.translations import LARGEST, Translator, is_language, read_table, translations

TABLE = {
    "blue": "blau",
    "player {n}": "Spieler {n}",
    "{who} to move": "{who} am Zug",
    "{who} wins: {why}.": "{who} gewinnt: {why}.",
    "{who} wins: {why} and more.": "{who} gewinnt: {why} und mehr.",
    "{x}": "nonsense",
    "it is over": "es ist vorbei",
}


class TestTranslator:
    @pytest.mark.parametrize(
        ("text", "found"),
        [
            ("blue", "blau"),
            ("player 3", "Spieler 3"),
            ("player 3 to move", "Spieler 3 am Zug"),
            ("blue wins: it is over.", "blau gewinnt: es ist vorbei."),
            ("Ann wins: luck.", "Ann gewinnt: luck."),
            ("Ann wins: luck and more.", "Ann gewinnt: luck und mehr."),
            ("player ", None),
            (" wins: .", None),
            ("something else", None),
            ("", None),
        ],
    )
    def test_exact_texts_come_before_templates_and_specific_ones_before_general(self, text, found):
        translator = Translator(TABLE)
        assert translator.find(text) == found
        assert translator.text(text) == (text if found is None else found)

    @pytest.mark.parametrize(
        ("text", "parts"),
        [
            ("blue", []),
            ("player 3", []),
            ("Ann wins: it is over.", ["Ann"]),
            ("blue wins: luck.", ["luck"]),
            ("c2 wins: 7,-1.", []),
            ("a text", ["a text"]),
        ],
    )
    def test_missing_parts_are_reported(self, text, parts):
        assert Translator(TABLE).missing(text) == parts

    def test_long_texts_are_matched_in_linear_time(self):
        template = " ".join(f"{{p{number}}} and" for number in range(40))
        assert Translator({template: ""}).find("x and " * 20_000) is None


class TestTables:
    def test_a_packages_table_is_found_beside_its_code(self, tmp_path, monkeypatch):
        package = tmp_path / "translated_game"
        (package / "languages").mkdir(parents=True)
        (package / "languages" / "de.json").write_text('{"Nim": "Nimm"}', "utf-8")
        (package / "__init__.py").write_text("", "utf-8")
        (package / "rules.py").write_text(
            "import parlour\n\nclass Nim(type(parlour.game('octa'))):\n    pass\n", "utf-8"
        )
        monkeypatch.syspath_prepend(tmp_path)
        from translated_game.rules import Nim

        parlour.register("translated_nim", Nim)
        assert translations("translated_nim", "de")["Nim"] == "Nimm"
        assert "Nim" not in translations("translated_nim", "fr")

    def test_a_game_outside_a_package_has_parlours_texts_only(self, monkeypatch):
        module = ModuleType("lonely_module")
        monkeypatch.setitem(sys.modules, "lonely_module", module)
        lonely = type("Lonely", (type(parlour.game("octa")),), {"__module__": "lonely_module"})
        parlour.register("lonely", lonely)
        assert "Octa" not in translations("lonely", "de")
        assert translations("lonely", "de")["player {n}"] == "Spieler {n}"

    def test_an_unknown_game_is_refused(self):
        with pytest.raises(UnknownGame):
            translations("chess_960_of_nobody", "de")

    @pytest.mark.parametrize(
        ("content", "words"),
        [
            ("[1]", "object"),
            ('{"a": 1}', "object"),
            ("{", "not JSON"),
            ('{"a {n}": "{m}"}', "placeholder {m}"),
            (json.dumps({"a": "x" * LARGEST}), "bytes"),
        ],
    )
    def test_a_bad_table_is_refused(self, tmp_path, content, words):
        (tmp_path / "languages").mkdir()
        (tmp_path / "languages" / "de.json").write_text(content, "utf-8")
        with pytest.raises(ContractError, match=words):
            read_table(tmp_path, "de")

    @pytest.mark.parametrize("text", ["de", "pt-BR", "zh-Hant", "gsw"])
    def test_language_tags_are_accepted(self, text):
        assert is_language(text)

    @pytest.mark.parametrize("text", ["", "d", "..", "de/..", "de.json", "DE", "de_AT"])
    def test_other_texts_are_not_language_tags(self, text):
        assert not is_language(text)


GAMES = [
    "cat_mouse",
    "cat_mouse:ply_cap=3",
    "octa",
    "octa:size=1",
    "octa:size=1,win_condition=elimination",
    "octa:size=2,stop_on_enemy=true",
    "banqi",
    "banqi:rules=taiwan",
    "banqi:rules=olympiad,quiet_limit=8",
    "blokus",
    "blokus:variant=two-player",
    "blokus:variant=three-player",
    "blokus:variant=duo",
]


@pytest.mark.parametrize("text", GAMES)
def test_every_text_of_our_games_has_a_german_translation(text):
    assert missing_translations(parlour.game(text), "de") == []


def test_texts_without_a_translation_are_listed():
    missing = missing_translations(parlour.game("octa"), "fr", plays=1)
    assert "The board" in missing
    assert "neutral, arrow north" in missing


@pytest.mark.parametrize("language", ["de", "en"])
def test_no_text_of_the_page_is_written_twice(root, language):
    def checked(pairs):
        names = [name for name, _ in pairs]
        assert len(set(names)) == len(names)
        return dict(pairs)

    path = root / "src" / "parlour" / "web" / "languages" / f"{language}.json"
    assert json.loads(path.read_text("utf-8"), object_pairs_hook=checked)
