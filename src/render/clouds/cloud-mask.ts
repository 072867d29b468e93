import type { PixelArray } from '../../raster/index.ts';
import { internal } from '../errors.ts';

/**
 * Marks clouds pixel by pixel. The meaning of a sensor's values is not known here: its rule (`sensors/definition/quality.ts`)
 * supplies bits and classes, and the caller supplies the planes, resampled to one grid by nearest neighbour.
 */
export type CloudSource =
  /** Bands of a mask image, one for each kind of cloud that counts: any value but 0 and NaN is set. */
  | { readonly kind: 'flags'; readonly planes: readonly PixelArray[] }
  /** A classification, and which classes are which clouds. */
  | {
      readonly kind: 'classes';
      readonly values: PixelArray;
      readonly opaque: readonly number[];
      readonly cirrus: readonly number[];
    }
  /** Quality bits as stored, and what they mean. */
  | { readonly kind: 'bits'; readonly values: PixelArray; readonly meaning: QualityMeaning };

/** What 16-bit quality values say about clouds; made once per layout, it caches the few values that occur. */
interface QualityMeaning {
  /** 1 where there is an opaque cloud, 2 where there is cirrus, 3 where there are both; 0 without any. */
  cloudsOf(stored: number): number;
}

interface CloudBits {
  readonly cloudBits: readonly [number, number];
  readonly cirrusBits: readonly [number, number];
  /** Converts the layout of the file to the one in which the bits are counted. */
  readonly toInterface: (stored: number) => number;
}

const OPAQUE = 1;
const CIRRUS = 2;
const KNOWN = 4;

/** A cloud is where both of its bits are 1, and so is cirrus; a cloud that is also cirrus is not opaque. */
export function makeQualityMeaning({ cloudBits, cirrusBits, toInterface }: CloudBits): QualityMeaning {
  const known = new Uint8Array(65_536);
  const isSet = (quality: number, bits: readonly number[]) =>
    bits.every((bit) => ((quality >> bit) & 1) === 1);
  return {
    cloudsOf(stored) {
      const bits = stored & 0xffff;
      if (known[bits] === 0) {
        const quality = toInterface(bits);
        const isCirrus = isSet(quality, cirrusBits);
        const isOpaque = isSet(quality, cloudBits) && !isCirrus;
        known[bits] = KNOWN | (isOpaque ? OPAQUE : 0) | (isCirrus ? CIRRUS : 0);
      }
      return known[bits]! & (OPAQUE | CIRRUS);
    },
  };
}

/** 1 where there are clouds: opaque ones alone, or cirrus too. */
export function markClouds(
  source: CloudSource,
  { onlyOpaque }: { readonly onlyOpaque: boolean },
): Uint8Array {
  switch (source.kind) {
    case 'flags':
      return markFlags(source.planes);
    case 'classes':
      return markClasses(source.values, onlyOpaque ? source.opaque : [...source.opaque, ...source.cirrus]);
    case 'bits': {
      const { values, meaning } = source;
      const wanted = onlyOpaque ? OPAQUE : OPAQUE | CIRRUS;
      const marks = new Uint8Array(values.length);
      for (let i = 0; i < values.length; i++)
        marks[i] = (meaning.cloudsOf(values[i]!) & wanted) === 0 ? 0 : 1;
      return marks;
    }
  }
}

/** 1 where some plane is neither 0 nor NaN: clouds of several kinds, snow, or masks to be combined. */
export function markFlags(planes: readonly PixelArray[]): Uint8Array {
  const marks = new Uint8Array(planes[0]?.length ?? 0);
  for (const plane of planes) {
    if (plane.length !== marks.length) throw differentSizes();
    for (let i = 0; i < plane.length; i++) if (plane[i]! > 0 || plane[i]! < 0) marks[i] = 1;
  }
  return marks;
}

/** 1 where an 8-bit classification has one of the classes: those of a masking level, or those that are never data. */
export function markClasses(values: PixelArray, classes: readonly number[]): Uint8Array {
  const isWanted = new Uint8Array(256);
  for (const one of classes) isWanted[one] = 1;
  const marks = new Uint8Array(values.length);
  for (let i = 0; i < values.length; i++) marks[i] = isWanted[values[i]!] ?? 0;
  return marks;
}

/** The percentage of the pixels with data that is marked, 0 to 100; null when there is no data. */
export function markedPercent(marks: Uint8Array, mask: Uint8Array | null): number | null {
  if (mask !== null && mask.length !== marks.length) throw differentSizes();
  let [marked, valid] = [0, 0];
  for (let i = 0; i < marks.length; i++) {
    if (mask !== null && mask[i] === 0) continue;
    valid++;
    if (marks[i] !== 0) marked++;
  }
  return valid === 0 ? null : (100 * marked) / valid;
}

const differentSizes = () => internal('mask-size', 'Masks of different sizes cannot be combined.');
