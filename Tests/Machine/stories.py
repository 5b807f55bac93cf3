"""A story is one guest's life; its steps are sentences, each passed, failed, or not reached because one before it failed."""
import contextlib
import json
import threading
import time

from terminal import Failure


class Report:
    """What came of the stories; of those that are told at the same time, too."""

    def __init__(self, folder):
        # What came of the scenarios in a guest, for the matrix.
        self.folder = folder
        self.results = []  # (story, sentence, verdict, seconds, text)
        self.figures = {}
        self.lock = threading.Lock()

    def note(self, story, sentence, verdict, seconds, text=""):
        mark = {"passed": "✔", "failed": "✘"}[verdict]
        lines = [f"{mark} {story}: {sentence} ({seconds:.1f} s)"]
        if verdict == "failed":
            lines += ["    " + line for line in text.rstrip().splitlines()]
        with self.lock:
            self.results.append((story, sentence, verdict, seconds, text))
            print("\n".join(lines), flush=True)

    def forgive(self, story):
        """A story is told once more: what failed in it counts no longer."""
        with self.lock:
            print(f"  {story}: once more", flush=True)
            self.results = [(*result[:2], "forgiven", *result[3:]) if result[0] == story and result[2] == "failed" else result
                            for result in self.results]

    def figure(self, name, value):
        self.figures[name] = value
        print(f"  {name}: {value}", flush=True)

    def failures(self, story=None):
        """The steps that failed, of one story or of all."""
        return [result for result in self.results if result[2] == "failed" and story in (None, result[0])]

    def write(self, path):
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"results": [dict(zip(("story", "sentence", "verdict", "seconds", "text"), result)) for result in self.results],
                       "figures": self.figures}, file, indent=1, ensure_ascii=False)


class Story:
    def __init__(self, name, report):
        self.name, self.report = name, report

    @contextlib.contextmanager
    def step(self, sentence):
        """What is inside shows that the sentence is true. A failure ends the story."""
        began = time.monotonic()
        try:
            yield
        except Exception as problem:
            text = str(problem) if isinstance(problem, Failure) else repr(problem)
            self.report.note(self.name, sentence, "failed", time.monotonic() - began, text)
            raise Failure(sentence) from problem
        else:
            self.report.note(self.name, sentence, "passed", time.monotonic() - began)


def expect(condition, text):
    if not condition:
        raise Failure(text)


def expect_in(part, whole):
    expect(part in whole, f"`{part}` is not in:\n{whole}")


def expect_not_in(part, whole):
    expect(part not in whole, f"`{part}` is in:\n{whole}")
