"""An OAuth 2 client that does what it is told, also what is wrong."""
import json
import secrets
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import parse_qsl, urlencode, urlsplit

import requests

import jose

BROWSER = Path(__file__).parent.parent / "browser.py"
DEVICE_CODE = "urn:ietf:params:oauth:grant-type:device_code"
JWT_BEARER = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"


def browse(rig, account, *arguments):
    """Runs the browser as `account`."""
    return subprocess.run([sys.executable, "-B", BROWSER, "--ca", rig["authority"], *arguments], text=True, timeout=60,
                          input=f"{account['name']}\n{account['password']}\n", capture_output=True)


def proof(key, method, url, **claims):
    """A DPoP proof (RFC 9449). No `kid`: glewlwyd would look for a key of that name and not find the one in the header."""
    return jose.token({"typ": "dpop+jwt", "alg": "ES256", "jwk": key.public_jwk()},
                      {"jti": secrets.token_urlsafe(16), "htm": method, "htu": url, "iat": int(time.time()), **claims}, key.sign)


class Client:
    """A client of one issuer. `identity` is its id and perhaps its secret; `more` goes into each request for tokens."""

    def __init__(self, rig, issuer, identity, redirect_uri, scope, **more):
        self.rig = rig
        self.web = requests.Session()
        self.web.verify = rig["authority"]
        self.web.trust_env = False
        self.issuer = issuer
        self.id = identity["id"]
        self.redirect_uri = redirect_uri
        self.scope = scope
        self.more = more
        if secret := identity.get("secret"):
            self.web.auth = (self.id, secret)
        self.metadata = self.get_json("/.well-known/openid-configuration")

    def get_json(self, path):
        answer = self.web.get(self.issuer + path, timeout=10)
        answer.raise_for_status()
        return answer.json()

    def endpoint(self, name):
        return self.metadata[f"{name}_endpoint"]

    def authorization_url(self, **changed):
        self.verifier, self.state, self.nonce = (secrets.token_urlsafe(32) for _ in range(3))
        asked = {"response_type": "code", "client_id": self.id, "redirect_uri": self.redirect_uri, "scope": self.scope,
                 "state": self.state, "nonce": self.nonce, "code_challenge": jose.challenge(self.verifier),
                 "code_challenge_method": "S256", **changed}
        return self.endpoint("authorization") + "?" + urlencode({name: value for name, value in asked.items() if value})

    def authorize(self, *options, account=0, **changed):
        """The parameters of the redirect back to the client, or the browser's complaint under `refused`."""
        done = browse(self.rig, self.rig["accounts"][account], "--stop-before-redirect", *options,
                      self.authorization_url(**changed))
        if done.returncode != 0:
            return {"refused": done.stderr}
        return dict(parse_qsl(urlsplit(done.stdout.strip()).query))

    def ask(self, endpoint, headers=None, **form):
        named = {} if self.web.auth else {"client_id": self.id}
        return self.web.post(endpoint, data={**named, **self.more, **form}, headers=headers, timeout=10)

    def redeem(self, code, headers=None, **changed):
        form = {"grant_type": "authorization_code", "code": code, "redirect_uri": self.redirect_uri,
                "code_verifier": self.verifier, **changed}
        return self.ask(self.endpoint("token"), headers, **form)

    def refresh(self, refresh_token, headers=None):
        return self.ask(self.endpoint("token"), headers, grant_type="refresh_token", refresh_token=refresh_token)

    def sign_in(self, **changed):
        """The whole way; the answer of the token endpoint."""
        return self.redeem(self.authorize(**changed)["code"]).json()

    def userinfo(self, access_token):
        return self.web.get(self.endpoint("userinfo"), headers={"Authorization": f"Bearer {access_token}"}, auth=NoAuth(),
                            timeout=10)

    def poll(self, device_code):
        return self.ask(self.endpoint("token"), grant_type=DEVICE_CODE, device_code=device_code)

    def poll_until_decided(self, device_code, interval):
        """The first answer that is not a request for patience."""
        while True:
            answer = self.poll(device_code)
            if error_of(answer) not in ("authorization_pending", "slow_down"):
                return answer
            time.sleep(interval)


class NoAuth(requests.auth.AuthBase):
    """Keeps requests from putting the client's own credentials over a bearer token."""

    def __call__(self, request):
        return request


def error_of(answer):
    """The error's name in an answer of a token endpoint; None where there is none."""
    try:
        return answer.json().get("error")
    except (json.JSONDecodeError, AttributeError):
        return None
