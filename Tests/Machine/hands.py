"""The scenarios of hardware, played at emulated readers behind the real kernel by `signet selftest --hand`."""
import json
import os

from person import PASSCODES, Reader, logs_in_by_passcode
from stories import expect
from terminal import Failure

SCENARIOS_TIME = 400


def readers(story, machine):
    machine.new_disk(machine.path("installed.qcow2"))
    machine.boot()
    desk = machine.console(1)
    logs_in_by_passcode(desk, "bob")
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
            except Failure as problem:
                raise Failure(machine.does(f"tail -n 18 /tmp/{kind}.log; journalctl -b -u signetd -o cat --no-pager | tail -n 10")) from problem
            report = json.loads(machine.does(f"cat /tmp/{kind}.json"))
            with open(os.path.join(story.report.folder, f"{kind}.json"), "w", encoding="utf-8") as file:
                json.dump(report, file)
            results = report["results"]
            failed = [result for result in results if result["outcome"] == "failed"]
            expect(results and not failed, "\n".join(f"{result['scenario']}: {result['detail']}" for result in failed))
            reader.does("unplug")
    machine.shut_down()
