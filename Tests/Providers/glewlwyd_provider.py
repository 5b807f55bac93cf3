"""glewlwyd over TLS, with a new database in the given folder, configured through its own administration API."""
import json
import secrets
import sqlite3
from pathlib import Path

import requests
from joserfc.jwk import ECKey

from children import Child, StartFailed, answers, free_port

PROGRAM = "/usr/bin/glewlwyd"
SCHEMA = "/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3"
ATTEMPTS = 3
# A scope beside `openid` that needs only the password.
SCOPE = "account"
# The second provider asks every DPoP proof for a nonce.
NONCE = {"oauth-dpop-nonce-mandatory": True, "oauth-dpop-nonce-counter": 10}

CONFIGURATION = """port = {port}
bind_address = "127.0.0.1"
external_url = "{url}"
login_url = "login.html"
api_prefix = "api"
static_files_path = "/usr/share/glewlwyd/webapp/"
log_mode = "console"
log_level = "WARNING"
cookie_secure = 1
session_key = "GLEWLWYD2_SESSION_ID"
admin_scope = "g_admin"
profile_scope = "g_profile"
user_module_path = "/usr/lib/glewlwyd/user"
client_module_path = "/usr/lib/glewlwyd/client"
user_auth_scheme_module_path = "/usr/lib/glewlwyd/scheme"
plugin_module_path = "/usr/lib/glewlwyd/plugin"
use_secure_connection = true
secure_connection_key_file = "{key}"
secure_connection_pem_file = "{chain}"
hash_algorithm = "SHA512"
database = {{ type = "sqlite3"; path = "{database}"; }};
"""


class Administrator:
    """Speaks to the administration API with the session of its user `admin`."""

    def __init__(self, url, authority):
        self.url = url
        self.session = requests.Session()
        self.session.verify = str(authority)
        self.session.trust_env = False

    def call(self, method, path, body):
        answer = self.session.request(method, f"{self.url}/api/{path}", json=body, timeout=10)
        if answer.status_code != 200:
            raise StartFailed(f"glewlwyd answered {method} {path} with {answer.status_code}: {answer.text[:500]}")

    def get(self, path):
        answer = self.session.get(f"{self.url}/api/{path}", timeout=10)
        answer.raise_for_status()
        return answer.json()

    def sign_in(self, password):
        self.call("POST", "auth/", {"username": "admin", "password": password})


def plugin(name, issuer, lifetimes, **parameters):
    """One OpenID provider of this glewlwyd. Its first key signs where the client has no wish; ES256."""
    return {"module": "oidc", "name": name, "display_name": name, "order_rank": 0, "readonly": False, "parameters": {
        "iss": issuer, "jwks-private": json.dumps(signing_keys()), "jwks-show": True, "subject-type": "public",
        "allowed-scope": ["openid", SCOPE],
        "access-token-duration": lifetimes.access, "refresh-token-duration": lifetimes.refresh,
        "code-duration": lifetimes.code, "refresh-token-rolling": False, "refresh-token-one-use": "always",
        "allow-non-oidc": True, "auth-type-code-enabled": True, "auth-type-code-revoke-replayed": True,
        "auth-type-token-enabled": False, "auth-type-id-token-enabled": False, "auth-type-none-enabled": False,
        "auth-type-password-enabled": False, "auth-type-client-enabled": True, "auth-type-refresh-enabled": True,
        "auth-type-device-enabled": True, "device-authorization-expiration": lifetimes.device,
        "device-authorization-interval": lifetimes.interval,
        "pkce-allowed": True, "pkce-method-plain-allowed": False, "pkce-required": True,
        "introspection-revocation-allowed": True, "introspection-revocation-allow-target-client": True,
        "register-client-allowed": True, "register-client-auth-scope": [], "register-client-credentials-scope": [],
        "register-client-management-allowed": True,
        "request-parameter-allow": True, "request-maximum-exp": 3600, "client-pubkey-parameter": "pubkey",
        "client-jwks-parameter": "jwks", "client-jwks_uri-parameter": "jwks_uri",
        "name-claim": "mandatory", "email-claim": "mandatory", "scope-claim": "no",
        "oauth-as-iss-id": True, "oauth-dpop-allowed": True, "oauth-dpop-iat-duration": 60,
        # Without a gap it refuses, now and then, proofs that are no second old: its clock is a coarser one.
        "oauth-dpop-iat-gap-duration": 10,
        "oauth-dpop-dpop_bound_access_tokens-property": "dpop_bound_access_tokens", **parameters}}


def signing_keys():
    return {"keys": [ECKey.generate_key("P-256", {"kid": "first", "alg": "ES256"}).as_dict(private=True)]}


def client(identifier, grants, redirect_uris, authentication, **properties):
    return {"client_id": identifier, "name": identifier, "enabled": True, "confidential": authentication != "none",
            "authorization_type": grants, "redirect_uri": redirect_uris, "scope": [SCOPE] if authentication != "none" else [],
            "token_endpoint_auth_method": [authentication], **properties}


def user(account):
    return {"username": account.name, "password": account.password, "name": account.full_name, "email": account.email,
            "enabled": True, "scope": ["openid", SCOPE, "g_profile"]}


class Glewlwyd:
    """Runs until `child.end()`. `description` is what tests need to know of it; `front` is what the world knows in its place."""

    def __init__(self, folder, certificate, authority, accounts, redirect_uris, lifetimes, front=None):
        if missing := [path for path in (PROGRAM, SCHEMA) if not Path(path).exists()]:
            raise StartFailed(f"{missing[0]} is missing; run Tests/Providers/install-glewlwyd")
        self.folder = folder
        folder.mkdir(mode=0o700)
        self.authority = authority
        self.front = front
        self.start(certificate)
        self.password = secrets.token_urlsafe(18)
        self.device_key = ECKey.generate_key("P-256", {"kid": "device", "alg": "ES256", "use": "sig"})
        self.device_key_file = folder / "device.pem"
        self.device_key_file.touch(mode=0o600)
        self.device_key_file.write_bytes(self.device_key.as_pem(private=True))
        self.confidential_secret = secrets.token_urlsafe(32)
        self.configure(accounts, redirect_uris, lifetimes)

    def start(self, certificate):
        """Anew with another port, should somebody have taken the first in between."""
        for attempt in range(ATTEMPTS):
            port = free_port()
            direct = f"https://localhost:{port}"
            self.url = self.front.origin if self.front else direct
            if self.front:
                self.front.lead_to(direct)
            try:
                self.child = Child("glewlwyd", [PROGRAM, "-c", self.write_configuration(port, certificate)], self.folder / "log")
                self.child.wait_until(lambda: answers(port), seconds=20)
                return
            except StartFailed:
                self.child.end()
                if attempt == ATTEMPTS - 1:
                    raise

    def write_configuration(self, port, certificate):
        database = self.folder / "database"
        database.unlink(missing_ok=True)
        with sqlite3.connect(database) as connection:
            connection.executescript(Path(SCHEMA).read_text())
        path = self.folder / "configuration"
        path.write_text(CONFIGURATION.format(port=port, url=self.url, key=certificate.key, chain=certificate.chain,
                                             database=database))
        return path

    def issuer(self, name):
        return f"{self.url}/api/{name}"

    def configure(self, accounts, redirect_uris, lifetimes):
        administrator = Administrator(self.url, self.authority)
        administrator.sign_in("password")
        administrator.call("PUT", "scope/openid", {"display_name": "Sign in", "password_required": True,
                                                   "password_max_age": 0, "scheme": {}})
        administrator.call("POST", "scope/", {"name": SCOPE, "display_name": "Account", "password_required": True,
                                              "password_max_age": 0, "scheme": {}})
        self.allow_bound_clients(administrator)
        for name, parameters in (("oidc", {}), ("nonce", NONCE)):
            administrator.call("POST", "mod/plugin/", plugin(name, self.issuer(name), lifetimes, **parameters))
        for one in self.clients(redirect_uris):
            administrator.call("POST", "client/", one)
        for account in accounts:
            administrator.call("POST", "user/", user(account))
        administrator.call("PUT", "user/admin", {"username": "admin", "password": self.password, "enabled": True,
                                                 "scope": ["g_admin", "g_profile"]})

    def allow_bound_clients(self, administrator):
        """glewlwyd keeps only those properties of a client that its store of clients knows."""
        store = administrator.get("mod/client/database")
        store["parameters"]["data-format"]["dpop_bound_access_tokens"] = {"multiple": False, "read": True, "write": True}
        administrator.call("PUT", "mod/client/database", store)
        # Without it the store goes on as it was.
        administrator.call("PUT", "mod/client/database/reset", None)

    def clients(self, redirect_uris):
        code = ["code", "refresh_token"]
        keys = {"keys": [self.device_key.as_dict(private=False)]}
        return [
            client("native", [*code, "device_authorization"], redirect_uris, "none"),
            client("bound", [*code, "device_authorization"], redirect_uris, "none", dpop_bound_access_tokens="1"),
            client("confidential", [*code, "client_credentials"], redirect_uris, "client_secret_basic",
                   client_secret=self.confidential_secret),
            client("device", [*code, "device_authorization", "client_credentials"], redirect_uris, "private_key_jwt", jwks=keys),
        ]

    def description(self):
        """What the line of JSON says of it."""
        return {
            "url": self.url, "issuer": self.issuer("oidc"), "nonceIssuer": self.issuer("nonce"), "pid": self.child.process.pid,
            "scope": f"openid {SCOPE}", "administrator": {"name": "admin", "password": self.password},
            "clients": {"native": {"id": "native"}, "bound": {"id": "bound"},
                        "confidential": {"id": "confidential", "secret": self.confidential_secret},
                        "device": {"id": "device", "keyFile": str(self.device_key_file), "keyID": "device"}},
        }
