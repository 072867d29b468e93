"""
Draws a WMTS layer and a WMS layer with time in QGIS, for ask-qgis.ts: run by `qgis --code`, with JUDGE as JSON {"url",
"key", "layer", "day", "before", "box", "folder"}. Writes pictures of its window, and result.json with the pixels drawn.
"""
import json
import os
import traceback
from urllib.parse import quote

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsDateTimeRange,
    QgsMapRendererParallelJob,
    QgsProject,
    QgsRasterLayer,
    QgsRectangle,
)
from qgis.PyQt.QtCore import QDateTime, QSize, Qt, QTimer
from qgis.PyQt.QtWidgets import QApplication, QDockWidget
from qgis.utils import iface

WHITE = 0xFFFFFFFF
SIDE = 512
STEP = 4


def at(day):
    begin = QDateTime.fromString(f"{day}T00:00:00Z", Qt.ISODate)
    return QgsDateTimeRange(begin, begin.addSecs(86_399))


def count_drawn(layer, extent, day):
    """How many pixels of a grid of the map are not white."""
    settings = iface.mapCanvas().mapSettings()
    settings.setLayers([layer])
    settings.setOutputSize(QSize(SIDE, SIDE))
    settings.setExtent(extent)
    settings.setIsTemporal(day is not None)
    if day is not None:
        settings.setTemporalRange(at(day))
    drawing = QgsMapRendererParallelJob(settings)
    drawing.start()
    drawing.waitForFinished()
    image = drawing.renderedImage()
    return sum(image.pixel(x, y) != WHITE for y in range(0, SIDE, STEP) for x in range(0, SIDE, STEP))


def show(layer, extent, day, path):
    """Adds a layer to the project and writes a picture of the window."""
    canvas, tree = iface.mapCanvas(), iface.layerTreeView().layerTreeModel().rootGroup()
    for other in QgsProject.instance().mapLayers().values():
        tree.findLayer(other.id()).setItemVisibilityChecked(False)
    QgsProject.instance().addMapLayer(layer)
    canvas.setExtent(extent)
    if day is not None:
        canvas.setTemporalRange(at(day))
    canvas.refresh()
    canvas.waitWhileRendering()
    for _ in range(20):
        QApplication.processEvents()
    iface.mainWindow().grab().save(path)


def judge(job):
    window = iface.mainWindow()
    window.resize(1000, 640)
    for dock in window.findChildren(QDockWidget):
        dock.setVisible(dock.objectName() == "Layers")
    crs = QgsCoordinateReferenceSystem("EPSG:3857")
    QgsProject.instance().setCrs(crs)
    to_map = QgsCoordinateTransform(QgsCoordinateReferenceSystem("EPSG:4326"), crs, QgsProject.instance())
    extent = to_map.transformBoundingBox(QgsRectangle(*job["box"]))

    def address(door):
        return quote(f"{job['url']}/ogc/{door}?api_key={job['key']}", safe="")

    common = f"crs=EPSG:3857&format=image/png&layers={job['layer']}"
    tiled = f"tileMatrixSet=WebMercatorQuad&tileDimensions=Time%3D{job['day']}"
    days = f"type=wmst&allowTemporalUpdates=true&temporalSource=provider&timeDimensionExtent={job['day']}/{job['day']}/P1D"
    wmts = QgsRasterLayer(
        f"{common}&styles=natural&{tiled}&url={address('wmts/1.0.0/WMTSCapabilities.xml')}", "WMTS natural", "wms"
    )
    wms = QgsRasterLayer(f"{common}&styles=ndvi&{days}&url={address('wms')}", "WMS ndvi", "wms")
    wms.temporalProperties().setIsActive(True)
    result = {
        "wmts": count_drawn(wmts, extent, None),
        "wms": count_drawn(wms, extent, job["day"]),
        "before": count_drawn(wms, extent, job["before"]),
        "temporal": wms.dataProvider().temporalCapabilities().hasTemporalCapabilities(),
    }
    show(wmts, extent, None, os.path.join(job["folder"], "qgis-wmts.png"))
    show(wms, extent, job["day"], os.path.join(job["folder"], "qgis-wms.png"))
    return result


def run():
    job = json.loads(os.environ["JUDGE"])
    try:
        result = judge(job)
    except Exception:
        result = {"failure": traceback.format_exc()}
    with open(os.path.join(job["folder"], "result.json"), "w") as file:
        json.dump(result, file)
    # QGIS would ask whether to save the project.
    os._exit(0)


QTimer.singleShot(0, run)
