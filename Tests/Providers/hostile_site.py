"""What the hostile servers answer at the addresses where Django's site signs people in by JWT and by session.

Every password and every token is good: they remember nothing.
"""
import secrets
import time

import jose

USER = {"id": 1, "username": "somebody", "name": "Some Body", "email": "somebody@example.invalid"}
KEY = jose.Key("site")


def jwt(kind, seconds):
    now = int(time.time())
    return jose.signed(KEY, {"token_type": kind, "iat": now, "exp": now + seconds, "jti": secrets.token_hex(16), "user_id": "1"})


def pair():
    return {"access": jwt("access", 300), "refresh": jwt("refresh", 86400)}


# Each makes the value of the answer and its headers.
SITE = {
    "jwt/token/": lambda: (pair(), {}),
    "jwt/refresh/": lambda: (pair(), {}),
    "jwt/verify/": lambda: ({}, {}),
    "jwt/blacklist/": lambda: ({}, {}),
    "jwt/me/": lambda: ({"user": USER}, {}),
    "session/csrf/": lambda: with_csrf({}),
    "session/login/": lambda: with_csrf({"user": USER}, new_session()),
    "session/me/": lambda: ({**USER, "user": USER, "expires_in": 3600}, {}),
    "session/logout/": lambda: ({}, {}),
}


def new_session():
    return {"Set-Cookie": f"sessionid={secrets.token_hex(16)}; Path=/; Secure; HttpOnly"}


def with_csrf(value, headers=None):
    """One cookie an answer: the session's, or else the token's."""
    token = secrets.token_hex(16)
    return {**value, "csrfToken": token}, headers or {"Set-Cookie": f"csrftoken={token}; Path=/; Secure"}
