"""The plugin: an entry of the Web menu that shows the panel."""

from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import QAction

from .panel import SwathPanel


class SwathPlugin:
    """What QGIS loads."""

    def __init__(self, iface):
        self._iface = iface
        self.panel = None
        self._action = None

    def initGui(self):  # noqa: N802, QGIS asks for this name
        self.panel = SwathPanel(self._iface)
        self._iface.addDockWidget(Qt.RightDockWidgetArea, self.panel)
        self._action = QAction("Swath", self._iface.mainWindow())
        self._action.setCheckable(True)
        self._action.setChecked(True)
        self._action.toggled.connect(self.panel.setVisible)
        self.panel.visibilityChanged.connect(self._action.setChecked)
        self._iface.addPluginToWebMenu("Swath", self._action)

    def unload(self):
        self._iface.removePluginWebMenu("Swath", self._action)
        self._iface.removeDockWidget(self.panel)
        self.panel.deleteLater()
