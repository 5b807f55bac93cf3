"""Runs through every flow of the providers, with Python alone: proves that the rig works before anything is tested against it.

    self_test.py [WORD]

WORD: only those tests whose names have it. Exits with 1 where one failed.
"""
import json
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path

from self_tests import django_tests, faults_tests, glewlwyd_tests, hostile_tests, rig_tests, site_tests, verifier_tests

PROVIDERS = Path(__file__).parent / "providers.py"
ALL = (rig_tests, verifier_tests, site_tests, django_tests, glewlwyd_tests, faults_tests, hostile_tests)


def tests(word):
    for module in ALL:
        for name, function in list(vars(module).items()):
            if name.startswith("test_") and word in name:
                yield f"{module.__name__.rpartition('.')[2]}: {name[5:].replace('_', ' ')}", function


def passes(name, function, rig):
    try:
        function(rig)
    except Exception:
        print(f"FAILED {name}\n{traceback.format_exc()}", flush=True)
        return False
    print(f"ok     {name}", flush=True)
    return True


def main(word):
    with tempfile.TemporaryDirectory(prefix="signet-providers-") as directory:
        begun = time.monotonic()
        providers = subprocess.Popen([sys.executable, "-B", PROVIDERS, f"{directory}/rig"], stdin=subprocess.PIPE,
                                     stdout=subprocess.PIPE)
        line = providers.stdout.readline()
        if not line:
            sys.exit("self_test: the providers did not start")
        print(f"started in {time.monotonic() - begun:.1f} s", flush=True)
        rig = json.loads(line)
        results = [passes(name, function, rig) for name, function in tests(word)]
        providers.stdin.close()
        providers.wait(20)
    failed = results.count(False)
    print(f"{len(results) - failed} passed, {failed} failed")
    return 1 if failed or not results else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else ""))
