/** Whether an item meets a condition, by the rules of CQL2: what compares with a missing value is neither true nor false. */
import type { SceneHit } from '../../../catalog/index.ts';
import { compareTexts } from '../../../catalog/index.ts';
import { findProperty, readProperty } from '../item-properties.ts';
import { parseDay, parseInstant } from '../item-times.ts';
import type { Comparison, Condition, Operand, Span, TemporalOperator } from './filter-tree.ts';

/** True, false, or unknown. */
type Truth = boolean | null;

/** Whether a scene meets a condition. */
export const isMet = (condition: Condition, hit: SceneHit): boolean => judge(condition, hit) === true;

function judge(condition: Condition, hit: SceneHit): Truth {
  switch (condition.kind) {
    case 'always':
      return condition.isTrue;
    case 'and':
      return judgeAll(condition.parts, hit, false);
    case 'or':
      return judgeAll(condition.parts, hit, true);
    case 'not':
      return negate(judge(condition.part, hit));
    case 'compare':
      return compare(condition.op, condition.left, condition.right, hit);
    case 'between': {
      const { value, low, high } = condition;
      return join(compare('>=', value, low, hit), compare('<=', value, high, hit));
    }
    case 'in':
      return judgeIn(condition.value, condition.list, hit);
    case 'like': {
      const text = readOperand(condition.value, hit);
      return text === null ? null : typeof text === 'string' && condition.matches(text);
    }
    case 'is-null':
      return readOperand({ kind: 'property', name: condition.name, ignoresCase: false }, hit) === null;
    case 'spatial':
      return condition.shape.meets(hit.footprint) === (condition.op === 's_intersects');
    case 'temporal': {
      const ms = timeOf(condition.name, hit);
      return ms === null ? null : relate(condition.op, ms, condition.span);
    }
  }
}

const negate = (truth: Truth): Truth => (truth === null ? null : !truth);

/** Both of two. */
function join(a: Truth, b: Truth): Truth {
  if (a === false || b === false) return false;
  return a === null || b === null ? null : true;
}

/** The first part that decides wins; an unknown one leaves the whole unknown. */
function judgeAll(parts: readonly Condition[], hit: SceneHit, decides: boolean): Truth {
  let truth: Truth = !decides;
  for (const part of parts) {
    const one = judge(part, hit);
    if (one === decides) return decides;
    if (one === null) truth = null;
  }
  return truth;
}

function judgeIn(value: Operand, list: readonly Operand[], hit: SceneHit): Truth {
  let truth: Truth = false;
  for (const item of list) {
    const one = compare('=', value, item, hit);
    if (one === true) return true;
    if (one === null) truth = null;
  }
  return truth;
}

function compare(op: Comparison, left: Operand, right: Operand, hit: SceneHit): Truth {
  const [a, b] = [readOperand(left, hit), readOperand(right, hit)];
  if (a === null || b === null) return null;
  const [one, other] = alike(a, b);
  // Values of different types are not equal, and have no order.
  if (typeof one !== typeof other) return op === '<>';
  const order = orderOf(one, other, isFolded(left) || isFolded(right));
  switch (op) {
    case '=':
      return order === 0;
    case '<>':
      return order !== 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
  }
}

type Value = string | number | boolean | Date;

/** A text beside a time is read as one: people write `datetime > '2026-06-21T00:00:00Z'`. */
function alike(a: Value, b: Value): readonly [Value, Value] {
  if (a instanceof Date && typeof b === 'string') return [a, toTime(b) ?? b];
  if (b instanceof Date && typeof a === 'string') return [toTime(a) ?? a, b];
  return [a, b];
}

function toTime(text: string): Date | null {
  const ms = parseInstant(text) ?? parseDay(text);
  return ms === null ? null : new Date(ms);
}

const isFolded = (operand: Operand): boolean => operand.kind !== 'time' && operand.ignoresCase;

function orderOf(a: Value, b: Value, ignoresCase: boolean): number {
  if (typeof a === 'string' && typeof b === 'string')
    return ignoresCase ? compareTexts(a.toLowerCase(), b.toLowerCase()) : compareTexts(a, b);
  return Number(a) - Number(b);
}

function readOperand(operand: Operand, hit: SceneHit): Value | null {
  if (operand.kind === 'value') return operand.value;
  if (operand.kind === 'time') return new Date(operand.ms);
  const property = findProperty(operand.name);
  if (property === null) return null;
  const value = readProperty(property, hit);
  if (property.type !== 'datetime' || typeof value !== 'string') return value;
  const ms = Date.parse(value);
  return Number.isNaN(ms) ? null : new Date(ms);
}

function timeOf(name: string, hit: SceneHit): number | null {
  const value = readOperand({ kind: 'property', name, ignoresCase: false }, hit);
  return value instanceof Date ? value.getTime() : null;
}

/** How an instant relates to a span. */
function relate(op: TemporalOperator, ms: number, { fromMs, toMs }: Span): boolean {
  switch (op) {
    case 't_after':
      return ms > toMs;
    case 't_before':
      return ms < fromMs;
    case 't_during':
      return ms > fromMs && ms < toMs;
    case 't_equals':
      return ms === fromMs && ms === toMs;
    case 't_intersects':
      return ms >= fromMs && ms <= toMs;
    case 't_disjoint':
      return ms < fromMs || ms > toMs;
  }
}
