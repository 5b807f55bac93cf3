"""The person with a browser: signs in at a provider, consents or refuses, and follows the redirect back to the program.

    browser.py [--ca FILE] [--deny] [--stop-before-redirect] URL
    browser.py [--ca FILE] [--deny] --device VERIFICATION_URI [USER_CODE]

Two lines on standard input: the user's name and the password. The URL may also be the path of a page that leads there. With
--stop-before-redirect the last redirect, the one that leaves the provider, is printed and not followed. Without a USER_CODE the
VERIFICATION_URI is a complete one. Exits with 1, and says why, where the provider shows no way on or the program's answer to the
redirect is an error.
"""
import argparse
import pathlib
import re
import sys
import urllib.parse

from web import Browser, origin, parameters, with_parameters

# More pages than any of the providers shows.
MOST_PAGES = 12


class Refused(Exception):
    """The provider shows no way on."""


class Person:
    """Knows a name, a password and perhaps a device's code; consents or not. Never types the same password twice."""

    def __init__(self, name, password, consents=True, user_code=None):
        self.name = name
        self.password = password
        self.consents = consents
        self.user_code = user_code
        self.typed = False

    def type_password(self, where):
        if self.typed:
            raise Refused(f"{where} did not take the password")
        self.typed = True

    def answers(self, form, where):
        """What to write into a form of Django's: sign-in, a device's code, consent for it, consent for a program."""
        if "password" in form.kinds():
            self.type_password(where)
            return {"username": self.name, "password": self.password}
        if "user_code" in form.names():
            if self.user_code is None:
                return {name: value for name, value, _ in form.fields if name == "user_code"}
            code, self.user_code = self.user_code, None
            return {"user_code": code}
        if "action" in form.names():
            return {"action": "accept" if self.consents else "deny"}
        return {"allow": "Authorize"} if self.consents else {}


class Visit:
    """One way through the pages of a provider."""

    def __init__(self, browser, person):
        self.browser = browser
        self.person = person
        self.answered = False

    def leave(self, url):
        """The redirect that leaves the provider; None where the pages end before one."""
        if url.startswith("/"):
            # What a program opens a browser with, so that nobody reads the page's address in the list of processes.
            url = re.search('url=([^"]+)', pathlib.Path(url).read_text(encoding="utf-8")).group(1)
        page = self.browser.open(url)
        if url.startswith("http:") and page.location is not None:
            # A page of the program's own, which leads to the provider.
            url = page.location
            page = self.browser.open(url)
        home = origin(url)
        for _ in range(MOST_PAGES):
            if page.location is None:
                if page.status != 200:
                    raise Refused(f"{page.url} answered {page.status}: {page.body[:300].decode('utf-8', 'replace')}")
                if not page.forms():
                    return None
                page = self.fill_in(page)
            elif origin(page.location) != home:
                return page.location
            elif urllib.parse.urlsplit(page.location).path == "/login.html":
                page = self.glewlwyd(page.location)
                if page is None:
                    return None
            else:
                page = self.browser.open(page.location)
        raise Refused(f"{url} leads in circles")

    def fill_in(self, page):
        form = page.forms()[0]
        return self.browser.submit(page, form, self.person.answers(form, page.url))

    def glewlwyd(self, url):
        """Does what glewlwyd's page of scripts does for a person, and goes where it would go next. None: the end."""
        asked = parameters(url)
        prompt = asked.get("prompt", "")
        if prompt == "deviceComplete":
            return None
        if prompt == "device":
            return self.browser.open(with_parameters(self.device_page, code=self.person.user_code))
        if prompt.startswith("device") or "callback_url" not in asked:
            raise Refused(f"glewlwyd shows {url}")
        if self.answered:
            raise Refused(f"{url} asks again: glewlwyd shows no way to refuse")
        self.answered = True
        self.sign_in(url)
        self.grant(url, asked["client_id"], asked["scope"])
        # The name of a parameter without a value: that is how glewlwyd's own page continues.
        return self.browser.open(asked["callback_url"] + ("&" if "?" in asked["callback_url"] else "?") + "g_continue")

    def sign_in(self, url):
        self.person.type_password(url)
        who = {"username": self.person.name, "password": self.person.password}
        if self.browser.open(urllib.parse.urljoin(url, "/api/auth/"), "POST", value=who).status != 200:
            raise Refused(f"{url} did not take the password")

    def grant(self, url, client, scopes):
        path = "/api/auth/grant/" + urllib.parse.quote(client, safe="")
        wanted = {"scope": scopes if self.person.consents else ""}
        answer = self.browser.open(urllib.parse.urljoin(url, path), "PUT", value=wanted)
        if answer.status != 200:
            raise Refused(f"{url} did not take the consent: {answer.status}")

    def device(self, verification_uri):
        self.device_page = verification_uri
        return self.leave(verification_uri)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ca", metavar="FILE", help="the authority to trust; the system's without it")
    parser.add_argument("--deny", action="store_true", help="refuse where the provider asks for consent")
    parser.add_argument("--stop-before-redirect", action="store_true", help="print the last redirect; do not follow it")
    parser.add_argument("--device", metavar="VERIFICATION_URI", help="approve a device's code there")
    parser.add_argument("target", nargs="?", metavar="URL | USER_CODE")
    given = parser.parse_args()
    if given.device is None and given.target is None:
        parser.error("the authorization URL is missing")
    return given


def main():
    given = arguments()
    name, password = (sys.stdin.readline().rstrip("\n") for _ in range(2))
    browser = Browser(given.ca)
    if given.device is not None:
        Visit(browser, Person(name, password, not given.deny, given.target)).device(given.device)
        return
    redirect = Visit(browser, Person(name, password, not given.deny)).leave(given.target)
    if redirect is None:
        raise Refused(f"{given.target} led to no redirect")
    if given.stop_before_redirect:
        print(redirect)
    elif (answer := browser.open(redirect)).status >= 400:
        raise Refused(f"the program answered the redirect with {answer.status}")


if __name__ == "__main__":
    try:
        main()
    except (Refused, OSError, ValueError) as problem:
        sys.exit(f"browser: {problem}")
