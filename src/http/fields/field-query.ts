/** Which fields a list shows, in which order, and where its pages begin. */

import type { FieldOrder, FieldQuery, FieldSelection, ListedField } from '../../fields/index.ts';
import { fieldLimits } from '../../fields/index.ts';
import { bboxParameter } from '../areas.ts';
import { badInput } from '../errors.ts';
import { json } from '../kit/json-schema.ts';
import type { Query } from '../kit/parameters.ts';
import { choice, custom, decimal, defineParameters, text, whole } from '../kit/parameters.ts';
import { FIELD_ID } from './field-wire.ts';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;

/** Which fields are meant. */
export const selectionParameters = defineParameters({
  group: text({ description: 'Only fields of this group.', fallback: null }),
  bbox: {
    ...bboxParameter,
    description:
      'Only fields whose own box meets "west,south,east,north", in degrees; west beyond east crosses the antimeridian.',
  },
  lon: decimal({
    description: 'With lat: only fields that hold this position.',
    min: -180,
    max: 180,
    fallback: null,
  }),
  lat: decimal({
    description: 'With lon: only fields that hold this position.',
    min: -90,
    max: 90,
    fallback: null,
  }),
});

const ORDERS = {
  name: 'name',
  updated: 'updatedAt',
  hectares: 'hectares',
} as const satisfies Readonly<Record<string, FieldOrder['by']>>;

/** The parameters of a list. */
export const listParameters = {
  ...selectionParameters,
  ...defineParameters({
    crop: text({ description: 'Only fields with this crop.', fallback: null }),
    text: text({
      description: 'Only fields with this text in their name or external id, in any case.',
      fallback: null,
    }),
    sort: choice({
      description: 'What the list is sorted by, with a minus for the largest first; name by default.',
      names: ['name', '-name', 'updated', '-updated', 'hectares', '-hectares'],
      fallback: 'name',
    }),
    limit: whole({
      description: `Fields of a page, 1 to ${MAX_LIMIT}; ${DEFAULT_LIMIT} by default.`,
      example: '100',
      min: 1,
      max: MAX_LIMIT,
      fallback: DEFAULT_LIMIT,
    }),
    after: custom({
      description: 'The `next` of the page before, with all else the same.',
      schema: json.string(),
      fallback: null,
      rule: 'must be the next of a page.',
      read: readCursor,
    }),
  }),
};

/** Reads which fields are meant; nothing is given for what is left out. */
export function readSelection(query: Query, owner: string): FieldSelection {
  const [lon, lat] = [selectionParameters.lon.read(query), selectionParameters.lat.read(query)];
  if ((lon === null) !== (lat === null)) throw badInput('bad-point', 'lon and lat belong together.');
  const group = selectionParameters.group.read(query);
  const within = selectionParameters.bbox.read(query)?.bounds;
  return {
    owner,
    ...(group === null ? {} : { group }),
    ...(within === undefined ? {} : { within }),
    ...(lon === null || lat === null ? {} : { at: [lon, lat] }),
  };
}

/** Reads the question of a list. */
export function readListQuery(query: Query, owner: string): FieldQuery {
  const sort = listParameters.sort.read(query);
  const descending = sort.startsWith('-');
  const by = ORDERS[(descending ? sort.slice(1) : sort) as keyof typeof ORDERS];
  const after = listParameters.after.read(query);
  // The cursor of another order says nothing about this one.
  if (after !== null && (typeof after.value === 'number') !== (by === 'hectares')) {
    throw badInput('bad-after', 'after belongs to a list in another order.');
  }
  const crop = listParameters.crop.read(query);
  const wanted = listParameters.text.read(query);
  return {
    ...readSelection(query, owner),
    ...(crop === null ? {} : { crop }),
    ...(wanted === null || wanted === '' ? {} : { text: wanted.toLowerCase() }),
    order: { by, descending },
    after,
    limit: listParameters.limit.read(query),
  };
}

/** The longest name, and an id. */
const MAX_CURSOR = 8 * fieldLimits.textChars;

/** Reads where a page begins; null for what no page has said. */
function readCursor(written: string): FieldQuery['after'] {
  if (written.length > MAX_CURSOR) return null;
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(written, 'base64url').toString());
  } catch {
    return null;
  }
  if (!Array.isArray(parsed) || parsed.length !== 2) return null;
  const [value, id] = parsed as unknown[];
  const isValue = typeof value === 'string' ? !value.includes('\0') : Number.isFinite(value);
  return isValue && typeof id === 'string' && FIELD_ID.test(id)
    ? { value: value as string | number, id }
    : null;
}

/** Where the page behind a field begins. */
export const toCursor = (field: ListedField, { by }: FieldOrder): string =>
  Buffer.from(JSON.stringify([field[by], field.id])).toString('base64url');
