"""The files in deploy/: their references exist, and their options are valid."""

import json
import os
import re
import signal
import subprocess
import sys
import time
import tomllib

import httpx
import pytest
import yaml
from click.testing import CliRunner
from own_postgres import shared
from patience import PATIENCE
from programs import found_program
from prometheus_client.parser import text_string_to_metric_families

from parlour.cli import main
from parlour.commands import serve as command
from parlour.server import run
from parlour.server.admin.administration import settings_from
from parlour.server.cluster.supervisor import check_workers
from parlour.server.settings import SettingError

FUNCTIONS = {"histogram_quantile", "rate", "increase", "deriv", "sum", "max", "time"}
METRIC = re.compile(r"\b(parlour_\w+|process_\w+|up)\b")
OPTION = re.compile(r"\bPARLOUR_SERVE_(\w+)")


@pytest.fixture
def deploy(root):
    return root / "deploy"


@pytest.fixture
def started(monkeypatch):
    """The settings with which the command would start a server."""
    found = []
    monkeypatch.setattr(run, "run", lambda settings, ready: found.append(settings))
    return found


def unit(deploy):
    """The settings of the systemd unit: each name with all its values."""
    found = {}
    for line in (deploy / "parlour.service").read_text().splitlines():
        name, sign, value = line.partition("=")
        if sign and not line.startswith("#"):
            found.setdefault(name, []).append(value)
    return found


def dockerfile_variables(deploy):
    text = (deploy / "Dockerfile").read_text()
    return dict(re.findall(r"(PARLOUR_SERVE_\w+)=(\S+)", text))


def compose(deploy):
    return yaml.safe_load((deploy / "compose.yaml").read_text())


def begins_with(started, variables, arguments=()):
    """Return the settings of a server with these variables."""
    result = CliRunner().invoke(command.serve, list(arguments), env=variables)
    assert result.exit_code == 0, result.output + str(result.exception)
    return started.pop()


# Metrics.


@pytest.fixture
def exported(start):
    """The names of all series that a lightly used server exports."""
    server = start()
    made = server.table("octa", ["me", "open"])
    bob = server.claim(made)
    with server.socket(made["table"], made["token"]) as ann, server.socket(made["table"], bob):
        assert ann.ask("play", 1, ply=0, action=ann.welcome["scene"]["actions"][0][0])["t"] == "ack"
        assert ann.ask("play", 2, ply=1, action="1,1")["t"] == "error"
    text = server.http.get(f"{server.url}/metrics").text
    return (
        {sample.name for each in text_string_to_metric_families(text) for sample in each.samples}
        | {each.name for each in text_string_to_metric_families(text)}
        | {"up"}
    )


def expressions(deploy):
    """Return all PromQL expressions of the dashboard and the alerts."""
    panels = json.loads((deploy / "grafana_dashboard.json").read_text())["panels"]
    shown = [target["expr"] for panel in panels for target in panel.get("targets", [])]
    rules = yaml.safe_load((deploy / "alerts.yml").read_text())["groups"]
    return shown + [rule["expr"] for group in rules for rule in group["rules"]]


def test_a_server_exports_every_series_that_dashboard_and_alerts_name(deploy, exported):
    named = {name for each in expressions(deploy) for name in METRIC.findall(each)}
    # Labelled counters without an event have no sample, but their family is exported.
    known = exported | {f"{name}_total" for name in exported}
    assert len(named) > 25
    assert named - known == set()


def test_the_dashboard_shows_every_series_of_ours(deploy, exported):
    asked = " ".join(expressions(deploy))
    ours = {name for name in exported if name.startswith("parlour_")}
    families = {re.sub("_(total|created|bucket|count|sum)$", "", name) for name in ours}
    assert {name for name in families if name not in asked} == set()


def test_the_documentation_lists_exactly_the_exported_series(root, exported):
    text = (root / "docs" / "operating.md").read_text()
    ours = {name for name in exported if name.startswith("parlour_")}
    families = {re.sub("_(total|created|bucket|count|sum)$", "", name) for name in ours}
    documented = {re.sub("_total$", "", name) for name in re.findall(r"`(parlour_\w+)", text)}
    assert documented == families


def test_names_and_units_are_those_of_prometheus(exported):
    for name in exported:
        assert re.fullmatch(r"[a-z][a-z0-9_]*", name)
        assert not re.search("_(ms|millis|minutes|kb|mb|mib)(_|$)", name)


def test_expressions_use_known_functions_and_balanced_brackets(deploy):
    for text in expressions(deploy):
        assert set(re.findall(r"(\w+)\s*\((?!le|kind)", text)) <= FUNCTIONS | {"by", "and", "or"}
        for left, right in ("()", "{}", "[]"):
            assert text.count(left) == text.count(right)


def test_panels_do_not_overlap(deploy):
    panels = json.loads((deploy / "grafana_dashboard.json").read_text())["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    covered = set()
    for panel in panels:
        place = panel["gridPos"]
        cells = {
            (x, y)
            for x in range(place["x"], place["x"] + place["w"])
            for y in range(place["y"], place["y"] + place["h"])
        }
        assert not covered & cells, panel["title"]
        assert max(x for x, _ in cells) < 24
        covered |= cells


def test_alerts_have_a_severity_and_a_summary(deploy):
    (group,) = yaml.safe_load((deploy / "alerts.yml").read_text())["groups"]
    names = [rule["alert"] for rule in group["rules"]]
    assert len(set(names)) == len(names)
    for rule in group["rules"]:
        assert rule["labels"]["severity"] in ("page", "ticket")
        assert rule["annotations"]["summary"]


def test_prometheus_reads_the_rules_and_scrapes_the_service_of_the_compose_file(deploy):
    found = yaml.safe_load((deploy / "prometheus.yml").read_text())
    assert [(deploy / name).exists() for name in found["rule_files"]] == [True]
    (job,) = found["scrape_configs"]
    service, port = job["static_configs"][0]["targets"][0].split(":")
    assert service in compose(deploy)["services"]
    assert dockerfile_variables(deploy)["PARLOUR_SERVE_PORT"] == port
    assert all(f'job="{job["job_name"]}"' in each for each in expressions(deploy) if "{job" in each)


def test_metrics_with_a_token_accept_any_host_name(start, tmp_path):
    public = {"public_url": "https://games.example.org"}
    other = {"Host": "parlour:8000"}
    with_token = start(tmp_path / "1.sqlite", metrics_token="m", **public)
    got = with_token.http.get(
        f"{with_token.url}/metrics", headers={**other, "Authorization": "Bearer m"}
    )
    assert got.status_code == 200
    for server in (with_token, start(tmp_path / "2.sqlite", **public)):
        assert server.http.get(f"{server.url}/metrics", headers=other).status_code in (401, 403)
        assert server.http.get(f"{server.url}/healthz", headers=other).status_code == 200
        assert server.http.get("/games", headers=other).status_code == 403


# Options.


@pytest.mark.parametrize(
    "name",
    ["Dockerfile", "compose.yaml", "parlour.service", "parlour.env.example"],
)
def test_every_variable_in_a_file_is_an_option(deploy, name):
    options = {
        option.removeprefix("--").replace("-", "_").upper()
        for parameter in command.serve.params
        for option in parameter.opts
    }
    named = set(OPTION.findall((deploy / name).read_text()))
    assert named
    assert named <= options


def test_the_systemd_unit_sets_valid_options(deploy, started):
    found = unit(deploy)
    variables = dict(each.split("=", 1) for each in found["Environment"])
    program, *arguments = found["ExecStart"][0].split()
    assert program.endswith("/bin/parlour")
    assert arguments[0] == "serve"
    settings = begins_with(started, variables, arguments[1:])
    assert settings.log == "json"
    state = found["StateDirectory"][0]
    assert settings.store == f"sqlite:/var/lib/{state}/server.sqlite"
    assert float(found["TimeoutStopSec"][0]) >= 3 * settings.drain_seconds
    assert int(found["LimitNOFILE"][0]) >= 4 * settings.sockets


def test_the_example_environment_is_a_server_behind_a_proxy(deploy, started):
    text = (deploy / "parlour.env.example").read_text()
    lines = [line.lstrip("#") for line in text.splitlines() if "=" in line and ": " not in line]
    variables = dict(line.split("=", 1) for line in lines)
    settings = begins_with(started, variables)
    assert settings.public_url.startswith("https://")
    assert settings.proxies == "127.0.0.1"
    assert settings.store.startswith("postgresql://")
    assert settings.access_log


def test_systemd_accepts_the_unit(deploy, tmp_path):
    program = found_program("systemd", "systemd-analyze")
    # The installed program does not exist here, so substitute another one.
    text = (deploy / "parlour.service").read_text().replace("/opt/parlour/bin/parlour", "/bin/true")
    copy = tmp_path / "parlour.service"
    copy.write_text(text)
    done = subprocess.run([program, "verify", str(copy)], capture_output=True, text=True)
    about_it = [line for line in done.stderr.splitlines() if "parlour" in line]
    assert about_it == []
    rated = subprocess.run(
        [program, "security", "--offline=true", str(copy)], capture_output=True, text=True
    )
    (level,) = re.findall(r"exposure level for parlour.service: ([\d.]+)", rated.stdout)
    assert float(level) < 2


def test_the_image_and_the_compose_file_start_a_server_with_secrets_from_files(
    deploy, started, tmp_path
):
    found = compose(deploy)
    service = found["services"]["parlour"]
    variables = {**dockerfile_variables(deploy), **service["environment"]}
    secrets = {"store": "postgresql://parlour:x@postgres/parlour", "metrics_token": "m"}
    for name, value in secrets.items():
        assert name in service["secrets"]
        (tmp_path / name).write_text(f"{value}\n")
    variables = {
        name: str(value)
        .replace("/run/secrets", str(tmp_path))
        .replace("${PARLOUR_DOMAIN:-localhost}", "games.example.org")
        for name, value in variables.items()
    }
    settings = begins_with(started, variables)
    assert (settings.host, settings.log) == ("0.0.0.0", "json")
    check_workers(settings)
    assert settings.workers > 1
    assert settings.public_url == "https://games.example.org"
    assert {"store": settings.store, "metrics_token": settings.metrics_token} == secrets
    assert settings.proxies == found["networks"]["front"]["ipam"]["config"][0]["subnet"]
    assert service["ulimits"]["nofile"] >= 4 * settings.sockets
    assert float(service["stop_grace_period"].removesuffix("s")) >= 3 * settings.drain_seconds


def test_files_and_services_in_the_compose_file_exist(deploy):
    found = compose(deploy)
    for name, service in found["services"].items():
        assert set(service.get("secrets", [])) <= set(found["secrets"]), name
        assert set(service["networks"]) <= set(found["networks"]), name
        assert set(service.get("depends_on", {})) <= set(found["services"]), name
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            if source.startswith("."):
                assert (deploy / source).exists()
            else:
                assert source in found["volumes"]
        for on, how in service.get("depends_on", {}).items():
            is_image = on == "parlour"  # its Dockerfile has the health check
            assert how["condition"] == "service_healthy"
            assert is_image or "healthcheck" in found["services"][on]
    assert "HEALTHCHECK" in (deploy / "Dockerfile").read_text()
    assert re.search("^USER parlour$", (deploy / "Dockerfile").read_text(), re.MULTILINE)


def test_the_dockerfile_copies_what_a_build_needs(root, deploy):
    text = (deploy / "Dockerfile").read_text()
    kept = {line[1:] for line in (root / ".dockerignore").read_text().split() if line[0] == "!"}
    copied = [
        name
        for words in re.findall(r"^COPY (?!--from)(.+) \S+$", text, re.MULTILINE)
        for name in words.split()
    ]
    assert set(copied) == kept
    for name in copied:
        assert list(root.glob(name))


def test_the_image_installs_only_what_has_a_version_and_a_hash(root, deploy):
    project = tomllib.loads((root / "pyproject.toml").read_text())
    extras = project["project"]["optional-dependencies"]
    needed = {
        "requirements.txt": [
            *project["project"]["dependencies"],
            *extras["server"],
            *extras["postgres"],
            *extras["images"],
        ],
        "build_requirements.txt": project["build-system"]["requires"],
    }
    tested = (root / "constraints.txt").read_text().lower().replace("_", "-").split()
    for name, wanted in needed.items():
        text = (deploy / name).read_text()
        locked = re.findall(
            r"^([\w.-]+==\S+) \\\n(    --hash=sha256:[0-9a-f]{64})", text, re.MULTILINE
        )
        versions = {pinned for pinned, _ in locked}
        assert len(versions) == len(re.findall("^[a-z]", text, re.MULTILINE))
        assert versions <= set(tested)
        names = {pinned.partition("==")[0] for pinned in versions} | {"parlour"}
        assert {re.match(r"[\w-]+", each)[0].replace("_", "-").lower() for each in wanted} <= names
    installs = re.findall(r"pip install (.*)", (deploy / "Dockerfile").read_text())
    assert all("--require-hashes" in each or "--no-deps" in each for each in installs)


def test_the_unit_limits_memory_and_tasks(deploy):
    found = unit(deploy)
    assert found["MemoryMax"] == ["4G"]
    assert int(found["TasksMax"][0]) >= 64


def test_the_image_health_check_reflects_the_store(deploy, server):
    text = (deploy / "Dockerfile").read_text().replace("\\\n", " ")
    (words,) = re.findall(r"HEALTHCHECK.* CMD (\[.*\])", text)
    _, *arguments = json.loads(words)
    here = [each.replace(":8000", f":{server.port}") for each in arguments]

    def status():
        return subprocess.run([sys.executable, *here], capture_output=True).returncode

    assert status() == 0
    server.app.rooms.is_storing = False
    assert status() != 0


@pytest.mark.parametrize("content", ["", "two\nlines\n", None])
@pytest.mark.parametrize("name", ["store", "metrics_token"])
def test_a_missing_or_empty_secret_file_is_refused(tmp_path, name, content):
    path = tmp_path / "secret"
    if content is not None:
        path.write_text(content)
    with pytest.raises(SettingError, match=f"--{name.replace('_', '-')}: "):
        settings_from({name: f"file:{path}"})
    path.write_text("  sqlite:x \n")
    assert getattr(settings_from({name: f"file:{path}"}), name) == "sqlite:x"


# Several workers.


@pytest.fixture
def two_workers():
    """The URL and the store of a server with two workers."""
    store = shared().new_database()
    process = subprocess.Popen(
        [sys.executable, "-m", "parlour.cli", "serve", "--port", "0", "--workers", "2"],
        env={**os.environ, "PARLOUR_SERVE_STORE": store, "PARLOUR_SERVE_LOG": "json"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    line = process.stdout.readline()
    assert line, process.stderr.read()
    yield line.split()[-1], store
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, err
    entries = [json.loads(line) for line in err.splitlines()]
    assert {each.get("worker") for each in entries} >= {1, 2}
    shuts_down = [each for each in entries if each["message"] == "the server is shutting down"]
    assert {each.get("worker") for each in shuts_down} == {None, 1, 2}


def figures(link):
    """Return all samples of a scrape."""
    text = httpx.get(f"{link}/metrics", timeout=PATIENCE).text
    return [sample for each in text_string_to_metric_families(text) for sample in each.samples]


def test_each_worker_reports_the_metrics_of_both(two_workers, deploy, capsys):
    link, store = two_workers
    until = time.monotonic() + PATIENCE
    while True:
        found = figures(link)
        memory = [each for each in found if each.name == "process_resident_memory_bytes"]
        if len(memory) == 2 or time.monotonic() > until:
            break
    assert len({each.labels["pid"] for each in memory}) == 2
    assert all(each.value > 1e7 for each in memory)
    (agents,) = (each.value for each in found if each.name == "parlour_agents")
    assert agents == 4  # one for games and one for analyses in each worker
    named = {name for each in expressions(deploy) for name in METRIC.findall(each)}
    gauges = {name for name in named if name.startswith("process_")}
    gauges |= {"parlour_info", "parlour_store_up", "parlour_rooms", "parlour_agents_waiting"}
    assert len(gauges) > 8
    assert gauges - {each.name for each in found} == set()

    # A tuned limit applies to the whole server.
    port = link.rpartition(":")[2]
    admin = ["serve", "--store", store, "--port", port, "--workers", "2", "--admin"]
    assert main([*admin, "set", "sockets=7", "--json"]) == 0
    limits = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    (sockets,) = (each for each in limits if each["name"] == "sockets")
    assert (sockets["value"], sockets["untuned"]) == ("7", "10000")


def test_idle_connections_stay_open_longer_than_proxies_keep_them(server):
    """nginx and Caddy close idle connections after 60 s or more; we must not be faster."""
    assert server._server.config.timeout_keep_alive > 60
