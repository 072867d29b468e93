"""Uses the plugin as a person does, in QGIS without a window: python3 check_plugin.py URL KEY PICTURE.

Needs the Python of QGIS (Debian: python3-qgis). Fails with the first thing that does not work.
"""

import os
import sys
import tempfile
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["QGIS_CUSTOM_CONFIG_PATH"] = tempfile.mkdtemp()
sys.path.insert(0, str(Path(__file__).parent.parent))

from qgis.core import (  # noqa: E402
    QgsApplication,
    QgsCoordinateReferenceSystem,
    QgsFeature,
    QgsGeometry,
    QgsMapRendererParallelJob,
    QgsMapSettings,
    QgsProject,
    QgsRectangle,
    QgsVectorLayer,
)
from qgis.gui import QgsMapCanvas, QgsMessageBar  # noqa: E402
from qgis.PyQt.QtCore import QDate, QSize  # noqa: E402
from qgis.PyQt.QtWidgets import QMainWindow  # noqa: E402

FIELD = "POLYGON((-122.404 48.216, -122.396 48.216, -122.396 48.224, -122.404 48.224, -122.404 48.216))"


class Window:
    """What plugins ask of QGIS."""

    def __init__(self):
        self.window, self.canvas, self.bar = QMainWindow(), QgsMapCanvas(), QgsMessageBar()
        self.layer, self.menu = None, []

    def mainWindow(self):
        return self.window

    def mapCanvas(self):
        return self.canvas

    def messageBar(self):
        return self.bar

    def activeLayer(self):
        return self.layer

    def addDockWidget(self, area, dock):
        self.window.addDockWidget(area, dock)

    def removeDockWidget(self, dock):
        self.window.removeDockWidget(dock)

    def addPluginToWebMenu(self, name, action):
        self.menu.append(action)

    def removePluginWebMenu(self, name, action):
        self.menu.remove(action)


def check(is_right, what):
    if not is_right:
        raise SystemExit(f"NOT OK  {what}")
    print(f"ok      {what}")


def main(url, key, picture):
    application = QgsApplication([], True)
    application.initQgis()
    from swath_plugin import classFactory

    window = Window()
    plugin = classFactory(window)
    plugin.initGui()
    panel = plugin.panel
    check(not panel.search_button.isEnabled(), "nothing can be searched before a service is connected")

    panel.url.setText(url)
    panel.key.setText("wrong")
    panel.connect_button.click()
    panel.search_button.click()
    check("no extent" in panel.message.text(), f"without a map: {panel.message.text()}")
    window.canvas.setDestinationCrs(QgsCoordinateReferenceSystem("EPSG:4326"))
    window.canvas.setExtent(QgsRectangle(-122.42, 48.20, -122.38, 48.24))
    panel.connect_button.click()
    panel.search_button.click()
    check("key" in panel.message.text().lower(), f"a wrong key is explained: {panel.message.text()}")

    panel.key.setText(key)
    panel.connect_button.click()
    check(panel.dataset.currentData() == "sentinel2l2a", f"{panel.dataset.count()} sensors are listed")

    panel.start.setDate(QDate(2026, 6, 1))
    panel.end.setDate(QDate(2026, 6, 30))
    panel.cloud.setValue(100)
    panel.search_button.click()
    check(panel.scenes.count() >= 1, panel.message.text())

    panel.style.setCurrentIndex(panel.style.findData("natural"))
    panel.add_button.click()
    (layer,) = QgsProject.instance().mapLayers().values()
    check(layer.isValid(), panel.message.text())
    check(key not in layer.source(), "the project does not hold the key")

    settings = QgsMapSettings()
    settings.setLayers([layer])
    settings.setDestinationCrs(QgsCoordinateReferenceSystem("EPSG:3857"))
    settings.setExtent(QgsRectangle(-13_627_000, 6_139_500, -13_623_000, 6_143_500))
    settings.setOutputSize(QSize(400, 400))
    job = QgsMapRendererParallelJob(settings)
    job.start()
    job.waitForFinished()
    drawn = job.renderedImage()
    drawn.save(picture)
    colours = {drawn.pixel(x, y) for x in range(0, 400, 8) for y in range(0, 400, 8)}
    check(len(colours) > 100, f"QGIS draws the layer: {len(colours)} colours")

    panel.measure_button.click()
    check("layer of polygons" in panel.message.text(), f"without a polygon: {panel.message.text()}")
    window.layer = QgsVectorLayer("Polygon?crs=EPSG:4326", "my field", "memory")
    feature = QgsFeature()
    feature.setGeometry(QgsGeometry.fromWkt(FIELD))
    window.layer.dataProvider().addFeatures([feature])
    panel.measure_button.click()
    check("0 are selected" in panel.message.text(), panel.message.text())
    window.layer.selectAll()
    panel.measure_button.click()
    tables = QgsProject.instance().mapLayersByName("NDVI of my field")
    check(len(tables) == 1, panel.message.text())
    rows = list(tables[0].getFeatures())
    check(rows and all(-1 <= row["average"] <= 1 for row in rows), f"{len(rows)} rows, NDVI {rows[0]['average']:.3f}")

    plugin.unload()
    check(window.menu == [], "the plugin leaves nothing behind")
    QgsProject.instance().clear()


main(*sys.argv[1:4])
# QGIS ends with a crash at times when Python tears it down; everything is checked by now.
sys.stdout.flush()
os._exit(0)
