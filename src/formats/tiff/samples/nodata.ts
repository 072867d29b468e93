import type { SampleType } from '../../../raster/index.ts';
import { sampleFormatOf } from './sample-format.ts';

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

/** Reads GDAL's nodata tag; null for text that is no number, as GDAL does. */
export function parseNodataText(text: string): number | null {
  const word = text.trim();
  const lower = word.toLowerCase();
  if (/^[+-]?nan$/.test(lower)) return Number.NaN;
  if (/^[+-]?inf(?:inity)?$/.test(lower)) return lower.startsWith('-') ? -Infinity : Infinity;
  return DECIMAL.test(word) ? Number(word) : null;
}
