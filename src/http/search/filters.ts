import type { FieldFilter, FieldValue } from '../../catalog/index.ts';
import { badInput } from '../../errors.ts';
import type { FieldType } from '../../sensors/index.ts';
import { limits } from '../kit/limits.ts';
import { parseDecimal } from '../kit/texts.ts';

/** A field as filters are read for it. */
export interface FilteredField {
  readonly name: string;
  readonly type: FieldType;
  /** The field holds words, which are compared without case. */
  readonly isWord: boolean;
}

/** Reads one filter of a search body: a range, a list, or an exact value. */
export function parseFilter({ name: field, type, isWord }: FilteredField, filter: unknown): FieldFilter {
  if (filter !== null && typeof filter === 'object' && !Array.isArray(filter)) {
    return parseRange(field, type, filter);
  }
  const list: readonly unknown[] = Array.isArray(filter) ? filter : [filter];
  if (list.length > limits.searchListItems) {
    throw badInput('list-too-long', `search.${field} lists more than ${limits.searchListItems} values.`);
  }
  const values = list.map((value) => coerce(field, type, value));
  return isWord ? { field, kind: 'one-of', values, ignoresCase: true } : { field, kind: 'one-of', values };
}

function parseRange(field: string, type: FieldType, filter: object): FieldFilter {
  if (type === 'boolean') {
    throw badInput(
      'bad-filter',
      `search.${field} is true or false: it takes a value, or a list, and no range.`,
    );
  }
  const { from, to, ...rest } = filter as { from?: unknown; to?: unknown };
  if (Object.keys(rest).length > 0 || (from == null && to == null)) {
    throw badInput(
      'bad-filter',
      `search.${field} must be a value, a list of values, or {"from": …, "to": …}.`,
    );
  }
  const range = {
    ...(from == null ? {} : { from: coerce(field, type, from) }),
    ...(to == null ? {} : { to: coerce(field, type, to) }),
  };
  if (range.from != null && range.to != null && range.from > range.to) {
    throw badInput('bad-range', `search.${field} runs backwards: "from" is after "to".`);
  }
  return { field, kind: 'range', ...range };
}

/** Clients send numbers and booleans as text, and date-times where a date is meant. */
function coerce(field: string, type: FieldType, value: unknown): FieldValue {
  const result = coercions[type](value);
  if (result === null) throw badInput('bad-filter', `search.${field} must hold ${names[type]}.`);
  return result;
}

const names: Readonly<Record<FieldType, string>> = {
  number: 'a number',
  boolean: 'true or false',
  date: 'a date such as 2026-06-21',
  string: 'a text',
};

const coercions: Readonly<Record<FieldType, (value: unknown) => FieldValue>> = {
  number(value) {
    if (typeof value === 'number') return Number.isFinite(value) ? value : null;
    return typeof value === 'string' ? parseDecimal(value) : null;
  },
  boolean(value) {
    if (typeof value === 'boolean') return value;
    if (typeof value !== 'string' && typeof value !== 'number') return null;
    const text = String(value).toLowerCase();
    if (text === 'true' || text === '1') return true;
    return text === 'false' || text === '0' ? false : null;
  },
  date: (value) => (typeof value === 'string' ? toDate(value) : null),
  string(value) {
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    return typeof value === 'string' && value.length <= 300 ? value : null;
  },
};

function toDate(text: string): string | null {
  if (!/^\d{4}-\d{2}-\d{2}([T ][\d:.]{2,15}(Z|[+-]\d{2}:?\d{2})?)?$/.test(text)) return null;
  const day = text.slice(0, 10);
  const date = new Date(`${day}T00:00:00Z`);
  // A Date rolls 30 February over into March; then it no longer prints as it was written.
  return Number.isNaN(date.getTime()) || !date.toISOString().startsWith(day) ? null : day;
}
