import type { FieldFilter, FieldValue, NewScene, SceneQuery } from '../../src/catalog/index.ts';
import { relates, toSearchFields } from '../../src/catalog/index.ts';

/** A search as one would write it down: every scene is looked at. The stores must agree with it. */
export function searchNaively(scenes: readonly NewScene[], query: SceneQuery) {
  const matching = scenes.filter(
    (scene) =>
      query.datasets.some(
        ({ id, filters }) =>
          id === scene.dataset && filters.every((filter) => matches(fieldsOf(scene)[filter.field], filter)),
      ) &&
      (query.shape === undefined || relates(scene.footprint, query.shape.geometry, query.shape.relation)),
  );
  const { field, descending } = query.sort;
  matching.sort(
    (a, b) =>
      compareNullsLast(toPlain(fieldsOf(a)[field]), toPlain(fieldsOf(b)[field]), descending) ||
      compareTexts(a.sceneId, b.sceneId) ||
      compareTexts(a.viewId, b.viewId),
  );
  return {
    found: matching.length,
    viewIds: matching.slice(query.offset, query.offset + query.limit).map(({ viewId }) => viewId),
  };
}

const fieldsOf = (scene: NewScene): Readonly<Record<string, FieldValue>> => ({
  ...toSearchFields(scene),
  satellite: scene.dataset,
});

function matches(field: FieldValue | undefined, filter: FieldFilter): boolean {
  const value = toPlain(field);
  if (value === null) return false;
  if (filter.kind === 'one-of') {
    const fold = filter.ignoresCase === true ? toLower : (one: Plain): Plain => one;
    return filter.values.some((one) => fold(toPlain(one)) === fold(value));
  }
  return [filter.from, filter.to].every((bound, i) => {
    if (bound === undefined) return true;
    const plain = toPlain(bound) as string | number;
    if (typeof plain !== typeof value) return false;
    return i === 0 ? compare(value, plain) >= 0 : compare(value, plain) <= 0;
  });
}

/** The letters A to Z alone: É and é stay two letters. */
const toLower = (value: Plain): Plain =>
  typeof value === 'string' ? value.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()) : value;

type Plain = string | number | null;

const toPlain = (value: FieldValue | undefined): Plain =>
  typeof value === 'boolean' ? Number(value) : (value ?? null);

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

const compareTexts = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
