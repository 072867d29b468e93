import type { ArrayAttribute } from '../../formats/array-file.ts';

/** Attributes of a variable. */
type Attributes = ReadonlyMap<string, ArrayAttribute>;

/** The text of an attribute; empty if it has none. */
export function textOf(attributes: Attributes, name: string): string {
  const value = attributes.get(name);
  return typeof value === 'string' ? value.trim() : '';
}

const numbersOf = (attributes: Attributes, name: string): readonly number[] => {
  const value = attributes.get(name);
  if (value === undefined) return [];
  if (typeof value !== 'string') return value;
  // Some writers store numbers as texts.
  const number = Number(value);
  return value.trim() === '' || Number.isNaN(number) ? [] : [number];
};

/** Builds the conversion of stored numbers into values; NaN for what the file says is missing or invalid (CF, 2.5 and 8.1). */
export function makeToValue(attributes: Attributes): (stored: number) => number {
  const fills = new Set([...numbersOf(attributes, '_FillValue'), ...numbersOf(attributes, 'missing_value')]);
  const [scale = 1] = numbersOf(attributes, 'scale_factor');
  const [offset = 0] = numbersOf(attributes, 'add_offset');
  const range = numbersOf(attributes, 'valid_range');
  const [low = range[0] ?? Number.NEGATIVE_INFINITY] = numbersOf(attributes, 'valid_min');
  const [high = range[1] ?? Number.POSITIVE_INFINITY] = numbersOf(attributes, 'valid_max');
  return (stored) => {
    // Compared as they are stored, before the scale; a fill value that was written as a float may be a double here.
    if (fills.has(stored) || !(stored >= low && stored <= high)) return Number.NaN;
    const value = stored * scale + offset;
    return Number.isFinite(value) ? value : Number.NaN;
  };
}
