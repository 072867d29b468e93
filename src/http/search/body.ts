import type { SceneQuery } from '../../catalog/index.ts';
import { isObject } from '../../json.ts';
import type { FieldType, Sensor } from '../../sensors/index.ts';
import { sensors as allSensors, sensorsByName } from '../../sensors/index.ts';
import { badInput, notFound } from '../errors.ts';
import { LongJson } from '../kit/bodies.ts';
import type { Field, Params } from '../kit/fields.ts';
import { defineFields, refuseField, toObjectSchema } from '../kit/fields.ts';
import { json } from '../kit/json-schema.ts';
import { limits } from '../kit/limits.ts';
import { parseWhole } from '../kit/parameters.ts';
import type { ParseArea } from './filters.ts';
import { explainUnknownField, parseFilter, parseShape } from './filters.ts';
import type { InAreaRequest } from './in-area.ts';
import { AREA_FIELDS, isAreaField, parseInArea } from './in-area.ts';

/** A search as the body asks for it. */
export interface SearchRequest {
  readonly query: SceneQuery;
  readonly page: number;
  readonly limit: number;
  /** Names to return; null means all. */
  readonly fields: ReadonlySet<string> | null;
  /** What is measured in the area; null if nothing is. */
  readonly inArea: InAreaRequest | null;
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
  /** Reports an unknown name to the caller, with the known ones. */
  readonly tellIgnored: (name: string, known: Iterable<string>) => void;
}

/** Datasets of one sensor, and those that mean several. Abbreviations are read too, but clients are not made of them. */
export const datasetIds = [
  ...new Set(allSensors.flatMap(({ dataset, datasetGroups }) => [dataset, ...datasetGroups])),
].sort();

const DEFAULT_SORT: SceneQuery['sort'] = { field: 'date', descending: true };

/** A whole number from 1 on, also as a string. */
const count = ({
  max,
  fallback,
  description,
}: {
  readonly max: number;
  readonly fallback: number;
  readonly description: string;
}): Field<number> => ({
  schema: json.nullable(
    json.union([json.integer({ min: 1, max }), json.string({ pattern: /^0{0,9}[1-9]\d{0,5}$/ })]),
    { description },
  ),
  parse(value, name) {
    if (value == null) return fallback;
    const given = typeof value === 'number' || typeof value === 'string' ? parseWhole(String(value)) : null;
    if (given !== null && given >= 1 && given <= max) return given;
    throw refuseField(name, `must be a whole number from 1 to ${max}.`);
  },
});

/** The fields of a body. What `search` itself holds depends on the dataset. */
const bodyFields = defineFields({
  search: {
    schema: json.nullable(json.map(json.any()), {
      description:
        'Filters by field: a value, a list, or {from, to}; shape: GeoJSON, a Point or an area as the cropper takes it ' +
        '(where longitudes leap, the ring runs counter-clockwise: a box from -179 to 179 is wide, one from 179 to -179 ' +
        'crosses the antimeridian). Words such as passDirection are compared without case. cloudCoverageInArea and ' +
        'dataCoverageInArea, percentages of a shape that is an area, are measured. No filter by default.',
    }),
    parse(value): Params {
      if (value == null) return {};
      if (isPlain(value)) return value;
      throw badInput('bad-body', '"search" must be an object of filters; {"search": {}} finds everything.');
    },
  },
  sort: {
    schema: json.nullable(json.map(json.string({ pattern: /^(?:[aA][sS][cC]|[dD][eE][sS][cC])$/ })), {
      description: 'One entry; {"date": "desc"} by default.',
    }),
    parse: parseSort,
  },
  page: count({
    max: limits.searchWindow,
    fallback: 1,
    description: '1 by default; page × limit is at most 100,000.',
  }),
  limit: count({
    max: limits.searchLimit,
    fallback: 500,
    description: 'Hits of a page; 500 by default, at most 1,000.',
  }),
  fields: {
    schema: json.nullable(json.list(json.string(), { max: limits.searchListItems }), {
      description: 'Fields to return; all by default.',
    }),
    parse: parseFields,
  },
  measureFrom: {
    schema: json.nullable(json.integer({ min: 0, max: limits.searchWindow }), {
      description:
        'With a filter or an order by cloudCoverageInArea or dataCoverageInArea: where the scenes that are measured begin; 0 by default, and meta.in_area.next says it for the next ones.',
    }),
    parse(value, name): number | null {
      if (value == null) return null;
      const isWhole = typeof value === 'number' && Number.isInteger(value);
      if (isWhole && value >= 0 && value <= limits.searchWindow) return value;
      throw refuseField(name, `must be a whole number from 0 to ${limits.searchWindow}.`);
    },
  },
  onAmazon: {
    schema: json.union([json.boolean(), json.string()], { description: 'As in search.' }),
    parse: (value) => value,
  },
});

/** The body of a search of one dataset. */
export const bodySchema = toObjectSchema(bodyFields);

/** The body of a search across datasets, which it names. */
export const bodyAcrossSchema = toObjectSchema({
  ...bodyFields,
  search: {
    ...bodyFields.search,
    isRequired: true,
    schema: json.object(
      { satellites: json.list(json.choice(datasetIds), { min: 1, max: limits.searchDatasets }) },
      { isOpen: true, description: 'The datasets, and filters as for one.' },
    ),
  },
});

/** Words inside `search` that are not fields of a dataset; `satellites` only where no dataset is in the path. */
const NOT_FIELDS: ReadonlySet<string> = new Set(['shape', 'shapeRelation']);
/** What hits have in addition to the fields of their dataset, where several are searched. */
const ACROSS_DATASETS: Readonly<Record<string, FieldType>> = { satellite: 'string' };
/** Fields that every answer computes: the store has no value to compare with. */
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
  if (!isPlain(asked)) throw badInput('bad-body', 'The body must be a JSON object.');
  const search = bodyFields.search.read(asked);
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
    ...AREA_FIELDS,
  ];
  // Clients send this flag at the top level too.
  const filters = Object.entries({ ...pick(asked, 'onAmazon'), ...search }).filter(
    ([name]) => !NOT_FIELDS.has(name) && (named !== null || name !== 'satellites'),
  );
  for (const [name] of filters) {
    if (NOT_FILTERABLE.has(name)) throw badInput('not-filterable', `search.${name} cannot be filtered.`);
    if (isField(name) || isAreaField(name)) continue;
    if (named === null) tellIgnored(name, listFields());
    else throw explainUnknownField(name, named.id, listFields());
  }
  const limit = bodyFields.limit.read(asked);
  const page = bodyFields.page.read(asked);
  if (page * limit > limits.searchWindow) {
    throw badInput(
      'page-too-deep',
      `page × limit may be at most ${limits.searchWindow}; narrow the search instead.`,
    );
  }
  const sort = bodyFields.sort.read(asked);
  const fields = bodyFields.fields.read(asked);
  const from = bodyFields.measureFrom.read(asked);
  const shape = search.shape == null ? undefined : await parseShape(search, parseArea);
  const inArea = parseInArea({ filters, sort, fields, from, shape });
  const query: SceneQuery = {
    datasets: datasets.map(({ id, types, words }) => ({
      id,
      filters: filters.flatMap(([name, filter]) => {
        const type = Object.hasOwn(types, name) ? types[name] : undefined;
        if (type === undefined) return [];
        return [parseFilter({ name, type, isWord: words.has(name) }, filter)];
      }),
    })),
    ...(shape === undefined ? {} : { shape }),
    sort: isAreaField(sort.field) ? DEFAULT_SORT : checkSort(sort, isField),
    offset: (page - 1) * limit,
    limit,
  };
  checkValues(query);
  return { query, page, limit, fields, inArea };
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

function parseSort(sort: unknown): SceneQuery['sort'] {
  if (sort == null) return DEFAULT_SORT;
  const entries = isPlain(sort) ? Object.entries(sort) : [];
  const [field, written] = entries[0] ?? [];
  const direction = typeof written === 'string' ? written.toLowerCase() : '';
  if (entries.length !== 1 || field === undefined || (direction !== 'asc' && direction !== 'desc')) {
    throw badInput('bad-sort', 'sort must be one entry such as {"date": "desc"}.');
  }
  return { field, descending: direction === 'desc' };
}

function checkSort(sort: SceneQuery['sort'], isField: (name: string) => boolean): SceneQuery['sort'] {
  if (isField(sort.field)) return sort;
  throw badInput('bad-sort', `sort names an unknown field: ${sort.field.slice(0, 60)}.`);
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

/** A long list would pass for an object. */
const isPlain = (value: unknown): value is Params => isObject(value) && !(value instanceof LongJson);

const pick = (object: Readonly<Record<string, unknown>>, name: string): Record<string, unknown> =>
  Object.hasOwn(object, name) ? { [name]: object[name] } : {};
