/**
 * The tally of a day: the cloud covers of a dataset's scenes, ascending, eight bytes each with the least significant
 * first. Scenes without one have NaN, which stands behind all numbers.
 */
export type CloudTally = Uint8Array;

/** Bytes of a scene in a tally. */
export const CLOUD_BYTES = 8;

/** The tally of clouds in any order; null for a scene without. */
export function toTally(clouds: Iterable<number | null>): CloudTally {
  return pack(toSorted(clouds));
}

/** What has changed on a day, in any order. */
export interface DayChanges {
  readonly came: (number | null)[];
  readonly went: (number | null)[];
}

/** The tally after changes; null when something went that the tally does not hold. */
export function changeTally(tally: CloudTally, { came, went }: DayChanges): CloudTally | null {
  const clouds = unpack(tally, came.length);
  clouds.set(toSorted(came), tally.length / CLOUD_BYTES);
  clouds.sort();
  const gone = toSorted(went);
  let [kept, found] = [0, 0];
  for (const cloud of clouds) {
    if (found < gone.length && isSame(cloud, gone[found] as number)) found += 1;
    else {
      clouds[kept] = cloud;
      kept += 1;
    }
  }
  return found < gone.length ? null : pack(clouds.subarray(0, kept));
}

/** Of typed arrays, sort puts NaN last. SQLite keeps no negative zero, so neither do we. */
const toSorted = (clouds: Iterable<number | null>): Float64Array =>
  Float64Array.from(clouds, (cloud) => (cloud === null ? Number.NaN : cloud + 0)).sort();

const isSame = (a: number, b: number): boolean => a === b || (Number.isNaN(a) && Number.isNaN(b));

/** Which clouds are counted: numbers within both ends, and of them those listed, if any are. */
export interface CloudBounds {
  readonly low: number;
  readonly high: number;
  readonly only?: ReadonlySet<number>;
}

/** How many clouds of a tally lie within bounds; it is sorted, so it is halved until that is known. */
export function countClouds(tally: CloudTally, { low, high, only }: CloudBounds): number {
  const view = new DataView(tally.buffer, tally.byteOffset, tally.byteLength);
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

function pack(sorted: Float64Array): CloudTally {
  const bytes = new Uint8Array(sorted.length * CLOUD_BYTES);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < sorted.length; i += 1) view.setFloat64(i * CLOUD_BYTES, sorted[i] as number, true);
  return bytes;
}

/** The clouds of a tally, with room for more behind them. */
function unpack(tally: CloudTally, more: number): Float64Array {
  const view = new DataView(tally.buffer, tally.byteOffset, tally.byteLength);
  const held = tally.length / CLOUD_BYTES;
  const clouds = new Float64Array(held + more);
  for (let i = 0; i < held; i += 1) clouds[i] = view.getFloat64(i * CLOUD_BYTES, true);
  return clouds;
}
