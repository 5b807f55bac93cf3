"""What a desktop's windows show, as its accessibility bus tells it: a line for each part that can be seen, with its role, name, text and
place, as JSON. For whoever has the bus of a session."""
import json
import warnings

import gi
gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib

warnings.simplefilter("ignore")


def tell(part):
    """This part, if it shows, and those in it."""
    kinds = part.get_interfaces()
    if "Component" in kinds:
        if not part.get_state_set().contains(Atspi.StateType.SHOWING):
            return
        place = part.get_extents(Atspi.CoordType.SCREEN)
        text = Atspi.Text.get_text(part, 0, -1) if "Text" in kinds else ""
        print(json.dumps([part.get_role_name(), part.get_name(), text, place.x, place.y, place.width, place.height]))
    tell_inside(part)


def tell_inside(part):
    for index in range(part.get_child_count()):
        try:
            tell(part.get_child_at_index(index))
        except (AttributeError, GLib.Error):
            # It went while it was looked at.
            pass


tell_inside(Atspi.get_desktop(0))
