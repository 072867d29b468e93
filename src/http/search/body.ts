import type { SceneQuery } from '../../catalog/index.ts';
import { badInput, notFound } from '../../errors.ts';
import type { FieldType, Sensor } from '../../sensors/index.ts';
import { sensorsByName } from '../../sensors/index.ts';
import { limits } from '../request/limits.ts';
import { LongJson } from '../request/long-json.ts';
import { parseWhole } from '../request/strict-number.ts';
import { parseFilter } from './filters.ts';
import type { ParseArea } from './shape.ts';
import { parseShape } from './shape.ts';
import { explainUnknownField } from './unknown-field.ts';

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
  /** Tells the caller that a name means nothing, and which ones there are. */
  readonly tellIgnored: (name: string, known: Iterable<string>) => void;
}

/** Words inside `search` that are not fields of a dataset; `satellites` only where no dataset is in the path. */
const NOT_FIELDS: ReadonlySet<string> = new Set(['shape', 'shapeRelation']);
/** What hits have in addition to the fields of their dataset, where several are searched. */
const ACROSS_DATASETS: Readonly<Record<string, FieldType>> = { satellite: 'string' };
/** Built for each answer, so there is nothing stored to compare with. */
const NOT_FILTERABLE: ReadonlySet<string> = new Set(['tms', 'view_id']);

/**
 * Reads the body of a search; nothing at all, or a body without `search`, is a search without filters. With a dataset in
 * the path, an unknown field is an error; without, a field that a dataset lacks is ignored for that dataset.
 */
export async function parseSearch(
  body: unknown,
  { named, parseArea, tellIgnored }: SearchContext,
): Promise<SearchRequest> {
  const asked = body === undefined ? {} : body;
  if (!isObject(asked)) throw badInput('bad-body', 'The body must be a JSON object.');
  const search = asked.search ?? {};
  if (!isObject(search)) {
    throw badInput('bad-body', '"search" must be an object of filters; {"search": {}} finds everything.');
  }
  const sensors = named?.sensors ?? parseSatellites(search.satellites);
  const datasets = sensors.map(({ dataset, hitFields, wordFields }) => ({
    id: dataset,
    types: named === null ? { ...hitFields, ...ACROSS_DATASETS } : hitFields,
    words: wordFields,
  }));
  const isField = (name: string): boolean => datasets.some(({ types }) => Object.hasOwn(types, name));
  const listFields = (): readonly string[] => [
    ...new Set(datasets.flatMap(({ types }) => Object.keys(types))),
    ...NOT_FIELDS,
  ];
  // Clients send this flag at the top level too.
  const filters = Object.entries({ ...pick(asked, 'onAmazon'), ...search }).filter(
    ([name]) => !NOT_FIELDS.has(name) && (named !== null || name !== 'satellites'),
  );
  for (const [name] of filters) {
    if (NOT_FILTERABLE.has(name)) throw badInput('not-filterable', `search.${name} cannot be filtered.`);
    if (isField(name)) continue;
    if (named === null) tellIgnored(name, listFields());
    else throw explainUnknownField(name, named.id, listFields());
  }
  const limit = parseCount(asked.limit, 'limit', 500, limits.searchLimit);
  const page = parseCount(asked.page, 'page', 1, limits.searchWindow);
  if (page * limit > limits.searchWindow) {
    throw badInput(
      'page-too-deep',
      `page × limit may be at most ${limits.searchWindow}; narrow the search instead.`,
    );
  }
  const query: SceneQuery = {
    datasets: datasets.map(({ id, types, words }) => ({
      id,
      filters: filters.flatMap(([name, filter]) => {
        const type = Object.hasOwn(types, name) ? types[name] : undefined;
        if (type === undefined) return [];
        return [parseFilter({ name, type, isWord: words.has(name) }, filter)];
      }),
    })),
    ...(search.shape == null ? {} : { shape: await parseShape(search, parseArea) }),
    sort: parseSort(asked.sort, isField),
    offset: (page - 1) * limit,
    limit,
  };
  checkValues(query);
  return { query, page, limit, fields: parseFields(asked.fields) };
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
    const known = sensorsByName(name);
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
  const [field, written] = entries[0] ?? [];
  const direction = typeof written === 'string' ? written.toLowerCase() : '';
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
  value !== null && typeof value === 'object' && !Array.isArray(value) && !(value instanceof LongJson);

const pick = (object: Readonly<Record<string, unknown>>, name: string): Record<string, unknown> =>
  Object.hasOwn(object, name) ? { [name]: object[name] } : {};
