"""A site of Django's with three ways to sign in: as OpenID provider, by JWT of djangorestframework-simplejwt, by session."""
