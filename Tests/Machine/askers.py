"""Who asks from no session: services, jobs, containers. The kernel and systemd say who they are, whatever they write of themselves."""
import contextlib

from person import PASSCODES, asks_by_finger, logs_in_by_finger
from stories import expect, expect_in

# A service's user, and what root has it and others type.
SERVICE = "systemd-run --quiet --wait --pipe --uid=www-data"
ANSWERS = {"wrong": "wrong horse", "right": PASSCODES["alice"]}
SU = "exec su alice -c \"id -un\""


def stories(story, machine, desk, reader):
    for name, answer in ANSWERS.items():
        # Not by a command line, which the journal has.
        machine.does(f"umask 77; echo '{answer}' > /run/{name}")
    machine.console(1)
    made_up(story, machine, desk, reader)
    elsewhere(story, machine, reader)
    with story.step("a service of alice's own manager takes the finger, while she is at the machine"):
        status, text = asks_by_finger(desk, reader, "systemd-run --user --quiet --pty sh -c 'sudo -k; sudo id -u'")
        expect(status == 0, text)


def made_up(story, machine, desk, reader):
    with story.step("a service's user that wrote alice's login, and others', guesses five times, and delays nobody else"):
        for login in ["alice", "carol", "root", "alice", "bob"]:
            expect(not machine.asks(guess(machine, login), within=120).succeeded, "a wrong passcode was taken")
        expect_in("5 wrong elsewhere", machine.does("signet status --user alice"))
        sixth = machine.asks(guess(machine, "carol", "right"), within=120)
        expect(not sixth.succeeded and "alice\n" not in sixth.output, sixth.output)
        history = machine.does("signet history --user alice")
        expect_in(f"started by uid {uid(machine, 'www-data')})", history)
        status, text = asks_by_finger(desk, reader, "sudo -k; sudo id -u")
        expect(status == 0, text)


def guess(machine, login, answer="wrong"):
    return f"{SERVICE} bash -c 'echo {uid(machine, login)} > /proc/self/loginuid; {SU}' < /run/{answer} 2>&1"


def uid(machine, user):
    return machine.does(f"id -u {user}").strip()


def elsewhere(story, machine, reader):
    """Each with alice's passcode, which also ends the waiting of others."""
    asks = {
        "a program that systemd-run started as alice": f"systemd-run --quiet --wait --pipe --uid=alice bash -c '{SU}'",
        "a program in a container, with alice's uid":
            "systemd-run --quiet --scope --slice=machine.slice setpriv --reuid alice --regid alice --init-groups bash -c "
            f"'echo $UID > /proc/self/loginuid; {SU}'",
    }
    if machine.asks("command -v run0").succeeded:
        asks["run0 to alice"] = f"run0 --user=alice bash -c '{SU}'"
    for name, command in asks.items():
        with story.step(f"{name} comes to the passcode, and no finger is armed"):
            before = reader.scans()
            expect_in("alice\n", machine.does(f"{command} < /run/right 2>&1", within=120).replace("\r", ""))
            expect(reader.scans() == before, "a finger was armed")
    with story.step("the right passcode of alice's own program ends the waiting"):
        expect("wrong" not in machine.does("signet status --user alice"), "it goes on")


def without_logind(story, machine, reader):
    with no_logind(machine), story.step("without logind alice's sudo on the console takes the finger, and a service is still itself"):
        second = machine.console(2)
        logs_in_by_finger(second, "alice", reader)
        status, text = asks_by_finger(second, reader, "sudo -k; sudo id -u")
        expect(status == 0, text)
        machine.asks(guess(machine, "alice"), within=120)
        expect_in("1 wrong elsewhere", machine.does("signet status --user alice"))
        machine.does("signet reset alice")
        second.logs_out()


@contextlib.contextmanager
def no_logind(machine):
    machine.does("systemctl mask --runtime --now systemd-logind && mv /run/systemd/seats /run/systemd/seats.kept")
    try:
        yield
    finally:
        machine.does("mv /run/systemd/seats.kept /run/systemd/seats && systemctl unmask --runtime systemd-logind && "
                     "systemctl start systemd-logind")
