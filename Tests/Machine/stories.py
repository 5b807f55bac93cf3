"""A story is one guest's life; its steps are sentences, each passed, failed, or not reached because one before it failed."""
import contextlib
import json
import time

from terminal import Failure


class Report:
    def __init__(self, folder):
        # What came of the scenarios in a guest, for the matrix.
        self.folder = folder
        self.results = []  # (story, sentence, verdict, seconds, text)
        self.figures = {}

    def note(self, story, sentence, verdict, seconds, text=""):
        self.results.append((story, sentence, verdict, seconds, text))
        mark = {"passed": "✔", "failed": "✘"}[verdict]
        print(f"{mark} {story}: {sentence} ({seconds:.1f} s)", flush=True)
        if verdict == "failed":
            print("    " + text.rstrip().replace("\n", "\n    "), flush=True)

    def forgive(self, story):
        """A story is told once more: what failed in it counts no longer."""
        print(f"  {story}: once more", flush=True)
        self.results = [(*result[:2], "forgiven", *result[3:]) if result[0] == story and result[2] == "failed" else result
                        for result in self.results]

    def figure(self, name, value):
        self.figures[name] = value
        print(f"  {name}: {value}", flush=True)

    @property
    def failures(self):
        return [result for result in self.results if result[2] == "failed"]

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
