"""Compares a model's answers with GDAL: judge_terrain.py job.json (the type Job of judge.ts); prints rows as JSON."""
import json
import sys

from osgeo import gdal

from judge_contours import judge_contours
from judge_encodings import judge_encodings
from judge_heights import judge_heights
from judge_points import judge_points
from judge_relief import judge_relief
from judged_rows import Rows

gdal.UseExceptions()


def main(path):
    with open(path, encoding="utf-8") as file:
        job = json.load(file)
    rows = Rows()
    for tile in job["tiles"]:
        judge_heights(rows, job, tile)
    for tile in job["tiles"]:
        judge_encodings(rows, tile)
        judge_relief(rows, tile)
        judge_contours(rows, tile)
    judge_points(rows, job)
    json.dump(rows.to_list(), sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1])
