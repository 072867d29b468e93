import type { SceneQuery } from '../../catalog/index.ts';
import { badInput, notFound } from '../../errors.ts';
import type { FieldType, Sensor } from '../../sensors/index.ts';
import { sensorsByDataset } from '../../sensors/index.ts';
import { limits } from '../request/limits.ts';
import { parseWhole } from '../request/strict-number.ts';
import { parseFilter } from './filters.ts';
import type { ParseArea } from './shape.ts';
import { parseShape } from './shape.ts';

/** A search as the body asks for it. */
export interface SearchRequest {
  readonly query: SceneQuery;
  readonly page: number;
  readonly limit: number;
  /** Names to return; null means all. */
  readonly fields: ReadonlySet<string> | null;
}

/** A dataset as a path names it: one sensor, or a group of them such as `cbers4`. */
export interface NamedDataset {
  readonly id: string;
  readonly sensors: readonly Sensor[];
}

/** What a body is read with. */
interface SearchContext {
  readonly named: NamedDataset | null;
  readonly parseArea: ParseArea;
}

/** Words inside `search` that are not fields of a dataset; `satellites` only where no dataset is in the path. */
const NOT_FIELDS: ReadonlySet<string> = new Set(['shape', 'shapeRelation']);
/** What hits have in addition to the fields of their dataset, where several are searched. */
const ACROSS_DATASETS: Readonly<Record<string, FieldType>> = { satellite: 'string' };
/** Built for each answer, so there is nothing stored to compare with. */
const NOT_FILTERABLE: ReadonlySet<string> = new Set(['tms', 'view_id']);

/**
 * Reads the body of a search. With a dataset in the path, an unknown field is an error; without, a field
 * that a dataset lacks is ignored for that dataset. Unknown words at the top level are ignored.
 */
export async function parseSearch(
  body: unknown,
  { named, parseArea }: SearchContext,
): Promise<SearchRequest> {
  if (!isObject(body))
    throw badInput('bad-body', 'The body must be a JSON object with a "search" object in it.');
  const { search } = body;
  if (!isObject(search))
    throw badInput('bad-body', 'The body lacks the object "search"; {"search": {}} finds everything.');
  const datasets = (named?.sensors ?? parseSatellites(search.satellites)).map(({ dataset, hitFields }) => ({
    id: dataset,
    types: named === null ? { ...hitFields, ...ACROSS_DATASETS } : hitFields,
  }));
  const isField = (name: string): boolean => datasets.some(({ types }) => Object.hasOwn(types, name));
  // Clients send this flag at the top level too.
  const filters = Object.entries({ ...pick(body, 'onAmazon'), ...search }).filter(
    ([name]) => !NOT_FIELDS.has(name) && (named !== null || name !== 'satellites'),
  );
  for (const [name] of filters) {
    if (NOT_FILTERABLE.has(name)) throw badInput('not-filterable', `search.${name} cannot be filtered.`);
    if (named !== null && !isField(name)) {
      throw badInput('unknown-field', `search.${name.slice(0, 60)} is not a field of ${named.id}.`);
    }
  }
  const limit = parseCount(body.limit, 'limit', 500, limits.searchLimit);
  const page = parseCount(body.page, 'page', 1, limits.searchWindow);
  if (page * limit > limits.searchWindow) {
    throw badInput(
      'page-too-deep',
      `page × limit may be at most ${limits.searchWindow}; narrow the search instead.`,
    );
  }
  const query: SceneQuery = {
    datasets: datasets.map(({ id, types }) => ({
      id,
      filters: filters.flatMap(([name, filter]) => {
        const type = Object.hasOwn(types, name) ? types[name] : undefined;
        return type === undefined ? [] : [parseFilter(name, type, filter)];
      }),
    })),
    ...(search.shape == null ? {} : { shape: await parseShape(search, parseArea) }),
    sort: parseSort(body.sort, isField),
    offset: (page - 1) * limit,
    limit,
  };
  checkValues(query);
  return { query, page, limit, fields: parseFields(body.fields) };
}

function checkValues({ datasets }: SceneQuery): void {
  const counts = datasets.flatMap(({ filters }) =>
    filters.map((filter) => (filter.kind === 'one-of' ? filter.values.length : 2)),
  );
  if (counts.reduce((sum, count) => sum + count, 0) > limits.searchValues) {
    throw badInput(
      'list-too-long',
      `The lists in search hold too many values: ${limits.searchValues} in all, counted for each dataset, are the limit.`,
    );
  }
}

function parseSatellites(satellites: unknown): readonly Sensor[] {
  if (!Array.isArray(satellites) || satellites.length === 0) {
    throw badInput('no-satellites', 'search.satellites must list the datasets to search.');
  }
  if (satellites.length > limits.searchDatasets) {
    throw badInput('list-too-long', `search.satellites may list at most ${limits.searchDatasets} datasets.`);
  }
  const sensors = satellites.flatMap((name) => {
    if (typeof name !== 'string') {
      throw badInput('bad-satellites', 'search.satellites must list names of datasets.');
    }
    const known = sensorsByDataset(name);
    if (known.length === 0) {
      // 404, as for a dataset in the path.
      throw notFound('unknown-dataset', `search.satellites names an unknown dataset: ${name.slice(0, 40)}.`);
    }
    return known;
  });
  return [...new Set(sensors)];
}

function parseSort(sort: unknown, isField: (name: string) => boolean): SceneQuery['sort'] {
  if (sort == null) return { field: 'date', descending: true };
  const entries = isObject(sort) ? Object.entries(sort) : [];
  const [field, direction] = entries[0] ?? [];
  if (entries.length !== 1 || field === undefined || (direction !== 'asc' && direction !== 'desc')) {
    throw badInput('bad-sort', 'sort must be one entry such as {"date": "desc"}.');
  }
  if (!isField(field)) {
    throw badInput('bad-sort', `sort names an unknown field: ${field.slice(0, 60)}.`);
  }
  return { field, descending: direction === 'desc' };
}

function parseFields(fields: unknown): ReadonlySet<string> | null {
  if (fields == null) return null;
  if (
    !Array.isArray(fields) ||
    fields.length > limits.searchListItems ||
    !fields.every((f) => typeof f === 'string')
  ) {
    throw badInput('bad-fields', `fields must be a list of at most ${limits.searchListItems} names.`);
  }
  return new Set(fields);
}

function parseCount(value: unknown, name: string, fallback: number, max: number): number {
  if (value == null) return fallback;
  const count = typeof value === 'number' || typeof value === 'string' ? parseWhole(String(value)) : null;
  if (count === null || count < 1 || count > max) {
    throw badInput(`bad-${name}`, `${name} must be a whole number from 1 to ${max}.`);
  }
  return count;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

const pick = (object: Record<string, unknown>, name: string): Record<string, unknown> =>
  Object.hasOwn(object, name) ? { [name]: object[name] } : {};
