"""Django's site over TLS, with a new database in the given folder."""
import dataclasses
import json
import secrets
import subprocess
import sys
from pathlib import Path

from joserfc.jwk import RSAKey

from children import Child

PROGRAM = Path(__file__).parent / "django_site" / "serve.py"
CODE = "authorization-code"
DEVICE_CODE = "urn:ietf:params:oauth:grant-type:device_code"


class Django:
    """Starts at once; `wait` before anything else. Runs until `child.end()`. At the loopback where no address is given; `front` is what
    the world knows in its place."""

    def __init__(self, folder, certificate, accounts, redirect_uris, lifetimes, address=None, front=None):
        folder.mkdir(mode=0o700)
        self.confidential_secret = secrets.token_urlsafe(32)
        self.host = address or "localhost"
        self.front = front
        site = {
            "address": address or "127.0.0.1", "host": self.host, "url": front.origin if front else None,
            "database": str(folder / "database"), "chain": str(certificate.chain), "key": str(certificate.key),
            "secret_key": secrets.token_urlsafe(48), "rsa_keys": [RSAKey.generate_key(2048).as_pem(private=True).decode() for _ in range(2)],
            "lifetimes": dataclasses.asdict(lifetimes), "clients": self.clients(redirect_uris),
            "accounts": [{**dataclasses.asdict(account), "email": account.email} for account in accounts],
        }
        path = folder / "site.json"
        path.touch(mode=0o600)
        path.write_text(json.dumps(site))
        self.child = Child("django", [sys.executable, "-B", PROGRAM, path], folder / "log", stdout=subprocess.PIPE)

    def wait(self):
        """Until it is ready, or has ended."""
        port = self.child.process.stdout.readline().strip()
        if not port:
            raise self.child.failed("ended at its start")
        self.url = f"https://{self.host}:{port.decode()}"
        if self.front:
            self.front.lead_to(self.url)
            self.url = self.front.origin

    def clients(self, redirect_uris):
        common = {"redirect_uris": " ".join(redirect_uris), "algorithm": "RS256"}
        public = {**common, "client_type": "public", "client_secret": ""}
        return [
            {**public, "client_id": "native", "name": "native", "authorization_grant_type": CODE},
            {**public, "client_id": "device", "name": "device", "authorization_grant_type": DEVICE_CODE},
            {**common, "client_id": "confidential", "name": "confidential", "client_type": "confidential",
             "client_secret": self.confidential_secret, "authorization_grant_type": CODE},
        ]

    def description(self):
        """What the line of JSON says of it."""
        return {
            "url": self.url, "issuer": f"{self.url}/o", "pid": self.child.process.pid, "scope": "openid profile email",
            "clients": {"native": {"id": "native"}, "device": {"id": "device"},
                        "confidential": {"id": "confidential", "secret": self.confidential_secret}},
        }
