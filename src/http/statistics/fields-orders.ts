/** Orders of statistics of many fields: by `group`, by `fields`, or of a `collection` that comes with the order. */

import type { BulkOrder, CollectionFault } from '../../bulk/index.ts';
import { BULK_FORMATS, BULK_LAYOUTS, estimateParts, WEIGHTS } from '../../bulk/index.ts';
import { SwathError } from '../../errors.ts';
import type { FieldSelection } from '../../fields/index.ts';
import type { Ticket } from '../../pool/index.ts';
import { badInput, notFound } from '../errors.ts';
import { writeJson } from '../kit/bodies.ts';
import type { Params } from '../kit/fields.ts';
import { choice, defineFields, refuseField, text, unread } from '../kit/fields.ts';
import { json } from '../kit/json-schema.ts';
import { joinedFields, readJoined } from './joined-columns.ts';
import { RefusedStatistics } from './statistics-answers.ts';
import type { StatisticsDefaults, StatisticsLimits } from './statistics-orders.ts';
import { readMeasured } from './statistics-orders.ts';

/** The max number of fields that an order names one by one. */
const MAX_IDS = 10_000;

/** The word for all fields of the key. */
const ALL = 'all';

const FIELD_ID = /^[0-9a-f]{16}$/;

/** What orders of many fields have in addition to those of one area. */
export const fieldsOrderFields = defineFields({
  group: text({ description: 'A group of fields of the key, in place of an area.' }),
  fields: {
    schema: json.nullable(
      json.union([
        json.literal(ALL),
        json.list(json.string({ pattern: FIELD_ID }), { min: 1, max: MAX_IDS }),
      ]),
      { description: 'Ids of fields of the key, or "all" for all of them, in place of an area.' },
    ),
    parse: parseIds,
  },
  collection: unread(
    json.object(
      { type: json.literal('FeatureCollection'), features: json.list(json.any()) },
      { isOpen: true },
    ),
    { description: 'A GeoJSON FeatureCollection of Polygons and MultiPolygons, in place of an area.' },
  ),
  format: choice({
    names: BULK_FORMATS,
    fallback: 'parquet' as const,
    description: 'The format of a table of many fields; parquet by default.',
  }),
  layout: choice({
    names: BULK_LAYOUTS,
    fallback: 'long' as const,
    description:
      'long (default): a row for each field, scene and expression; wide: columns for each expression.',
  }),
  weights: choice({
    names: WEIGHTS,
    fallback: 'centres' as const,
    description:
      'centres (default): pixels whose centre lies in a field count; fractions: each by the share that the field covers.',
  }),
  ...joinedFields,
});

function parseIds(value: unknown, name: string): typeof ALL | readonly string[] | null {
  if (value == null) return null;
  if (value === ALL) return ALL;
  const ids = Array.isArray(value) ? value : [];
  const isValid = ids.every((id) => typeof id === 'string' && FIELD_ID.test(id));
  if (ids.length === 0 || ids.length > MAX_IDS || !isValid)
    throw refuseField(name, `must be "${ALL}", or a list of 1 to ${MAX_IDS} ids of fields.`);
  return [...new Set(ids as string[])];
}

/** What orders of many fields are checked with. */
export interface FieldsOrderDeps {
  readonly statisticsLimits: StatisticsLimits;
  /** Fields of a key. */
  readonly orderedShapes: {
    count(selection: FieldSelection): Promise<number>;
    /** Parses the text of a collection: how many shapes it has, and what is wrong with other features. */
    check(
      text: string,
      ticket: Ticket,
    ): Promise<{ readonly count: number; readonly faults: readonly CollectionFault[] }>;
  };
}

/** An order of many fields, as its task stores it. */
export interface ReadFieldsOrder {
  readonly order: BulkOrder;
  /** The text of the collection; null for stored fields. */
  readonly area: string | null;
  readonly estimatedBytes: number;
  /** Features that are left out; null for stored fields. */
  readonly faults: readonly CollectionFault[] | null;
}

/** Features of a collection that an answer names. */
const MAX_REJECTED = 1_000;

/** What the answer to an order says of features that are left out. */
export const toRejected = (faults: ReadFieldsOrder['faults'], count = faults?.length ?? 0): object =>
  faults === null
    ? {}
    : {
        rejected: faults.slice(0, MAX_REJECTED).map(({ row, message: error }) => ({ row, error })),
        rejected_count: count,
      };

/** The schema of that. */
export const rejectedSchema = {
  'rejected?': json.list(json.object({ row: json.number(), error: json.string() }), {
    description: 'Features of the collection that are left out: the first thousand.',
  }),
  'rejected_count?': json.number(),
};

/** What to do with a collection that does not fit into an order. */
export const LARGE_COLLECTION =
  'Send a larger collection as a file, up to 256 MiB: POST /api/statistics/collection?order=…';

/** Reads an order of many fields; what is wrong with it is refused at once. */
export async function readFieldsOrder(
  params: Params,
  { ticket, defaults }: { readonly ticket: Ticket; readonly defaults: StatisticsDefaults },
  deps: FieldsOrderDeps,
): Promise<ReadFieldsOrder> {
  refuseAreas(params, 1);
  const toOrder = readTable(params, defaults, deps.statisticsLimits);
  const { shapes, area, count, faults } = await readShapes(params, ticket, deps);
  return { ...toOrder(shapes, count), area, faults };
}

/** Reads the table that is ordered; its shapes come later. */
export function readTable(
  params: Params,
  defaults: StatisticsDefaults,
  limits: StatisticsLimits,
): (shapes: BulkOrder['shapes'], count: number) => Pick<ReadFieldsOrder, 'order' | 'estimatedBytes'> {
  const { histogram, ...measured } = readRefused(params, defaults, limits);
  if (histogram !== null) throw badInput('bad-histogram', 'A table of many fields has no histograms.');
  const joined = readJoined(params, measured);
  const table = {
    ...measured,
    format: fieldsOrderFields.format.read(params),
    layout: fieldsOrderFields.layout.read(params),
    weights: fieldsOrderFields.weights.read(params),
    ...(joined.length === 0 ? {} : { joined }),
  };
  return (shapes, count) => {
    const order: BulkOrder = { ...table, shapes };
    return { order, estimatedBytes: estimateTable(order, count) };
  };
}

function readRefused(params: Params, defaults: StatisticsDefaults, limits: StatisticsLimits) {
  try {
    return readMeasured(params, defaults, limits);
  } catch (error) {
    if (!(error instanceof RefusedStatistics)) throw error;
    throw new SwathError('bad-input', error.code, error.message);
  }
}

/** Only one of the ways to say where may be used; none if a file says it. */
export function refuseAreas(params: Params, most: 0 | 1): void {
  const named = ['group', 'fields', 'field', 'collection', 'geometry', 'cropper_ref'].filter(
    (name) => (params[name] ?? '') !== '',
  );
  if (named.length <= most) return;
  throw badInput(
    'several-areas',
    most === 0
      ? `The file says which fields are measured: ${named.join(' and ')} cannot be given.`
      : `Only one of ${named.join(' and ')} may be given.`,
  );
}

interface ReadShapes extends Pick<ReadFieldsOrder, 'area' | 'faults'> {
  readonly shapes: BulkOrder['shapes'];
  readonly count: number;
}

async function readShapes(
  params: Params,
  ticket: Ticket,
  { orderedShapes }: FieldsOrderDeps,
): Promise<ReadShapes> {
  const { owner } = ticket;
  const collection = fieldsOrderFields.collection.read(params);
  if (collection !== null) {
    const area = writeJson(collection);
    const { count, faults } = await orderedShapes.check(area, ticket);
    if (count === 0) throw refuseUnusable('collection', faults);
    return { shapes: { kind: 'collection' }, area, count, faults };
  }
  const group = fieldsOrderFields.group.read(params);
  const ids = fieldsOrderFields.fields.read(params);
  const selection = {
    ...(group === null || group === '' ? {} : { group }),
    ...(ids === null || ids === ALL ? {} : { ids }),
  };
  const count = await orderedShapes.count({ owner, ...selection });
  if (count === 0) throw notFound('no-such-fields', 'This key has no such fields.');
  if (ids !== null && ids !== ALL && count < ids.length)
    throw notFound(
      'no-such-fields',
      `This key has ${count} of the ${ids.length} fields that the order names.`,
    );
  return { shapes: { kind: 'fields', ...selection }, area: null, count, faults: null };
}

/** The refusal of a collection or a file that has nothing to measure. */
export const refuseUnusable = (what: string, [first]: readonly CollectionFault[]): Error =>
  badInput(
    'no-usable-feature',
    first === undefined
      ? `${what} has no features.`
      : `${what} has no feature that can be used. Feature ${first.row}: ${first.message}`,
  );

const DAY_MS = 86_400_000;

/** Days between two scenes of one place, at the least. */
const DAYS_APART = 2.5;

/** Bytes of a row of numbers, compressed or not, and of a geometry. */
const ROW_BYTES = { parquet: 60, geoparquet: 90, csv: 300, geojson: 900, arrow: 250 } as const;

/** Bytes of a joined number in such a row. */
const JOINED_BYTES = { parquet: 3, geoparquet: 3, csv: 8, geojson: 30, arrow: 9 } as const;

/** What a table, and the parts of which it is made, will take at most, roughly. */
function estimateTable(order: BulkOrder, count: number): number {
  const { from, to, expressions, limit, format, joined = [] } = order;
  const days = 1 + (Date.parse(to) - Date.parse(from)) / DAY_MS;
  // Parts hold every scene; the table only the newest ones of each field.
  const allScenes = 1 + Math.ceil(days / DAYS_APART);
  const scenes = Math.min(limit ?? Infinity, allScenes);
  const rowBytes = ROW_BYTES[format] + JOINED_BYTES[format] * joined.length;
  const parts = estimateParts(order, { shapes: count, scenes: allScenes });
  return rowBytes * count * scenes * expressions.length + parts;
}
