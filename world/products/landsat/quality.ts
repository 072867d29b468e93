import type { Exposure } from '../../light/exposure.ts';
import type { Mission } from './missions.ts';

/** What is known of a pixel, a bit each. */
const SEEN = 1;
const CLOUD = 2;
const CIRRUS = 4;
const SHADOW = 8;
const SNOW = 16;
const WATER = 32;
const NEAR_CLOUD = 64;

/** The quality band counts cover that most of a pixel is under. */
const MAJORITY = 0.5;

/** Where the flags of a box of pixels go, in rows of the whole width. */
interface MarkRequest {
  readonly exposure: Exposure;
  readonly boxWidth: number;
  /** Index of the box's first pixel in `seen` and `flags`. */
  readonly start: number;
  readonly seen: Uint8Array;
  readonly flags: Uint8Array;
  readonly rowWidth: number;
}

/** Notes clouds, shadows, snow and water of the pixels that were seen. */
export function markPixels({ exposure, boxWidth, start, seen, flags, rowWidth }: MarkRequest): void {
  const { opaque, cirrus, shadow, painted } = exposure;
  for (let from = 0, line = start; from < opaque.length; from += boxWidth, line += rowWidth) {
    for (let i = 0; i < boxWidth; i++) {
      if (seen[line + i] === 0) continue;
      const at = from + i;
      flags[line + i] =
        SEEN |
        (opaque[at] === 1 ? CLOUD : 0) |
        (cirrus[at] === 1 ? CIRRUS : 0) |
        (shadow[at] === 1 ? SHADOW : 0) |
        (painted.snow[at]! > MAJORITY ? SNOW : 0) |
        (painted.water[at]! > MAJORITY ? WATER : 0);
    }
  }
}

/** Shares of the seen pixels under clouds, in percent; of land -1 when no land was seen. */
export function measureClouds(flags: Uint8Array): { readonly all: number; readonly land: number } {
  let [seen, cloudy, land, cloudyLand] = [0, 0, 0, 0];
  for (const flag of flags) {
    if ((flag & SEEN) === 0) continue;
    const isCloud = flag & CLOUD ? 1 : 0;
    seen++;
    cloudy += isCloud;
    if (flag & WATER) continue;
    land++;
    cloudyLand += isCloud;
  }
  return { all: (100 * cloudy) / seen, land: land === 0 ? -1 : (100 * cloudyLand) / land };
}

/** Pixels from a cloud that still count as near it, as in the provider's mask. */
const REACH = 3;

/** Marks what lies within a few pixels of a cloud, first along the rows, then along the columns. */
export function markNearClouds(flags: Uint8Array, width: number): void {
  const height = flags.length / width;
  const isReached = new Uint8Array(flags.length);
  for (let row = 0; row < height; row++) {
    for (let column = 0, last = -Infinity; column < width; column++) {
      const at = row * width + column;
      if (flags[at]! & CLOUD) {
        isReached.fill(1, row * width + Math.max(0, column - REACH), at + 1);
        last = column;
      } else if (column - last <= REACH) isReached[at] = 1;
    }
  }
  for (let row = 0; row < height; row++) {
    const [from, to] = [Math.max(0, row - REACH), Math.min(height - 1, row + REACH)];
    for (let near = from; near <= to; near++) {
      for (let column = 0; column < width; column++) {
        const at = row * width + column;
        if (isReached[near * width + column] === 1 && flags[at]! & SEEN) flags[at]! |= NEAR_CLOUD;
      }
    }
  }
}

/** Confidences: none, low, high. */
const LOW = 1;
const HIGH = 3;

/** The pixel's value of `QA_PIXEL` of collection 2 (USGS, Level 1 data format control books). */
function toCollection2(flag: number, quality: Mission['quality']): number {
  if ((flag & SEEN) === 0) return 1;
  const bit = (mask: number, at: number) => (flag & mask ? 1 << at : 0);
  const sure = (mask: number, at: number) => (flag & mask ? HIGH : LOW) << at;
  const isCloud = (flag & CLOUD) !== 0;
  if (quality === 'mss') return bit(CLOUD, 3) | sure(CLOUD, 8);
  const isNear = !isCloud && (flag & NEAR_CLOUD) !== 0;
  return (
    (isNear ? 1 << 1 : 0) |
    bit(CLOUD, 3) |
    bit(SHADOW, 4) |
    bit(SNOW, 5) |
    (isCloud || isNear ? 0 : 1 << 6) |
    bit(WATER, 7) |
    sure(CLOUD, 8) |
    sure(SHADOW, 10) |
    sure(SNOW, 12) |
    (quality === 'oli' ? bit(CIRRUS, 2) | sure(CIRRUS, 14) : 0)
  );
}

/** The pixel's value of `BQA` of collection 1, without the bits of saturation. */
function toCollection1(flag: number, quality: Mission['quality']): number {
  if ((flag & SEEN) === 0) return 1;
  const sure = (mask: number, at: number) => (flag & mask ? HIGH : LOW) << at;
  return (
    (flag & CLOUD ? 1 << 4 : 0) |
    sure(CLOUD, 5) |
    sure(SHADOW, 7) |
    sure(SNOW, 9) |
    (quality === 'oli' ? sure(CIRRUS, 11) : 0)
  );
}

/** Bits 2 and 3 of `BQA`: none, up to two, up to four, more bands too bright. */
function toSaturationBits(saturated: number): number {
  let bands = 0;
  for (let rest = saturated; rest > 0; rest >>= 1) bands += rest & 1;
  return Math.min(3, Math.ceil(bands / 2)) << 2;
}

/** Values of the quality band from what is known of each pixel. */
export function toQualityBand(
  flags: Uint8Array,
  saturated: Uint16Array,
  { collection, quality }: { readonly collection: 1 | 2; readonly quality: Mission['quality'] },
): Uint16Array {
  const toValue = collection === 1 ? toCollection1 : toCollection2;
  const values = new Uint16Array(128).map((_, flag) => toValue(flag, quality));
  const band = new Uint16Array(flags.length);
  for (let i = 0; i < flags.length; i++) {
    const value = values[flags[i]!]!;
    band[i] = collection === 1 && value !== 1 ? value | toSaturationBits(saturated[i]!) : value;
  }
  return band;
}
