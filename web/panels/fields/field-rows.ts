/** The rows of the list: fields with their newest value and its change, filtered and sorted. */
import type { FieldValue, FieldValues } from '../../api/field-values.ts';
import type { Field } from '../../api/fields.ts';

/** A field with what was measured in it. */
export interface FieldRow {
  readonly field: Field;
  /** Oldest first. */
  readonly values: readonly FieldValue[];
  readonly last: FieldValue | null;
  /** The last value less the one before. */
  readonly change: number | null;
}

/** By what a list is sorted. */
export const SORTS = ['name', 'value', 'change', 'hectares'] as const;

/** One of them. */
export type Sort = (typeof SORTS)[number];

/** Which rows are shown, in which order. */
export interface RowChoice {
  /** A part of the name, in any case. */
  readonly text: string;
  /** `null` for all. */
  readonly crop: string | null;
  readonly group: string | null;
  readonly sort: Sort;
  readonly isDescending: boolean;
}

/** All fields by name. */
export const ALL_ROWS: RowChoice = { text: '', crop: null, group: null, sort: 'name', isDescending: false };

/** The row of a field; without a series, what a subscription measured last. */
export const toRow = (field: Field, index: string, measured: FieldValues | null): FieldRow => {
  const known = field.lastValues.find(({ expression }) => expression === index);
  const values = measured?.get(field.id) ?? (known === undefined ? [] : [known]);
  const [before, last] = [values.at(-2), values.at(-1)];
  return {
    field,
    values,
    last: last ?? null,
    change: before === undefined || last === undefined ? null : last.value - before.value,
  };
};

const folded = (text: string): string => text.toLocaleLowerCase();

const measures: Readonly<Record<Exclude<Sort, 'name'>, (row: FieldRow) => number | null>> = {
  value: ({ last }) => last?.value ?? null,
  change: ({ change }) => change,
  hectares: ({ field }) => field.hectares,
};

/** The rows that are wanted; those without a number come last in both directions. */
export const chooseRows = (
  rows: readonly FieldRow[],
  { text, crop, group, sort, isDescending }: RowChoice,
  locale: string,
): readonly FieldRow[] => {
  const wanted = folded(text.trim());
  const isWanted = ({ field }: FieldRow): boolean =>
    (crop === null || field.crop === crop) &&
    (group === null || field.group === group) &&
    folded(field.name).includes(wanted);
  // Field 9 comes before Field 10.
  const { compare } = new Intl.Collator(locale, { numeric: true });
  const sign = isDescending ? -1 : 1;
  const byName = (a: FieldRow, b: FieldRow): number => compare(a.field.name, b.field.name);
  const chosen = rows.filter(isWanted);
  if (sort === 'name') return chosen.toSorted((a, b) => sign * byName(a, b));
  const measure = measures[sort];
  return chosen.toSorted((a, b) => {
    const [one, other] = [measure(a), measure(b)];
    if (one === null || other === null) return Number(one === null) - Number(other === null) || byName(a, b);
    return sign * (one - other) || byName(a, b);
  });
};

/** The crops, or the groups, of fields, by name. */
export const namesOf = (
  fields: readonly Field[],
  of: 'crop' | 'group',
  locale: string,
): readonly string[] => {
  const { compare } = new Intl.Collator(locale, { numeric: true });
  return [...new Set(fields.map((field) => field[of]).filter((name) => name !== null))].toSorted(compare);
};

/** The line of a small curve in a box of so many units: its points, as SVG writes them. */
export const toSparkline = (values: readonly FieldValue[], width: number, height: number): string => {
  const times = values.map(({ date }) => Date.parse(date));
  const numbers = values.map(({ value }) => value);
  const [from, to] = [Math.min(...times), Math.max(...times)];
  const [min, max] = [Math.min(...numbers), Math.max(...numbers)];
  const share = (value: number, low: number, high: number): number =>
    high > low ? (value - low) / (high - low) : 0.5;
  return times
    .map((time, i) => {
      const x = share(time, from, to) * width;
      const y = (1 - share(numbers[i] ?? 0, min, max)) * height;
      return `${x.toFixed(1)},${y.toFixed(1)}`;
    })
    .join(' ');
};

/** What a list of fields was made of: another one, when any of them changes, comes or goes. */
export const revisionOf = (fields: readonly Field[]): string => {
  const newest = fields.reduce((latest, { updatedAt }) => (updatedAt > latest ? updatedAt : latest), '');
  return `${fields.length} ${newest}`;
};
