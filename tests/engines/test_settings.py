"""The user's engines.toml."""

import pytest

import parlour
from parlour.commands.parameters import agent_texts
from parlour.engines import EngineError, engine_named
from parlour.engines.settings import all_engines, engine_names, engines_file


def written(tmp_path, monkeypatch, text):
    file = tmp_path / "engines.toml"
    file.write_text(text)
    monkeypatch.setenv("PARLOUR_ENGINES", str(file))
    return file


def test_every_setting_is_read(tmp_path, monkeypatch):
    written(
        tmp_path,
        monkeypatch,
        """
        [strong]
        protocol = "uci"
        command = ["engine", "--threads=2"]
        folder = "sub"
        environment = { A = "1" }
        first = ["setoption name Hash value 64"]
        go = "nodes 1000"
        restart = false
        limits = { start = 1, move = 2.5, ping = 3 }
        """,
    )
    engine = engine_named("strong")
    assert engine.command == ("engine", "--threads=2")
    assert engine.folder == str(tmp_path / "sub")
    assert dict(engine.environment) == {"A": "1"}
    assert engine.first == ("setoption name Hash value 64",)
    assert (engine.go, engine.restart, engine.limits) == ("nodes 1000", False, (1, 2.5, 3))
    assert engine_names() == ["strong"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[a]\nprotocol = 'gtp'", "command must be a list of texts"),
        ("[a]\nprotocol = 'gtp'\ncommand = []", "command must be a list of words"),
        ("[a]\nprotocol = 'gtp'\ncommand = 'rm -rf x'", "command must be a list of texts"),
        ("[a]\nprotocol = 'gpt'\ncommand = ['x']", "unknown protocol 'gpt' (did you mean 'gtp'?)"),
        ("[a]\ncommand = ['x']", "protocol must be a text"),
        ("[a]\nprotocol = 'gtp'\ncommand = ['x']\nfirs = []", "(did you mean 'first'?)"),
        ("[a]\nprotocol = 'gtp'\ncommand = ['x']\nfirst = ['a\\nb']", "one line of text"),
        ("[a]\nprotocol = 'gtp'\ncommand = ['x']\nrestart = 1", "restart must be true or false"),
        ("[a]\nprotocol = 'gtp'\ncommand = ['x']\nlimits = {move = -1}", "limits.move"),
        (
            "[a]\nprotocol = 'gtp'\ncommand = ['x']\nlimits = {moves = 1}",
            "limits takes start, move",
        ),
        ("[a]\nprotocol = 'gtp'\ncommand = ['x']\nenvironment = {A = 1}", "environment.A"),
        (
            "[a]\nprotocol = 'gtp'\ncommand = ['x']\nenvironment = {'A=B' = '1'}",
            "'A=B' is not a valid name in environment",
        ),
        ("a = 1", "[a] must be a table"),
        ("[a", "cannot read"),
    ],
)
def test_wrong_settings_are_reported_in_one_line(text, reason, tmp_path, monkeypatch):
    file = written(tmp_path, monkeypatch, text.replace("\\n", "\n") if "'a" not in text else text)
    if "first = ['a" in text:
        file.write_text('[a]\nprotocol = "gtp"\ncommand = ["x"]\nfirst = ["a\\nb"]')
    with pytest.raises(EngineError) as caught:
        all_engines(file)
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)
    assert engine_names() == []


def test_a_missing_file_or_unknown_name_is_reported_with_the_path(tmp_path, monkeypatch):
    monkeypatch.setenv("PARLOUR_ENGINES", str(tmp_path / "none.toml"))
    with pytest.raises(EngineError, match=r"cannot find .*none\.toml, where"):
        parlour.agent("engine:pentobi")
    written(tmp_path, monkeypatch, "[pentobi]\nprotocol = 'gtp'\ncommand = ['x']")
    with pytest.raises(EngineError, match="did you mean 'pentobi'"):
        parlour.agent("engine:pentobbi")


def test_no_file_of_the_current_folder_is_read(tmp_path, monkeypatch):
    monkeypatch.delenv("PARLOUR_ENGINES", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "engines.toml").write_text("[evil]\nprotocol = 'gtp'\ncommand = ['touch', 'x']")
    monkeypatch.chdir(tmp_path)
    assert engines_file() != tmp_path / "engines.toml"
    with pytest.raises(EngineError):
        parlour.agent("engine:evil")


def test_a_shell_is_offered_the_names(tmp_path, monkeypatch):
    written(tmp_path, monkeypatch, "[pentobi]\nprotocol = 'gtp'\ncommand = ['x']")
    assert agent_texts("engine:p") == ["engine:pentobi"]
