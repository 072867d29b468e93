"""The panel: service, search, layers, statistics."""

import json
from urllib.parse import quote

from qgis.core import (
    Qgis,
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsFeature,
    QgsField,
    QgsProject,
    QgsRasterLayer,
    QgsSettings,
    QgsVectorLayer,
    QgsWkbTypes,
)
from qgis.PyQt.QtCore import QDate, Qt, QVariant
from qgis.PyQt.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QDateEdit,
    QDockWidget,
    QFormLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from .service import Refusal, Service

WGS84 = "EPSG:4326"
NUMBERS = ("average", "min", "max", "std", "median", "p10", "p90")


class SwathPanel(QDockWidget):
    """Finds scenes, adds them as layers, and measures an index in the selected polygon."""

    def __init__(self, iface):
        super().__init__("Swath")
        self.setObjectName("SwathPanel")
        self._iface = iface
        self._service = None
        self._sensors = []
        settings = QgsSettings()

        self.url = QLineEdit(settings.value("swath/url", "http://localhost:8080"))
        self.key = QLineEdit(settings.value("swath/key", ""))
        self.key.setEchoMode(QLineEdit.Password)
        self.key.setToolTip("swath keys create; a read-only key is enough. QGIS stores it in your profile, not in projects.")
        self.connect_button = QPushButton("Connect")
        self.dataset = QComboBox()
        self.start = QDateEdit(QDate.currentDate().addMonths(-3))
        self.end = QDateEdit(QDate.currentDate())
        for day in (self.start, self.end):
            day.setCalendarPopup(True)
            day.setDisplayFormat("yyyy-MM-dd")
        self.cloud = QSpinBox()
        self.cloud.setRange(0, 100)
        self.cloud.setValue(30)
        self.cloud.setSuffix(" %")
        self.in_extent = QCheckBox("in the extent of the map")
        self.in_extent.setChecked(True)
        self.search_button = QPushButton("Search")
        self.scenes = QListWidget()
        self.style = QComboBox()
        self.add_button = QPushButton("Add as layer")
        self.index = QComboBox()
        self.measure_button = QPushButton("Measure the selected polygon")
        self.message = QLabel("Connect to a service first.")
        self.message.setWordWrap(True)
        self._arrange()

        self.connect_button.clicked.connect(lambda: self._try(self.connect_service))
        self.search_button.clicked.connect(lambda: self._try(self.search))
        self.add_button.clicked.connect(lambda: self._try(self.add_layer))
        self.scenes.itemDoubleClicked.connect(lambda _: self._try(self.add_layer))
        self.measure_button.clicked.connect(lambda: self._try(self.measure))
        self.dataset.currentIndexChanged.connect(self._show_sensor)
        self._enable(False)

    def connect_service(self):
        """Reads the sensors of the service, and remembers where it is."""
        service = Service(self.url.text().strip(), self.key.text().strip())
        self._sensors = service.sensors()
        self._service = service
        settings = QgsSettings()
        settings.setValue("swath/url", service.url)
        settings.setValue("swath/key", self.key.text().strip())
        self.dataset.clear()
        for sensor in self._sensors:
            self.dataset.addItem(sensor["title"], sensor["dataset"])
        preferred = self.dataset.findData("sentinel2l2a")
        self.dataset.setCurrentIndex(max(0, preferred))
        self._enable(True)
        self._say(f"{len(self._sensors)} sensors. Choose days and search.")

    def search(self):
        """Lists the scenes of the days, in the extent of the map."""
        found = self._service.search(
            self.dataset.currentData(),
            start=self._day(self.start),
            end=self._day(self.end),
            max_cloud=self.cloud.value() if self._sensor()["cloud_cover"] else None,
            bounds=self._bounds() if self.in_extent.isChecked() else None,
        )
        self.scenes.clear()
        for hit in found:
            clouds = hit.get("cloudCoverage")
            text = hit["date"] if clouds is None else f"{hit['date']}   {clouds:.0f} % clouds"
            item = QListWidgetItem(text)
            item.setToolTip(hit["sceneID"])
            item.setData(Qt.UserRole, hit)
            self.scenes.addItem(item)
        if found:
            self.scenes.setCurrentRow(0)
            self._say(f"{len(found)} scenes, newest first.")
        else:
            self._say("No scene of these days is here: choose more days, more clouds, or another extent.")

    def add_layer(self):
        """Adds the chosen scene as a layer of tiles."""
        item = self.scenes.currentItem()
        if item is None:
            raise Refusal("Search, and choose a scene of the list.")
        hit = item.data(Qt.UserRole)
        address = self._service.tiles(hit["view_id"], self.style.currentData())
        source = f"type=xyz&zmin=0&zmax=18&url={quote(address, safe=':/')}"
        name = f"{hit['date']} {self.style.currentText()}"
        layer = QgsRasterLayer(source, name, "wms")
        if not layer.isValid():
            raise Refusal(f"QGIS cannot show the layer: {layer.error().summary()}")
        QgsProject.instance().addMapLayer(layer)
        self._say(f"{name} is a layer now. Its address works for a year, and draws pictures only.")

    def measure(self):
        """Measures the index in the selected polygon over the days, as a table of the project."""
        layer, geometry = self._polygon()
        expression = self.index.currentData()
        rows = self._service.statistics(
            geometry,
            expression,
            self.dataset.currentData(),
            start=self._day(self.start),
            end=self._day(self.end),
        )
        table = QgsVectorLayer("None", f"{expression} of {layer.name()}", "memory")
        provider = table.dataProvider()
        provider.addAttributes(
            [QgsField("date", QVariant.Date), QgsField("scene", QVariant.String), QgsField("cloud", QVariant.Double)]
            + [QgsField(name, QVariant.Double) for name in NUMBERS]
        )
        table.updateFields()
        features = []
        for row in rows:
            feature = QgsFeature(table.fields())
            values = row["values"][expression]
            date = QDate.fromString(row["date"][:10], Qt.ISODate)
            feature.setAttributes([date, row["scene_id"], row.get("cloud"), *(values.get(name) for name in NUMBERS)])
            features.append(feature)
        provider.addFeatures(features)
        QgsProject.instance().addMapLayer(table)
        self._say(f"{len(rows)} scenes are in the table “{table.name()}”.")

    def _polygon(self):
        layer = self._iface.activeLayer()
        if not isinstance(layer, QgsVectorLayer) or layer.geometryType() != QgsWkbTypes.PolygonGeometry:
            raise Refusal("Choose a layer of polygons, and select one of them.")
        selected = layer.selectedFeatures()
        if len(selected) != 1:
            raise Refusal(f"Select one polygon; {len(selected)} are selected.")
        geometry = selected[0].geometry()
        geometry.transform(self._to_degrees(layer.crs()))
        return layer, json.loads(geometry.asJson(7))

    def _bounds(self):
        canvas = self._iface.mapCanvas()
        system = canvas.mapSettings().destinationCrs()
        box = self._to_degrees(system).transformBoundingBox(canvas.extent())
        box = [max(-180, box.xMinimum()), max(-90, box.yMinimum()), min(180, box.xMaximum()), min(90, box.yMaximum())]
        if not (box[0] < box[2] and box[1] < box[3]):
            raise Refusal("The map has no extent yet: add a layer, or search everywhere.")
        return box

    def _to_degrees(self, system):
        return QgsCoordinateTransform(system, QgsCoordinateReferenceSystem(WGS84), QgsProject.instance())

    def _sensor(self):
        return self._sensors[self.dataset.currentIndex()]

    def _show_sensor(self, row):
        self.style.clear()
        self.index.clear()
        if row < 0:
            return
        sensor = self._sensors[row]
        for composition in sensor["compositions"]:
            if composition["name"] is not None:
                self.style.addItem(composition["name"], composition["name"])
        for index in sensor["indices"]:
            if index["kind"] == "index":
                self.style.addItem(f"{index['name']} {index['title']}", index["name"].lower())
                self.index.addItem(f"{index['name']} {index['title']}", index["name"])

    def _day(self, edit):
        return edit.date().toString("yyyy-MM-dd")

    def _try(self, work):
        QApplication.setOverrideCursor(Qt.WaitCursor)
        try:
            work()
        except Refusal as refusal:
            self._say(str(refusal), Qgis.Warning)
        finally:
            QApplication.restoreOverrideCursor()

    def _say(self, text, level=Qgis.Info):
        self.message.setText(text)
        if level == Qgis.Warning:
            self._iface.messageBar().pushMessage("Swath", text, level)

    def _enable(self, is_connected):
        for part in (self.search_button, self.add_button, self.measure_button):
            part.setEnabled(is_connected)

    def _arrange(self):
        page = QWidget()
        column = QVBoxLayout(page)
        form = QFormLayout()
        for label, part in (
            ("Service", self.url),
            ("Key", self.key),
            ("", self.connect_button),
            ("Scenes of", self.dataset),
            ("From", self.start),
            ("To", self.end),
            ("At most", self.cloud),
            ("", self.in_extent),
            ("", self.search_button),
        ):
            form.addRow(label, part)
        column.addLayout(form)
        column.addWidget(self.scenes)
        below = QFormLayout()
        below.addRow("Show", self.style)
        below.addRow("", self.add_button)
        below.addRow("Index", self.index)
        below.addRow("", self.measure_button)
        column.addLayout(below)
        column.addWidget(self.message)
        self.setWidget(page)
