import { applyAffine } from '../../geo/index.ts';
import type { CrsId, Position, Projection } from '../../proj/index.ts';
import { makeProjection } from '../../proj/index.ts';
import type { PlacedImage } from './outline.ts';
import { toOutline } from './outline.ts';

/** Rows and columns at which an image that reaches beyond the globe is probed. */
const PROBES = 32;
/** Bisections between a probe on the globe and one off it: to a millionth of their distance. */
const HALVINGS = 20;

/**
 * The outline of the part of an image that is on the globe: the outermost tiles of global grids (MODIS) have empty
 * corners beyond it. Empty if the whole image is off the globe.
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

/** True if the position exists on Earth: only then does the inverse projection return to it. */
function isOnGlobe(projection: Projection, [x, y]: Position, reach: number): boolean {
  const [lon, lat] = projection.forward(x, y);
  const [backX, backY] = projection.inverse(lon, lat);
  // At the poles the longitude is undefined.
  return Math.abs(lat) < 89.9999 && Math.abs(backX - x) < reach && Math.abs(backY - y) < reach;
}

/** The last column on the globe, between one that is on it and one that may be off. */
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
