"""An OpenID provider without memory that lies where it is told to. Told nothing (`none`), it is an honest one.

Its user is always the same and always consents. A code carries all that the token endpoint must know.
"""
import json
import secrets
import time
import urllib.parse

import jose
from hostile_site import SITE

SUBJECT = "somebody"
ELSEWHERE = "https://elsewhere.invalid"
HOUR = 3600
SIGNING, FOREIGN = jose.Key("signing"), jose.Key("foreign")


class Answer:
    """What an honest server would send."""

    def __init__(self, value, status=200, **headers):
        self.status = status
        self.headers = {"Content-Type": "application/json", "Cache-Control": "no-store", **headers}
        self.body = b"" if value is None else json.dumps(value).encode()


def refused(error, status=400):
    return Answer({"error": error}, status)


class Provider:
    """One issuer: `issuer` is its URL, `lie` what it does wrong; `count` numbers the requests for one endpoint, from 1."""

    def __init__(self, issuer, lie, honest_issuer, other_origin):
        self.issuer = issuer
        self.lie = lie
        self.honest_issuer = honest_issuer
        self.other_origin = other_origin

    def answer(self, endpoint, query, form, count):
        served = {
            ".well-known/openid-configuration": lambda: Answer(self.metadata()),
            ".well-known/oauth-authorization-server": lambda: Answer(self.metadata()),
            "authorize": lambda: self.authorize(query),
            "token": lambda: self.token(form, count),
            "jwks": lambda: Answer({"keys": self.keys(count)}),
            "userinfo": lambda: Answer({"sub": "somebody-else" if self.lie == "userinfo-subject" else SUBJECT}),
            "device_authorization": lambda: Answer(self.device()),
            "register": lambda: Answer({"client_id": "registered", **json.loads(form.get("", "{}"))}, 201),
            "revoke": lambda: Answer(None),
            "introspect": lambda: Answer({"active": True, "sub": SUBJECT}),
        }.get(endpoint)
        if served:
            return served()
        value, headers = SITE.get(endpoint, lambda: ({"path": endpoint}, {}))()
        return Answer(value, **headers)

    def metadata(self):
        at = self.issuer
        token = {"foreign-endpoint": f"{self.other_origin}/none/token",
                 "plain-endpoint": f"http://localhost/{self.lie}/token"}.get(self.lie, f"{at}/token")
        return {
            "issuer": self.honest_issuer if self.lie == "mix-up" else at,
            "authorization_endpoint": f"{at}/authorize", "token_endpoint": token, "jwks_uri": f"{at}/jwks",
            "userinfo_endpoint": f"{at}/userinfo", "revocation_endpoint": f"{at}/revoke",
            "introspection_endpoint": f"{at}/introspect", "registration_endpoint": f"{at}/register",
            "device_authorization_endpoint": f"{at}/device_authorization",
            "response_types_supported": ["code"], "subject_types_supported": ["public"],
            "grant_types_supported": ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"],
            "id_token_signing_alg_values_supported": ["ES256"], "code_challenge_methods_supported": ["S256"],
            "token_endpoint_auth_methods_supported": ["none"],
            "scopes_supported": ["openid"], "authorization_response_iss_parameter_supported": True,
        }

    def keys(self, count):
        if self.lie == "no-keys":
            return []
        if self.lie == "wrong-keys" or (self.lie == "rotated-keys" and count == 1):
            return [FOREIGN.published()]
        return [SIGNING.published()]

    def authorize(self, query):
        code = jose.encode(json.dumps({name: query.get(name) for name in
                                       ("client_id", "redirect_uri", "nonce", "code_challenge")}).encode())
        sent = {"code": code, "state": query.get("state", ""), "iss": self.issuer}
        if self.lie == "denied":
            sent = {"error": "access_denied", "state": sent["state"], "iss": self.issuer}
        sent |= {"wrong-state": {"state": "another"}, "response-issuer": {"iss": self.honest_issuer}}.get(self.lie, {})
        left_out = {"no-state": "state", "no-response-issuer": "iss", "no-code": "code"}.get(self.lie)
        sent.pop(left_out, None)
        where = query.get("redirect_uri", "")
        return Answer(None, 302, Location=f"{where}?{urllib.parse.urlencode(sent)}")

    def device(self):
        code = "\x1b]0;owned\x07\x1b[2JABCD" if self.lie == "device-escape" else "ABCD-EFGH"
        at = "javascript:alert(1)" if self.lie == "device-escape" else f"{self.issuer}/device"
        return {"device_code": "device", "user_code": code, "verification_uri": at,
                "verification_uri_complete": f"{at}?user_code={code}", "expires_in": 60, "interval": 1}

    def token(self, form, count):
        grant = form.get("grant_type", "")
        if self.lie in ("invalid_grant", "invalid_client", "invalid_token"):
            return refused(self.lie, 400 if self.lie == "invalid_grant" else 401)
        if grant == "authorization_code":
            return self.redeem(form)
        if grant == "refresh_token":
            return Answer(self.tokens(form.get("client_id"), None))
        if grant == "urn:ietf:params:oauth:grant-type:device_code":
            return self.poll(form, count)
        return refused("unsupported_grant_type")

    def redeem(self, form):
        try:
            code = json.loads(jose.decode(form["code"]))
            if jose.challenge(form["code_verifier"]) != code["code_challenge"] or form["redirect_uri"] != code["redirect_uri"]:
                return refused("invalid_grant")
        except (KeyError, TypeError, ValueError):
            return refused("invalid_grant")
        return Answer(self.tokens(code["client_id"], code["nonce"]))

    def poll(self, form, count):
        error = {"device-denied": "access_denied", "device-expired": "expired_token", "device-pending": "authorization_pending",
                 "device-slow": "slow_down" if count == 1 else None}.get(self.lie)
        return refused(error) if error else Answer(self.tokens(form.get("client_id"), None))

    def tokens(self, client, nonce):
        access = secrets.token_urlsafe(24)
        answer = {"access_token": access, "token_type": "Bearer", "expires_in": 300, "scope": "openid",
                  "refresh_token": secrets.token_urlsafe(24), "id_token": self.id_token(client, nonce, access)}
        answer |= {"token-type": {"token_type": "mac"}, "negative-lifetime": {"expires_in": -1},
                   "endless-lifetime": {"expires_in": 10**30}, "lifetime-text": {"expires_in": "soon"},
                   "wide-scope": {"scope": "openid everything"}}.get(self.lie, {})
        answer.pop({"no-id-token": "id_token", "no-access-token": "access_token", "no-refresh-token": "refresh_token"}
                   .get(self.lie), None)
        return answer

    def id_token(self, client, nonce, access):
        now = int(time.time())
        claims = {"iss": self.issuer, "sub": SUBJECT, "aud": client, "iat": now, "exp": now + 300, "auth_time": now,
                  "at_hash": jose.half_hash(access), **({"nonce": nonce} if nonce else {})}
        claims |= {
            "wrong-audience": {"aud": "another"}, "many-audiences": {"aud": [client, "another"]},
            "wrong-party": {"aud": [client, "another"], "azp": "another"}, "wrong-issuer": {"iss": ELSEWHERE},
            "wrong-nonce": {"nonce": "another"}, "wrong-hash": {"at_hash": jose.half_hash("another")},
            "expired": {"iat": now - 2 * HOUR, "exp": now - HOUR},
            "future": {"iat": now + HOUR, "nbf": now + HOUR, "exp": now + 2 * HOUR},
            "skewed": {"iat": now + 20, "exp": now + 320}, "other-subject": {"sub": secrets.token_urlsafe(6)},
            "exp-text": {"exp": "tomorrow"},
        }.get(self.lie, {})
        claims.pop({"no-nonce": "nonce", "no-subject": "sub", "no-expiry": "exp"}.get(self.lie), None)
        return self.sign(claims)

    def sign(self, claims):
        lies = {
            "alg-none": lambda: jose.unsigned(claims),
            "hs256": lambda: jose.keyed_with_public_key(SIGNING, claims),
            "wrong-key": lambda: jose.signed(FOREIGN, claims, kid=SIGNING.name),
            "unknown-key": lambda: jose.signed(FOREIGN, claims),
            "embedded-key": lambda: jose.signed(FOREIGN, claims, kid=SIGNING.name, jwk=FOREIGN.public_jwk()),
            "wrong-type": lambda: jose.signed(SIGNING, claims, typ="at+jwt"),
            "critical": lambda: jose.signed(SIGNING, claims, crit=["unheard-of"], **{"unheard-of": True}),
            "tampered": lambda: jose.tampered(jose.signed(SIGNING, claims), sub="somebody-else"),
        }
        return lies.get(self.lie, lambda: jose.signed(SIGNING, claims))()


# Every lie, in the order in which an exchange meets them.
LIES = """none mix-up foreign-endpoint plain-endpoint
denied wrong-state no-state response-issuer no-response-issuer no-code
invalid_grant invalid_client invalid_token token-type negative-lifetime endless-lifetime lifetime-text wide-scope
no-id-token no-access-token no-refresh-token
wrong-audience many-audiences wrong-party wrong-issuer wrong-nonce no-nonce wrong-hash expired future skewed other-subject
no-subject no-expiry exp-text
alg-none hs256 wrong-key unknown-key embedded-key wrong-type critical tampered
no-keys wrong-keys rotated-keys userinfo-subject
device-denied device-expired device-pending device-slow device-escape""".split()
