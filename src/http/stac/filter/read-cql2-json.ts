/** CQL2 JSON, and the query extension, which says less: JSON of a client becomes a tree of conditions. */
import { isObject } from '../../../json.ts';
import { badInput } from '../../errors.ts';
import { LongJson } from '../../kit/bodies.ts';
import { parseDay, parseInstant } from '../item-times.ts';
import type {
  Comparison,
  FilterBudget,
  Operand,
  ReadCondition,
  Span,
  SpatialOperator,
  TemporalOperator,
} from './filter-tree.ts';
import {
  makeFilterBudget,
  makeLike,
  refuseFilter,
  TEMPORAL_OPERATORS,
  toTextOperand,
} from './filter-tree.ts';
import { toSpan } from './read-cql2-text.ts';

const COMPARISONS: ReadonlySet<string> = new Set(['=', '<>', '<', '<=', '>', '>=']);
const TEMPORAL: ReadonlySet<string> = new Set(TEMPORAL_OPERATORS);

/** Reads a filter in CQL2 JSON. */
export const readCql2Json = (filter: unknown): ReadCondition => readNode(filter, 0, makeFilterBudget());

function readNode(node: unknown, depth: number, budget: FilterBudget): ReadCondition {
  budget.node(depth);
  if (typeof node === 'boolean') return { kind: 'always', isTrue: node };
  if (isObject(node) && node.args instanceof LongJson)
    throw refuseFilter('is too long; send a large geometry as intersects.');
  if (!isObject(node) || typeof node.op !== 'string' || !Array.isArray(node.args))
    throw refuseFilter('must be made of {"op": …, "args": […]}.');
  const op = node.op.toLowerCase();
  const args = node.args as readonly unknown[];
  if (op === 'and' || op === 'or') {
    if (args.length === 0) throw refuseFilter(`needs conditions in ${op}.`);
    return { kind: op, parts: args.map((arg) => readNode(arg, depth + 1, budget)) };
  }
  if (op === 'not') return { kind: 'not', part: readNode(one(args, op), depth + 1, budget) };
  if (COMPARISONS.has(op)) {
    const [left, right] = two(args, op).map((arg) => readOperand(arg, depth + 1, budget)) as [
      Operand,
      Operand,
    ];
    return { kind: 'compare', op: op as Comparison, left, right };
  }
  if (op === 'isnull') return { kind: 'is-null', name: readName(one(args, op)) };
  if (op === 's_intersects' || op === 's_disjoint') return readSpatial(op, two(args, op), budget);
  if (TEMPORAL.has(op)) {
    const [property, time] = two(args, op);
    return { kind: 'temporal', op: op as TemporalOperator, name: readName(property), span: readSpan(time) };
  }
  return readAdvanced(op, args, { depth, budget });
}

function readAdvanced(
  op: string,
  args: readonly unknown[],
  { depth, budget }: { readonly depth: number; readonly budget: FilterBudget },
): ReadCondition {
  const operand = (arg: unknown): Operand => readOperand(arg, depth + 1, budget);
  switch (op) {
    case 'like': {
      const [value, pattern] = two(args, op).map(operand) as [Operand, Operand];
      if (pattern.kind !== 'value' || typeof pattern.value !== 'string')
        throw refuseFilter('needs a text as the pattern of like.');
      const ignoresCase = pattern.ignoresCase || (value.kind !== 'time' && value.ignoresCase);
      return { kind: 'like', value, matches: makeLike(pattern.value, ignoresCase) };
    }
    case 'between': {
      // Earlier drafts had the bounds in a list.
      const flat = args.length === 2 && Array.isArray(args[1]) ? [args[0], ...(args[1] as unknown[])] : args;
      if (flat.length !== 3) throw refuseFilter('needs a value and two bounds in between.');
      const [value, low, high] = flat.map(operand) as [Operand, Operand, Operand];
      return { kind: 'between', value, low, high };
    }
    case 'in': {
      const [value, list] = two(args, op);
      if (!Array.isArray(list) || list.length === 0) throw refuseFilter('needs a list of values in in.');
      return { kind: 'in', value: operand(value), list: (list as unknown[]).map(operand) };
    }
    default:
      throw refuseFilter(`has the operator ${op.slice(0, 40)}, which is not supported.`);
  }
}

function one(args: readonly unknown[], op: string): unknown {
  if (args.length !== 1) throw refuseFilter(`needs one argument in ${op}.`);
  return args[0];
}

function two(args: readonly unknown[], op: string): readonly [unknown, unknown] {
  if (args.length !== 2) throw refuseFilter(`needs two arguments in ${op}.`);
  return [args[0], args[1]];
}

function readName(node: unknown): string {
  if (isObject(node) && typeof node.property === 'string' && node.property.length <= 200)
    return node.property;
  throw refuseFilter('needs {"property": …}.');
}

function readOperand(node: unknown, depth: number, budget: FilterBudget): Operand {
  budget.node(depth);
  if (typeof node === 'string') return toTextOperand(node);
  if (typeof node === 'number' || typeof node === 'boolean')
    return { kind: 'value', value: node, ignoresCase: false };
  if (isObject(node)) {
    if ('property' in node) return { kind: 'property', name: readName(node), ignoresCase: false };
    if ('timestamp' in node || 'date' in node) return { kind: 'time', ms: readTime(node) };
    if (typeof node.op === 'string' && node.op.toLowerCase() === 'casei' && Array.isArray(node.args)) {
      const inner = readOperand(one(node.args, 'casei'), depth + 1, budget);
      return inner.kind === 'time' ? inner : { ...inner, ignoresCase: true };
    }
  }
  throw refuseFilter('has a value that is neither a property, a text, a number, true, false nor a time.');
}

function readTime({ timestamp, date }: Readonly<Record<string, unknown>>): number {
  const ms =
    typeof timestamp === 'string'
      ? parseInstant(timestamp)
      : typeof date === 'string'
        ? parseDay(date)
        : null;
  if (ms === null) throw refuseFilter('has a time that is not one of RFC 3339.');
  return ms;
}

function readSpan(node: unknown): Span {
  if (typeof node === 'string') {
    const ms = parseInstant(node);
    if (ms !== null) return { fromMs: ms, toMs: ms };
  } else if (isObject(node)) {
    if (Array.isArray(node.interval) && node.interval.length === 2) {
      const [from, to] = (node.interval as unknown[]).map(toEnd);
      const span = from === undefined || to === undefined ? null : toSpan(from, to);
      if (span !== null) return span;
    } else if (typeof node.date === 'string') {
      const fromMs = readTime(node);
      return { fromMs, toMs: fromMs + 86_399_999 };
    } else if (typeof node.timestamp === 'string') {
      const fromMs = readTime(node);
      return { fromMs, toMs: fromMs };
    }
  }
  throw refuseFilter('needs a time, or {"interval": [from, to]} with from before to.');
}

/** An end of an interval as text: plain, or in an object that says what it is. */
function toEnd(end: unknown): string | undefined {
  if (typeof end === 'string') return end;
  if (!isObject(end)) return undefined;
  const text = end.timestamp ?? end.date;
  return typeof text === 'string' ? text : undefined;
}

function readSpatial(
  op: SpatialOperator,
  args: readonly [unknown, unknown],
  budget: FilterBudget,
): ReadCondition {
  const [property, shape] = isObject(args[0]) && 'property' in args[0] ? args : ([args[1], args[0]] as const);
  if (readName(property) !== 'geometry')
    throw refuseFilter('compares shapes with the property geometry only.');
  if (!isObject(shape) || shape instanceof LongJson) throw refuseFilter(`needs a GeoJSON geometry in ${op}.`);
  budget.shape();
  if (Array.isArray(shape.bbox) && shape.type === undefined)
    return { kind: 'spatial', op, shape: { type: 'bbox', coordinates: shape.bbox } };
  return { kind: 'spatial', op, shape };
}

/** Operators of the query extension that are comparisons. */
const QUERY_COMPARISONS: Readonly<Record<string, Comparison>> = {
  eq: '=',
  neq: '<>',
  lt: '<',
  lte: '<=',
  gt: '>',
  gte: '>=',
};

/** Operators of the query extension that look for a part of a text. */
const QUERY_PATTERNS: Readonly<Record<string, (text: string) => string>> = {
  startsWith: (text) => `${text}%`,
  endsWith: (text) => `%${text}`,
  contains: (text) => `%${text}%`,
};

/** Reads the query extension: `{"eo:cloud_cover": {"lt": 10}}`. */
export function readQuery(query: unknown): ReadCondition {
  if (!isObject(query) || query instanceof LongJson)
    throw refuseQuery('must be an object such as {"eo:cloud_cover": {"lt": 10}}.');
  const budget = makeFilterBudget();
  const parts = Object.entries(query).flatMap(([name, conditions]): ReadCondition[] => {
    if (!isObject(conditions)) throw refuseQuery('must have an object of operators for each property.');
    const property: Operand = { kind: 'property', name: name.slice(0, 200), ignoresCase: false };
    return Object.entries(conditions).map(([op, value]) => {
      budget.node(1);
      const comparison = Object.hasOwn(QUERY_COMPARISONS, op) ? QUERY_COMPARISONS[op] : undefined;
      if (comparison !== undefined)
        return { kind: 'compare', op: comparison, left: property, right: readOperand(value, 2, budget) };
      const pattern = Object.hasOwn(QUERY_PATTERNS, op) ? QUERY_PATTERNS[op] : undefined;
      if (pattern !== undefined && typeof value === 'string') {
        toTextOperand(value);
        const escaped = value.replaceAll(/[\\%_]/g, (character) => `\\${character}`);
        return { kind: 'like', value: property, matches: makeLike(pattern(escaped), false) };
      }
      if (op === 'in' && Array.isArray(value) && value.length > 0)
        return {
          kind: 'in',
          value: property,
          list: (value as unknown[]).map((one) => readOperand(one, 2, budget)),
        };
      throw refuseQuery(`has the operator ${op.slice(0, 40)}, which is not supported or lacks a value.`);
    });
  });
  return parts.length === 1 ? (parts[0] as ReadCondition) : { kind: 'and', parts };
}

const refuseQuery = (rule: string): Error => badInput('bad-query', `query ${rule}`);
