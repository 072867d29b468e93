/**
 * A condition as filters of our search: what the store can decide is asked there, dataset by dataset, and what remains is
 * tested item by item. A filter lets through at least what its condition does.
 */
import type { FieldFilter, SceneHit } from '../../../catalog/index.ts';
import type { Sensor } from '../../../sensors/index.ts';
import type { ItemProperty } from '../item-properties.ts';
import { findProperty } from '../item-properties.ts';
import { isOfWholeDays, parseDay, parseInstant, toDayRange } from '../item-times.ts';
import { isMet } from './evaluate.ts';
import type { Comparison, Condition, Operand, Span } from './filter-tree.ts';

/** What is asked of a dataset. */
export interface PushedFilter {
  readonly filters: readonly FieldFilter[];
  /** What is tested on every scene that is found. */
  readonly rest: readonly Condition[];
  /** Whether the scenes that are found are nearly all that match, so that their count can be stated. */
  readonly isCounted: boolean;
}

/** The conditions that must all be met. */
export const toConjuncts = (condition: Condition): readonly Condition[] =>
  condition.kind === 'and' ? condition.parts.flatMap(toConjuncts) : [condition];

/** Plans the conditions for one dataset; null if none of its scenes can match. */
export function pushDown(conjuncts: readonly Condition[], sensor: Sensor): PushedFilter | null {
  const filters: FieldFilter[] = [];
  const rest: Condition[] = [];
  let isCounted = true;
  for (const conjunct of conjuncts) {
    if (isAboutDataset(conjunct)) {
      // Only properties that every scene of the dataset has alike are read of it.
      if (!isMet(conjunct, { dataset: sensor.dataset } as SceneHit)) return null;
      continue;
    }
    const pushed = toFilter(conjunct, sensor);
    if (pushed !== null) filters.push(pushed.filter);
    if (pushed?.isExact !== true) rest.push(conjunct);
    isCounted &&= pushed?.isCounted === true;
  }
  return { filters, rest, isCounted };
}

/** Whether a condition reads nothing but what all scenes of a dataset share. */
function isAboutDataset(condition: Condition): boolean {
  const isShared = (operand: Operand): boolean =>
    operand.kind !== 'property' || findProperty(operand.name)?.isOfDataset === true;
  switch (condition.kind) {
    case 'always':
      return true;
    case 'and':
    case 'or':
      return condition.parts.every(isAboutDataset);
    case 'not':
      return isAboutDataset(condition.part);
    case 'compare':
      return isShared(condition.left) && isShared(condition.right);
    case 'between':
      return isShared(condition.value) && isShared(condition.low) && isShared(condition.high);
    case 'in':
      return isShared(condition.value) && condition.list.every(isShared);
    case 'like':
      return isShared(condition.value);
    case 'is-null':
      return findProperty(condition.name)?.isOfDataset === true;
    default:
      return false;
  }
}

interface Pushed {
  readonly filter: FieldFilter;
  /** Whether the filter lets through just what the condition does. */
  readonly isExact: boolean;
  /** Whether it does so but for rare scenes. */
  readonly isCounted: boolean;
}

function toFilter(condition: Condition, sensor: Sensor): Pushed | null {
  switch (condition.kind) {
    case 'compare':
      return toComparison(condition, sensor);
    case 'between': {
      const { value, low, high } = condition;
      return toRange(value, [toBound('>=', low), toBound('<=', high)], sensor);
    }
    case 'in':
      return toOneOf(condition.value, condition.list, sensor);
    case 'temporal': {
      const { op, name, span } = condition;
      if (op === 't_before')
        return toDays(name, { fromMs: Number.NEGATIVE_INFINITY, toMs: span.fromMs }, false);
      if (op === 't_after') return toDays(name, { fromMs: span.toMs, toMs: Number.POSITIVE_INFINITY }, false);
      return op === 't_disjoint' ? null : toDays(name, span, op === 't_intersects');
    }
    default:
      return null;
  }
}

/** The comparison that says the same with its sides exchanged. */
const MIRRORED: Readonly<Record<Comparison, Comparison>> = {
  '=': '=',
  '<>': '<>',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};

function toComparison(
  { op, left, right }: Extract<Condition, { readonly kind: 'compare' }>,
  sensor: Sensor,
): Pushed | null {
  if (left.kind !== 'property' && right.kind === 'property')
    return toComparison({ kind: 'compare', op: MIRRORED[op], left: right, right: left }, sensor);
  if (op === '<>') return null;
  return op === '=' ? toOneOf(left, [right], sensor) : toRange(left, [toBound(op, right)], sensor);
}

interface Bound {
  readonly op: Exclude<Comparison, '<>'>;
  readonly operand: Operand;
}

const toBound = (op: Bound['op'], operand: Operand): Bound => ({ op, operand });

interface SearchedProperty {
  readonly property: ItemProperty;
  readonly field: string;
  readonly ignoresCase: boolean;
}

/** The property of an operand, and its field in the dataset; null when search does not have it. */
function toSearched(operand: Operand, sensor: Sensor): SearchedProperty | null {
  if (operand.kind !== 'property') return null;
  const property = findProperty(operand.name);
  const searched = property?.searchedAs?.(sensor) ?? null;
  if (property === null || searched === null) return null;
  return { property, field: searched.field, ignoresCase: searched.ignoresCase === true };
}

function toRange(value: Operand, bounds: readonly Bound[], sensor: Sensor): Pushed | null {
  const searched = toSearched(value, sensor);
  if (searched === null) return null;
  const { property, field, ignoresCase } = searched;
  if (property.type === 'datetime') return value.kind === 'property' ? toDaysOf(value.name, bounds) : null;
  if (property.type !== 'number' || ignoresCase) return null;
  let [from, to] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const { op, operand } of bounds) {
    if (operand.kind !== 'value' || typeof operand.value !== 'number' || !Number.isFinite(operand.value))
      return null;
    if (op === '>=' || op === '=') from = Math.max(from, operand.value);
    if (op === '>') from = Math.max(from, neighbour(operand.value, 1));
    if (op === '<=' || op === '=') to = Math.min(to, operand.value);
    if (op === '<') to = Math.min(to, neighbour(operand.value, -1));
  }
  const filter: FieldFilter = {
    field,
    kind: 'range',
    ...(Number.isFinite(from) ? { from } : {}),
    ...(Number.isFinite(to) ? { to } : {}),
  };
  return { filter, isExact: true, isCounted: true };
}

/** The number next to another, so that bounds that are included can leave it out. */
function neighbour(value: number, direction: 1 | -1): number {
  // Databases refuse Number.MIN_VALUE.
  if (value === 0) return direction * 1e-300;
  const float = new Float64Array([value]);
  const bits = new BigInt64Array(float.buffer);
  bits[0] = (bits[0] as bigint) + BigInt(value > 0 === direction > 0 ? 1 : -1);
  return float[0] as number;
}

function toDaysOf(name: string, bounds: readonly Bound[]): Pushed | null {
  let [fromMs, toMs] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const { op, operand } of bounds) {
    const ms = toMsOf(operand);
    if (ms === null) return null;
    if (op !== '<' && op !== '<=') fromMs = Math.max(fromMs, ms);
    if (op !== '>' && op !== '>=') toMs = Math.min(toMs, op === '<' ? ms - 1 : ms);
  }
  return toDays(name, { fromMs, toMs }, true);
}

function toMsOf(operand: Operand): number | null {
  if (operand.kind === 'time') return operand.ms;
  if (operand.kind !== 'value' || typeof operand.value !== 'string') return null;
  return parseInstant(operand.value) ?? parseDay(operand.value);
}

/** Search knows days: the times of the first and the last one are tested here. */
function toDays(name: string, span: Span, isCounted: boolean): Pushed | null {
  // `updated` is a time too, and search does not know it.
  if (findProperty(name) !== findProperty('datetime') || span.fromMs > span.toMs) return null;
  const range = toDayRange(span);
  if (range.from === undefined && range.to === undefined) return null;
  return {
    filter: { field: 'date', kind: 'range', ...range },
    isExact: false,
    isCounted: isCounted && isOfWholeDays(span),
  };
}

function toOneOf(value: Operand, list: readonly Operand[], sensor: Sensor): Pushed | null {
  const searched = toSearched(value, sensor);
  if (searched === null || value.kind !== 'property') return null;
  const { property, field, ignoresCase } = searched;
  if (property.type === 'datetime') {
    const [only, ...others] = list;
    return only === undefined || others.length > 0 ? null : toDaysOf(value.name, [toBound('=', only)]);
  }
  const values: (string | number)[] = [];
  for (const operand of list) {
    if (operand.kind !== 'value' || typeof operand.value !== property.type) return null;
    values.push(operand.value as string | number);
  }
  const isFolded =
    value.ignoresCase || list.some((operand) => operand.kind === 'value' && operand.ignoresCase);
  // Databases fold the letters A to Z alone; others are left to the test here.
  const isPlain = values.every((one) => typeof one !== 'string' || isAscii(one));
  if (ignoresCase || isFolded) {
    if (!isPlain) return null;
    const isLower = values.every((one) => one === String(one).toLowerCase());
    const isExact = isFolded || isLower;
    return { filter: { field, kind: 'one-of', values, ignoresCase: true }, isExact, isCounted: isExact };
  }
  return { filter: { field, kind: 'one-of', values }, isExact: true, isCounted: true };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII begins with them
const isAscii = (text: string): boolean => /^[\x00-\x7f]*$/.test(text);
