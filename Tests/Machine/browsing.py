"""Debian's browsers, as it has them, at the security key that Signet plays: a person makes passkeys and signs in at a site on https."""
from passkeys import MAKE, USE, Site, misses, sits_down
from person import PASSCODES, TOUCH_PROMPT
from stories import expect, expect_in

SITES = "login.example.org", "login.example.net"
# A browser needs minutes to start in an emulated machine, and seconds for each page.
PATIENCE = 300


def chromium(story, machine):
    owner = arrives(story, machine)
    with story.step("Chromium makes a passkey by a touch, which the site finds verified"):
        browser = Browser(owner, "chromium")
        expect(browser.does("make alice", MAKE) == "made alice, verified True, attached cross-platform", "not made")
    signs_in(story, browser)
    gives_up(story, browser)
    gets_nothing(story, browser)
    locks(story, browser)
    machine.shut_down()


def firefox(story, machine):
    owner = arrives(story, machine)
    with story.step("Firefox makes a passkey by a touch, which the site finds verified"):
        browser = Browser(owner, "firefox")
        expect_in("made alice, verified True", browser.does("make alice", MAKE))
    with story.step("a touch signs in with it"):
        expect_in("signed alice", browser.does("sign alice", USE))
    with story.step("without a name the passkey is found"):
        expect_in("signed alice", browser.does("sign", USE))
    gives_up(story, browser)
    owner.machine.does("systemctl stop site")
    machine.shut_down()


def arrives(story, machine):
    """Alice, at a machine where both sites can be reached."""
    with story.step("alice has a security key, and her browsers know a site's certificate"):
        owner, _ = sits_down(machine)
        certifies(machine)
    return owner


def certifies(machine):
    """An authority of the tests' own, and its certificate for both sites, in /run/sites."""
    key = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes"
    names = ",".join("DNS:" + site for site in SITES)
    machine.does(f"mkdir /run/sites && cd /run/sites && echo 127.0.0.1 {' '.join(SITES)} >> /etc/hosts && "
                 f"openssl req -x509 {key} -subj /CN=Tests -addext keyUsage=critical,keyCertSign -keyout ca.key -out ca.pem && "
                 f"printf 'subjectAltName={names}\\nextendedKeyUsage=serverAuth\\n' > names && "
                 f"openssl req {key} -subj /CN={SITES[0]} -keyout site.key -out site.csr && "
                 "openssl x509 -req -in site.csr -CA ca.pem -CAkey ca.key -CAcreateserial -extfile names -out site.crt && "
                 "cat site.key site.crt > site.pem && chown alice site.pem")


class Browser(Site):
    """A browser of alice's, step by step. It has what time of the processor nobody else wants, else no reader opens in time beside it."""

    def __init__(self, owner, name):
        super().__init__(owner, f"sign_in_by_browser.py {name} /run/steps /run/sites", "-p CPUWeight=idle")

    def ends(self, within=PATIENCE):
        return super().ends(within)

    def sees(self, question):
        self.owner.desk.sees(question, within=PATIENCE)

    def does(self, step, question):
        self.begins(step)
        self.owner.touches(question, within=PATIENCE)
        return self.ends()


def signs_in(story, browser):
    with story.step("a touch signs in with it"):
        expect_in("signed alice", browser.does("sign alice", USE))
    with story.step("without a name the passkey is found, and the person says that it is the one"):
        browser.begins("sign")
        browser.owner.touches(USE, within=PATIENCE)
        browser.says("choose Return")
        expect_in("signed alice", browser.ends())
    with story.step("two secrets of it come with a signature"):
        expect_in("signed alice, secrets of [32, 32] bytes, different True", browser.does("secret alice", USE))


def gives_up(story, browser):
    owner = browser.owner
    with story.step("a question that the page gives up goes at once"):
        browser.begins("sign alice")
        browser.sees(USE)
        owner.clears()
        browser.says("abort")
        expect_in("Refused AbortError", browser.ends())
        owner.machine.does("for n in $(seq 300); do journalctl -b -t signetd --no-pager | grep -q verdict=appCancel && exit 0; sleep 0.2; done; exit 1", within=120)


def gets_nothing(story, browser):
    owner = browser.owner
    with story.step("a page of another site cannot ask for this one's passkeys, and one that shows its passkey to its own gets none"):
        browser.begins("pretend")
        expect_in("Refused SecurityError", browser.ends())
        browser.begins("elsewhere alice")
        owner.touches(rf"{SITES[1]}[\s\S]*{TOUCH_PROMPT}", within=PATIENCE)
        browser.says("choose Escape")
        expect_in("Refused NotAllowedError", browser.ends())


def strikes(owner, count):
    expect_in(f"Strikes:  {count} of 5", owner.machine.does("signet status --user alice"))


def locks(story, browser):
    owner = browser.owner
    with story.step("another finger is a strike, and the owner's signs in after it"):
        browser.begins("sign alice")
        browser.sees(USE)
        owner.reader.does("lift")
        owner.reader.touch(owner.reader.other)
        owner.desk.sees(r"not recogni[sz]ed, 2 attempts left")
        # The next scan is charged before it begins.
        strikes(owner, 2)
        owner.touches(USE)
        expect_in("signed alice", browser.ends())
        strikes(owner, 0)
    with story.step("five misses in the browser lock the fingerprints everywhere, and the passcode signs in there"):
        browser.begins("sign alice")
        browser.sees(USE)
        misses(owner, 3)
        browser.says("abort")
        expect_in("Refused AbortError", browser.ends())
        browser.begins("sign alice")
        browser.sees(USE)
        misses(owner, 2)
        expect_in("locked", owner.machine.does("signet status --user alice"))
        owner.desk.answers(PASSCODES["alice"])
        expect_in("signed alice", browser.ends())
        owner.machine.does("systemctl stop site")
