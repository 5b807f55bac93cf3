"""A user of a directory, who has a line neither in passwd(5) nor in shadow(5): what their finger opens, and what it does not while the
account is disabled, expired, or the directory out of reach. The directory is in the guest: OpenLDAP's slapd behind TLS, and sssd before it."""
import json
import os
import shutil
import sys

import accounts
from person import PASSCODES, TOUCH_PROMPT, Reader, asks_by_finger, enrolls, logs_in_by_finger, logs_in_by_passcode
from stories import expect, expect_in, expect_not_in
from terminal import DONE, PASSCODE_PROMPT

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Providers"))
from certificates import Authority  # noqa: E402

FOLDER = "/var/lib/directory"
BASE = "dc=example,dc=test"
SLAPD = f"""include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/nis.schema
include /etc/ldap/schema/inetorgperson.schema
modulepath /usr/lib/ldap
moduleload back_mdb
TLSCertificateFile {FOLDER}/server.pem
TLSCertificateKeyFile {FOLDER}/server.key
security simple_bind=128
database mdb
suffix {BASE}
rootdn gidNumber=0+uidNumber=0,cn=peercred,cn=external,cn=auth
directory {FOLDER}/data
maxsize 10485760
access to attrs=userPassword by anonymous auth by * none
access to * by * read
"""
# `disabled` is an attribute that its administrators agreed on, and shadowExpire the day from which an account is expired.
SSSD = f"""[sssd]
services = nss, pam
domains = example.test
[pam]
pam_initgroups_scheme = always
[domain/example.test]
id_provider = ldap
auth_provider = ldap
access_provider = ldap
ldap_uri = ldaps://localhost
ldap_search_base = {BASE}
ldap_tls_cacert = {FOLDER}/ca.pem
ldap_tls_reqcert = demand
ldap_access_order = filter, expire
ldap_access_filter = (!(employeeType=disabled))
ldap_account_expire_policy = shadow
use_fully_qualified_names = true
re_expression = (((?P<domain>[^\\\\]+)\\\\(?P<name>.+$))|((?P<name>[^@]+)@(?P<domain>.+$))|(^(?P<name>[^@\\\\]+)$))
case_sensitive = false
cache_credentials = true
"""


class Directory:
    """The directory, and what its administrator does. Its user has another uid than the machine's own alice."""

    user, uid, passcode = "alice@example.test", 1683200500, "Dir3ctory-Horse"

    def __init__(self, machine):
        self.machine = machine

    def install(self):
        folder = os.path.join(self.machine.share, "directory")
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        # OpenLDAP's library takes the machine's own name for that of loopback.
        Authority(folder).sign("server", "DNS:signetguest")
        for name, text in {"slapd.conf": SLAPD, "sssd.conf": SSSD, "people.ldif": self.people()}.items():
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        self.machine.does(
            f"cp -r /mnt/directory {FOLDER} && cd {FOLDER} && mkdir data && chmod 600 server.key && slapadd -q -f slapd.conf -l people.ldif && "
            f"install -m 600 sssd.conf /etc/sssd/sssd.conf && install -d -o {self.uid} -g 100 -m 700 /home/{self.user} && "
            f"echo '#{self.uid} ALL=(ALL:ALL) ALL' > /etc/sudoers.d/directory && chmod 440 /etc/sudoers.d/directory && "
            "sed -i 's/^\\(passwd\\|group\\|shadow\\):.*/& sss/' /etc/nsswitch.conf && "
            "DEBIAN_FRONTEND=noninteractive pam-auth-update --enable sss")
        self.starts()
        self.machine.does("systemctl start sssd.service")

    def people(self):
        return (f"dn: {BASE}\nobjectClass: dcObject\nobjectClass: organization\no: Example\ndc: example\n\n"
                f"dn: uid=alice,{BASE}\nobjectClass: inetOrgPerson\nobjectClass: posixAccount\nobjectClass: shadowAccount\n"
                f"cn: Alice\nsn: Alice\nuid: alice\nuidNumber: {self.uid}\ngidNumber: 100\nhomeDirectory: /home/{self.user}\n"
                f"loginShell: /bin/bash\nuserPassword: {self.passcode}\n")

    def starts(self):
        self.machine.does(
            f"systemd-run --quiet --unit=directory -p RuntimeDirectory=slapd /usr/sbin/slapd -d 0 -f {FOLDER}/slapd.conf -h 'ldaps://localhost ldapi:///' && "
            "for n in $(seq 100); do ldapwhoami -Q -Y EXTERNAL -H ldapi:/// > /dev/null 2>&1 && exit 0; sleep 0.1; done; exit 1")

    def stops(self):
        self.machine.does("systemctl stop directory.service")

    def is_back(self):
        self.starts()
        # It would try by itself within some minutes.
        self.machine.does("pkill -USR2 -x sssd")

    def changes(self, change):
        """What ldapmodify(1) is told of its user."""
        done = self.machine.asks(f"printf 'dn: uid=alice,{BASE}\\nchangetype: modify\\n{change}\\n' | ldapmodify -Q -Y EXTERNAL -H ldapi:///")
        expect(done.succeeded, str(done))


SPELLINGS = [Directory.user, "ALICE@EXAMPLE.TEST", "EXAMPLE.TEST\\alice"]
SUDO = "sudo -k; sudo id -u"
GET = "signet vault get notes key | grep -x s3same"
EVALUATE = "/usr/bin/python3 -B /mnt/clients/evaluate.py"
# Longer than a yes counts.
ENDS = f"(for n in $(seq 90); do {accounts.TOKEN} > /dev/null 2>&1 || exit 0; sleep 1; done; exit 1)"


def story(story, machine):
    machine.new_disk(machine.installed)
    machine.boot()
    directory = Directory(machine)
    PASSCODES[directory.user] = directory.passcode
    with story.step("a directory's user is one user, however the name is spelled"):
        directory.install()
        for name in SPELLINGS:
            expect_in(f"{directory.user}:*:{directory.uid}:", machine.does(f"getent passwd '{name}'"))
    with story.step("with the directory's passcode they log in and enroll a finger, which is not that of the machine's own alice"):
        reader = Reader(machine)
        reader.plug()
        desk = machine.console(1)
        logs_in_by_passcode(desk, directory.user)
        before = machine.does("signet list --user alice")
        enrolls(desk, reader, directory.user, "left-thumb")
        expect_in("left-thumb", machine.does(f"signet list --user {SPELLINGS[1]}"))
        expect(machine.does("signet list --user alice") == before, "another's fingers changed")
        desk.logs_out()
    opens(story, machine, desk, reader, directory)
    closes(story, machine, desk, reader, directory)
    goes(story, machine, desk, reader, directory)
    with story.step("the journal has no passcode of the directory's"):
        expect_not_in(directory.passcode, machine.does("journalctl -b --no-pager -o cat"))
    machine.shut_down()


def opens(story, machine, desk, reader, directory):
    with story.step("the finger logs in by each spelling, and the session has a token"):
        for name in SPELLINGS:
            logs_in_by_finger(desk, name, reader)
            status, text = desk.runs("id -u && signet token")
            expect(status == 0 and str(directory.uid) in text, text)
            desk.logs_out()
    with story.step("a strike by one spelling counts for all, and not for the machine's own alice"):
        second = machine.console(2)
        second.names(SPELLINGS[2])
        second.sees(TOUCH_PROMPT, within=30)
        reader.touch(reader.other)
        second.sees("(?i)not recogni[sz]ed", within=30)
        for user, isStruck in [(name, True) for name in SPELLINGS] + [("alice", False)]:
            expect((strikes(machine, user) > 0) == isStruck, f"{user} has {strikes(machine, user)} strikes")
        reader.does("lift")
        reader.touch(reader.finger)
        second.has_shell()
        expect(strikes(machine, SPELLINGS[1]) == 0, "the match cleared none")
        second.logs_out()
        machine.console(1)
    with story.step("the finger opens sudo, the vault, an application's evaluation and an account at a provider"):
        logs_in_by_finger(desk, directory.user, reader)
        desk.begins("printf s3same | signet vault add notes key")
        # The vault was closed with the last session.
        if desk.sees(PASSCODE_PROMPT, rf"<<{desk.commands}:\d+>>")[0] == 0:
            desk.answers(directory.passcode)
        status, text = desk.ends()
        expect(status == 0, text)
        for command in (SUDO, GET, EVALUATE):
            reader.does("lift")
            status, text = asks_by_finger(desk, reader, command)
            expect(status == 0, text)
        accounts.install_provider(machine)
        accounts.start_provider(machine)
        accounts.binds(desk, reader, directory.passcode)
        accounts.token(desk)


def closes(story, machine, desk, reader, directory):
    with story.step("an account that is disabled is refused by sudo at once, and by all others after a minute"):
        directory.changes("replace: employeeType\\nemployeeType: disabled")
        is_refused_by_sudo(desk, reader)
        status, _ = desk.runs(ENDS, within=120)
        expect(status == 0, "it was let in for longer")
        is_closed(desk)
    with story.step("it stays closed while the directory is out of reach"):
        directory.stops()
        is_closed(desk)
        directory.is_back()
    with story.step("an account that is expired, and not disabled, is refused as well"):
        directory.changes("replace: shadowExpire\\nshadowExpire: 1")
        # sssd knows a user's entry by heart for some seconds.
        machine.does("systemctl restart sssd.service")
        directory.changes("delete: employeeType")
        is_closed(desk)
        is_refused_by_sudo(desk, reader)
    with story.step("an account that is open again opens all of it at once"):
        directory.changes("delete: shadowExpire")
        machine.does("systemctl restart sssd.service")
        for command in (SUDO, GET):
            status, text = asks_by_finger(desk, reader, command)
            expect(status == 0, text)
        accounts.token(desk)


def goes(story, machine, desk, reader, directory):
    with story.step("without the directory its last word counts: finger and passcode log in, and the finger opens sudo and the vault"):
        directory.stops()
        # Nothing is known any more of whose account is open.
        machine.does("systemctl reload signetd.service")
        status, text = asks_by_finger(desk, reader, SUDO)
        expect(status == 0, text)
        # Keys of vaults are lost there where the kernel has memfd_secret(2) switched off.
        desk.begins(GET)
        accounts.proves(desk, reader, directory.passcode)
        expect(desk.ends()[0] == 0, "nothing came")
        status, text = asks_by_finger(desk, reader, GET)
        expect(status == 0, text)
        second = machine.console(2)
        logs_in_by_finger(second, SPELLINGS[1], reader)
        second.logs_out()
        logs_in_by_passcode_beside(second, directory)
        second.logs_out()
        machine.console(1)
    with story.step("where nobody can ask the directory, nothing opens without a login"):
        machine.does("systemctl stop sssd.service && systemctl reload signetd.service")
        is_closed(desk)
        machine.does("systemctl start sssd.service")
        directory.is_back()
        status, text = asks_by_finger(desk, reader, "signet verify")
        expect(status == 0, text)
        desk.logs_out()


def logs_in_by_passcode_beside(terminal, directory):
    """The prompt takes a finger, too."""
    terminal.names(directory.user)
    terminal.sees(TOUCH_PROMPT, within=30)
    terminal.answers(directory.passcode)
    terminal.has_shell()


def is_closed(desk):
    """Neither a finger nor a passcode is asked for."""
    for command in (GET, EVALUATE, "signet verify", accounts.TOKEN):
        desk.begins(command)
        place, text = desk.sees(DONE, TOUCH_PROMPT, PASSCODE_PROMPT, within=60)
        expect(place == 0, text)
        status, text = desk.ends()
        expect(status != 0 and "s3same" not in text, text)


def is_refused_by_sudo(desk, reader):
    """By its own account phase, behind the finger."""
    desk.begins(SUDO)
    desk.sees(TOUCH_PROMPT, within=30)
    reader.touch(reader.finger)
    status, text = desk.ends()
    reader.does("lift")
    expect(status != 0, text)
    expect_in("account", text)


def strikes(machine, user):
    return json.loads(machine.does(f"signet status --user '{user}' --json"))["strikes"]
