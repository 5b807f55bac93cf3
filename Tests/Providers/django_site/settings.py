"""Django's settings; what differs from run to run comes from the file that PROVIDERS_SITE names."""
import json
import os
from datetime import timedelta
from pathlib import Path

SITE = json.loads(Path(os.environ["PROVIDERS_SITE"]).read_text())
LIFETIMES = SITE["lifetimes"]

SECRET_KEY = SITE["secret_key"]
DEBUG = False
ALLOWED_HOSTS = ["localhost", "127.0.0.1", SITE["host"]]
ROOT_URLCONF = "django_site.urls"
USE_TZ = True
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "oauth2_provider",
    "rest_framework",
    "rest_framework_simplejwt",
    "rest_framework_simplejwt.token_blacklist",
]
# Tables straight from the models: a second less than by the history of each application.
MIGRATION_MODULES = {name.rpartition(".")[2]: None for name in INSTALLED_APPS}
MIDDLEWARE = [
    "django_site.counting.CountingMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
]
TEMPLATES = [{
    "BACKEND": "django.template.backends.django.DjangoTemplates",
    "DIRS": [Path(__file__).parent / "templates"],
    "APP_DIRS": True,
    "OPTIONS": {"context_processors": [
        "django.template.context_processors.request",
        "django.contrib.auth.context_processors.auth",
    ]},
}]
DATABASES = {"default": {
    "ENGINE": "django.db.backends.sqlite3",
    "NAME": SITE["database"],
    # A thousand clients at once wait for their turn to write; without this SQLite sends some of them away.
    "OPTIONS": {"timeout": 60, "transaction_mode": "IMMEDIATE",
                "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;"},
}}
# Fast, for passwords that live for one test.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "handlers": {"console": {"class": "logging.StreamHandler"}},
    "root": {"handlers": ["console"], "level": "ERROR"},
    "loggers": {"django": {"level": "ERROR", "propagate": True}},
}

LOGIN_URL = "/accounts/login/"
LOGIN_REDIRECT_URL = "/session/me/"
SESSION_COOKIE_AGE = LIFETIMES["session"]
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = True

SIMPLE_JWT = {
    "ACCESS_TOKEN_LIFETIME": timedelta(seconds=LIFETIMES["access"]),
    "REFRESH_TOKEN_LIFETIME": timedelta(seconds=LIFETIMES["refresh"]),
    "ROTATE_REFRESH_TOKENS": True,
    "BLACKLIST_AFTER_ROTATION": True,
}

OAUTH2_PROVIDER = {
    "OIDC_ENABLED": True,
    "OIDC_ISS_ENDPOINT": SITE["issuer"],
    "OIDC_RSA_PRIVATE_KEY": SITE["rsa_keys"][0],
    "SCOPES": {"openid": "Sign in", "profile": "Your name", "email": "Your address", "introspection": "Ask about tokens"},
    "DEFAULT_SCOPES": ["openid"],
    "ACCESS_TOKEN_EXPIRE_SECONDS": LIFETIMES["access"],
    "ID_TOKEN_EXPIRE_SECONDS": LIFETIMES["id_token"],
    "REFRESH_TOKEN_EXPIRE_SECONDS": LIFETIMES["refresh"],
    "AUTHORIZATION_CODE_EXPIRE_SECONDS": LIFETIMES["code"],
    "ROTATE_REFRESH_TOKEN": True,
    "REFRESH_TOKEN_REUSE_PROTECTION": True,
    "PKCE_REQUIRED": True,
    "DEVICE_FLOW_INTERVAL": LIFETIMES["interval"],
    "OAUTH_DEVICE_VERIFICATION_URI": SITE["issuer"] + "/device/",
    "OAUTH_DEVICE_VERIFICATION_URI_COMPLETE": lambda user_code: f"{SITE['issuer']}/device/?user_code={user_code}",
    "DCR_ENABLED": True,
    "DCR_REGISTRATION_PERMISSION_CLASSES": ("oauth2_provider.dcr.AllowAllDCRPermission",),
    "OAUTH2_VALIDATOR_CLASS": "django_site.claims.Validator",
    "COMPLIANT_BCP_RFC9700_IMPLICIT_GRANT": True,
    "COMPLIANT_BCP_RFC9700_PASSWORD_GRANT": True,
    "COMPLIANT_BCP_RFC9700_PKCE_METHOD": True,
    "COMPLIANT_BCP_RFC9700_ACCESS_TOKEN_TRANSPORT": True,
    "COMPLIANT_BCP_RFC9700_AUTHZ_RESPONSE_ISS": True,
    "COMPLIANT_BCP_RFC9700_TOKEN_STORAGE": True,
}
