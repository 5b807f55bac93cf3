"""How long things of a provider live, in seconds."""
from dataclasses import dataclass


@dataclass(frozen=True)
class Lifetimes:
    access: int = 300
    id_token: int = 300
    refresh: int = 86400
    code: int = 60
    device: int = 300
    # How long a device waits between two questions; the least that both providers know is one second.
    interval: int = 1
    # A login session by cookie.
    session: int = 3600
