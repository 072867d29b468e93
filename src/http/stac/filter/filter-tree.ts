/** Conditions on items as a tree: what both forms of CQL2 and the query extension are read into. */
import type { AreaGeometry, PointGeometry } from '../../../geo/index.ts';
import { badInput } from '../../errors.ts';

/** The comparisons of two values. */
export type Comparison = '=' | '<>' | '<' | '<=' | '>' | '>=';

/** A value: a property of the item, or a literal. Times are milliseconds since 1970. */
export type Operand =
  | { readonly kind: 'property'; readonly name: string; readonly ignoresCase: boolean }
  | { readonly kind: 'value'; readonly value: string | number | boolean; readonly ignoresCase: boolean }
  | { readonly kind: 'time'; readonly ms: number };

/** How a footprint must relate to a geometry. */
export type SpatialOperator = 's_intersects' | 's_disjoint';

/** How two spans of time may relate (Allen's algebra, as CQL2 names it). */
export const TEMPORAL_OPERATORS = [
  't_after',
  't_before',
  't_disjoint',
  't_during',
  't_equals',
  't_intersects',
] as const;
export type TemporalOperator = (typeof TEMPORAL_OPERATORS)[number];

/** A span of time, both ends included; an open end is infinite. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** A geometry of a condition: one that search understands and that holds it, and the exact test. */
export interface FilterShape {
  /** Every footprint that passes the test meets this. */
  readonly around: PointGeometry | AreaGeometry;
  /** Whether meeting `around` is the whole test. */
  readonly isExact: boolean;
  readonly meets: (footprint: AreaGeometry) => boolean;
}

/** A condition; geometries are GeoJSON as it came until `resolveShapes` has read them. */
export type Condition<Shape = FilterShape> =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Condition<Shape>[] }
  | { readonly kind: 'not'; readonly part: Condition<Shape> }
  | { readonly kind: 'always'; readonly isTrue: boolean }
  | { readonly kind: 'compare'; readonly op: Comparison; readonly left: Operand; readonly right: Operand }
  | {
      readonly kind: 'between';
      readonly value: Operand;
      readonly low: Operand;
      readonly high: Operand;
    }
  | { readonly kind: 'in'; readonly value: Operand; readonly list: readonly Operand[] }
  /** `matches` is built of the pattern, so that an item costs no parsing. */
  | { readonly kind: 'like'; readonly value: Operand; readonly matches: (text: string) => boolean }
  | { readonly kind: 'is-null'; readonly name: string }
  | { readonly kind: 'spatial'; readonly op: SpatialOperator; readonly shape: Shape }
  | { readonly kind: 'temporal'; readonly op: TemporalOperator; readonly name: string; readonly span: Span };

/** A condition as it was read, with geometries as they came. */
export type ReadCondition = Condition<Readonly<Record<string, unknown>>>;

/** Reads the geometries of a condition, one after the other. */
export async function resolveShapes(
  condition: ReadCondition,
  toShape: (geometry: Readonly<Record<string, unknown>>) => Promise<FilterShape>,
): Promise<Condition> {
  switch (condition.kind) {
    case 'and':
    case 'or': {
      const parts: Condition[] = [];
      for (const part of condition.parts) parts.push(await resolveShapes(part, toShape));
      return { kind: condition.kind, parts };
    }
    case 'not':
      return { kind: 'not', part: await resolveShapes(condition.part, toShape) };
    case 'spatial':
      return { ...condition, shape: await toShape(condition.shape) };
    default:
      return condition;
  }
}

/** The names of properties in a condition. */
export function listNames(condition: Condition): readonly string[] {
  const named = (...operands: readonly Operand[]): readonly string[] =>
    operands.flatMap((operand) => (operand.kind === 'property' ? [operand.name] : []));
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.parts.flatMap(listNames);
    case 'not':
      return listNames(condition.part);
    case 'compare':
      return named(condition.left, condition.right);
    case 'between':
      return named(condition.value, condition.low, condition.high);
    case 'in':
      return named(condition.value, ...condition.list);
    case 'like':
      return named(condition.value);
    case 'is-null':
    case 'temporal':
      return [condition.name];
    default:
      return [];
  }
}

/** What testing a condition on one scene costs the main thread, in milliseconds: measured, and rounded up. */
export function toTestCostMs(condition: Condition): number {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.parts.reduce((sum, part) => sum + toTestCostMs(part), 0);
    case 'not':
      return toTestCostMs(condition.part);
    case 'in':
      return 0.0004 * (1 + condition.list.length);
    case 'spatial':
      return 0.05;
    default:
      return 0.0004;
  }
}

/** What a filter may ask of one search. */
const filterLimits = {
  /** Conditions, operands and values together. */
  nodes: 1_000,
  depth: 32,
  textChars: 300,
  /** Geometries of all conditions together. */
  shapes: 8,
} as const;

/** Counts what a filter holds while it is read; refuses one that is too large. */
export interface FilterBudget {
  /** Counts a node at a depth. */
  node(depth: number): void;
  shape(): void;
}

/** Builds the count of one filter. */
export function makeFilterBudget(): FilterBudget {
  let [nodes, shapes] = [0, 0];
  return {
    node(depth) {
      nodes += 1;
      if (nodes > filterLimits.nodes)
        throw refuseFilter(`has more than ${filterLimits.nodes} conditions and values.`);
      if (depth > filterLimits.depth) throw refuseFilter(`nests deeper than ${filterLimits.depth} levels.`);
    },
    shape() {
      shapes += 1;
      if (shapes > filterLimits.shapes)
        throw refuseFilter(`has more than ${filterLimits.shapes} geometries.`);
    },
  };
}

/** A refusal, as a sentence that begins with the filter. */
export const refuseFilter = (rule: string, position?: number): Error =>
  badInput('bad-filter', `filter ${rule}`, position === undefined ? {} : { details: { position } });

/** A literal text, within the limit. */
export function toTextOperand(text: string, ignoresCase = false): Operand {
  if (text.length > filterLimits.textChars)
    throw refuseFilter(`has a text of more than ${filterLimits.textChars} characters.`);
  return { kind: 'value', value: text, ignoresCase };
}

/**
 * The test of a pattern: % stands for any characters, _ for one, and a backslash takes the next one as it is. Every part
 * between two % is looked for once, from left to right, so the time is bounded by pattern times text.
 */
export function makeLike(pattern: string, ignoresCase: boolean): (text: string) => boolean {
  const parts: (readonly (string | null)[])[] = [];
  let part: (string | null)[] = [];
  const characters = [...(ignoresCase ? pattern.toLowerCase() : pattern)];
  for (let i = 0; i < characters.length; i += 1) {
    const character = characters[i] as string;
    if (character === '%') {
      parts.push(part);
      part = [];
    } else if (character === '_') part.push(null);
    else if (character === '\\' && i + 1 < characters.length) {
      i += 1;
      part.push(characters[i] as string);
    } else part.push(character);
  }
  parts.push(part);
  return (text) => matchParts(parts, [...(ignoresCase ? text.toLowerCase() : text)]);
}

type Part = readonly (string | null)[];

function matchParts(parts: readonly Part[], text: readonly string[]): boolean {
  const fits = (part: Part, at: number): boolean =>
    at + part.length <= text.length && part.every((want, i) => want === null || want === text[at + i]);
  const [first = [], ...others] = parts;
  const last = others.pop();
  if (last === undefined) return text.length === first.length && fits(first, 0);
  if (!fits(first, 0)) return false;
  let at = first.length;
  for (const part of others) {
    while (at + part.length <= text.length && !fits(part, at)) at += 1;
    if (at + part.length > text.length) return false;
    at += part.length;
  }
  const end = text.length - last.length;
  return end >= at && fits(last, end);
}
