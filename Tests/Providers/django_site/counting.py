"""How often each address was asked for, and with which outcome."""
import threading
from collections import Counter

COUNTS = Counter()
LOCK = threading.Lock()


class CountingMiddleware:
    """Counts every answer that is given, under its method, path and status."""

    def __init__(self, get_response):
        self.get_response = get_response

    def __call__(self, request):
        response = self.get_response(request)
        with LOCK:
            COUNTS[f"{request.method} {request.path} {response.status_code}"] += 1
        return response


def counts():
    with LOCK:
        return dict(COUNTS)


def forget():
    with LOCK:
        COUNTS.clear()
