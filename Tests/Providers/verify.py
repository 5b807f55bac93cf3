"""Verifies a JWT with four libraries, each by its own means, and prints the verdict of each as one line of JSON.

Standard input is JSON: `token`, `jwks`, `audience`, `issuer`; perhaps `type`, the `typ` that the header must have, and
`algorithms`, ES256 without it. `exp` must be there and in the future, without leeway. A verdict is {"accepted": true,
"claims": {...}} or {"accepted": false, "reason": "..."}. Exits with 0 whatever the verdicts are, and with 64 where there is
nothing to judge.
"""
import json
import sys
import warnings

import joserfc.jwk
import joserfc.jwt
import jwcrypto.jwk
import jwcrypto.jwt
import jwt as pyjwt

from authlib.deprecate import AuthlibDeprecationWarning

# Authlib advises its users to take joserfc. As long as it has users of its own, its verdict counts.
warnings.simplefilter("ignore", AuthlibDeprecationWarning)
import authlib.jose  # noqa: E402


class Wish:
    """What a token must be."""

    def __init__(self, given):
        self.token = given["token"]
        self.jwks = given["jwks"]
        self.audience = given["audience"]
        self.issuer = given["issuer"]
        self.type = given.get("type")
        self.algorithms = given.get("algorithms", ["ES256"])

    def check_type(self, header):
        """None of the libraries looks at `typ`; RFC 8725 (3.11) leaves it to who knows which types there are."""
        if self.type is not None and normalized(header.get("typ")) != normalized(self.type):
            raise ValueError(f"typ is {header.get('typ')}")


def normalized(media_type):
    """RFC 7515 (4.1.9): without a slash it is short for application/."""
    text = str(media_type).lower()
    return text if "/" in text else f"application/{text}"


def by_pyjwt(wish):
    kid = pyjwt.get_unverified_header(wish.token).get("kid")
    keys = [key for key in pyjwt.PyJWKSet.from_dict(wish.jwks).keys if kid in (None, key.key_id)]
    if not keys:
        raise ValueError(f"no key is called {kid}")
    decoded = pyjwt.decode_complete(wish.token, keys[0], algorithms=wish.algorithms, audience=wish.audience,
                                    issuer=wish.issuer, options={"require": ["exp", "iss", "aud"]})
    wish.check_type(decoded["header"])
    return decoded["payload"]


def by_jwcrypto(wish):
    keys = jwcrypto.jwk.JWKSet.from_json(json.dumps(wish.jwks))
    # Asked for claims by name it looks at no others; `nbf` it looks at only where it is asked for none.
    for claims in ({"iss": wish.issuer, "aud": wish.audience, "exp": None}, None):
        token = jwcrypto.jwt.JWT(algs=wish.algorithms, expected_type="JWS", check_claims=claims)
        token.leeway = 0
        token.deserialize(wish.token, keys)
    wish.check_type(json.loads(token.header))
    return json.loads(token.claims)


def by_authlib(wish):
    keys = authlib.jose.JsonWebKey.import_key_set(wish.jwks)
    claims = authlib.jose.JsonWebToken(wish.algorithms).decode(wish.token, keys, claims_options={
        "iss": {"essential": True, "value": wish.issuer}, "aud": {"essential": True, "value": wish.audience},
        "exp": {"essential": True}})
    claims.validate(leeway=0)
    wish.check_type(claims.header)
    return dict(claims)


def by_joserfc(wish):
    token = joserfc.jwt.decode(wish.token, joserfc.jwk.KeySet.import_key_set(wish.jwks), algorithms=wish.algorithms)
    joserfc.jwt.JWTClaimsRegistry(
        iss={"essential": True, "value": wish.issuer}, aud={"essential": True, "value": wish.audience},
        exp={"essential": True}, leeway=0).validate(token.claims)
    wish.check_type(token.header)
    return token.claims


VERIFIERS = {"PyJWT": by_pyjwt, "jwcrypto": by_jwcrypto, "Authlib": by_authlib, "joserfc": by_joserfc}


def verdict(verify, wish):
    # Whatever a library raises on such input is its refusal.
    try:
        return {"accepted": True, "claims": verify(wish)}
    except Exception as reason:
        return {"accepted": False, "reason": f"{type(reason).__name__}: {reason}"}


def verdicts(given):
    wish = Wish(given)
    return {name: verdict(verify, wish) for name, verify in VERIFIERS.items()}


if __name__ == "__main__":
    try:
        asked = json.load(sys.stdin)
        Wish(asked)
    except (ValueError, KeyError, TypeError) as problem:
        print(f"verify: standard input is not as it must be: {problem!r}", file=sys.stderr)
        sys.exit(64)
    print(json.dumps(verdicts(asked)))
