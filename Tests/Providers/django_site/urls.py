"""The addresses of the site."""
from django.contrib.auth.views import LoginView
from django.urls import include, path
from oauth2_provider import urls as oauth2_urls
from rest_framework_simplejwt import views as jwt

from . import views

urlpatterns = [
    # RFC 8414 looks for its document at the root, whatever the issuer's path.
    path("", include((oauth2_urls.metadata_urlpatterns, "metadata"))),
    path("o/", include("oauth2_provider.urls")),
    path("oauth2/me/", views.oauth2_me),
    path("accounts/login/", LoginView.as_view()),
    path("session/csrf/", views.session_csrf),
    path("session/login/", views.session_login),
    path("session/me/", views.session_me),
    path("session/logout/", views.session_logout),
    path("jwt/token/", jwt.TokenObtainPairView.as_view()),
    path("jwt/refresh/", jwt.TokenRefreshView.as_view()),
    path("jwt/verify/", jwt.TokenVerifyView.as_view()),
    path("jwt/blacklist/", jwt.TokenBlacklistView.as_view()),
    path("jwt/me/", views.jwt_me),
    path("counts/", views.counts),
    path("next-key/", views.next_key),
]
