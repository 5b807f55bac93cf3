"""A day with a reader: enrolling, finger and passcode in the programs of the system, misses, a crash, a second user."""
import re
import time

import accounts
import askers
from person import (PASSCODES, TOUCH_PROMPT, Reader, asks_by_finger, asks_by_passcode, has_opened_vaults, logs_in_by_finger,
                    logs_in_by_passcode)
from stories import expect, expect_in, expect_not_in
from terminal import PASSCODE_PROMPT

SSH = "ssh -tt -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR"


def day(story, machine):
    desk, reader = morning(story, machine)
    askers.stories(story, machine, desk, reader)
    polkit(story, machine, desk, reader)
    misses(story, machine, desk, reader)
    crash(story, machine, desk, reader)
    accounts.outlive_logouts(story, machine, desk, reader, PASSCODES["alice"])
    new = passcode_change(story, machine, desk, reader)
    askers.without_logind(story, machine, reader, new)
    with story.step("the journal has no noise and no secret of anybody's"):
        journal = machine.does("journalctl -b --no-pager -o cat")
        for secret in [*PASSCODES.values(), new]:
            expect_not_in(secret, journal)
        warnings = machine.does("journalctl -b --no-pager -o cat -p warning -t signetd -t signet-reader -t signet-logind")
        expect_not_in("ignoring udev action", warnings)
    accounts.outlive_power_cut(story, machine, machine.console(1), reader, new)


def confined(story, machine):
    """What of the day is no matter of what other services are let do with the tests' own files."""
    desk, reader = morning(story, machine)
    misses(story, machine, desk, reader)
    crash(story, machine, desk, reader)


def morning(story, machine):
    """Who logs in where, and what she asks for; returns her console and the reader."""
    machine.new_disk(machine.installed)
    machine.boot()
    with story.step("after the first passcode of the boot a finger is enough"):
        reader = Reader(machine)
        reader.plug()
        desk = machine.console(1)
        logs_in_by_passcode(desk, "alice")
    fingers(story, machine, desk, reader)
    prompt(story, machine, desk, reader)
    scripts(story, machine, desk, reader)
    others(story, machine, desk, reader)
    far_away(story, machine, desk, reader)
    key(story, machine, desk, reader)
    return desk, reader


def fingers(story, machine, desk, reader):
    with story.step("sudo takes the finger"):
        status, text = asks_by_finger(desk, reader, "sudo -k; sudo id -u")
        expect(status == 0 and re.search(r"^0$", text, re.M), text)
    with story.step("where auditd runs it has a record of each proof"):
        machine.does("systemctl start auditd.service")
        status, text = asks_by_finger(desk, reader, "sudo -k; sudo id -u")
        expect(status == 0, text)
        # signetd writes it after its answer, and auditd when it has come.
        record = machine.does("for _ in $(seq 60); do ausearch -i -m USER_AUTH -x /usr/libexec/signet/signetd --input-logs && break; sleep 1; done")
        for part in ("op=signet:fingerprint", "id=alice", "res=success"):
            expect_in(part, record)
        # It takes no stop from systemctl; and the kernel is to write no more records, into the journal then.
        machine.does("pkill -x auditd; auditctl -e 0")
    with story.step("login takes the finger, and the session has a token"):
        second = machine.console(2)
        logs_in_by_finger(second, "alice", reader)
        status, token = second.runs("signet token")
        expect(status == 0, token)
        expect_in("signet:token", second.runs("keyctl show @s")[1])
    with story.step("alice's own systemd starts her agent when she asks it"):
        status, text = second.runs("signet bindings && systemctl --user is-active signet-agent.service")
        expect(status == 0, text)
        expect_in("No account is bound", text)
    with story.step("after the logout its token is gone, and the other session's is there"):
        second.logs_out()
        rows = [row for row in machine.does("signet sessions").splitlines() if "alice" in row]
        expect(len(rows) == 1, "\n".join(rows))
        machine.console(1)


def prompt(story, machine, desk, reader):
    with story.step("a reader that is pulled out leaves the passcode, and put back it takes the finger in the same prompt"):
        desk.begins("sudo -k; sudo id -u")
        desk.sees(TOUCH_PROMPT, within=30)
        reader.does("unplug")
        desk.sees(r"Passcode: $", within=30)
        desk.types("half")
        # No hand puts it back before libfprint has closed it.
        time.sleep(1)
        reader.plug()
        desk.sees(TOUCH_PROMPT, within=30)
        reader.touch(reader.finger)
        status, text = desk.ends()
        expect(status == 0 and re.search(r"^0$", text, re.M), text)
    with story.step("a prompt on a console that is left and come back to is as it was"):
        desk.runs("stty -g > /tmp/modes")
        desk.begins("sudo -k; sudo id -u")
        desk.sees(TOUCH_PROMPT, within=30)
        desk.types("half")
        machine.console(2)
        machine.console(1)
        reader.touch(reader.finger)
        status, text = desk.ends()
        expect(status == 0 and re.search(r"^0$", text, re.M), text)
        status, text = desk.runs("stty -g | cmp - /tmp/modes")
        expect(status == 0, text)


def scripts(story, machine, desk, reader):
    with story.step("a passcode that is there already waits for no finger, and a wrong one is refused"):
        machine.does("install -d -o alice -m 700 /run/scripts && cd /run/scripts && "
                     f"echo '{PASSCODES['alice']}' > right && echo no > wrong && printf '#!/bin/sh\\ncat /run/scripts/right\\n' > askpass && "
                     "chmod 644 right wrong && chmod 755 askpass")
        before = reader.scans()
        for command, name in [("sudo -S -p '' id -un < /run/scripts/right", "root"), ("cat /run/scripts/right | sudo -S id -un | cat", "root"),
                              ("SUDO_ASKPASS=/run/scripts/askpass sudo -A id -un", "root"), ("su alice -c 'id -un' < /run/scripts/right", "alice")]:
            status, text = desk.runs(f"sudo -k; {command}")
            expect(status == 0 and re.search(rf"{name}$", text, re.M), text)
        status, text = desk.runs("sudo -k; sudo -S -p '' id -un < /run/scripts/wrong")
        expect(status != 0 and "root" not in text, text)
        expect(reader.scans() == before, "a finger was waited for")
    with story.step("an empty answer of a pipe is refused"):
        status, text = desk.runs("sudo -k; echo | sudo -S -p '' id -un")
        expect(status != 0 and "root" not in text, text)
        expect(reader.scans() == before, "a finger was waited for")
    with story.step("an empty answer asks for the finger, and nothing of that is in the command's output"):
        has_opened_vaults(machine)
        desk.begins("sudo -k; sudo -p 'answer: ' id -un > /tmp/output")
        desk.sees("answer: $")
        desk.answers("")
        reader.touch(reader.finger)
        status, text = desk.ends()
        reader.does("lift")
        expect(status == 0, text)
        expect(machine.does("cat /tmp/output") == "root\n", machine.does("cat /tmp/output"))
        machine.does("rm -r /run/scripts /tmp/output")


def others(story, machine, desk, reader):
    with story.step("su to alice by carol asks for the passcode, and no finger is armed"):
        second = machine.console(2)
        logs_in_by_passcode(second, "carol")
        status, text = asks_by_passcode(second, "su alice -c 'id -un'", PASSCODES["alice"])
        expect(status == 0, text)
        expect_in("alice", text)
        second.logs_out()
    with story.step("a login on a serial line, and sudo there, ask for no finger"):
        line = machine.serial(1)
        logs_in_by_passcode(line, "alice")
        status, text = asks_by_passcode(line, "sudo -k; sudo id -u", PASSCODES["alice"])
        expect(status == 0, text)
        line.logs_out()


def far_away(story, machine, desk, reader):
    with story.step("ssh and a sudo inside it ask for no finger"):
        second = machine.console(2)
        logs_in_by_passcode(second, "bob")
        second.begins(f"{SSH} -o PreferredAuthentications=password alice@localhost")
        ssh = second.commands
        place, text = second.sees(PASSCODE_PROMPT, TOUCH_PROMPT, within=60)
        expect(place == 0, text)
        second.answers(PASSCODES["alice"])
        second.has_shell()
        status, text = asks_by_passcode(second, "sudo -k; sudo id -u", PASSCODES["alice"])
        expect(status == 0, text)
        second.mark = None
        second.types("exit\r")
        second.sees(rf"<<{ssh}:0>>\n@@\$ $")
        second.logs_out()


def key(story, machine, desk, reader):
    machine.console(1)
    with story.step("ssh logs in by a key that signs once the finger was there"):
        status, text = desk.runs("mkdir -p -m 700 ~/.ssh && signet key make laptop > ~/.ssh/authorized_keys")
        expect(status == 0, text)
        status, text = asks_by_finger(
            desk, reader, f"signet key agent -- {SSH} -o PreferredAuthentications=publickey alice@localhost id -un")
        expect(status == 0 and re.search(r"^alice$", text, re.M), text)
        # The key serves nobody any more.
        status, text = desk.runs("signet key delete laptop --yes && rm ~/.ssh/authorized_keys")
        expect(status == 0, text)


def polkit(story, machine, desk, reader):
    with story.step("polkit's text agent takes the finger"):
        second = machine.console(2)
        logs_in_by_finger(second, "alice", reader)
        shell = desk.runs("echo $$")[1].split()[-1]
        second.begins(f"pkttyagent --process {shell}")
        machine.does(f"until journalctl -b -o cat | grep -q 'Registered Authentication Agent for unix-process:{shell}:'; do sleep 0.2; done")
        desk.begins("pkexec id -u")
        # Which administrator it is to be.
        second.sees(r"1\. [^\n]*alice", within=60)
        second.sees(r"\(1-\d\): $")
        second.answers("1", hidden=False)
        place, text = second.sees(TOUCH_PROMPT, PASSCODE_PROMPT, within=60)
        expect(place == 0, text)
        reader.touch(reader.finger)
        status, text = desk.ends()
        expect(status == 0, text)
        second.interrupts()
        second.logs_out()
        machine.console(1)


def misses(story, machine, desk, reader):
    with story.step("three misses ask for the passcode, two more lock the finger for every program"):
        has_opened_vaults(machine)
        desk.begins("sudo -k; sudo id -u")
        desk.sees(TOUCH_PROMPT, within=30)
        reader.touch(reader.other, 3)
        desk.sees(r"Passcode: $", within=60)
        desk.interrupts()
        second = machine.console(2)
        second.names("alice")
        second.sees(TOUCH_PROMPT, within=30)
        reader.touch(reader.other, 2)
        second.sees(r"Passcode: $", within=60)
        reader.does("lift")
        expect_in("5 of 5", machine.does("signet status --user alice"))
        second.types("\x03")
        machine.console(1)
        status, text = asks_by_passcode(desk, "sudo -k; sudo id -u", PASSCODES["alice"])
        expect(status == 0, text)
        expect_in("0 of 5", machine.does("signet status --user alice"))
        has_opened_vaults(machine)
        status, text = asks_by_finger(desk, reader, "sudo -k; sudo id -u")
        expect(status == 0, text)


def crash(story, machine, desk, reader):
    with story.step("a signetd that is killed comes back, and only without secret memory the vault wants the passcode then"):
        # Debian 12's kernel has it switched off, Debian 13's on.
        has_secret_memory = "switched off" not in machine.does("signet status --user alice")
        asked = crashes_with_item(machine, desk, PASSCODES["alice"], reader)
        expect((asked != "Passcode") == has_secret_memory, f"secret memory: {has_secret_memory}, and what was asked for: {asked}")
        status, text = asks_by_finger(desk, reader, "sudo -k; sudo id -u")
        expect(status == 0, text)


def crashes_with_item(machine, desk, passcode, reader):
    """Stores an item, kills signetd, and reads the item; returns what was asked for then."""
    status, text = desk.runs("printf secret | signet vault add tests alice")
    expect(status == 0, text)
    machine.does("kill -9 $(systemctl show -P MainPID signetd)")
    desk.begins("signet vault get tests alice | cat")
    place, text = desk.sees(PASSCODE_PROMPT, TOUCH_PROMPT, rf"<<{desk.commands}:", within=30)
    if place == 0:
        desk.answers(passcode)
    elif place == 1:
        reader.touch(reader.finger)
    expect_in("secret", desk.ends()[1])
    return ("Passcode", "Touch", "nothing")[place]


def passcode_change(story, machine, desk, reader):
    new = "N3w-Horse-Staple"
    with story.step("passwd changes the passcode, and the vault goes on with the new one"):
        desk.begins("passwd")
        desk.sees(r"(?i)current[^\n]*: $")
        desk.answers(PASSCODES["alice"])
        for prompt in (r"(?i)\bnew[^\n]*: $", r"(?i)retype[^\n]*: $"):
            desk.sees(prompt)
            desk.answers(new)
        status, text = desk.ends()
        expect(status == 0, text)
        status, text = asks_by_finger(desk, reader, "signet vault get tests alice | cat")
        expect_in("secret", text)
        machine.does("systemctl restart signetd")
        desk.begins("sudo -k; sudo id -u")
        place, _ = desk.sees(PASSCODE_PROMPT, TOUCH_PROMPT, within=30)
        if place == 0:
            desk.answers(new)
        else:
            reader.touch(reader.finger)
        status, text = desk.ends()
        expect(status == 0, text)
    return new
