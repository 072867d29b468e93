/**
 * The cloud covers of a dataset's scenes of one day, ascending, as little-endian doubles. Scenes without one have NaN,
 * which sorts after all numbers.
 */
export type DayClouds = Uint8Array;

/** Bytes of one scene. */
export const CLOUD_BYTES = 8;

/** Packs cloud covers in any order; null for a scene without one. */
export function packClouds(clouds: Iterable<number | null>): DayClouds {
  return pack(toSorted(clouds));
}

/** Clouds of the scenes that were added and removed on a day, in any order. */
export interface DayChanges {
  readonly came: (number | null)[];
  readonly went: (number | null)[];
}

/** The clouds after changes; null if a removed one is not among them. */
export function changeClouds(packed: DayClouds, { came, went }: DayChanges): DayClouds | null {
  const clouds = unpack(packed, came.length);
  clouds.set(toSorted(came), packed.length / CLOUD_BYTES);
  clouds.sort();
  const gone = toSorted(went);
  let [remaining, found] = [0, 0];
  for (const cloud of clouds) {
    if (found < gone.length && isSame(cloud, gone[found] as number)) found += 1;
    else {
      clouds[remaining] = cloud;
      remaining += 1;
    }
  }
  return found < gone.length ? null : pack(clouds.subarray(0, remaining));
}

/** Typed arrays sort NaN last. SQLite stores no negative zero, so neither do we. */
const toSorted = (clouds: Iterable<number | null>): Float64Array =>
  Float64Array.from(clouds, (cloud) => (cloud === null ? Number.NaN : cloud + 0)).sort();

const isSame = (a: number, b: number): boolean => a === b || (Number.isNaN(a) && Number.isNaN(b));

/** Which clouds are counted: numbers within both ends, and of them those listed, if any are. */
export interface CloudBounds {
  readonly low: number;
  readonly high: number;
  readonly only?: ReadonlySet<number>;
}

/** How many clouds of a day lie within bounds, by binary search. */
export function countClouds(packed: DayClouds, { low, high, only }: CloudBounds): number {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const between = (from: number, to: number): number =>
    Math.max(0, countUpTo(view, to, true) - countUpTo(view, from, false));
  if (only === undefined) return between(low, high);
  let n = 0;
  for (const cloud of only) if (cloud >= low && cloud <= high) n += between(cloud, cloud);
  return n;
}

/** How many are below a limit, or with `inclusive` not above it. */
function countUpTo(view: DataView, limit: number, inclusive: boolean): number {
  let [first, last] = [0, view.byteLength / CLOUD_BYTES];
  while (first < last) {
    const middle = (first + last) >>> 1;
    const cloud = view.getFloat64(middle * CLOUD_BYTES, true);
    // False for NaN, which is above every limit.
    if (cloud < limit || (inclusive && cloud === limit)) first = middle + 1;
    else last = middle;
  }
  return first;
}

function pack(sorted: Float64Array): DayClouds {
  const bytes = new Uint8Array(sorted.length * CLOUD_BYTES);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < sorted.length; i += 1) view.setFloat64(i * CLOUD_BYTES, sorted[i] as number, true);
  return bytes;
}

/** The clouds as numbers, with room for more after them. */
function unpack(packed: DayClouds, more: number): Float64Array {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const held = packed.length / CLOUD_BYTES;
  const clouds = new Float64Array(held + more);
  for (let i = 0; i < held; i += 1) clouds[i] = view.getFloat64(i * CLOUD_BYTES, true);
  return clouds;
}
