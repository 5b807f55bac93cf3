"""Signing in by session, and what is behind each of the three ways to sign in."""
import json

from django.conf import settings
from django.contrib.auth import authenticate, login, logout
from django.http import JsonResponse
from django.middleware.csrf import get_token
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_POST
from oauth2_provider.decorators import protected_resource
from oauth2_provider.settings import oauth2_settings
from rest_framework.decorators import api_view, authentication_classes, permission_classes
from rest_framework.permissions import IsAuthenticated
from rest_framework.response import Response
from rest_framework_simplejwt.authentication import JWTAuthentication

from . import counting


def described(user):
    return {"id": user.pk, "username": user.get_username(), "name": user.get_full_name(), "email": user.email}


def refusal(status, detail):
    return JsonResponse({"detail": detail}, status=status)


@require_GET
def session_csrf(request):
    """The token for the header X-CSRFToken; the cookie that belongs to it comes along."""
    return JsonResponse({"csrfToken": get_token(request)})


@require_POST
def session_login(request):
    """JSON with `username` and `password`. A new session, and a new token, which the answer names."""
    try:
        given = json.loads(request.body)
        user = authenticate(request, username=given["username"], password=given["password"])
    except (ValueError, KeyError, TypeError):
        return refusal(400, "username and password are missing")
    if user is None:
        return refusal(401, "no such user, or another password")
    login(request, user)
    return JsonResponse({"user": described(user), "csrfToken": get_token(request)})


@require_GET
def session_me(request):
    if not request.user.is_authenticated:
        return refusal(401, "not signed in")
    described_user = described(request.user)
    return JsonResponse({**described_user, "user": described_user, "expires_in": request.session.get_expiry_age()})


@require_POST
def session_logout(request):
    logout(request)
    return JsonResponse({})


@api_view(["GET"])
@authentication_classes([JWTAuthentication])
@permission_classes([IsAuthenticated])
def jwt_me(request):
    return Response({"user": described(request.user)})


@protected_resource(scopes=["openid"])
def oauth2_me(request):
    return JsonResponse({"user": described(request.resource_owner)})


@csrf_exempt
def counts(request):
    """GET: the counts. DELETE: begins anew."""
    if request.method == "DELETE":
        counting.forget()
    return JsonResponse(counting.counts())


@csrf_exempt
@require_POST
def next_key(_):
    """ID tokens are signed with another key from now on, and nobody vouches for the one before."""
    oauth2_settings.OIDC_RSA_PRIVATE_KEY = settings.SITE["rsa_keys"][1]
    return JsonResponse({})
