"""The scenarios of hardware, played at emulated readers behind the real kernel by `signet selftest --hand`."""
import json
import os
import time

from person import PASSCODES, TOUCH_PROMPT, Reader, asks_by_finger, logs_in_by_passcode
from stories import expect, expect_in
from terminal import PASSCODE_PROMPT, Failure

SCENARIOS_TIME = 400


def readers(story, machine):
    machine.new_disk(machine.installed)
    machine.boot()
    desk = machine.console(1)
    logs_in_by_passcode(desk, "bob")
    virtual(story, machine, desk)
    kinds = ["nb1010", "synaptics"] if Reader.has_prints(machine) else ["synaptics"]
    both = {kind: Reader(machine, kind, kind) for kind in kinds}
    for kind, reader in both.items():
        second = next((other for other in both.values() if other is not reader), reader)
        with story.step(f"signet selftest is content with an emulated {kind}"):
            reader.plug()
            desk.begins(f"HAND_READERS='{reader.socket} {second.socket}' HAND_FINGERS='{reader.finger} {reader.other}' "
                        f"HAND_PASSCODE={PASSCODES['bob']} signet selftest --hand /mnt/readers/hand.py --output /tmp/{kind} > /tmp/{kind}.log 2>&1")
            try:
                desk.ends(within=SCENARIOS_TIME)
                report = json.loads(machine.does(f"cat /tmp/{kind}.json"))
            except Failure as problem:
                raise Failure(machine.does(f"tail -n 18 /tmp/{kind}.log; journalctl -b -u signetd -o cat --no-pager | tail -n 10")) from problem
            with open(os.path.join(story.report.folder, f"{kind}.json"), "w", encoding="utf-8") as file:
                json.dump(report, file)
            results = report["results"]
            failed = [result for result in results if result["outcome"] == "failed"]
            expect(results and not failed, "\n".join(f"{result['scenario']}: {result['detail']}" for result in failed))
            reader.does("unplug")
    if Reader.has_prints(machine):
        liars(story, machine, both["nb1010"])
    machine.shut_down()


def virtual(story, machine, desk):
    place = "/run/signet/virtual/reader"
    scan = f"python3 -c 'import socket; s = socket.socket(socket.AF_UNIX); s.connect(\"{place}\"); s.sendall(b\"SCAN thumb\")'"
    with story.step("a virtual reader works in the unit's sandbox, in the one place that there is for it"):
        machine.does(f"mkdir -p /etc/signet && echo 'virtual_reader = device:{place}' >> /etc/signet/signet.conf && systemctl restart signetd")
        expect_in("Virtual", machine.does("signet readers"))
        desk.begins("signet enroll")
        desk.sees(PASSCODE_PROMPT)
        desk.answers(PASSCODES["bob"])
        desk.sees("(?i)touch|swipe")
        # It shows what it was given.
        machine.does(scan)
        desk.sees("(?i)touch|swipe|lift")
        machine.does(scan)
        desk.sees(r"[12] of 5")
        desk.interrupts()
        machine.does("sed -i '/^virtual_reader/d' /etc/signet/signet.conf; systemctl restart signetd")


def liars(story, machine, sound):
    with story.step("a reader that lies is given up for the passcode, and a sound one works afterwards"):
        desk = machine.console(2)
        logs_in_by_passcode(desk, "alice")
        longest = 0
        for kind in ("without-endpoints", "wrong-endpoints", "babbler"):
            liar = Reader(machine, kind, kind)
            liar.plug()
            began = time.monotonic()
            desk.begins("sudo -k; sudo id -u")
            # Noise may look like a finger; it is none that is enrolled. One that is silent looks like nobody's touching it.
            if desk.sees(PASSCODE_PROMPT, TOUCH_PROMPT, within=30)[0] == 1:
                desk.types("\r")
                desk.sees(PASSCODE_PROMPT)
            longest = max(longest, time.monotonic() - began)
            desk.answers(PASSCODES["alice"])
            status, text = desk.ends()
            expect(status == 0, text)
            liar.does("unplug")
        story.report.figure("seconds to the passcode with a reader that lies, at most", round(longest, 2))
        sound.plug()
        # signet-reader ended with the one before, and another one has to look first.
        machine.does("for n in $(seq 50); do signet readers | grep -q nb1010 && exit 0; sleep 0.2; done; exit 1")
        status, text = asks_by_finger(desk, sound, "sudo -k; sudo id -u")
        expect(status == 0, text)
