"""The program that waits for the redirect on the loopback."""
import http.server
import threading
import urllib.parse


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.path).query))
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"You may close this page.")

    def log_message(self, *_):
        pass


class Listener:
    """Takes one request at a port of the kernel's choice."""

    def __enter__(self):
        self.server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
        self.server.query = None
        self.uri = f"http://127.0.0.1:{self.server.server_port}/callback"
        self.thread = threading.Thread(target=self.server.handle_request, daemon=True)
        self.thread.start()
        return self

    def received(self):
        """The parameters of that request."""
        self.thread.join(10)
        return self.server.query

    def __exit__(self, *_):
        self.server.server_close()
