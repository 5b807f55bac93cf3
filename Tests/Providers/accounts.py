"""The people who have an account with each provider."""
import secrets
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Account:
    name: str
    full_name: str
    password: str = field(default_factory=lambda: secrets.token_urlsafe(18))

    @property
    def email(self):
        return f"{self.name}@example.invalid"


def new_accounts():
    return [Account("alice", "Alice Example"), Account("bob", "Bob Example")]
