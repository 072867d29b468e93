import { isObject } from '../../json.ts';
import type { Json } from './json.ts';
import { toNumber, toObjects, toText } from './json.ts';

/** A band of a file by its item; null where the item says nothing. */
export interface StacBand {
  readonly name: string | null;
  readonly commonName: string | null;
  readonly wavelengthNm: number | null;
  readonly gsd: number | null;
  readonly dataType: string | null;
  readonly nodata: number | null;
  readonly scale: number | null;
  readonly offset: number | null;
  /** Of the scaled values. */
  readonly unit: string | null;
}

/** Bands of a file that are read; the rest is ignored. */
const MAX_BANDS = 64;

/**
 * The bands of a file: `bands` since STAC 1.1, with defaults on the asset itself; `eo:bands` and `raster:bands` before;
 * in the oldest items `eo:bands` holds indices of the item's own list.
 */
export function toBands(asset: Json, properties: Json): readonly StacBand[] {
  const rasters = toObjects(asset['raster:bands'], MAX_BANDS);
  const listed = toObjects(asset.bands, MAX_BANDS);
  const bands = listed.length > 0 ? listed : toEoBands(asset['eo:bands'], properties);
  const count = Math.max(bands.length, rasters.length);
  return Array.from({ length: count }, (_, i) => toBand({ ...asset, ...rasters[i], ...bands[i] }, bands[i]));
}

function toEoBands(value: unknown, properties: Json): readonly Json[] {
  if (!Array.isArray(value)) return [];
  const all = toObjects(properties['eo:bands'], MAX_BANDS);
  return value
    .slice(0, MAX_BANDS)
    .map((band) => (isObject(band) ? band : all[typeof band === 'number' ? band : -1]) ?? {});
}

function toBand(given: Json, own: Json | undefined): StacBand {
  const micrometres = toNumber(given['eo:center_wavelength'] ?? given.center_wavelength, [0.1, 1_000]);
  return {
    name: toText(own?.name),
    commonName: toText(given['eo:common_name'] ?? own?.common_name)?.toLowerCase() ?? null,
    wavelengthNm: micrometres === null ? null : micrometres * 1_000,
    gsd: toNumber(given['raster:spatial_resolution'] ?? given.spatial_resolution ?? given.gsd, [0.001, 1e6]),
    dataType: toText(given.data_type),
    nodata: toNodata(given.nodata),
    scale: toNumber(given['raster:scale'] ?? given.scale),
    offset: toNumber(given['raster:offset'] ?? given.offset),
    unit: toText(given.unit),
  };
}

/** JSON cannot express some numbers: items write them as text. */
function toNodata(value: unknown): number | null {
  if (value === 'nan') return Number.NaN;
  if (value === 'inf' || value === '-inf') return value === 'inf' ? Infinity : -Infinity;
  return toNumber(value);
}
