import type { AreaOutline } from './area-outline.ts';

/** A raster of which each column has a longitude and each row a latitude. */
export interface LonLatLattice {
  /** Longitudes of the pixel centres, ascending. */
  readonly lons: Float64Array;
  /** Latitudes of the pixel centres, descending. */
  readonly lats: Float64Array;
}

/**
 * Marks the pixels whose centre lies in the area with 1. Exact except for rounding where an edge crosses a row. The
 * crossing depends only on the edge and the latitude, so tiles have no seams.
 */
export function fillOutline(mask: Uint8Array, outline: AreaOutline, { lons, lats }: LonLatLattice): void {
  const width = lons.length;
  const [west, east] = [lons[0]!, lons[width - 1]!];
  const [north, south] = [lats[0]!, lats[lats.length - 1]!];
  const columnsPerDeg = width > 1 ? (width - 1) / (east - west) : 0;
  for (let i = 0; i < outline.length; i += 4) {
    const lowLon = outline[i]!;
    const low = outline[i + 1]!;
    const highLon = outline[i + 2]!;
    const high = outline[i + 3]!;
    // The lower end belongs to the edge, the upper one to the next (the same rule as in `isPointInArea`).
    if (low > north || high <= south || (lowLon > east && highLon > east)) continue;
    const slope = (highLon - lowLon) / (high - low);
    const end = firstBelow(lats, low);
    for (let row = firstBelow(lats, high); row < end; row++) {
      const crossing = lowLon + (lats[row]! - low) * slope;
      if (crossing > east) continue;
      // The estimate is off by rounding at most; the comparison with the centres themselves decides.
      let column = crossing <= west ? 0 : Math.ceil((crossing - west) * columnsPerDeg);
      while (column > 0 && lons[column - 1]! >= crossing) column--;
      while (lons[column]! < crossing) column++;
      const at = row * width + column;
      mask[at] = mask[at]! ^ 1;
    }
  }
  fillBetween(mask, width);
}

/** Marks what lies between the first and the second 1 of a row, the third and the fourth, … or the end of the row. */
function fillBetween(mask: Uint8Array, width: number): void {
  let start = mask.indexOf(1);
  while (start >= 0) {
    const rowEnd = (Math.floor(start / width) + 1) * width;
    const next = mask.indexOf(1, start + 1);
    const end = next < 0 ? rowEnd : Math.min(next, rowEnd);
    mask.fill(1, start, end);
    if (end < rowEnd) mask[end] = 0;
    start = mask.indexOf(1, end);
  }
}

/** The first row that lies below the latitude. */
function firstBelow(lats: Float64Array, lat: number): number {
  let [low, high] = [0, lats.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lats[middle]! < lat) high = middle;
    else low = middle + 1;
  }
  return low;
}
