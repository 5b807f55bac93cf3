#!/usr/bin/python3
"""sign_in_by_browser.py chromium|firefox FIFO FOLDER: signs in to a site by a browser. Each line from FIFO is a step, and what came of what
it asks a line of output. FOLDER has the site's key and certificate (site.pem) and that of its authority (ca.pem).

    make NAME       a passkey for the account NAME
    sign [NAME]     a sign-in to the account NAME, or to any
    secret NAME     a sign-in with two secrets of NAME's passkey (prf)
    elsewhere NAME  another site asks for NAME's passkey
    pretend         another site asks for those of this one
    abort           the page gives up what it has asked
    choose KEY      answers the browser's next question, which is not for a touch, with a key
"""
import os
import sys
import tempfile
import threading

from browsers import Chromium, Display, Firefox
from relying_party import Pages, RelyingParty

PORT = 8443


class Person:
    def __init__(self, browser, folder):
        self.display = Display()
        self.browser = {"chromium": Chromium, "firefox": Firefox}[browser](tempfile.mkdtemp(), folder + "/ca.pem")
        self.pages = Pages(folder + "/site.pem", PORT)
        self.site, self.other = RelyingParty("login.example.org"), RelyingParty("login.example.net")
        self.other.accounts = self.site.accounts

    def asks(self, asked, complete, host=None):
        """Has the page ask for this; what the site makes of the answer is printed when it comes."""
        number = self.pages.plans(asked)
        self.browser.opens(f"https://{host or self.site.host}:{PORT}/")
        threading.Thread(target=self.hears, args=(number, complete), daemon=True).start()
        self.browser.clicks("go")

    def hears(self, number, complete):
        try:
            print(complete(self.pages.answer(number)), flush=True)
        except Exception as problem:  # the story says what it expects
            print(f"{type(problem).__name__} {problem}", flush=True)

    def make(self, name):
        self.asks(*self.site.creates(name, prf={}, credProps=True))

    def sign(self, *names):
        self.asks(*self.site.gets(*names))

    def secret(self, name):
        self.asks(*self.site.gets(name, prf={"eval": {"first": bytes(32), "second": bytes(range(32))}}))

    def elsewhere(self, name):
        self.asks(*self.other.gets(name), self.other.host)

    def pretend(self):
        self.asks(*self.site.gets(), self.other.host)

    def abort(self):
        # By the page's own script: what a browser runs for a test need not see the page's words.
        self.browser.runs("document.getElementById('stop').click()")

    def choose(self, key):
        self.browser.awaits_choice(self.display)
        self.display.presses(key)


def main():
    browser, path, folder = sys.argv[1:]
    # Before the browser starts, so that the first step waits here, and for both, so that it does not end between two writers.
    steps = os.fdopen(os.open(path, os.O_RDWR))
    person = Person(browser, folder)
    for line in steps:
        word, *rest = line.split()
        getattr(person, word)(*rest)


main()
