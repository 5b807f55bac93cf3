"""Tokens: made, verified and handed out by the second, and what many devices cost a provider."""
import json
import os
import random
import subprocess

from measure import median, p99

HERE = os.path.dirname(os.path.abspath(__file__))
HAND_OUT_LIMIT = 5000

PYJWT = """
import json, time
import jwt
from cryptography.hazmat.primitives.asymmetric import ec
key = ec.generate_private_key(ec.SECP256R1())
claims = {"iss": "urn:signet:desk", "aud": "mail", "sub": "1000", "client_id": "signet", "jti": "0123", "iat": 1000000000,
          "exp": 4000000000}
token = jwt.encode(claims, key, algorithm="ES256", headers={"typ": "at+jwt", "kid": "key"})
def rate(work):
    start, count = time.monotonic(), 0
    while time.monotonic() - start < 2:
        for _ in range(50):
            work()
        count += 50
    return round(count / (time.monotonic() - start))
mint = rate(lambda: jwt.encode(claims, key, algorithm="ES256", headers={"typ": "at+jwt", "kid": "key"}))
verify = rate(lambda: jwt.decode(token, key.public_key(), algorithms=["ES256"], audience="mail", issuer="urn:signet:desk"))
print(json.dumps({"PyJWT": {"mint": mint, "verify": verify}}))
"""


def output(command, **environment):
    run = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=os.environ | environment)
    return json.loads(run.stdout.splitlines()[-1])


def have_providers(build):
    """The virtual environment with the providers; None where there is none to be had."""
    folder = build + "/providers"
    done = subprocess.run([HERE + "/../Providers/install", folder], stdout=subprocess.DEVNULL)
    return folder if done.returncode == 0 else None


def libraries(sheet, build, providers):
    sheet.title("Access tokens by ES256, made and verified, a second on one core")
    package = ["--package-path", HERE + "/JWTSpeed", "--scratch-path", build + "/jwt-speed"]
    built = subprocess.run(["swift", "build", "-c", "release"] + package, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if built.returncode:
        return sheet.line("jwt-kit cannot be built here: " + built.stdout.strip().splitlines()[-1])
    found = output([build + "/jwt-speed/release/jwt-speed"])
    if providers:
        found |= output([providers + "/bin/python", "-c", PYJWT])
    for name, rates in found.items():
        sheet.line(f"{name:12} {rates['mint']:6} made, {rates['verify']:6} verified")


def times(sheet, release, providers):
    sheet.title("Tokens as programs get them")
    if not providers:
        return sheet.line("skipped: the provider cannot be installed")
    found = output([release + "/token-speed"], SIGNET_PROVIDERS=providers)
    for name, what in (("ask", "a token of signet-agent, by its socket"), ("command", "the whole command `signet token --issuer`")):
        values = found[name]
        sheet.goal(f"{what}: median {median(values) / 1000:.2f} ms, p99 {p99(values) / 1000:.2f}, at most {HAND_OUT_LIMIT / 1000:.0f}",
                   p99(values) <= HAND_OUT_LIMIT)
    sheet.line(f"an access token and a refresh token of signetd: median {median(found['issue']) / 1000:.2f} ms, "
               f"p99 {p99(found['issue']) / 1000:.2f}")
    cost = found["providerProcessor"]
    sheet.line(f"a refresh at django-oauth-toolkit: median {median(found['refresh']) / 1000:.1f} ms, of which it computes {cost / 1000:.1f}")
    on_paper(sheet, cost)


# As SignetAuth has it: HeldTokens.swift.
EARLIEST, SPREAD = 0.75, 0.15
DEVICES, CORES, LOAD = 100_000, 16, 0.7


def on_paper(sheet, cost):
    """All devices get their first token in the same second, as after a power cut; then each refreshes for itself."""
    capacity = CORES * LOAD * 1e6 / cost
    sheet.title(f"On paper: {DEVICES:,} devices at a provider of {CORES} cores, {LOAD:.0%} of them for refreshing: {capacity:.0f} a second")
    for lifetime in (300, 900, 3600):
        busiest = waves(lifetime)
        mean = DEVICES / (lifetime * (EARLIEST + SPREAD / 2))
        sheet.line(f"tokens of {lifetime // 60:2} minutes: {mean:4.0f} refreshes a second ({mean * cost / 1e6:4.1f} cores); busiest second "
                   f"of the first wave {busiest[0]:5,}, of the tenth {busiest[-1]:5,} (without the spread {DEVICES:,})")
    bearable = DEVICES / (capacity * (EARLIEST + SPREAD / 2))
    sheet.line(f"the shortest life that this provider bears: {bearable:.0f} s")


def waves(lifetime, count=10):
    """How many refreshes fall into the busiest second of each wave."""
    chance = random.Random(7)
    moments, busiest = [0.0] * DEVICES, []
    for _ in range(count):
        moments = [moment + lifetime * (EARLIEST + SPREAD * chance.random()) for moment in moments]
        seconds = {}
        for moment in moments:
            seconds[int(moment)] = seconds.get(int(moment), 0) + 1
        busiest.append(max(seconds.values()))
    return busiest
