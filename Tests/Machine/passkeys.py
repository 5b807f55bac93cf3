"""Debian's own programs for security keys at the one that Signet plays: who sees it, what each of them does with it by finger, a lock."""
import base64
import shlex

from person import PASSCODES, TOUCH_PROMPT, Reader, logs_in_by_passcode
from stories import expect, expect_in
from terminal import PASSCODE_PROMPT

HASH = base64.b64encode(b"what the site wants signed 32 by").decode()
SITE = "login.example.org"
MAKE, USE = (rf"{word} a passkey[\s\S]*{TOUCH_PROMPT}" for word in ("make", "use"))
SSH = "ssh -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o IdentitiesOnly=yes -o PreferredAuthentications=publickey"


def passkeys(story, machine):
    owner = makes_and_uses(story, machine)
    ssh(story, owner)
    sudo(story, owner)
    disk(story, owner)
    site(story, owner)
    goes_with_the_session(story, owner)
    machine.shut_down()


def device(story, machine):
    """The device alone, and a program that comes with it."""
    goes_with_the_session(story, makes_and_uses(story, machine))
    machine.shut_down()


def makes_and_uses(story, machine):
    with story.step("whoever sits at the machine has a security key, and nobody else"):
        owner, node = sits_down(machine)
        expect_in("alwaysUv", machine.does(f"runuser -u alice -- fido2-token -I {node}"))
        expect(not machine.asks(f"runuser -u bob -- fido2-token -I {node}").succeeded, "bob opens it")
    with story.step("a finger makes a passkey, and another touch signs with it, and both are verified"):
        owner.runs("made", f"fido2-cred -M -r {node}", MAKE, lines=[HASH, SITE, "alice", "YWxpY2U="])
        machine.does("fido2-cred -V -i /run/made -o /run/key es256 && sed -n '/BEGIN/,$p' /run/key > /run/public")
        owner.runs("signed", f"fido2-assert -G -r -t uv=true {node}", USE, lines=[HASH, SITE])
        machine.does("fido2-assert -V -i /run/signed /run/public es256")
    with story.step("a question goes with the program that is ended, and the next program's is asked"):
        owner.starts("ended", f"fido2-cred -M {node}", [HASH, SITE, "alice", "YWxpY2U="])
        owner.desk.sees(MAKE)
        machine.does("systemctl kill --signal=KILL ended")
        owner.runs("next", f"fido2-cred -M {node}", MAKE, lines=[HASH, SITE, "alice", "YWxpY2U="])
    return owner


def goes_with_the_session(story, owner):
    machine = owner.machine
    with story.step("a locked session has none, and an opened one has it again"):
        machine.does("loginctl lock-sessions")
        machine.does("for n in $(seq 60); do fido2-token -L | grep -q . || exit 0; sleep 0.5; done; exit 1", within=90)
        machine.does("loginctl unlock-sessions")
        appears(machine)
        owner.desk.interrupts()


def sits_down(machine):
    """Alice logs in on a machine that begins as it was installed; returns her and the node of her device."""
    machine.new_disk(machine.installed)
    machine.boot()
    reader = Reader(machine)
    reader.plug()
    desk = machine.console(1)
    logs_in_by_passcode(desk, "alice")
    # By hand, for without a desktop nobody starts it, and its questions are then asked here.
    desk.begins("/usr/libexec/signet/signet-passkey")
    return Owner(machine, desk, reader), appears(machine)


def appears(machine):
    """The node of the device, once there is one."""
    return machine.does("for n in $(seq 60); do fido2-token -L | grep -o '^/dev/hidraw[0-9]*' && exit 0; sleep 0.5; done; exit 1", within=90).strip()


def said(unit):
    """What prints why something did not come."""
    return f"journalctl -b _SYSTEMD_UNIT={unit}.service + UNIT={unit}.service + SYSLOG_IDENTIFIER=signetd --no-pager | tail -20"


class Owner:
    """Alice, on whose console the questions are, and who touches the reader."""

    def __init__(self, machine, desk, reader):
        self.machine, self.desk, self.reader = machine, desk, reader

    def runs(self, name, command, *questions, lines=(), user="alice"):
        """Runs a program that wants the key so often; returns what it wrote, which is in /run/NAME."""
        self.starts(name, command, lines, user)
        for question in questions:
            self.touches(question)
        return self.machine.does(f"while systemctl is-active -q {name}; do sleep 0.2; done; ! systemctl is-failed -q {name} && cat /run/{name} || "
                                 f"{{ {said(name)}; exit 1; }}", within=90)

    def starts(self, name, command, lines=(), user="alice", how=""):
        """HOW has more of systemd-run's words."""
        self.clears()
        self.machine.does(f"printf '%s\\n' {' '.join(lines)} > /run/{name}.asked && touch /run/{name} && chown {user} /run/{name} && "
                          f"systemd-run --quiet --unit={name} --uid={user} {how} -p StandardInput=file:/run/{name}.asked "
                          f"-p StandardOutput=file:/run/{name} -p StandardError=journal sh -c {shlex.quote(command)}")

    def clears(self):
        """So that the next question is not taken for the one before."""
        self.machine.does("printf '\\033c' > /dev/tty1")
        self.desk.mark = None

    def touches(self, question, within=60):
        self.desk.sees(question, within=within)
        self.reader.does("lift")
        self.reader.touch(self.reader.finger)


def ssh(story, owner):
    with story.step("ssh-keygen has a key made in it, and a login with that takes a touch"):
        owner.runs("keygen", "ssh-keygen -q -t ecdsa-sk -N '' -f ~/.ssh/id_ecdsa_sk", MAKE)
        logs_in(owner, "id_ecdsa_sk")
    with story.step("one that is kept in it, and that asks for verification, does the same without a PIN"):
        owner.runs("keygen", "ssh-keygen -q -t ecdsa-sk -O resident -O verify-required -N '' -f ~/.ssh/id_resident", USE, MAKE)
        logs_in(owner, "id_resident")


def logs_in(owner, name):
    """Over ssh by a key that the account takes only with verification."""
    owner.machine.does(f"cd ~alice/.ssh && sed 's/^/verify-required /' {name}.pub > authorized_keys && chown alice authorized_keys")
    expect_in("alice", owner.runs("login", f"{SSH} -i ~/.ssh/{name} alice@localhost id -un", USE))


def sudo(story, owner):
    with story.step("pam_u2f opens sudo by a touch, with the first one"):
        # Debian 12's pamu2fcfg wants a certificate of the model, of which there is none: what it would write is put together from fido2-cred's.
        owner.machine.does("point=$(sed '/-----/d' /run/public | base64 -d | tail -c 64 | base64 -w0) && "
                           "echo \"alice:$(head -n 1 /run/key),$point,es256,+presence+verification\" > /run/u2f-keys && cp /etc/pam.d/sudo /run/pam-sudo && "
                           f"sed -i '1i auth [success=done default=die] pam_u2f.so authfile=/run/u2f-keys origin={SITE}' /etc/pam.d/sudo")
        expect(owner.runs("raised", "sudo -k id -u", USE).strip() == "0", "sudo is another's")
        owner.machine.does("cp /run/pam-sudo /etc/pam.d/sudo")


def disk(story, owner):
    with story.step("systemd-cryptenroll has a disk opened by a touch, with a secret of a passkey"):
        owner.machine.does("truncate -s 20M /run/disk && printf word > /run/word && cryptsetup luksFormat -q --pbkdf pbkdf2 "
                           "--pbkdf-force-iterations 1000 /run/disk /run/word")
        owner.runs("enroll", "PASSWORD=word systemd-cryptenroll --fido2-device=auto /run/disk", MAKE, USE, user="root")
        owner.runs("unlock", "cryptsetup open --test-passphrase --token-only /run/disk", USE, user="root")


class Site:
    """A program of alice's that signs in to a site, step by step."""

    def __init__(self, owner, program="sign_in.py /run/steps", how=""):
        self.owner, self.count = owner, 0
        owner.machine.does("rm -f /run/steps && mkfifo /run/steps && chown alice /run/steps")
        owner.starts("site", f"/usr/bin/python3 -B /mnt/clients/{program}", how=how)

    def says(self, step):
        # Where the program has ended, nobody reads.
        self.owner.machine.does(f"timeout 30 sh -c 'echo {step} > /run/steps' || {{ {said('site')}; exit 1; }}")

    def begins(self, step):
        self.count += 1
        self.owner.clears()
        self.says(step)

    def ends(self, within=60):
        """What came of it."""
        return self.owner.machine.does(
            f"for n in $(seq {5 * within}); do [ $(wc -l < /run/site) -lt {self.count} ] || exec tail -n 1 /run/site; sleep 0.2; done; "
            f"{said('site')}; exit 1", within=2 * within).strip()

    def does(self, step, question):
        self.begins(step)
        self.owner.touches(question)
        return self.ends()


def site(story, owner):
    with story.step("python3-fido2 makes two accounts at a site, and both are found with one touch"):
        client = Site(owner)
        for name in ("alice", "bob"):
            expect_in(f"made {name}, verified True", client.does(f"make {name}", MAKE))
        expect(client.does("sign", USE) == "signed alice bob", "not both signed")
    with story.step("two secrets of one come with a signature"):
        expect(client.does("secret alice", USE) == "secrets of 64 bytes, different True", "no secrets")
    with story.step("a question that the program gives up goes at once"):
        client.begins("cancel")
        expect(client.ends() == "KEEPALIVE_CANCEL", "it was not given up")
    with story.step("five misses there lock the fingerprints everywhere, and the passcode is asked for in the same question"):
        client.begins("sign")
        misses(owner, 3)
        # Whoever does not want to type it has answered.
        owner.desk.types("\x04")
        expect(client.ends() == "OPERATION_DENIED", "it was not denied")
        client.begins("sign")
        misses(owner, 2)
        expect_in("locked", owner.machine.does("signet status --user alice"))
        owner.desk.answers(PASSCODES["alice"])
        expect(client.ends() == "signed alice bob", "not signed by passcode")
        owner.machine.does("systemctl stop site")


def misses(owner, count):
    owner.desk.sees(USE)
    owner.reader.does("lift")
    owner.reader.touch(owner.reader.other, count)
    owner.desk.sees(PASSCODE_PROMPT)
    owner.reader.does("lift")
