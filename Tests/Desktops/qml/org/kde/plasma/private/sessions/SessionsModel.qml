import QtQuick 2.15
QtObject { property bool canSwitchUser: false; property bool canStartNewSession: false }
