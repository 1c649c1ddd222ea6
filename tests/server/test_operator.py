"""Settings of a server: valid and invalid ones."""

import os
import stat

import pytest
from click.testing import CliRunner

from parlour.commands import serve as command
from parlour.server import run
from parlour.server.admin.administration import back_up, settings_from
from parlour.server.http.origins import Origins
from parlour.server.rates import Rate, rate_limit_key
from parlour.server.settings import SettingError, Settings
from parlour.server.store.store import StoreRefused


@pytest.fixture
def started(monkeypatch):
    """The settings with which the command would start a server."""
    found = []
    monkeypatch.setattr(run, "run", lambda settings, ready: found.append((settings, ready)))
    return found


GIVEN = {
    "HOST": ("::1", "host", "::1"),
    "PORT": ("9000", "port", 9000),
    "STORE": ("sqlite:x", "store", "sqlite:x"),
    "PUBLIC_URL": ("https://a.org", "public_url", "https://a.org"),
    "PROXY": ("10.0.0.1,::1", "proxies", "10.0.0.1,::1"),
    "ORIGIN": ("https://a.org https://b.org", "origins", ("https://a.org", "https://b.org")),
    "NO_CHAT": ("1", "chat", False),
    "AGENT_SECONDS": ("0.5", "agent_seconds", 0.5),
    "SOCKETS_PER_ADDRESS": ("7", "sockets_per_address", 7),
    "METRICS_TOKEN": ("m", "metrics_token", "m"),
    "LOG": ("json", "log", "json"),
}


@pytest.mark.parametrize("name", GIVEN)
def test_every_option_has_an_environment_variable(started, name):
    text, field, value = GIVEN[name]
    result = CliRunner().invoke(command.serve, [], env={f"PARLOUR_SERVE_{name}": text})
    assert result.exception is None, result.output
    ((settings, _),) = started
    assert getattr(settings, field) == value


@pytest.mark.parametrize(
    "given",
    [
        {"agent_seconds": float("nan")},
        {"agent_seconds": -5.0},
        {"agent_budget": "0/m"},
        {"agent_queue": 0},
        {"work": "0/s"},
        {"tables": "0/h,30"},
        {"public_url": "https://h:port"},
        {"public_url": "https://:443"},
        {"public_url": "https://me@example.org"},
        {"public_url": "https://example.org/#top"},
        {"public_url": "https://example.org/games"},
        {"keep": "soon"},
        {"work": "10"},
        {"proxies": "nonsense"},
        {"proxies": "*"},
        {"proxies": "10.0.0.1,10.0.0.0/33"},
    ],
)
def test_invalid_settings_are_refused_by_option_name(given):
    with pytest.raises(SettingError) as refused:
        settings_from(given)
    (name,) = given
    option = {"proxies": "proxy"}.get(name, name).replace("_", "-")
    assert f"--{option}" in str(refused.value)


@pytest.mark.parametrize("proxies", ["", "127.0.0.1", "10.0.0.0/8, ::1"])
def test_proxies_are_addresses_and_networks(proxies):
    assert settings_from({"proxies": proxies}).proxies == proxies


def test_a_structured_log_contains_only_json(started):
    for kind, hint in (("text", "Press Ctrl-C to stop it.\n"), ("json", "")):
        CliRunner().invoke(command.serve, ["--log", kind])
        _, ready = started[-1]

        @command.click.command()
        def say(ready=ready):
            ready("http://x")

        assert CliRunner().invoke(say).stderr == hint


@pytest.mark.parametrize("host", ["games.example.org:8443", "games.example.org", "localhost:1"])
def test_a_public_url_with_a_port_is_accepted_without_the_port(host):
    origins = Origins(Settings(public_url="https://games.example.org:8443"))
    assert origins.is_host(host)
    assert not origins.is_host("example.org")
    assert not origins.is_host("")
    assert not origins.is_own("https://games.example.org", host)
    assert origins.is_own("https://games.example.org:8443", host)


def test_a_backup_is_readable_by_its_owner_only(start, tmp_path):
    path = tmp_path / "50% of games? #1.sqlite"
    server = start(path)
    server.table("octa", ["me"])
    target = tmp_path / "copy.sqlite"
    before = os.umask(0o022)
    try:
        back_up(f"sqlite:{path}", target)
    finally:
        os.umask(before)
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    again = start(target)
    assert again.run(again.app.rooms.store.count()) == {"waiting": 1}


def test_a_backup_to_an_impossible_path_is_refused(start, tmp_path):
    server = start()
    with pytest.raises(StoreRefused, match=r"cannot be copied to .*: No such file or directory$"):
        back_up(server.settings.store, tmp_path / "nowhere" / "copy.sqlite")


def test_a_failed_backup_leaves_no_file(tmp_path):
    broken, target = tmp_path / "broken.sqlite", tmp_path / "copy.sqlite"
    broken.write_bytes(b"this is not a database" * 100)
    with pytest.raises(StoreRefused, match="cannot be copied"):
        back_up(f"sqlite:{broken}", target)
    assert not target.exists()


@pytest.mark.parametrize("name", ["X-Forwarded-For", "Forwarded", "Via", "X-Real-IP"])
@pytest.mark.parametrize("proxies", ["", "127.0.0.1"])
def test_metrics_through_a_proxy_need_the_token(start, tmp_path, name, proxies):
    passed_on = {name: "127.0.0.1"}
    for number, (settings, status) in enumerate([({}, 403), ({"metrics_token": "m"}, 200)]):
        server = start(tmp_path / f"{number}.sqlite", proxies=proxies, **settings)
        url, own = f"{server.url}/metrics", {"Authorization": "Bearer m"}
        assert server.http.get(url, headers={**passed_on, **own}).status_code == status
        assert server.http.get(url, headers=own).status_code == 200


def test_a_proxy_hides_no_address_behind_one_that_the_client_invents(start):
    server = start(proxies="127.0.0.1", tables=Rate(0.001, 1))
    for number in range(2):
        forged = {"X-Forwarded-For": f"198.51.100.{number}, 203.0.113.9"}
        answer = server.post("/tables", {"game": "octa"}, headers=forged)
        assert answer.status_code == (201, 429)[number]


def test_ipv6_addresses_of_one_network_share_a_rate_limit():
    one = rate_limit_key("2001:db8:1:2:3:4:5:6")
    assert one == rate_limit_key("2001:db8:1:ff:ffff::1")
    assert one != rate_limit_key("2001:db8:1:102:3:4:5:6")
    assert rate_limit_key("::ffff:192.0.2.1") == rate_limit_key("192.0.2.1") == "192.0.2.1"
    assert rate_limit_key("testclient:1") == "testclient:1"
