"""What is in the database at the start: people and clients."""
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.db.models.signals import pre_save
from oauth2_provider.models import get_application_model


def sign_id_tokens(instance, **_):
    """A client that registers itself has no algorithm, and its first ID token would be an error of the server."""
    instance.algorithm = instance.algorithm or "RS256"


def stock(accounts, clients):
    """Makes the tables and fills them. Each client is a dictionary of the fields of an application."""
    pre_save.connect(sign_id_tokens, sender=get_application_model())
    call_command("migrate", run_syncdb=True, verbosity=0)
    for account in accounts:
        first, _, last = account["full_name"].partition(" ")
        get_user_model().objects.create_user(account["name"], account["email"], account["password"],
                                             first_name=first, last_name=last)
    for client in clients:
        application = get_application_model()(**client)
        application.full_clean()
        application.save()
