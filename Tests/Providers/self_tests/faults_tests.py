"""The way that makes faults: what a client sees of each, and what the provider has done by then."""
import tempfile
import threading
from pathlib import Path

import requests

from self_tests.client import Client
from self_tests.rig_tests import Run, becomes_true


class Way:
    """A faulty way to a provider, and a client that has signed in there."""

    def __init__(self, directory, provider):
        self.run = Run(directory, "--only", provider, "--faulty")
        self.folder = Path(self.run.rig["authority"]).parent
        self.about = self.run.rig[provider]
        self.client = Client(self.run.rig, self.about["issuer"], self.about["clients"]["native"], self.run.rig["redirectURIs"][0],
                             self.about["scope"])
        self.tokens = self.client.sign_in()
        self.path = self.client.endpoint("token").rpartition("/o" if provider == "django" else "/api")[2]

    def breaks(self, fault):
        (self.folder / "fault").write_text(f"{fault} {self.path}\n")

    def mends(self):
        (self.folder / "fault").unlink()

    def has_met(self, fault):
        return (self.folder / "faults").exists() and f"{fault} {self.path}\n" in (self.folder / "faults").read_text()

    def refresh(self):
        return self.client.refresh(self.tokens["refresh_token"])


def each(test):
    for provider in ("django", "glewlwyd"):
        with tempfile.TemporaryDirectory() as directory:
            way = Way(directory, provider)
            test(way)
            way.run.end()


def test_an_answer_that_is_cut_was_given(_):
    def test(way):
        way.breaks("cut")
        try:
            way.refresh()
            raise AssertionError("the answer came whole")
        except requests.exceptions.ChunkedEncodingError:
            pass
        way.mends()
        assert way.has_met("cut") and way.refresh().status_code == 400
    each(test)


def test_an_answer_that_is_held_comes_at_last(_):
    def test(way):
        answers = []
        way.breaks("held")
        asking = threading.Thread(target=lambda: answers.append(way.refresh()))
        asking.start()
        assert becomes_true(lambda: way.has_met("held")) and not answers
        way.mends()
        asking.join()
        assert answers[0].json()["refresh_token"] != way.tokens["refresh_token"]
    each(test)


def test_what_is_unavailable_or_unheard_costs_nothing(_):
    def test(way):
        way.breaks("unavailable")
        assert way.refresh().status_code == 503
        way.breaks("unheard")
        try:
            way.client.web.post(way.client.endpoint("token"), data={}, timeout=1)
            raise AssertionError("an answer came")
        except requests.ReadTimeout:
            pass
        way.mends()
        assert way.refresh().status_code == 200
    each(test)
