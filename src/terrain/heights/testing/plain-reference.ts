/** A plane of heights; NaN where unknown. */
interface PlainHeights {
  readonly values: readonly number[];
  readonly width: number;
  readonly height: number;
}

/** The filter of heights as its description says it, one pixel at a time in float64. */
export function filterPlainly(plane: PlainHeights, stepM: number): PlainHeights {
  const filled = eachPixel(plane, (x, y, own) => (Number.isNaN(own) ? fillVoid(plane, x, y) : own));
  const even = eachPixel(filled, (x, y, own) => {
    const near = around(filled, x, y, 2);
    const middle = medianOf(near);
    const spread = medianOf(near.map((heightM) => Math.abs(heightM - middle)));
    return Math.abs(own - middle) > 3 * spread + 10 ? middle : own;
  });
  const base = eachPixel(even, (x, y, own) => (Number.isNaN(own) ? own : medianOf(around(even, x, y, 1))));
  let smooth = base;
  for (let pass = 0; stepM > 0 && pass < 12; pass++) {
    const before = smooth;
    smooth = eachPixel(before, (x, y, own) => {
      let sum = 0;
      for (const [dx, dy, weight] of BINOMIAL) {
        const neighbour = at(before, x + dx, y + dy);
        sum += weight * (Number.isNaN(neighbour) ? own : neighbour);
      }
      const baseM = at(base, x, y);
      return Math.min(Math.max(sum / 16, baseM - stepM / 2), baseM + stepM / 2);
    });
  }
  return smooth;
}

const BINOMIAL = [-1, 0, 1].flatMap((dy) =>
  [-1, 0, 1].map((dx) => [dx, dy, (2 - Math.abs(dx)) * (2 - Math.abs(dy))] as const),
);

const eachPixel = (
  plane: PlainHeights,
  next: (x: number, y: number, own: number) => number,
): PlainHeights => ({
  ...plane,
  values: plane.values.map((own, i) => next(i % plane.width, Math.floor(i / plane.width), own)),
});

const clamp = (coordinate: number, size: number): number => Math.min(Math.max(coordinate, 0), size - 1);

/** A pixel; beyond an edge that of the edge. */
const at = ({ values, width, height }: PlainHeights, x: number, y: number): number =>
  values[clamp(y, height) * width + clamp(x, width)]!;

/** The known pixels of a square. */
function around(plane: PlainHeights, x: number, y: number, reachPx: number): number[] {
  const known: number[] = [];
  for (let dy = -reachPx; dy <= reachPx; dy++) {
    for (let dx = -reachPx; dx <= reachPx; dx++) known.push(at(plane, x + dx, y + dy));
  }
  return known.filter((heightM) => !Number.isNaN(heightM));
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2;
}

function fillVoid({ values, width, height }: PlainHeights, x: number, y: number): number {
  let [sum, weights] = [0, 0];
  const isOpen = Array.from({ length: 8 }, () => true);
  for (let row = 0; row < height; row++) {
    for (let col = 0; col < width; col++) {
      const [heightM, distancePx] = [values[row * width + col]!, Math.hypot(col - x, row - y)];
      if (distancePx > 8 || Number.isNaN(heightM)) continue;
      sum += heightM / distancePx ** 2;
      weights += 1 / distancePx ** 2;
      const turns = (Math.atan2(row - y, col - x) / (2 * Math.PI) + 1) % 1;
      // Angles of diagonals are not exact.
      isOpen[Math.floor(8 * turns + 1e-9)] = false;
    }
  }
  const isOutside = isOpen.some((_, i) => [i, i + 1, i + 2].every((octant) => isOpen[octant % 8]));
  return isOutside ? Number.NaN : sum / weights;
}

/** Heights of a relief with a pixel more on every side, as plain arrays. */
export interface ReliefHeights {
  readonly heights: Float32Array;
  readonly mask: Uint8Array;
  /** Size of the result. */
  readonly width: number;
  readonly height: number;
  readonly pixelWidthsM: Float64Array;
  readonly pixelHeightsM: Float64Array;
}

/** A pixel of a relief, computed with angles in float64; null for a void. */
interface ReliefPixel {
  /** Rise per metre. */
  readonly east: number;
  readonly north: number;
  readonly slopeDeg: number;
  /** Null where the ground is level. */
  readonly aspectDeg: number | null;
  /** 1 to 255, not rounded. */
  readonly shade: number;
}

const toRadians = (degrees: number): number => (degrees * Math.PI) / 180;
const toDegrees = (radians: number): number => (radians * 180) / Math.PI;

/** Horn's method as textbooks print it. */
export function reliefPixel(
  relief: ReliefHeights,
  { x, y }: { readonly x: number; readonly y: number },
  light: { readonly azimuthDeg: number; readonly altitudeDeg: number },
): ReliefPixel | null {
  const stride = relief.width + 2;
  const near = [0, 1, 2].flatMap((row) => [0, 1, 2].map((col) => (y + row) * stride + x + col));
  if (near.some((i) => relief.mask[i] === 0 || Number.isNaN(relief.heights[i]))) return null;
  const [nw, n, ne, w, , e, sw, s, se] = near.map((i) => relief.heights[i]!) as [
    ...[number, number, number],
    ...[number, number, number],
    ...[number, number, number],
  ];
  const east = (ne - nw + 2 * (e - w) + (se - sw)) / (8 * relief.pixelWidthsM[y]!);
  const north = (nw - sw + 2 * (n - s) + (ne - se)) / (8 * relief.pixelHeightsM[y]!);
  const slope = Math.atan(Math.hypot(east, north));
  const downhill = Math.atan2(-east, -north);
  const altitude = toRadians(light.altitudeDeg);
  const cosine =
    Math.sin(altitude) * Math.cos(slope) +
    Math.cos(altitude) * Math.sin(slope) * Math.cos(toRadians(light.azimuthDeg) - downhill);
  return {
    east,
    north,
    slopeDeg: toDegrees(slope),
    aspectDeg: east === 0 && north === 0 ? null : (toDegrees(downhill) + 360) % 360,
    shade: cosine <= 0 ? 1 : 1 + 254 * cosine,
  };
}
