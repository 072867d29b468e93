"""Swath in QGIS: a panel that finds scenes, adds them as layers, and measures an index in a polygon."""


def classFactory(iface):  # noqa: N802, QGIS asks for this name
    from .plugin import SwathPlugin

    return SwathPlugin(iface)
