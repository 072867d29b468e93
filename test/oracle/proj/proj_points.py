"""Projects points with PROJ, as the judge of src/proj. Reads from stdin a list of {"from", "to", "points"}, all in x, y
order; writes the lists of projected points, null where PROJ has no answer."""
import json
import math
import sys

import pyproj

answers = []
for job in json.load(sys.stdin):
    # Without grids of datum shifts, as in Swath; they would be files.
    pyproj.network.set_network_enabled(False)
    way = pyproj.Transformer.from_crs(job["from"], job["to"], always_xy=True, allow_ballpark=True)
    result = [way.transform(x, y) for x, y in job["points"]]
    answers.append([[x, y] if math.isfinite(x) and math.isfinite(y) else None for x, y in result])
json.dump({"version": pyproj.proj_version_str, "answers": answers}, sys.stdout)
