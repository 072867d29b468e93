import type { FieldFilter, FieldValue, SceneQuery } from '../../../catalog/index.ts';

/**
 * The same query without the character NUL, which PostgreSQL has in no text, so that nothing stored equals a text
 * with it. Among texts without NUL, the first one that is not below "a NUL …" is "a U+0001", the last one not above
 * it is "a".
 */
export function withoutNul(query: SceneQuery): SceneQuery {
  return {
    ...query,
    datasets: query.datasets
      .filter(({ id }) => !hasNul(id))
      .map(({ id, filters }) => ({ id, filters: filters.map(cleanFilter) })),
    sort: { ...query.sort, field: cleanField(query.sort.field) },
  };
}

/** True for a text that PostgreSQL cannot hold. */
export const hasNul = (value: unknown): boolean => typeof value === 'string' && value.includes('\0');

/** A name no field has stands in for one that no field can have. */
const cleanField = (field: string): string => (hasNul(field) ? '\u0001' : field);

function cleanFilter(filter: FieldFilter): FieldFilter {
  const field = cleanField(filter.field);
  if (filter.kind === 'one-of') return { ...filter, field, values: filter.values.filter((v) => !hasNul(v)) };
  const { from, to } = filter;
  return {
    field,
    kind: 'range',
    ...(from === undefined ? {} : { from: cut(from, '\u0001') }),
    ...(to === undefined ? {} : { to: cut(to, '') }),
  };
}

const cut = (value: FieldValue, ending: string): FieldValue =>
  typeof value === 'string' && hasNul(value) ? value.slice(0, value.indexOf('\0')) + ending : value;
