#!/usr/bin/python3
"""A polkit authority that says yes to everything, on the bus that DBUS_SYSTEM_BUS_ADDRESS names: the peer needs one."""
from gi.repository import Gio, GLib

INTERFACE = """<node><interface name="org.freedesktop.PolicyKit1.Authority">
<method name="CheckAuthorization"><arg type="(sa{sv})" direction="in"/><arg type="s" direction="in"/>
<arg type="a{ss}" direction="in"/><arg type="u" direction="in"/><arg type="s" direction="in"/>
<arg type="(bba{ss})" direction="out"/></method>
<property name="BackendName" type="s" access="read"/><property name="BackendVersion" type="s" access="read"/>
<property name="BackendFeatures" type="u" access="read"/><signal name="Changed"/></interface></node>"""
PROPERTIES = {"BackendName": GLib.Variant("s", "yes"), "BackendVersion": GLib.Variant("s", "1"),
              "BackendFeatures": GLib.Variant("u", 0)}


def call(connection, sender, path, interface, method, parameters, invocation):
    invocation.return_value(GLib.Variant("((bba{ss}))", ((True, False, {}),)))


def on_bus(connection, name):
    interface = Gio.DBusNodeInfo.new_for_xml(INTERFACE).interfaces[0]
    connection.register_object("/org/freedesktop/PolicyKit1/Authority", interface, call,
                               lambda c, sender, path, name, key: PROPERTIES[key], None)


loop = GLib.MainLoop()
Gio.bus_own_name(Gio.BusType.SYSTEM, "org.freedesktop.PolicyKit1", Gio.BusNameOwnerFlags.NONE, on_bus, None,
                 lambda *_: loop.quit())
loop.run()
