"""Who asks from no session: services, jobs, containers. The kernel and systemd say who they are, whatever they write themselves."""
import contextlib

from person import PASSCODES, asks_by_finger, logs_in_by_finger
from stories import expect, expect_in

# A service's user, and what root has it and others type.
SERVICE = "systemd-run --quiet --wait --pipe --uid=www-data"
SU = "exec su alice -c \"id -un\""
# What makes somebody's program another one's, and then alice's login its own.
FORGED = f"bash -c 'echo $UID > /proc/self/loginuid; {SU}'"
ALICE = "setpriv --reuid alice --regid alice --init-groups"

# What a job leaves, and a program that waits for it.
JOB = f"({SU}) < /run/asked/right > /run/asked/out 2>&1"
OUTCOME = "for n in $(seq 90); do grep -q -e 'alice$' -e ailure /run/asked/out && break; sleep 1; done; cat /run/asked/out"
RUN0 = "run0 to alice"
# Each with alice's passcode at hand. She is at the machine meanwhile, but none of them is she.
ELSEWHERE = {
    "a program that systemd-run started as alice": f"systemd-run --quiet --wait --pipe --uid=alice {FORGED} < /run/right",
    "a program in a container, with alice's uid":
        "mkdir -p /run/box/usr && ln -sfn /usr/bin /usr/lib /usr/lib64 /usr/sbin /run/box && "
        "systemd-nspawn --quiet --directory=/run/box --machine=asked --bind-ro=/usr --bind-ro=/etc --bind=/run/signet "
        f"--resolv-conf=off --timezone=off --link-journal=no --pipe --user=alice {FORGED} < /run/right",
    "a job of cron": f"rm -f /run/asked/out; echo '* * * * * alice {JOB}' > /etc/cron.d/asked; {OUTCOME}; rm /etc/cron.d/asked",
    "a job of at": f"rm -f /run/asked/out; echo '{JOB}' | {ALICE} at -q a now; {OUTCOME}",
    RUN0: f"run0 --user=alice {FORGED} < /run/right",
}
# It can be herself, where she is at the machine and something says so.
HER_MANAGER = f"{ALICE} env XDG_RUNTIME_DIR=/run/user/$(id -u alice) systemd-run --user --quiet --wait --pipe"
MANAGER = f"{HER_MANAGER} bash -c '{SU}' < /run/right"
# Signet's own programs speak to nobody in a rootless container, where root's socket is somebody's who is not known there. This one
# does not look, and says what signetd asks for in the end: `askPasscode` and its reason, or a verdict.
ASK = """import socket, struct
signetd = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
signetd.connect("/run/signet/socket")
text = lambda bytes: struct.pack("<H", len(bytes)) + bytes
signetd.send(struct.pack("<3BH", 1, 1, 2, 20) + text(b"alice") + text(b"su") + 2 * text(b"") + b"\\1")
replies = iter(lambda: signetd.recv(4096), b"")
print(*next(reply for reply in replies if reply[1] > 65)[1:3])
"""
ASKS_PASSCODE = "66 "
ROOTLESS = "unshare --map-root-user /usr/bin/python3 /var/tmp/ask.py"
# Whoever starts a program of that container's root, which is alice, becomes her there.
ROOTLESS_OTHER = ("unshare --map-root-user --map-auto setpriv --reuid 1 --regid 1 --clear-groups "
                  "/var/tmp/python-of-alice /var/tmp/ask.py")


def stories(story, machine, desk, reader):
    lay_answers(machine, PASSCODES["alice"])
    machine.does("install -o alice -g alice -m 4755 /usr/bin/python3 /var/tmp/python-of-alice")
    machine.does(f"cat > /var/tmp/ask.py <<'END'\n{ASK}END")
    machine.console(1)
    made_up(story, machine, desk, reader)
    with finger_first(machine):
        with story.step("alice's own su takes the finger before the passcode that it has"):
            expect_armed(reader, lambda: desk.runs(f"({SU}) < /run/asked/right"))
        elsewhere(story, machine, desk, reader)
        with story.step("a service of alice's own manager comes to the passcode, where another console is shown"):
            machine.console(2)
            comes_to_passcode(machine, reader, MANAGER)
            machine.console(1)
        with story.step("alice's own program in a rootless container takes the finger, while she is at the machine"):
            expect_armed(reader, lambda: desk.runs(ROOTLESS))
    with story.step("a service of alice's own manager takes the finger, while she is at the machine"):
        status, text = asks_by_finger(desk, reader, "systemd-run --user --quiet --pty sh -c 'sudo -k; sudo id -u'")
        expect(status == 0, text)
    with story.step("while she is at the machine it has her session's token, too, and a service of the system has none"):
        own = desk.runs("signet token")[1].strip()
        expect_in(own, machine.does(f"{HER_MANAGER} signet token"))
        for command in (f"{ALICE} signet token", "systemd-run --quiet --wait --pipe --uid=alice signet token"):
            expect(not machine.asks(command).succeeded, f"{command} had the token")
        machine.console(2)
        expect(not machine.asks(f"{HER_MANAGER} signet token").succeeded, "another console was shown")
        machine.console(1)


def lay_answers(machine, right):
    # Not in a command line, which the journal has.
    machine.does(f"umask 77; echo 'wrong horse' > /run/wrong; echo '{right}' > /run/right; "
                 "install -d -o alice -m 700 /run/asked && install -o alice -m 400 /run/right /run/asked")


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


def elsewhere(story, machine, desk, reader, where=""):
    """Each with alice's passcode, which also ends the waiting of others."""
    for name, command in ELSEWHERE.items():
        if name == RUN0 and not machine.asks("command -v run0").succeeded:
            with story.step(f"{where}this Debian is older than run0"):
                expect(int(machine.does("systemctl --version").split()[1]) < 256, "run0 is missing")
            continue
        with story.step(f"{where}{name} comes to the passcode, and no finger is armed"):
            comes_to_passcode(machine, reader, command)
    with story.step(f"{where}another user in a rootless container of alice's comes to the passcode, and no finger is armed"):
        expect(not arms(reader, lambda: expect_in(ASKS_PASSCODE, desk.runs(ROOTLESS_OTHER)[1])), "a finger was armed")
    with story.step(f"{where}the right passcode of alice's own program ends the waiting"):
        expect("wrong" not in machine.does("signet status --user alice"), "it goes on")


def comes_to_passcode(machine, reader, command, attempts=3):
    outputs = []
    ask = lambda: outputs.append(machine.asks(f"({command}) 2>&1", within=180).output.replace("\r", ""))
    expect(not arms(reader, ask), "a finger was armed")
    if "alice\n" not in outputs[0] and attempts > 1:
        # On a busy host the guest stands still for a second, and signetd counts as silent then.
        return comes_to_passcode(machine, reader, command, attempts - 1)
    expect_in("alice\n", outputs[0])


def arms(reader, ask):
    """Whether a reader that a finger lies on is armed meanwhile."""
    before = reader.scans()
    reader.touch(reader.finger)
    ask()
    reader.does("lift")
    return reader.scans() > before


def expect_armed(reader, ask):
    # Busy, as above.
    expect(any(arms(reader, ask) for _ in range(3)), "no finger was armed")


@contextlib.contextmanager
def finger_first(machine):
    """What has the passcode already is asked for the finger first, where it can be alice's: else nobody sees that it cannot."""
    machine.does("mkdir -p /etc/signet && printf '[service su]\\nprompt = finger_first\\n' >> /etc/signet/signet.conf && "
                 "systemctl reload signetd")
    try:
        yield
    finally:
        machine.does("sed -i '/^.service su.$/,$d' /etc/signet/signet.conf && systemctl reload signetd")


def without_logind(story, machine, reader, right):
    lay_answers(machine, right)
    with no_logind(machine):
        with story.step("without logind alice's sudo on the console takes the finger, and a service is still itself"):
            second = machine.console(2)
            logs_in_by_finger(second, "alice", reader)
            status, text = asks_by_finger(second, reader, "sudo -k; sudo id -u")
            expect(status == 0, text)
            machine.asks(guess(machine, "alice"), within=120)
            expect_in("1 wrong elsewhere", machine.does("signet status --user alice"))
        with finger_first(machine):
            elsewhere(story, machine, second, reader, "without logind, ")
            with story.step("without logind, a service of alice's own manager comes to the passcode, and no finger is armed"):
                comes_to_passcode(machine, reader, MANAGER)
        second.logs_out()


@contextlib.contextmanager
def no_logind(machine):
    machine.does("systemctl mask --runtime --now systemd-logind && mv /run/systemd/seats /run/systemd/seats.kept")
    try:
        yield
    finally:
        machine.does("mv /run/systemd/seats.kept /run/systemd/seats && systemctl unmask --runtime systemd-logind && "
                     "systemctl start systemd-logind")
