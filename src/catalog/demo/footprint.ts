import type { LonLat, PolygonGeometry } from '../../geo/index.ts';
import { makeProjection } from '../../proj/index.ts';
import type { CellWindow } from './frame.ts';
import { crop, epsg, sensingStart } from './frame.ts';
import type { Place } from './polyline.ts';

/** Straight lines of UTM are bent in longitude and latitude: pieces of 5 km stay within half a metre of them. */
const pieceM = 5000;

/** Outline of what was measured in a window of the crop, counter-clockwise in longitude and latitude. */
export function toFootprint(window: CellWindow): PolygonGeometry {
  const toLonLat = makeProjection(epsg, 4326);
  const ring = cutPieces(planOutline(window)).map(({ x, y }): LonLat => {
    const [lon, lat] = toLonLat.forward(crop.west + x, crop.north - y);
    // A ten-millionth of a degree is a centimetre; more digits would differ between machines.
    return [Math.round(lon * 1e7) / 1e7, Math.round(lat * 1e7) / 1e7];
  });
  return { type: 'Polygon', coordinates: [[...ring, ring[0]!]] };
}

/** Corners of the measured part in local metres, counter-clockwise seen with north up: the window cut by one line. */
function planOutline({ col, row, cols, rows }: CellWindow): readonly Place[] {
  const west = col * 60;
  const north = row * 60;
  const east = west + cols * 60;
  const south = north + rows * 60;
  const corners: readonly Place[] = [
    { x: west, y: north },
    { x: west, y: south },
    { x: east, y: south },
    { x: east, y: north },
  ];
  const insideM = ({ x, y }: Place): number =>
    y - sensingStart.y - (x - sensingStart.x) * sensingStart.fallPerM;
  return corners.flatMap((corner, i) => {
    const next = corners[(i + 1) % corners.length]!;
    const here = insideM(corner);
    const there = insideM(next);
    const kept = here >= 0 ? [corner] : [];
    if (here >= 0 === there >= 0) return kept;
    const t = here / (here - there);
    return [...kept, { x: corner.x + (next.x - corner.x) * t, y: corner.y + (next.y - corner.y) * t }];
  });
}

function cutPieces(corners: readonly Place[]): readonly Place[] {
  return corners.flatMap((corner, i) => {
    const next = corners[(i + 1) % corners.length]!;
    const dx = next.x - corner.x;
    const dy = next.y - corner.y;
    const pieces = Math.max(1, Math.ceil(Math.sqrt(dx * dx + dy * dy) / pieceM));
    return Array.from({ length: pieces }, (_, k) => ({
      x: corner.x + (dx * k) / pieces,
      y: corner.y + (dy * k) / pieces,
    }));
  });
}
