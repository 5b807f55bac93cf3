"""serve.py FILE: the site over TLS, as FILE (JSON) describes it, on a port of the kernel's choice.

Prints the port when it is ready.
"""
import json
import os
import sys
from pathlib import Path

from cheroot.ssl.builtin import BuiltinSSLAdapter
from cheroot.wsgi import Server

THREADS = 16
# As many clients as a test may start at once.
WAITING = 2048


def main(path):
    site = json.loads(path.read_text())
    server = Server((site["address"], 0), None, numthreads=THREADS, request_queue_size=WAITING, server_name=site["host"])
    server.ssl_adapter = BuiltinSSLAdapter(site["chain"], site["key"])
    server.prepare()
    port = server.bind_addr[1]
    url = site["url"] or f"https://{site['host']}:{port}"
    path.write_text(json.dumps({**site, "issuer": f"{url}/o"}))
    os.environ["PROVIDERS_SITE"] = str(path)
    os.environ["DJANGO_SETTINGS_MODULE"] = "django_site.settings"

    from django.core.wsgi import get_wsgi_application
    server.wsgi_app = get_wsgi_application()
    from django_site.stock import stock
    stock(site["accounts"], site["clients"])
    print(port, flush=True)
    server.serve()


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent.parent))
    main(Path(sys.argv[1]))
