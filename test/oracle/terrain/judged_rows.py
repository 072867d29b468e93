"""The results of the comparisons, as rows of a table."""


class Rows:
    """Counts what was compared under each name, and holds the worst difference."""

    def __init__(self):
        self.rows = {}

    def add(self, check, compared, differing, worst=0.0, left_out=0, unit="m"):
        row = self.rows.setdefault(check, {"compared": 0, "differing": 0, "worst": 0.0, "leftOut": 0, "unit": unit})
        row["compared"] += int(compared)
        row["differing"] += int(differing)
        row["leftOut"] += int(left_out)
        row["worst"] = max(row["worst"], float(worst))

    def to_list(self):
        return [
            {"check": check, **row, "worst": "%.2g %s" % (row["worst"], row["unit"])}
            for check, row in self.rows.items()
        ]
