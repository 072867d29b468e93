/** Searches as one would write them down: the stores say the same in SQL, and must agree with what is defined here. */

import type { FieldValue } from './scene.ts';
import type { FieldFilter, SceneQuery } from './scene-store.ts';
import { toSearchFields } from './scene-store.ts';

/** What a scene is filtered and sorted by. */
type SearchedScene = Parameters<typeof toSearchFields>[0];

/** The fields of a scene as filters and orders see them: those of a hit, and `satellite`. */
export const toMatchedFields = (scene: SearchedScene): Readonly<Record<string, FieldValue>> => ({
  ...toSearchFields(scene),
  satellite: scene.dataset,
});

/** Whether every filter matches, by the rules of `SceneStore`. */
export const matchesFilters = (
  fields: Readonly<Record<string, FieldValue | undefined>>,
  filters: readonly FieldFilter[],
): boolean => filters.every((filter) => matches(plainOf(fields, filter.field), filter));

/**
 * The order of two scenes in a search, by the rules of `SceneStore`: numbers before texts, null and absent last in both
 * directions, ties by scene id and then by view id.
 */
export const compareScenes = (a: SearchedScene, b: SearchedScene, sort: SceneQuery['sort']): number =>
  compareNullsLast(toSortValue(a, sort.field), toSortValue(b, sort.field), sort.descending) ||
  compareTexts(a.sceneId, b.sceneId) ||
  compareTexts(a.viewId, b.viewId);

/** Texts by their UTF-8 bytes, which is by code point, as both databases compare them. */
export const compareTexts = (a: string, b: string): number =>
  a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));

/** True and false are the numbers 1 and 0. */
type Plain = string | number | null;

const toPlain = (value: FieldValue | undefined): Plain =>
  typeof value === 'boolean' ? Number(value) : (value ?? null);

/** Fields have names of others' making: one that every object inherits, such as `constructor`, is absent. */
const plainOf = (fields: Readonly<Record<string, FieldValue | undefined>>, name: string): Plain =>
  Object.hasOwn(fields, name) ? toPlain(fields[name]) : null;

/** The fields that most searches sort by are read without building all of them, twice for each comparison. */
function toSortValue(scene: SearchedScene, field: string): Plain {
  if (field === 'date') return scene.acquiredAt.slice(0, 10);
  if (field === 'sceneID') return scene.sceneId;
  return plainOf(toMatchedFields(scene), field);
}

function matches(value: Plain, filter: FieldFilter): boolean {
  if (filter.kind === 'one-of') {
    const fold = filter.ignoresCase === true ? toLower : (one: Plain): Plain => one;
    return value !== null && filter.values.some((one) => fold(toPlain(one)) === fold(value));
  }
  const [from, to] = [toPlain(filter.from), toPlain(filter.to)];
  // A bound of null is open; a range that is open at both ends asks for nothing.
  return isWithin(value, from, (order) => order >= 0) && isWithin(value, to, (order) => order <= 0);
}

function isWithin(value: Plain, bound: Plain, accepts: (order: number) => boolean): boolean {
  if (bound === null) return true;
  return value !== null && typeof value === typeof bound && accepts(compare(value, bound));
}

/** The letters A to Z alone: É and é stay two letters. */
const toLower = (value: Plain): Plain =>
  typeof value === 'string' ? value.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase()) : value;

function compareNullsLast(a: Plain, b: Plain, descending: boolean): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return descending ? compare(b, a) : compare(a, b);
}

/** Numbers before texts. */
function compare(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b);
  return typeof a === 'number' ? -1 : 1;
}
