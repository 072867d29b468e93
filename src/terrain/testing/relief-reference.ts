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
