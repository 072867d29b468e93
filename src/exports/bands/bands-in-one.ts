import type { PixelType } from '../../raster/index.ts';
import type { ChosenBand } from './choose-bands.ts';

/** The smallest type that holds every number of both: floats of 32 bits hold all integers of 16. */
function widen(one: PixelType, other: PixelType): PixelType {
  if (one === other) return one;
  if (one === 'float32' || other === 'float32') return 'float32';
  if (one === 'uint8') return other;
  if (other === 'uint8') return one;
  return 'float32';
}

/** The type of a file of these bands: no number changes. */
export const toCommonType = (bands: readonly ChosenBand[]): PixelType =>
  bands.map(({ asset }) => asset.type).reduce(widen);

/** The one value of a list without nulls; null when it has none or several. */
function toOnly(values: readonly (number | null)[]): number | null {
  const stated = values.filter((value) => value !== null);
  return stated.length > 0 && stated.every((value) => Object.is(value, stated[0])) ? stated[0]! : null;
}

/**
 * The nodata value of a file of these bands: a TIFF has one for all. Where they differ, that of the measured bands
 * counts (quality bands of Landsat have another); pixels never change because of it.
 */
export function toCommonNodata(bands: readonly ChosenBand[]): number | null {
  const all = toOnly(bands.map(({ asset }) => asset.nodata));
  if (all !== null) return all;
  return toOnly(bands.filter(({ band }) => band.kind !== 'quality').map(({ asset }) => asset.nodata));
}
