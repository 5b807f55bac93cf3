"""What is told of each desktop."""
import installing
from desktop import USER
from gnome import AtGNOME
from person import PASSCODES, Reader
from plasma import AtPlasma
from stories import expect, expect_in
from xfce import AtXfce

PEOPLE = {"xfce": AtXfce, "gnome": AtGNOME, "plasma": AtPlasma}


def installation(story, machine):
    machine.has_screen = True
    installing.without_signet(story, machine)
    installing.installs(story, machine)


def day(story, machine, kind):
    machine.has_screen = True
    machine.new_disk(machine.installed)
    machine.boot()
    # The passcode that is typed opens the keyring at a login by finger, too, also after the last session has ended.
    machine.does("printf 'release_authtok = yes\nvault_close_with_session = no\n' >> /etc/signet/signet.conf && systemctl reload signetd")
    reader = Reader(machine)
    reader.plug()
    person = PEOPLE[kind](machine, reader, story.report.folder)
    person.prepares()
    logins(story, machine, person)
    locks(story, machine, person)


def logins(story, machine, person):
    with story.step("after a start the greeter takes the passcode"):
        person.logs_in_by_passcode()
        person.logs_out()
    with story.step("the next login's passcode opens the keyring, which keeps something"):
        person.logs_in_by_passcode()
        person.keeps_secret()
        person.logs_out()
    with story.step("a login by finger opens it, too"):
        person.logs_in_by_finger()
        expect_in("fpt", machine.does("signet sessions"))
        expect(person.has_secret(), "the keyring is closed")
    with story.step("a terminal of the session and a program of her own manager have the session's token, and a service has none"):
        managed = machine.does(person.of_session("systemd-run --user --quiet --wait --pipe signet token")).strip()
        expect(len(managed) == 64, managed)
        own = person.says_in_terminal("signet token")
        person.screen.keeps("terminal")
        expect(own == managed, own)
        service = machine.asks(f"systemd-run --quiet --wait --pipe --uid={USER} signet token 2>&1")
        expect(not service.succeeded, str(service))


def locks(story, machine, person):
    reader, screen = person.reader, person.screen
    with story.step("the screen is locked, and the finger opens it"):
        person.locks_screen()
        screen.keeps("locker asks for the finger")
        reader.touch(reader.finger)
        person.has_session()
    with story.step("five misses lock the fingerprints, beside a wrong passcode; the right one opens the screen, and clears the strikes"):
        person.locks_screen()
        person.misses(3)
        # Refused, it asks anew.
        person.answers("wrong horse")
        person.misses(2)
        screen.keeps("locker after misses")
        expect_in('"strikes" : 5,', machine.does(f"signet status --user {USER} --json"))
        screen.types(PASSCODES[USER] + "\n")
        person.has_session()
        expect_in('"strikes" : 0,', machine.does(f"signet status --user {USER} --json"))
