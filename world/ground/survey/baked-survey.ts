import type { Survey } from '../ground.ts';

/** A survey with everything about its pixels that no day changes. */
export interface BakedSurvey extends Survey {
  /**
   * `storedParts` parts a pixel and their shares in 255ths, largest first; a plane of all pixels for each, because most pixels
   * have no more than the first.
   */
  readonly parts: Uint16Array;
  readonly shares: Uint8Array;
  /** Part that the pixel's cover is named after: that of a field counts rich and poor ground together. */
  readonly mainPart: Uint16Array;
  /** Brightness against the parts' own, 128 as it is. */
  readonly tone: Uint8Array;
  /** Height as snow feels it, in metres: higher on slopes that look north, lower by chance in hollows and lees. */
  readonly snowHeightM: Int16Array;
  /** How severely the wildfire burns it, 0..255; empty where it never comes. */
  readonly burn: Uint8Array;
  /** Centimetres above the main river where it may flood; empty where it cannot, 32767 at single dry locations. */
  readonly floodCm: Int16Array;
  /** Metres from the lake's full shore inwards, at most 255, 0 outside; empty without a lake. */
  readonly rimM: Uint8Array;
  /** Numbers of the fields that occur. */
  readonly fields: Int32Array;
}

/** Max pixels of a survey: 3 GB of baked numbers. */
export const maxPixels = 2 ** 26;

/** True of surveys that this ground made. */
export function isBaked(survey: Survey): survey is BakedSurvey {
  return 'mainPart' in survey && 'rimM' in survey;
}
