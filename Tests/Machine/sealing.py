"""A TPM seals the machine's key; a machine whose TPM is another has to ask for the passcode, and has lost nothing."""
from machine import TPM
from living import crashes_with_item
from person import PASSCODES, Reader, asks_by_finger, logs_in_by_passcode
from stories import expect, expect_in


def tpm(story, machine):
    machine.tpm = TPM(machine.path("tpm"))
    machine.new_disk(machine.installed)
    with story.step("after the first passcode the TPM has the key, and no file has it"):
        machine.boot()
        machine.does("test -c /dev/tpmrm0")
        logs_in_by_passcode(machine.console(1), "alice")
        machine.does("for n in $(seq 60); do [ -e /var/lib/signet/device.key ] || exit 0; sleep 1; done; "
                     "ls -la /var/lib/signet; signet status; journalctl -b -t signetd -t signet-tpm --no-pager | tail; exit 1", within=90)
        expect_in("TPM", keys_line(machine))
        machine.shut_down()
    with story.step("after the next start the TPM gives the key, and a finger is enough after the passcode"):
        machine.boot(kernel="secretmem.enable=1")
        desk, reader = finger_works(machine)
    with story.step("a signetd that is killed comes back with the vault open, where the kernel has secret memory"):
        asked = crashes_with_item(machine, desk, PASSCODES["alice"], reader)
        expect(asked != "Passcode", "the vault was closed: " + machine.does("signet status --user alice"))
        machine.shut_down()
    with story.step("with another TPM the passcode brings the key back, and the finger is there"):
        machine.tpm.replace()
        machine.boot()
        text = machine.does("signet status --user alice")
        story.report.figure("status with another TPM", text.strip().splitlines()[-1])
        finger_works(machine)
        machine.shut_down()
    with story.step("that TPM has it sealed anew"):
        machine.boot()
        expect_in("TPM", keys_line(machine))
        finger_works(machine)
        machine.shut_down()


def keys_line(machine):
    return next((line for line in machine.does("signet status --verbose --user alice").splitlines() if line.startswith("Keys:")), "")


def finger_works(machine):
    reader = Reader(machine)
    reader.plug()
    desk = machine.console(1)
    logs_in_by_passcode(desk, "alice")
    # The key may come back a moment after the verdict.
    machine.does("for n in $(seq 60); do signet status --user alice | grep -q '^Locked: *no' && exit 0; sleep 1; done; "
                 "signet status --user alice; journalctl -b -t signetd -t signet-tpm --no-pager | tail; exit 1", within=150)
    status, text = asks_by_finger(desk, reader, "sudo -k; sudo id -u")
    expect(status == 0, text)
    return desk, reader
