import type { AreaGeometry, PointGeometry } from '../../geo/index.ts';
import { areasIntersect, isPointInArea } from '../../geo/index.ts';
import { isObject } from '../../json.ts';
import type { ItemHead } from './made-item.ts';

/** A filter that the fake does not understand: it answers 400. */
export class BadFilter extends Error {}

/** What a name in a filter or in a sorting means: `id`, `eo:cloud_cover`, `properties.eo:cloud_cover`. */
export function readProperty(item: ItemHead, name: string): unknown {
  if (name === 'id' || name === 'collection' || name === 'geometry') return item[name];
  const short = name.replace(/^properties\./, '');
  return Object.hasOwn(item.properties, short) ? item.properties[short] : undefined;
}

/** Whether a geometry of a search meets an area. */
export function meets(area: AreaGeometry, geometry: unknown): boolean {
  if (!isObject(geometry)) throw new BadFilter('not a geometry');
  if (geometry.type === 'Point')
    return isPointInArea((geometry as unknown as PointGeometry).coordinates, area);
  if (geometry.type === 'Polygon' || geometry.type === 'MultiPolygon') {
    return areasIntersect(area, geometry as unknown as AreaGeometry);
  }
  if (geometry.type === 'GeometryCollection' && Array.isArray(geometry.geometries)) {
    return geometry.geometries.some((one) => meets(area, one));
  }
  throw new BadFilter(`${String(geometry.type)} is not supported`);
}

/** An interval of milliseconds; open ends are infinite. */
export type Interval = readonly [from: number, to: number];

/** `2022-06-01/..`, a day, a time, or a list of two. */
export function parseInterval(text: string): Interval {
  const [first = '', last = first] = text.split('/');
  const isOpen = (word: string): boolean => word === '..' || word === '';
  const start = isOpen(first) ? -Infinity : Date.parse(first);
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(last);
  const end = isOpen(last) ? Infinity : Date.parse(isDay ? `${last}T23:59:59.999Z` : last);
  if (Number.isNaN(start) || Number.isNaN(end)) throw new BadFilter(`${text} is not a time`);
  return [start, end];
}

/** When an item was recorded. */
export function intervalOf({ properties }: ItemHead): Interval {
  const { datetime, start_datetime: start, end_datetime: end } = properties;
  const at = (value: unknown): number => Date.parse(String(value));
  return typeof start === 'string' && typeof end === 'string'
    ? [at(start), at(end)]
    : [at(datetime), at(datetime)];
}

export const overlaps = (one: Interval, other: Interval): boolean => one[0] <= other[1] && other[0] <= one[1];

type Value = string | number | boolean | null | undefined | object;

/** Whether an item passes a filter in CQL2 JSON; throws `BadFilter` for anything that it does not know. */
export function passes(item: ItemHead, filter: unknown): boolean {
  if (!isObject(filter) || typeof filter.op !== 'string' || !Array.isArray(filter.args)) {
    throw new BadFilter('not an expression of CQL2 JSON');
  }
  const { op, args } = filter as { op: string; args: unknown[] };
  const read = (argument: unknown): Value => readArgument(item, argument);
  switch (op) {
    case 'and':
      return args.every((one) => passes(item, one));
    case 'or':
      return args.some((one) => passes(item, one));
    case 'not':
      return !passes(item, args[0]);
    case '=':
    case 'eq':
    case '<>':
    case 'neq':
    case '<':
    case 'lt':
    case '<=':
    case 'lte':
    case '>':
    case 'gt':
    case '>=':
    case 'gte':
      return compare(op, read(args[0]), read(args[1]));
    case 'between': {
      const bounds = Array.isArray(args[1]) ? args[1] : args.slice(1);
      return compare('>=', read(args[0]), read(bounds[0])) && compare('<=', read(args[0]), read(bounds[1]));
    }
    case 'in': {
      if (!Array.isArray(args[1])) throw new BadFilter('in needs a list');
      return args[1].some((one) => compare('=', read(args[0]), read(one)));
    }
    case 'like':
      return isLike(read(args[0]), String(read(args[1])));
    case 'isNull':
      return read(args[0]) == null;
    case 's_intersects':
      return meets(item.geometry, isProperty(args[0]) ? args[1] : args[0]);
    case 't_intersects':
    case 'anyinteracts':
      return overlaps(intervalOf(item), toInterval(isProperty(args[0]) ? args[1] : args[0]));
    default:
      throw new BadFilter(`the operator ${op} is not supported`);
  }
}

const isProperty = (argument: unknown): boolean =>
  isObject(argument) && typeof argument.property === 'string';

function readArgument(item: ItemHead, argument: unknown): Value {
  if (!isObject(argument)) return argument as Value;
  if (typeof argument.property === 'string') return readProperty(item, argument.property) as Value;
  const stated = argument.timestamp ?? argument.date;
  if (typeof stated === 'string') return stated;
  throw new BadFilter('an argument is neither a value nor a property');
}

function toInterval(argument: unknown): Interval {
  if (typeof argument === 'string') return parseInterval(argument);
  if (isObject(argument)) {
    if (Array.isArray(argument.interval)) return parseInterval(argument.interval.map(toTimeText).join('/'));
    return parseInterval(toTimeText(argument));
  }
  throw new BadFilter('not an interval');
}

const toTimeText = (value: unknown): string =>
  isObject(value) ? String(value.timestamp ?? value.date) : String(value);

/** Times are compared as times, however they are written; a missing property passes no comparison. */
export function compare(op: string, left: Value, right: Value): boolean {
  if (left == null || right == null) return false;
  const [a, b] =
    typeof left === 'string' && typeof right === 'string' ? toComparable(left, right) : [left, right];
  switch (op) {
    case '=':
    case 'eq':
      return a === b;
    case '<>':
    case 'neq':
      return a !== b;
    case '<':
    case 'lt':
      return a < b;
    case '<=':
    case 'lte':
      return a <= b;
    case '>':
    case 'gt':
      return a > b;
    case '>=':
    case 'gte':
      return a >= b;
    default:
      throw new BadFilter(`the operator ${op} is not supported`);
  }
}

const TIME = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2}))?$/;

const toComparable = (left: string, right: string): readonly [string, string] | readonly [number, number] =>
  TIME.test(left) && TIME.test(right) ? [Date.parse(left), Date.parse(right)] : [left, right];

/** `%` is any text and `_` any character; the pattern is matched without a regular expression. */
function isLike(value: Value, pattern: string): boolean {
  const matches = (text: string, rest: string): boolean => {
    if (rest === '') return text === '';
    if (rest[0] === '%') {
      return Array.from({ length: text.length + 1 }, (_, i) => i).some((i) =>
        matches(text.slice(i), rest.slice(1)),
      );
    }
    return text !== '' && (rest[0] === '_' || rest[0] === text[0]) && matches(text.slice(1), rest.slice(1));
  };
  return typeof value === 'string' && matches(value, pattern);
}
