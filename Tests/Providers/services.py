"""Services that take Django's access tokens, for git, docker's kind and kubectl: all of one HTTPS server on the loopback.

    /git/project.git        a repository with one commit, by `git http-backend`; the token stands in the password's place
    /v2/, /token            a registry and its token endpoint, as Docker's registries have them; `project` has the tag `newest`
    /echo                   what kubectl's `get --raw` is shown: whose token it sent
"""
import base64
import http.server
import json
import os
import secrets
import ssl
import subprocess
import threading
import urllib.parse

import requests

BACKEND = "/usr/lib/git-core/git-http-backend"


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
        elif path.startswith("/v2/"):
            self.registry(path)
        else:
            self.echo()

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

    def echo(self):
        person = self.server.person(self.credentials("bearer"))
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

    def description(self):
        return {"url": f"https://localhost:{self.server_port}", "host": f"localhost:{self.server_port}"}
