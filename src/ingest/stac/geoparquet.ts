/**
 * STAC items as rows of GeoParquet, by the specification of stac-geoparquet: properties are columns, assets a structure, the
 * box another, times are timestamps. Our own objects are texts of JSON: as structures they would be hundreds of columns.
 */
import { isObject } from '../../json.ts';
import type { Document } from '../../vector/index.ts';
import { makeDocumentShape, readDocuments, streamDocuments, toGeoDocument } from '../../vector/index.ts';
import { toTime } from './item.ts';

type Json = Readonly<Record<string, unknown>>;

/** Fields of an item that are not properties (stac-geoparquet 1.0.0). */
const TOP = new Set([
  ...['type', 'stac_version', 'stac_extensions', 'id', 'collection', 'geometry', 'bbox', 'links', 'assets'],
]);
/** Properties that the specification stores as timestamps. */
const TIMES: ReadonlySet<string> = new Set([
  ...['datetime', 'start_datetime', 'end_datetime', 'created', 'updated', 'expires'],
  ...['published', 'unpublished'],
]);
const OWN = 'swath:';

/** An item as a row. */
function toRow(item: Json): Document {
  const { properties, bbox, assets, ...others } = item as Json & { properties: Json; assets: Json };
  const [xmin, ymin, xmax, ymax] = bbox as readonly number[];
  const lifted = Object.entries(properties).map(([name, value]) => [name, toCell(name, value)]);
  const files = Object.entries(assets).map(([name, asset]) => [name, withOwnText(asset as Json)]);
  return {
    ...others,
    bbox: { xmin, ymin, xmax, ymax },
    assets: Object.fromEntries(files),
    ...Object.fromEntries(lifted),
  };
}

function toCell(name: string, value: unknown): unknown {
  if (TIMES.has(name)) return typeof value === 'string' ? new Date(value) : null;
  return name.startsWith(OWN) && isObject(value) ? JSON.stringify(value) : value;
}

const withOwnText = (asset: Json): Json =>
  Object.fromEntries(Object.entries(asset).map(([name, value]) => [name, toCell(name, value)]));

/** What every item has: a file without items has these columns too, and their order is always the same. */
const CORE: Json = {
  type: 'Feature',
  stac_version: '1.1.0',
  stac_extensions: [''],
  id: '',
  collection: '',
  geometry: { type: 'Point', coordinates: [0, 0] },
  bbox: [0.5, 0.5, 0.5, 0.5],
  links: [{ rel: '', href: '', type: '' }],
  assets: {},
  properties: { datetime: '1970-01-01T00:00:00Z' },
};

/**
 * Writes items. The columns of a table are known before its rows, so they are listed twice. `collections` is called after the
 * last one, and gives the collection of each name.
 */
export async function* streamItems(
  list: () => AsyncIterable<Json>,
  collections: () => Readonly<Record<string, unknown>>,
): AsyncGenerator<Uint8Array> {
  const shape = makeDocumentShape();
  shape.note(toGeoDocument(toRow(CORE)));
  for await (const item of list()) shape.note(toGeoDocument(toRow(item)));
  async function* toRows(): AsyncGenerator<Document> {
    for await (const item of list()) yield toRow(item);
  }
  yield* streamDocuments(toRows(), shape, {
    // Nobody looks for a range of addresses, and the footer lists the range of each column.
    indexed: (column) => column !== 'assets' && column !== 'links' && column !== 'geometry',
    metadata: () => ({
      'stac-geoparquet': JSON.stringify({ version: '1.0.0', collections: collections() }),
    }),
  });
}

/** Reads items of a file that we, stac-geoparquet or rustac wrote; `fault` says why one cannot be used. */
export async function* readItems(
  path: string,
  signal?: AbortSignal,
): AsyncGenerator<{ readonly item: Json; readonly fault: string | null }> {
  for await (const { document, fault } of readDocuments(path, { signal })) {
    yield { item: fromRow(document), fault };
  }
}

function fromRow(row: Json): Json {
  const entries = Object.entries(row);
  const assets = isObject(row.assets) ? row.assets : {};
  return {
    type: 'Feature',
    ...Object.fromEntries(entries.filter(([name]) => TOP.has(name))),
    bbox: fromBox(row.bbox),
    properties: fromCells(entries.filter(([name]) => !TOP.has(name))),
    assets: Object.fromEntries(
      Object.entries(assets).flatMap(([name, asset]) =>
        isObject(asset) ? [[name, fromCells(Object.entries(asset))]] : [],
      ),
    ),
  };
}

/** Bytes are geometries of the projection extension, which is not read. */
const fromCells = (entries: readonly (readonly [string, unknown])[]): Json =>
  Object.fromEntries(
    entries.flatMap(([name, value]) => (value instanceof Uint8Array ? [] : [[name, fromCell(name, value)]])),
  );

function fromCell(name: string, value: unknown): unknown {
  if (TIMES.has(name)) return toTime(value);
  if (!name.startsWith(OWN) || typeof value !== 'string' || !value.startsWith('{')) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

const SIDES = ['xmin', 'ymin', 'xmax', 'ymax'] as const;

/** A box of three dimensions has `zmin` and `zmax` too, which no one here needs. */
const fromBox = (box: unknown): unknown => (isObject(box) ? SIDES.map((side) => box[side] ?? null) : box);
