"""Starting and ending."""
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import requests

PROVIDERS = Path(__file__).parent.parent / "providers.py"
SECONDS = 20


class Run:
    """Another rig, with the options given."""

    def __init__(self, directory, *options):
        self.process = subprocess.Popen([sys.executable, "-B", PROVIDERS, *options, f"{directory}/rig"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        line = self.process.stdout.readline()
        self.rig = json.loads(line) if line else None

    def servers(self):
        return [self.rig[name]["pid"] for name in ("django", "glewlwyd") if name in self.rig]

    def end(self):
        self.process.stdin.close()
        self.process.wait(SECONDS)


def is_running(pid):
    """Neither gone nor a zombie that nobody has waited for."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0] not in "ZX"
    except FileNotFoundError:
        return False


def becomes_true(condition):
    deadline = time.monotonic() + SECONDS
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def test_servers_end_with_standard_input(_):
    with tempfile.TemporaryDirectory() as directory:
        run = Run(directory, "--only", "django,glewlwyd")
        assert all(is_running(pid) for pid in run.servers()) and len(run.servers()) == 2
        run.end()
        assert run.process.returncode == 0 and not any(is_running(pid) for pid in run.servers())


def test_servers_end_when_their_parent_is_killed(_):
    with tempfile.TemporaryDirectory() as directory:
        run = Run(directory, "--only", "django,glewlwyd")
        run.process.kill()
        run.process.wait(SECONDS)
        assert becomes_true(lambda: not any(is_running(pid) for pid in run.servers()))


def test_only_what_was_asked_for_is_started_and_lifetimes_are_obeyed(_):
    with tempfile.TemporaryDirectory() as directory:
        run = Run(directory, "--only", "django", "--access", "1")
        assert "glewlwyd" not in run.rig and "hostile" not in run.rig
        web, url = requests.Session(), run.rig["django"]["url"]
        web.verify, web.trust_env = run.rig["authority"], False
        who = {"username": run.rig["accounts"][0]["name"], "password": run.rig["accounts"][0]["password"]}
        own = {"Authorization": f"Bearer {web.post(f'{url}/jwt/token/', json=who, timeout=5).json()['access']}"}
        assert becomes_true(lambda: web.get(f"{url}/jwt/me/", headers=own, timeout=5).status_code == 401)
        run.end()


def test_a_folder_that_is_in_use_is_refused(_):
    with tempfile.TemporaryDirectory() as directory:
        Path(directory, "rig").mkdir()
        Path(directory, "rig", "something").touch()
        run = Run(directory, "--only", "hostile")
        assert run.rig is None and run.process.wait(SECONDS) == 1 and b"not empty" in run.process.stderr.read()


def test_secrets_are_for_the_owner_alone(rig):
    folder = Path(rig["authority"]).parent
    assert folder.stat().st_mode & 0o077 == 0
    for pid in (rig["django"]["pid"], rig["glewlwyd"]["pid"]):
        seen = Path(f"/proc/{pid}/cmdline").read_bytes() + Path(f"/proc/{pid}/environ").read_bytes()
        for secret in (rig["accounts"][0]["password"], rig["django"]["clients"]["confidential"]["secret"]):
            assert secret.encode() not in seen


def test_nothing_listens_beyond_the_loopback(rig):
    ports = {int(url.rsplit(":", 1)[1]) for url in
             (rig["django"]["url"], rig["glewlwyd"]["url"], *rig["hostile"].values())}
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            address, port = line.split()[1].split(":")
            if line.split()[3] == "0A" and int(port, 16) in ports:
                assert address == "0100007F", line
