"""Requests to a Swath service, through the network settings of QGIS (proxy, certificates)."""

import json
import re
from urllib.parse import quote

from qgis.core import QgsBlockingNetworkRequest
from qgis.PyQt.QtCore import QByteArray, QUrl
from qgis.PyQt.QtNetwork import QNetworkRequest


class Refusal(Exception):
    """The service refused a request, or did not answer; the text is a sentence for people."""


class Service:
    """A Swath service, with a key."""

    def __init__(self, url, key):
        self.url = url.rstrip("/")
        self._key = key
        self._token = None

    def sensors(self):
        """The sensors of the service: dataset, title, compositions and indices."""
        return self._ask("GET", "/api/sensors")["sensors"]

    def search(self, dataset, *, start, end, max_cloud, bounds, limit=50):
        """Scenes, newest first; bounds are west, south, east, north in degrees, or None for everywhere."""
        filters = {"date": {"from": start, "to": end}}
        if max_cloud is not None:
            filters["cloudCoverage"] = {"to": max_cloud}
        if bounds is not None:
            filters["shape"] = _to_polygon(bounds)
        body = {"search": filters, "sort": {"date": "desc"}, "limit": limit}
        return self._ask("POST", f"/api/lms/search/v2/{quote(dataset)}", body)["results"]

    def tiles(self, view_id, style):
        """The address template of a scene's tiles. It holds a token for pictures in place of the key: projects store it."""
        if self._token is None:
            layers = self._ask("GET", "/ogc/xyz?days=366")["layers"]
            match = re.search(r"/ogc/xyz/([^/]+)/", layers[0]["tiles"][0]) if layers else None
            if match is None:
                raise Refusal("The service offers no layers yet; ingest a scene first.")
            self._token = match.group(1)
        layer = "scene." + view_id.replace("/", "_")
        return f"{self.url}/ogc/xyz/{self._token}/{layer}/{style}/{{z}}/{{x}}/{{y}}.png"

    def statistics(self, geometry, expression, dataset, *, start, end):
        """An index in an area, one entry for each scene, oldest first. Waits as long as it takes."""
        body = {
            "geometry": geometry,
            "expressions": [expression],
            "sensors": [dataset],
            "date_start": start,
            "date_end": end,
        }
        while True:
            answer = self._ask("POST", "/api/statistics", body)
            if "results" in answer:
                return list(reversed(answer["results"]))
            # A long poll: it is answered when the work is done, or after ten seconds.
            self._ask("GET", f"/api/gdw/api/{quote(answer['task_id'])}")

    def _ask(self, method, path, body=None):
        request = QNetworkRequest(QUrl(self.url + path))
        request.setRawHeader(b"x-api-key", self._key.encode())
        sender = QgsBlockingNetworkRequest()
        if method == "POST":
            request.setHeader(QNetworkRequest.ContentTypeHeader, "application/json")
            code = sender.post(request, QByteArray(json.dumps(body).encode()))
        else:
            code = sender.get(request, True)
        text = bytes(sender.reply().content()).decode("utf-8", "replace")
        try:
            answer = json.loads(text)
        except ValueError:
            answer = None
        if code != QgsBlockingNetworkRequest.NoError:
            said = answer.get("error") if isinstance(answer, dict) else None
            raise Refusal(said or f"{self.url} does not answer: {sender.errorMessage()}")
        if answer is None:
            raise Refusal(f"{self.url} is not a Swath service.")
        return answer


def _to_polygon(bounds):
    west, south, east, north = bounds
    ring = [[west, south], [east, south], [east, north], [west, north], [west, south]]
    return {"type": "Polygon", "coordinates": [ring]}
