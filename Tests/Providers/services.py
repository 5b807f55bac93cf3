"""Services that take Django's access tokens, for git, docker's kind and kubectl: all of one HTTPS server on the loopback.

    /git/project.git        a repository with one commit, by `git http-backend`; the token stands in the password's place
    /v2/, /token            a registry and its token endpoint, as Docker's registries have them; `project` has the tag `newest`
    /echo, /identity        what kubectl's `get --raw` is shown: whose access token it sent, and whose ID token
    /cloud                  a cloud in AWS's form: keys of a role for an ID token, and whose keys a signed request has
"""
import base64
import hashlib
import hmac
import http.server
import json
import os
import secrets
import ssl
import subprocess
import threading
import urllib.parse

import requests
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

BACKEND = "/usr/lib/git-core/git-http-backend"
ROLE = "arn:aws:iam::123456789012:role/project"
ROLE_KEYS = """<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
  <AssumeRoleWithWebIdentityResult><Credentials><SessionToken>{token}</SessionToken><SecretAccessKey>{secret}</SecretAccessKey>
  <Expiration>2099-01-01T00:00:00Z</Expiration><AccessKeyId>{key}</AccessKeyId></Credentials></AssumeRoleWithWebIdentityResult>
</AssumeRoleWithWebIdentityResponse>"""
CALLER = """<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><GetCallerIdentityResult>
  <Arn>arn:aws:sts::123456789012:assumed-role/project/{who}</Arn><UserId>A:{who}</UserId><Account>123456789012</Account>
</GetCallerIdentityResult></GetCallerIdentityResponse>"""


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.close_connection = True
        self.body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        path = urllib.parse.urlsplit(self.path).path
        if path.startswith("/git/"):
            self.git(path)
        elif path == "/token":
            self.token()
        elif path == "/identity":
            self.echo(self.server.subject(self.credentials("bearer")))
        elif path == "/cloud":
            self.cloud(dict(urllib.parse.parse_qsl(self.body.decode())))
        elif path.startswith("/v2/"):
            self.registry(path)
        else:
            self.echo(self.server.person(self.credentials("bearer")))

    do_POST = do_GET

    def log_message(self, *_):
        pass

    def credentials(self, scheme):
        kind, _, value = self.headers.get("Authorization", "").partition(" ")
        return value if kind.lower() == scheme else ""

    def person(self):
        """Who the token of a password belongs to; None where it is none."""
        name, _, token = base64.b64decode(self.credentials("basic") or "Og==").decode().partition(":")
        return self.server.person(token) if name == "oauth2" else None

    def answer(self, status, value, **headers):
        body = value if isinstance(value, bytes) else json.dumps(value).encode()
        self.send_response(status)
        for name, text in {"Content-Type": "application/json", "Content-Length": str(len(body)), "Connection": "close",
                           **headers}.items():
            self.send_header(name.replace("_", "-"), text)
        self.end_headers()
        self.wfile.write(body)

    def refuse(self, challenge):
        self.answer(401, {"errors": [{"code": "UNAUTHORIZED", "message": "a token is wanted"}]}, WWW_Authenticate=challenge)

    def echo(self, person):
        self.answer(200, {"user": person}) if person else self.refuse("Bearer")

    def token(self):
        if not self.person():
            return self.refuse('Basic realm="tokens"')
        token = secrets.token_urlsafe(24)
        self.server.issued.add(token)
        self.answer(200, {"token": token, "expires_in": 60})

    def registry(self, path):
        if self.credentials("bearer") not in self.server.issued:
            realm = f"https://localhost:{self.server.server_port}/token"
            return self.refuse(f'Bearer realm="{realm}",service="registry",scope="repository:project:pull"')
        self.answer(200, {"name": "project", "tags": ["newest"]} if path.endswith("/tags/list") else {})

    def cloud(self, form):
        if form.get("Action") == "AssumeRoleWithWebIdentity":
            if not (person := self.server.subject(form.get("WebIdentityToken", ""))):
                return self.explain("InvalidIdentityToken")
            if form.get("RoleArn") != ROLE:
                return self.explain("AccessDenied")
            key, secret, token = (secrets.token_hex(10).upper(), secrets.token_urlsafe(30), secrets.token_urlsafe(60))
            self.server.roles[key] = (secret, token, f"{person}/{form['RoleSessionName']}")
            return self.answer(200, ROLE_KEYS.format(key=key, secret=secret, token=token).encode(), Content_Type="text/xml")
        if form.get("Action") == "GetCallerIdentity" and (who := self.signer()):
            return self.answer(200, CALLER.format(who=who).encode(), Content_Type="text/xml")
        self.explain("InvalidClientTokenId")

    def explain(self, code):
        self.answer(403, f"<ErrorResponse><Error><Code>{code}</Code></Error></ErrorResponse>".encode(), Content_Type="text/xml")

    def signer(self):
        """Who signed the request (AWS's Signature Version 4); None where nobody who may did."""
        kind, _, rest = self.headers.get("Authorization", "").partition(" ")
        fields = dict(part.strip().split("=", 1) for part in rest.split(",") if "=" in part)
        if kind != "AWS4-HMAC-SHA256" or not fields.keys() >= {"Credential", "SignedHeaders", "Signature"}:
            return None
        key, *scope = fields["Credential"].split("/")
        secret, token, who = self.server.roles.get(key, ("", "", None))
        names = fields["SignedHeaders"].split(";")
        headers = "".join(f"{name}:{' '.join((self.headers.get(name) or '').split())}\n" for name in names)
        canonical = "\n".join([self.command, "/cloud", "", headers, ";".join(names), hashlib.sha256(self.body).hexdigest()])
        digest = hashlib.sha256(canonical.encode()).hexdigest()
        text = "\n".join([kind, self.headers.get("X-Amz-Date", ""), "/".join(scope), digest])
        signing = ("AWS4" + secret).encode()
        for part in scope:
            signing = hmac.digest(signing, part.encode(), "sha256")
        signature = hmac.digest(signing, text.encode(), "sha256").hex()
        is_signed = hmac.compare_digest(signature, fields["Signature"]) and "x-amz-security-token" in names
        return who if is_signed and self.headers.get("X-Amz-Security-Token") == token else None

    def git(self, path):
        if not self.person():
            return self.refuse('Basic realm="git"')
        url = urllib.parse.urlsplit(self.path)
        environment = {
            "PATH": os.environ.get("PATH", "/usr/bin:/bin"), "GIT_PROJECT_ROOT": str(self.server.repositories), "GIT_HTTP_EXPORT_ALL": "1",
            "PATH_INFO": path.removeprefix("/git"), "QUERY_STRING": url.query, "REQUEST_METHOD": self.command,
            "CONTENT_TYPE": self.headers.get("Content-Type", ""), "CONTENT_LENGTH": str(len(self.body)),
            "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""), "REMOTE_USER": "somebody", "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*",
        }
        if encoding := self.headers.get("Content-Encoding"):
            environment["HTTP_CONTENT_ENCODING"] = encoding
        done = subprocess.run([BACKEND], input=self.body, env=environment, stdout=subprocess.PIPE, check=True)
        head, _, body = done.stdout.partition(b"\r\n\r\n")
        fields = dict(line.split(": ", 1) for line in head.decode().split("\r\n"))
        self.answer(int(fields.pop("Status", "200").split()[0]), body, **fields)


class Services(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, folder, certificate, authority, site):
        super().__init__(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate.chain, certificate.key)
        self.socket = context.wrap_socket(self.socket, server_side=True)
        self.authority = str(authority)
        self.site = site
        self.issued = set()
        self.roles = {}
        self.repositories = folder
        self.make_repository(folder / "project.git")
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @staticmethod
    def make_repository(path):
        git = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "GIT_CONFIG_NOSYSTEM": "1", "HOME": str(path.parent)}
        for who in ("AUTHOR", "COMMITTER"):
            git |= {f"GIT_{who}_NAME": "somebody", f"GIT_{who}_EMAIL": "somebody@example.org"}
        subprocess.run(["git", "init", "-q", "--bare", "-b", "main", path], env=git, check=True)
        tree = subprocess.run(["git", "-C", path, "mktree"], env=git, input=b"", stdout=subprocess.PIPE, check=True).stdout.decode().strip()
        commit = subprocess.run(["git", "-C", path, "commit-tree", "-m", "begin", tree], env=git, stdout=subprocess.PIPE, check=True)
        subprocess.run(["git", "-C", path, "update-ref", "refs/heads/main", commit.stdout.decode().strip()], env=git, check=True)

    def person(self, token):
        if not token:
            return None
        answer = requests.get(f"{self.site}/o/userinfo/", headers={"Authorization": f"Bearer {token}"}, verify=self.authority, timeout=60)
        return answer.json()["sub"] if answer.status_code == 200 else None

    def subject(self, token):
        """Who an ID token of Django's is about; None where it is none."""
        answer = requests.get(f"{self.site}/o/.well-known/jwks.json", verify=self.authority, timeout=60)
        checks = jwt.JWTClaimsRegistry(iss={"essential": True, "value": f"{self.site}/o"}, exp={"essential": True},
                                       aud={"essential": True, "value": "native"}, sub={"essential": True})
        try:
            claims = jwt.decode(token, KeySet.import_key_set(answer.json()), algorithms=["RS256"]).claims
            checks.validate(claims)
        except (JoseError, ValueError):
            return None
        return claims["sub"]

    def description(self):
        return {"url": f"https://localhost:{self.server_port}", "host": f"localhost:{self.server_port}"}
