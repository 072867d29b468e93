import { badInput } from '../../../errors.ts';
import { GEO_KEY as KEY } from './geo-keys.ts';

/** The tags of GeoTIFF keys as they stand in a file; plain JSON. */
export interface GeoKeyTags {
  /** Four numbers that say how many keys follow, and four for each key. */
  readonly directory: readonly number[];
  readonly doubles: readonly number[];
  /** Names, each closed by `|`. */
  readonly ascii: string;
}

const PIXEL_IS_AREA = 1;

/**
 * The same keys for an image whose transform counts from the corner of its pixels, as ours do: files whose pixels are
 * points count from the centre.
 */
export function toAreaKeys({ directory, doubles, ascii }: GeoKeyTags): GeoKeyTags {
  const changed = directory.map((value, i) => {
    const isRasterType = i >= 7 && i % 4 === 3 && directory[i - 3] === KEY.rasterType;
    return isRasterType ? PIXEL_IS_AREA : value;
  });
  return { directory: changed, doubles, ascii };
}

/** Refuses keys that contradict another reference system, and numbers that a tag cannot hold. */
export function checkGeoKeys(keys: GeoKeyTags | null, isAlone: boolean): void {
  if (keys === null) return;
  const isShort = (value: number) => Number.isInteger(value) && value >= 0 && value <= 65_535;
  if (!isAlone || keys.directory.length < 4 || !keys.directory.every(isShort)) {
    throw badInput(
      'bad-geo-keys',
      'Keys of a reference system are whole numbers, and the only system named.',
    );
  }
}
