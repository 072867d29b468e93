/** Values of a search of items, as queries and bodies both write them. */
import { SwathError } from '../../errors.ts';
import { isObject } from '../../json.ts';
import { sensors } from '../../sensors/index.ts';
import { badInput } from '../errors.ts';
import type { Params } from '../kit/fields.ts';
import { refuseField } from '../kit/fields.ts';
import { limits } from '../kit/limits.ts';
import { parseWhole, toBadCode } from '../kit/parameters.ts';
import type { Condition, ReadCondition } from './filter/filter-tree.ts';
import { readCql2Json } from './filter/read-cql2-json.ts';
import { readCql2Text } from './filter/read-cql2-text.ts';
import type { ItemOrder } from './item-position.ts';
import { MAX_TOKEN_CHARS } from './item-position.ts';
import type { ItemProperty } from './item-properties.ts';
import { itemProperties } from './item-properties.ts';
import { isGeometry } from './item-shapes.ts';
import { parseSpan } from './item-times.ts';

/** Items of a page: as many by default, and at most. */
export const DEFAULT_ITEMS = 10;
export const MAX_ITEMS = 250;

/** Without `sortby`, the newest day first, and scenes of a day by their names: the order that search is fastest in. */
export const DEFAULT_ORDER: ItemOrder = { field: 'date', descending: true, isByTime: false };

const splitNames = (text: string): readonly string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

export function readLimit(value: unknown): number {
  const given = typeof value === 'number' ? value : typeof value === 'string' ? parseWhole(value) : null;
  if (given === null || !Number.isInteger(given) || given < 1)
    throw refuseField('limit', 'must be a whole number from 1 on.');
  return Math.min(given, MAX_ITEMS);
}

export function readNames(value: unknown, name: string, max: number): readonly string[] {
  const list = typeof value === 'string' ? splitNames(value) : value;
  const isNames =
    Array.isArray(list) && (list as unknown[]).every((one) => typeof one === 'string' && one.length <= 300);
  if (!isNames) throw refuseField(name, 'must be a list of names.');
  if (list.length > max) throw refuseField(name, `may list at most ${max} names.`);
  return list as string[];
}

/** Words of one search. */
export const MAX_WORDS = 20;

/** Words in any case, as a list or with commas between them. */
export function readWords(value: unknown): readonly string[] {
  const words = readNames(value, 'q', MAX_WORDS).map((word) => word.trim().toLowerCase());
  return words.filter((word) => word !== '');
}

export function readDatetime(value: unknown): Condition {
  const span = typeof value === 'string' ? parseSpan(value) : null;
  if (span === null)
    throw refuseField(
      'datetime',
      'must be a time such as 2026-06-21T00:00:00Z, or two with a slash between them, of which one may be .. for an open end.',
    );
  return { kind: 'temporal', op: 't_intersects', name: 'datetime', span };
}

export function readToken(value: unknown): string {
  if (typeof value === 'string' && value.length <= MAX_TOKEN_CHARS) return value;
  throw badInput('bad-token', 'token must be that of a next link.');
}

/** What can be sorted by: the field of search that has it, with the same letters. */
const sortFields: ReadonlyMap<string, string> = new Map(
  Object.entries<ItemProperty>(itemProperties).flatMap(([name, { searchedAs }]): [string, string][] => {
    if (name === 'collection') return [[name, 'satellite']];
    const found = sensors.map((sensor) => searchedAs?.(sensor) ?? null).find((one) => one !== null);
    return found == null || found.ignoresCase === true ? [] : [[name, found.field]];
  }),
);

/** The names of sortable properties. */
export const sortableNames: readonly string[] = [...sortFields.keys()];

/** The order of `[{field, direction}]`; null and an empty list are the default. */
export function readSortList(value: unknown): ItemOrder {
  if (!Array.isArray(value))
    throw refuseSort('must be a list such as [{"field": "datetime", "direction": "desc"}].');
  if (value.length === 0) return DEFAULT_ORDER;
  const [first] = value as unknown[];
  if (value.length > 1) throw refuseSort('takes one property.');
  if (!isObject(first) || typeof first.field !== 'string')
    throw refuseSort('must be a list such as [{"field": "datetime", "direction": "desc"}].');
  const direction = first.direction ?? 'asc';
  if (direction !== 'asc' && direction !== 'desc')
    throw refuseSort('must have asc or desc as the direction.');
  return toOrder(first.field, direction === 'desc');
}

/** The order of `-datetime`; a plus in a query is a space. */
export function readSortText(text: string): ItemOrder {
  const names = splitNames(text);
  const [first] = names;
  if (first === undefined) return DEFAULT_ORDER;
  if (names.length > 1) throw refuseSort('takes one property.');
  return toOrder(first.replace(/^[+-]/, ''), first.startsWith('-'));
}

function toOrder(written: string, descending: boolean): ItemOrder {
  const name = written.replace(/^properties\./, '');
  const field = sortFields.get(name);
  if (field === undefined)
    throw refuseSort(`cannot be ${name.slice(0, 60)}; it can be ${sortableNames.join(', ')}.`);
  return { field, descending, isByTime: name === 'datetime' };
}

const refuseSort = (rule: string): Error => badInput('bad-sortby', `sortby ${rule}`);

/** Reads a filter in the language that was named, or that its form shows. */
export function readFilter(filter: unknown, language: unknown): ReadCondition {
  const isText = typeof filter === 'string';
  const named = language ?? (isText ? 'cql2-text' : 'cql2-json');
  if (named !== 'cql2-text' && named !== 'cql2-json')
    throw badInput('bad-filter-lang', 'filter-lang must be cql2-text or cql2-json.');
  if (named === 'cql2-text') {
    if (!isText) throw badInput('bad-filter', 'filter must be a text in cql2-text.');
    return readCql2Text(filter);
  }
  return readCql2Json(isText ? parseJson(filter, 'filter') : filter);
}

export function parseJson(text: string, name: string): unknown {
  // As deep as a body may be: the parser recurses.
  if (text.length > MAX_JSON_CHARS || countDepth(text) > limits.jsonDepth)
    throw refuseField(name, `must be JSON that nests at most ${limits.jsonDepth} levels.`);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SwathError('bad-input', toBadCode(name), `${name} must be JSON.`, { cause: error });
  }
}

/** A query of an address is shorter. */
const MAX_JSON_CHARS = 65_536;

/** The deepest nesting of brackets; those in texts count too, which refuses no filter that anyone writes. */
function countDepth(text: string): number {
  let [depth, deepest] = [0, 0];
  for (const character of text) {
    if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

const CRS84 = /^(?:https?:\/\/www\.opengis\.net\/def\/crs\/OGC\/(?:1\.3|0)\/CRS84h?)$/;

export function checkCrs(value: unknown): null {
  if (value == null || (typeof value === 'string' && CRS84.test(value))) return null;
  throw badInput('bad-filter-crs', 'filter-crs must be http://www.opengis.net/def/crs/OGC/1.3/CRS84.');
}

export function readGeometry(value: unknown): Params {
  if (isGeometry(value)) return value;
  throw badInput('bad-intersects', 'intersects must be a GeoJSON geometry.');
}
