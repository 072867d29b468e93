import { DAY_MS } from '../units.ts';
import type { OpenReadings, PackedReadings } from './readings.ts';
import { openReadings } from './readings.ts';
import type { Condition, Reading, Reference } from './subscription.ts';

/** What fields had in one scene. */
export interface SceneReadings {
  /** YYYY-MM-DD. */
  readonly day: string;
  readonly readings: PackedReadings;
}

/** A reading that meets the condition, and what it was compared with. */
export interface Fired extends Reading {
  readonly compared: number | null;
}

/** A group says something about a field if it has at least so many. */
const MIN_GROUP = 5;
/** A normal is made of at least so many values. */
const MIN_NORMAL = 3;
/** How long a limit that was passed counts as passed, if there was no value in between. */
const LEVEL_DAYS = 120;

/** A span of days, both included. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/** The day so many days after another one. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

/** The days before a scene whose values a condition needs: scenes of them that were not measured yet are measured first. */
export function listPastDays(condition: Condition, day: string): readonly Days[] {
  const before = (days: number): Days => ({ from: addDays(day, -days), to: addDays(day, -1) });
  switch (condition.kind) {
    case 'every':
      return [];
    case 'below':
    case 'above':
      return condition.repeats ? [] : [before(LEVEL_DAYS)];
    default:
      return listReferenceDays(condition.against, day, before);
  }
}

function listReferenceDays(against: Reference, day: string, before: (days: number) => Days): readonly Days[] {
  if (against.kind === 'group') return [];
  return against.kind === 'last' ? [before(against.withinDays)] : listNormalDays(against, day);
}

function listNormalDays(
  { years, aroundDays }: Extract<Reference, { kind: 'normal' }>,
  day: string,
): readonly Days[] {
  const [year, rest] = [Number(day.slice(0, 4)), day.slice(4)];
  return Array.from({ length: years }, (_, i) => {
    // A 29th of February is a 28th in other years.
    const same = `${year - 1 - i}${rest === '-02-29' ? '-02-28' : rest}`;
    return { from: addDays(same, -aroundDays), to: addDays(same, aroundDays) };
  });
}

/**
 * The readings of a scene that meet a condition. `past` has the scenes of the days of `listPastDays`, in any order; it may
 * have others.
 */
export function judge(
  condition: Condition,
  scene: SceneReadings,
  past: readonly SceneReadings[],
): readonly Fired[] {
  const now = openReadings(scene.readings);
  const decide = makeDecide(condition, { day: scene.day, now }, past);
  const fired: Fired[] = [];
  for (let i = 0; i < now.count; i += 1) {
    const decided = decide(i);
    if (decided !== null) fired.push({ fieldId: now.idAt(i), value: now.valueAt(i), ...decided });
  }
  return fired;
}

/** Whether the reading at a place meets the condition: what it was compared with, or null. */
type Decide = (i: number) => { readonly compared: number | null } | null;

interface Now {
  readonly day: string;
  readonly now: OpenReadings;
}

function makeDecide(condition: Condition, { day, now }: Now, past: readonly SceneReadings[]): Decide {
  switch (condition.kind) {
    case 'every':
      return () => ({ compared: null });
    case 'below':
    case 'above': {
      const { limit, repeats, kind } = condition;
      const isPassed = (value: number): boolean => (kind === 'below' ? value < limit : value > limit);
      const findLast = repeats ? () => null : makeFindLast({ day, now }, past, LEVEL_DAYS);
      return (i) => {
        if (!isPassed(now.valueAt(i))) return null;
        const last = findLast(i);
        return last !== null && isPassed(last) ? null : { compared: limit };
      };
    }
    case 'drop':
    case 'rise': {
      const { by, against, kind } = condition;
      const findReference = makeFindReference(against, { day, now }, past);
      return (i) => {
        const compared = findReference(i);
        if (compared === null) return null;
        const change = kind === 'drop' ? compared - now.valueAt(i) : now.valueAt(i) - compared;
        return change >= by ? { compared } : null;
      };
    }
  }
}

/** What the reading at a place is compared with; null if there is nothing. */
type FindReference = (i: number) => number | null;

function makeFindReference(
  against: Reference,
  { day, now }: Now,
  past: readonly SceneReadings[],
): FindReference {
  if (against.kind === 'last') return makeFindLast({ day, now }, past, against.withinDays);
  if (against.kind === 'group') {
    const values = Array.from({ length: now.count }, (_, i) => now.valueAt(i));
    const middle = values.length < MIN_GROUP ? null : medianOf(values);
    return () => middle;
  }
  const spans = listNormalDays(against, day);
  const earlier = past
    .filter((scene) => spans.some(({ from, to }) => from <= scene.day && scene.day <= to))
    .map(({ readings }) => openReadings(readings));
  return (i) => {
    const values = earlier.flatMap((scene) => scene.findSame(now, i) ?? []);
    return values.length < MIN_NORMAL ? null : medianOf(values);
  };
}

/** The last value of a field before a day. */
function makeFindLast({ day, now }: Now, past: readonly SceneReadings[], withinDays: number): FindReference {
  const first = addDays(day, -withinDays);
  const newestFirst = past
    .filter((scene) => scene.day < day && scene.day >= first)
    .toSorted((a, b) => (a.day < b.day ? 1 : -1))
    .map(({ readings }) => openReadings(readings));
  return (i) => {
    for (const scene of newestFirst) {
      const value = scene.findSame(now, i);
      if (value !== null) return value;
    }
    return null;
  };
}

function medianOf(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort();
  const half = sorted.length >> 1;
  const upper = sorted[half] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] as number) + upper) / 2;
}
