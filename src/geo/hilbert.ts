/** Cells along each side of the world: 2 metres wide at the equator, and 48 bits for both together. */
const LEVELS = 24;
const SIDE = 2 ** LEVELS;

/**
 * The place of a position on a Hilbert curve over the world, from 0 to 2^48: positions that follow each other on the
 * curve lie close together, so that work in this order touches the same blocks of a scene one after the other.
 */
export function hilbertKey(lon: number, lat: number): number {
  let x = toCell((lon + 180) / 360 - Math.floor((lon + 180) / 360));
  let y = toCell((lat + 90) / 180);
  let key = 0;
  for (let half = SIDE / 2; half >= 1; half /= 2) {
    const isEast = x >= half;
    const isNorth = y >= half;
    // The quarters of a square in the order of the curve; two of them are drawn turned.
    key = 4 * key + (isEast ? (isNorth ? 2 : 3) : isNorth ? 1 : 0);
    if (isEast) x -= half;
    if (isNorth) y -= half;
    if (isNorth) continue;
    const [oldX, oldY] = [x, y];
    x = isEast ? half - 1 - oldY : oldY;
    y = isEast ? half - 1 - oldX : oldX;
  }
  return key;
}

const toCell = (part: number): number => Math.max(0, Math.min(SIDE - 1, Math.floor(part * SIDE)));
