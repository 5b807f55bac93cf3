"""What an ID token says of a user beside `sub`."""
from oauth2_provider.oauth2_validators import OAuth2Validator


class Validator(OAuth2Validator):
    oidc_claim_scope = {**OAuth2Validator.oidc_claim_scope, "name": "profile", "preferred_username": "profile", "email": "email"}

    def get_additional_claims(self):
        return {
            "name": lambda request: request.user.get_full_name(),
            "preferred_username": lambda request: request.user.get_username(),
            "email": lambda request: request.user.email,
        }
