"""Signed JWTs (RFC 7515, 7519) made by hand, so that they can be wrong in every way: ES256 and what attackers make of it."""
import base64
import hashlib
import hmac
import json

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature


def encode(data):
    """base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def parts(token):
    """Header and claims of a JWT, unverified."""
    header, claims, _ = token.split(".")
    return json.loads(decode(header)), json.loads(decode(claims))


def half_hash(text):
    """The left half of SHA-256, as `at_hash` has it (OpenID Connect Core 3.1.3.6)."""
    return encode(hashlib.sha256(text.encode()).digest()[:16])


def challenge(verifier):
    """S256 of RFC 7636."""
    return encode(hashlib.sha256(verifier.encode()).digest())


class Key:
    """An EC key of P-256 with its name."""

    def __init__(self, name):
        self.name = name
        self.private = ec.generate_private_key(ec.SECP256R1())

    def public_jwk(self, **more):
        numbers = self.private.public_key().public_numbers()
        return {"kty": "EC", "crv": "P-256", "x": encode(numbers.x.to_bytes(32, "big")),
                "y": encode(numbers.y.to_bytes(32, "big")), **more}

    def published(self):
        """As a JWKS has it."""
        return self.public_jwk(kid=self.name, alg="ES256", use="sig")

    def thumbprint(self):
        """RFC 7638."""
        canonical = json.dumps(self.public_jwk(), sort_keys=True, separators=(",", ":"))
        return encode(hashlib.sha256(canonical.encode()).digest())

    def pem(self):
        return self.private.public_key().public_bytes(serialization.Encoding.PEM,
                                                      serialization.PublicFormat.SubjectPublicKeyInfo)

    def sign(self, signed):
        r, s = decode_dss_signature(self.private.sign(signed, ec.ECDSA(hashes.SHA256())))
        return r.to_bytes(32, "big") + s.to_bytes(32, "big")


def token(header, claims, signature):
    """A compact JWS; `signature` makes the bytes of it from the bytes that are signed."""
    signed = ".".join(encode(json.dumps(part).encode()) for part in (header, claims))
    return f"{signed}.{encode(signature(signed.encode()))}"


def signed(key, claims, **header):
    return token({"alg": "ES256", "kid": key.name, **header}, claims, key.sign)


def unsigned(claims, **header):
    return token({"alg": "none", **header}, claims, lambda _: b"")


def keyed_with_public_key(key, claims, **header):
    """HS256 whose secret is what everybody knows: the PEM of the public key (RFC 8725, 2.1)."""
    return token({"alg": "HS256", "kid": key.name, **header}, claims,
                 lambda signed: hmac.digest(key.pem(), signed, "sha256"))


def tampered(good, **changed):
    """The header and the signature of `good` around other claims."""
    header, _, signature = good.split(".")
    return f"{header}.{encode(json.dumps({**parts(good)[1], **changed}).encode())}.{signature}"
