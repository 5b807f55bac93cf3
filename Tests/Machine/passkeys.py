"""Debian's own programs for security keys at the one that Signet plays: who sees it, a passkey by finger, a lock."""
import base64

from person import TOUCH_PROMPT, Reader, logs_in_by_passcode
from stories import expect, expect_in
from terminal import DONE

HASH = base64.b64encode(b"what the site wants signed 32 by").decode()
SITE = "login.example.org"


def passkeys(story, machine):
    machine.new_disk(machine.installed)
    machine.boot()
    with story.step("whoever sits at the machine has a security key, and nobody else"):
        reader = Reader(machine)
        reader.plug()
        desk = machine.console(1)
        logs_in_by_passcode(desk, "alice")
        # By hand, for without a desktop nobody starts it, and its questions are then asked here.
        desk.begins("/usr/libexec/signet/signet-passkey")
        node = appears(machine)
        expect_in("alwaysUv", machine.does(f"runuser -u alice -- fido2-token -I {node}"))
        expect(not machine.asks(f"runuser -u bob -- fido2-token -I {node}").succeeded, "bob opens it")
    with story.step("a finger makes a passkey, and another touch signs with it, and both are verified"):
        by_finger(machine, desk, reader, f"fido2-cred -M -r {node}", [HASH, SITE, "alice", "YWxpY2U="], "made")
        machine.does("fido2-cred -V -i /run/made -o /run/key es256 && sed -n '/BEGIN/,$p' /run/key > /run/public")
        by_finger(machine, desk, reader, f"fido2-assert -G -r -t uv=true {node}", [HASH, SITE], "signed")
        machine.does("fido2-assert -V -i /run/signed /run/public es256")
    with story.step("a locked session has none, and an opened one has it again"):
        machine.does("loginctl lock-sessions")
        machine.does("for n in $(seq 60); do fido2-token -L | grep -q . || exit 0; sleep 0.5; done; exit 1", within=90)
        machine.does("loginctl unlock-sessions")
        appears(machine)
        desk.types("\x03")
        desk.sees(DONE)
    machine.shut_down()


def appears(machine):
    """The node of the device, once there is one."""
    return machine.does("for n in $(seq 60); do fido2-token -L | grep -o '^/dev/hidraw[0-9]*' && exit 0; sleep 0.5; done; exit 1", within=90).strip()


def by_finger(machine, desk, reader, command, lines, result):
    """Alice runs a program that wants the key, whose question is on her console."""
    machine.does(f"printf '%s\\n' {' '.join(lines)} > /run/asked && touch /run/{result} && chown alice /run/{result}")
    machine.does(f"systemd-run --quiet --unit={result} --uid=alice -p StandardInput=file:/run/asked -p StandardOutput=file:/run/{result} "
                 f"-p StandardError=journal /usr/bin/{command}")
    desk.sees(TOUCH_PROMPT, within=30)
    reader.touch(reader.finger)
    machine.does(f"while systemctl is-active -q {result}; do sleep 0.2; done; test -s /run/{result} || {{ journalctl -b -u {result} -t signetd "
                 "--no-pager | tail -20; exit 1; }", within=60)
    reader.does("lift")
