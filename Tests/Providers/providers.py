"""Starts the providers that the token services are tested against, and ends them.

    providers.py [--only NAME,...] [--access SECONDS] ... DIRECTORY

DIRECTORY must be empty or absent; all that the providers write is in it. When all are ready one line of JSON goes to standard
output (README.md says what is in it). They run until standard input ends, or this process does in any way.
"""
import argparse
import dataclasses
import json
import sys
from pathlib import Path

import requests

from accounts import new_accounts
from certificates import LOOPBACK, Authority
from children import StartFailed
from django_provider import Django
from faults import FaultyWay
from glewlwyd_provider import Glewlwyd
from hostile import Hostile
from lifetimes import Lifetimes
from redirects import redirect_uris
from services import Services

ALL = ("django", "glewlwyd", "hostile", "services")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--only", default=",".join(ALL), metavar="NAME,...", help="some of: " + ", ".join(ALL))
    parser.add_argument("--address", help="of Django's site, where it is not the loopback's")
    parser.add_argument("--faulty", action="store_true", help="the way to django and glewlwyd makes faults: see faults.py")
    for field in dataclasses.fields(Lifetimes):
        parser.add_argument("--" + field.name.replace("_", "-"), type=int, default=field.default, metavar="SECONDS")
    given = parser.parse_args()
    given.only = given.only.split(",")
    if "services" in given.only and "django" not in given.only:
        parser.error("the services take the tokens of django")
    if unknown := set(given.only) - set(ALL):
        parser.error(f"no provider is called {', '.join(sorted(unknown))}")
    return given


class Providers:
    """All that were asked for. Django starts while glewlwyd is configured."""

    def __init__(self, given):
        given.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        if any(given.directory.iterdir()):
            raise StartFailed(f"{given.directory} is not empty; name another folder")
        self.directory = given.directory.resolve()
        self.authority = Authority(self.directory)
        self.address = given.address
        self.is_faulty = given.faulty
        self.certificate = self.authority.sign("server", f"{LOOPBACK},IP:{given.address}" if given.address else LOOPBACK)
        self.accounts = new_accounts()
        self.redirect_uris = redirect_uris()
        lifetimes = Lifetimes(**{field.name: getattr(given, field.name) for field in dataclasses.fields(Lifetimes)})
        self.running = self.start(given.only, lifetimes)

    def start(self, names, lifetimes):
        running = {}
        if "django" in names:
            # Without a port: of the loopback any will do.
            redirects = ["http://127.0.0.1/callback", "http://[::1]/callback"]
            front = self.way("django")
            running["django"] = django = Django(self.directory / "django", self.certificate, self.accounts, redirects, lifetimes,
                                                self.address, front)
        if "glewlwyd" in names:
            running["glewlwyd"] = Glewlwyd(self.directory / "glewlwyd", self.certificate, self.authority.certificate,
                                           self.accounts, self.redirect_uris, lifetimes, self.way("glewlwyd"))
        if "hostile" in names:
            running["hostile"] = Hostile(self.hostile_certificates())
        if "django" in names:
            django.wait()
        if "services" in names:
            folder = self.directory / "services"
            folder.mkdir()
            running["services"] = Services(folder, self.certificate, self.authority.certificate, django.description()["url"])
        return running

    def way(self, name):
        """What the world knows as the provider, where the way to it makes faults."""
        return FaultyWay(name, self.certificate, self.authority.certificate, self.directory) if self.is_faulty else None

    def hostile_certificates(self):
        stranger = self.directory / "stranger"
        stranger.mkdir()
        return {
            "hostile": self.certificate,
            "other": self.authority.sign("other"),
            "wrongName": self.authority.sign("wrong-name", "DNS:elsewhere.invalid"),
            "expired": self.authority.sign("expired", days_from_now=(-3, -2)),
            "unknownAuthority": Authority(stranger).sign("unknown-authority"),
        }

    def description(self):
        return {
            "authority": str(self.authority.certificate), "python": sys.executable,
            "accounts": [{"name": account.name, "password": account.password, "fullName": account.full_name,
                          "email": account.email} for account in self.accounts],
            "redirectURIs": self.redirect_uris,
            **{name: one.description() for name, one in self.running.items()},
        }

    def end(self):
        """The servers are gone when this returns. The hostile ones are threads of this process and go with it."""
        for one in self.running.values():
            if child := getattr(one, "child", None):
                child.end()


def main():
    providers = Providers(arguments())
    try:
        print(json.dumps(providers.description()), flush=True)
        sys.stdin.buffer.read()
    finally:
        providers.end()


if __name__ == "__main__":
    try:
        main()
    except (StartFailed, RuntimeError, OSError, requests.RequestException) as problem:
        sys.exit(f"providers: {problem}")
