"""Accounts elsewhere: what signs in at an identity provider outlives logouts and a power cut. The provider is in the guest: provider.py."""
import json
import os
import shutil
import sys

from person import TOUCH_PROMPT, Reader, asks_by_finger, logs_in_by_finger
from stories import expect, expect_in
from terminal import PASSCODE_PROMPT

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Providers"))
from certificates import Authority  # noqa: E402

ISSUER = "https://localhost:4433"
TOKEN = f"signet token --issuer {ISSUER}"
FOLDER = "/var/lib/provider"
TIMES = 5
HELD = f"for n in $(seq 600); do test -e {FOLDER}/held && exit 0; sleep 0.1; done; exit 1"


def outlive_logouts(story, machine, desk, reader, passcode):
    with story.step("an account at a provider is bound to alice's finger"):
        install_provider(machine)
        start_provider(machine)
        binds(desk, reader, passcode)
    with story.step(f"out and in again within a second, {TIMES} times, and her finger signs in there each time"):
        tokens = {token(desk)}
        for _ in range(TIMES):
            desk.logs_out()
            logs_in_by_finger(desk, "alice", reader)
            tokens.add(signs_in(desk, passcode))
        expect(len(tokens) == TIMES + 1, "a session was given a token of the one before")


def outlive_power_cut(story, machine, desk, reader, passcode):
    with story.step("power that goes in the midst of a refresh costs that sign-in, which `signet bind` brings back, and nothing else"):
        desk.logs_out()
        logs_in_by_finger(desk, "alice", reader)
        signs_in(desk, passcode)
        before = belongings(machine)
        machine.does(f"touch {FOLDER}/hold")
        # The next agent refreshes at once.
        desk.runs("systemctl --user restart signet-agent.service")
        machine.does(HELD, within=90)
        machine.cut()
        machine.boot()
        # The second one may have gone with the power.
        machine.does(f"rm -f {FOLDER}/hold {FOLDER}/held")
        start_provider(machine)
        reader = Reader(machine)
        reader.plug()
        desk = machine.console(1)
        desk.logs_in("alice", passcode)
        status, text = asks_by_finger(desk, reader, f"signet login {ISSUER}")
        # The console breaks lines where it is full.
        expect(status != 0 and f"signet bind {ISSUER}" in text.replace("\n", ""), text)
        binds(desk, reader, passcode)
        token(desk)
        after = belongings(machine)
        expect(after == before, f"{before} became {after}")
        desk.begins("signet vault get tests alice | cat")
        proves(desk, reader, passcode)
        expect_in("secret", desk.ends()[1])


def install_provider(machine):
    """Its root is among those that the guest trusts."""
    folder = os.path.join(machine.share, "provider")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    Authority(folder).sign("server")
    shutil.copy(os.path.join(os.path.dirname(os.path.abspath(__file__)), "provider.py"), folder)
    machine.does(f"cp -r /mnt/provider {FOLDER} && mkdir -p /etc/ssl/certs && cat {FOLDER}/ca.pem >> /etc/ssl/certs/ca-certificates.crt")


def start_provider(machine):
    machine.does(f"systemd-run --quiet --unit=provider /usr/bin/python3 -B {FOLDER}/provider.py {FOLDER}")
    machine.does("for n in $(seq 100); do (: < /dev/tcp/localhost/4433) 2>/dev/null && exit 0; sleep 0.1; done; exit 1")


def proves(desk, reader, passcode):
    """Gives what is asked for."""
    if desk.sees(PASSCODE_PROMPT, TOUCH_PROMPT, within=30)[0] == 0:
        desk.answers(passcode)
    else:
        reader.touch(reader.finger)


def binds(desk, reader, passcode):
    desk.begins(f"signet bind {ISSUER} --device --client-id guest --scope tasks")
    desk.sees(TOUCH_PROMPT, within=30)
    reader.touch(reader.finger)
    if desk.sees(r"\[y/N\]", PASSCODE_PROMPT)[0] == 1:
        # The vault was closed with the last session.
        desk.answers(passcode)
        desk.sees(r"\[y/N\]")
    desk.answers("y", hidden=False)
    status, text = desk.ends()
    expect(status == 0, text)


def signs_in(desk, passcode):
    """With the finger that logged in just now, and the passcode where the vault was closed with the last session; a token of it."""
    desk.begins(f"signet login {ISSUER} && {TOKEN}")
    if desk.sees(PASSCODE_PROMPT, rf"<<{desk.commands}:\d+>>", within=30)[0] == 0:
        desk.answers(passcode)
    return token_of(*desk.ends())


def token(desk):
    return token_of(*desk.runs(TOKEN))


def token_of(status, text):
    expect(status == 0, text)
    return text.split()[-1]


def belongings(machine):
    """What alice has beside what signs in: her strikes, her fingers, and what else is in her vault."""
    strikes = json.loads(machine.does("signet status --user alice --json"))["strikes"]
    items = json.loads(machine.does("signet vault list --user alice --json"))
    return strikes, machine.does("signet list --user alice"), [item for item in items if not item["binding"]]
