import { applyAffine } from '../../geo/index.ts';
import type { CrsId, Position, Projection } from '../../proj/index.ts';
import { makeProjection } from '../../proj/index.ts';
import type { PlacedImage } from './outline.ts';
import { toOutline } from './outline.ts';

/** Rows and columns at which an image that reaches over the edge of the globe is probed. */
const PROBES = 32;
/** Halvings between a pixel on the globe and its neighbour off it: a millionth of the distance of two probes. */
const HALVINGS = 20;

/**
 * The outline of the part of an image that is on the globe: the outermost tiles of world-wide grids (MODIS) hold empty
 * corners beyond it. Empty when none of it is.
 */
export function toOutlineOnGlobe(image: PlacedImage, crs: CrsId): readonly Position[] {
  const whole = toOutline(image);
  const projection = makeProjection(crs, 4326);
  const reach = Math.abs(image.transform[1]);
  const isOn = (position: Position) => isOnGlobe(projection, position, reach);
  if (image.lattice !== undefined || whole.every(isOn)) return whole;
  const left: Position[] = [];
  const right: Position[] = [];
  for (let i = 0; i <= PROBES; i++) {
    const row = (image.height * i) / PROBES;
    const at = (column: number): Position => applyAffine(image.transform, column, row);
    const columns = Array.from({ length: PROBES + 1 }, (_, k) => (image.width * k) / PROBES);
    const on = columns.filter((column) => isOn(at(column)));
    const [first, last] = [on[0], on.at(-1)];
    if (first === undefined || last === undefined) continue;
    const step = image.width / PROBES;
    left.push(at(findEdge([first, Math.max(0, first - step)], (column) => isOn(at(column)))));
    right.push(at(findEdge([last, Math.min(image.width, last + step)], (column) => isOn(at(column)))));
  }
  return [...left, ...right.reverse()];
}

/** True when there is such a position: only then does the way to longitude and latitude lead back to it. */
function isOnGlobe(projection: Projection, [x, y]: Position, reach: number): boolean {
  const [lon, lat] = projection.forward(x, y);
  const [backX, backY] = projection.inverse(lon, lat);
  // At the poles themselves all ways back are as good as any.
  return Math.abs(lat) < 89.9999 && Math.abs(backX - x) < reach && Math.abs(backY - y) < reach;
}

/** The last column that is on the globe, on the way from one that is to one that may not be. */
function findEdge([on, off]: readonly [number, number], isOn: (column: number) => boolean): number {
  if (isOn(off)) return off;
  let [good, bad] = [on, off];
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (good + bad) / 2;
    if (isOn(middle)) good = middle;
    else bad = middle;
  }
  return good;
}
