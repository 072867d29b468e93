import type { SampleType } from '../../../raster/index.ts';
import { descendantsOf, escapeXml, tryParseXml, unescapeXml } from '../../../xml/index.ts';
import { sampleFormatOf } from './sample-format.ts';

/** What a file says about one band in addition to its pixels; physical = stored * scale + offset. */
export interface BandInfo {
  readonly description: string | null;
  readonly scale: number;
  readonly offset: number;
  /** The unit of physical values, as the writer spells it (`m`, `ft`, `metre`). */
  readonly unit: string | null;
}

/** What a file says about itself as a whole: texts by names. */
export type FileMetadata = Readonly<Record<string, string>>;

/** Real ones have some kB; parsing one of this length takes half a second at most. */
const MAX_METADATA_CHARACTERS = 2 ** 20;

/** Defaults of a band. */
export const PLAIN_BAND: BandInfo = { description: null, scale: 1, offset: 0, unit: null };

/**
 * GDAL_METADATA for the file and the bands that have something to say; null when none has. GDAL escapes the text of an item once by
 * itself and once more as XML, so both directions do it twice.
 */
export function toGdalMetadata(bands: readonly BandInfo[], metadata: FileMetadata = {}): string | null {
  const ofFile = Object.entries(metadata).map(
    ([name, value]) => `  <Item name="${escapeXml(name)}">${escapeXml(escapeXml(value))}</Item>\n`,
  );
  const ofBands = bands.flatMap((band, sample) => {
    const item = (name: string, role: string, value: string) =>
      `  <Item name="${name}" sample="${sample}" role="${role}">${escapeXml(escapeXml(value))}</Item>\n`;
    return [
      ...(band.description === null ? [] : [item('DESCRIPTION', 'description', band.description)]),
      ...(band.offset === 0 ? [] : [item('OFFSET', 'offset', String(band.offset))]),
      ...(band.scale === 1 ? [] : [item('SCALE', 'scale', String(band.scale))]),
      ...(band.unit === null ? [] : [item('UNITTYPE', 'unittype', band.unit)]),
    ];
  });
  const items = [...ofFile, ...ofBands];
  return items.length === 0 ? null : `<GDALMetadata>\n${items.join('')}</GDALMetadata>\n`;
}

/**
 * Finds the description, scale, offset and unit of each band in GDAL_METADATA. Other items are ignored, and so is
 * a document that cannot be parsed.
 */
export function parseGdalMetadata(xml: string, bandCount: number): BandInfo[] {
  const bands = Array.from(
    { length: bandCount },
    () => ({ ...PLAIN_BAND }) as { -readonly [K in keyof BandInfo]: BandInfo[K] },
  );
  // Most documents have only items of the whole file, and need not be parsed.
  const root = xml.includes('sample') ? tryParseXml(xml, 'GDAL_METADATA', MAX_METADATA_CHARACTERS) : null;
  for (const { attributes, text: once } of root === null ? [] : descendantsOf(root, 'Item')) {
    const { sample, role } = attributes;
    const band = sample !== undefined && /^\d{1,3}$/.test(sample) ? bands[Number(sample)] : undefined;
    if (band === undefined) continue;
    const text = unescapeXml(once);
    if (role === 'description') band.description = text;
    if (role === 'unittype') band.unit = text.trim() || null;
    if (role !== 'scale' && role !== 'offset') continue;
    const value = text.trim() === '' ? Number.NaN : Number(text);
    if (Number.isFinite(value)) band[role] = value;
  }
  return bands;
}

/** Relative distance at which a written-out "largest float" still means the largest float (15 digits are common). */
const FLOAT_MAX_SLACK = 1e-10;

/**
 * The nodata value as pixels of this type hold it: floats rounded to 32 bits, so that it can be compared with `===`
 * (or `Number.isNaN`); null when no pixel of the type can have it.
 */
export function toStoredNodata(value: number, type: SampleType): number | null {
  const { min, max } = sampleFormatOf(type);
  if (type !== 'float32' && type !== 'float64')
    return Number.isInteger(value) && value >= min && value <= max ? value + 0 : null;
  if (!Number.isFinite(value) || type === 'float64') return value;
  const magnitude = Math.abs(value);
  if (magnitude > max) return magnitude <= max * (1 + FLOAT_MAX_SLACK) ? Math.sign(value) * max : null;
  return Math.fround(value);
}

/** The text of GDAL's nodata tag; JavaScript's shortest form reads back as the same number. */
export function toNodataText(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (value === Infinity) return 'inf';
  if (value === -Infinity) return '-inf';
  return String(value);
}

// Digits are taken by one quantifier only: two that can share them take quadratic time on a long row of digits.
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Reads GDAL's nodata tag; null for text that is not a number, as GDAL does. */
export function parseNodataText(text: string): number | null {
  const word = text.trim();
  const lower = word.toLowerCase();
  if (/^[+-]?nan$/.test(lower)) return Number.NaN;
  if (/^[+-]?inf(?:inity)?$/.test(lower)) return lower.startsWith('-') ? -Infinity : Infinity;
  return DECIMAL.test(word) ? Number(word) : null;
}
