import { makePause } from '../../async/index.ts';
import type { NewScene, Scene, SceneHit } from '../../catalog/index.ts';
import { makeKeyOrders, toCanonicalEntries, toSearchFields, toVersion } from '../../catalog/index.ts';
import type { AreaGeometry, LonLat, Ring } from '../../geo/index.ts';

/** A scene as it is stored: searchable fields in columns, the record in two pieces of JSON. */
export interface SceneRow {
  readonly viewId: string;
  readonly sceneId: string;
  readonly productId: string | null;
  readonly dataset: string;
  readonly date: string;
  readonly cloud: number | null;
  readonly version: string;
  /** All fields for filters and sorting. */
  readonly fields: string;
  /** Well-known binary in hexadecimal digits. */
  readonly footprint: string;
  /** The fields of a hit. */
  readonly hit: string;
  /** The rest of the record, opaque to the store: files, calibration and so on. */
  readonly rest: string;
}

/** The fields of a hit, to which the version is added. */
const HIT_NAMES: ReadonlySet<string> = new Set([
  'viewId',
  'sceneId',
  'productId',
  'dataset',
  'acquiredAt',
  'footprint',
  'frame',
  'cloudPercent',
  'sunElevationDeg',
  'sunAzimuthDeg',
  'coveragePercent',
  'fields',
  'provenance',
  'indexedAt',
] satisfies (keyof SceneHit)[]);

/** Gives a record its version and splits it; its JSON is built once for both. */
export function toSceneRow(scene: NewScene, orders = makeKeyOrders()): SceneRow {
  const entries = toCanonicalEntries(scene, orders);
  const version = toVersion(entries);
  const fields = toSearchFields(scene);
  const [hit, rest]: [string[], string[]] = [[], []];
  for (const [name, text] of entries) (HIT_NAMES.has(name) ? hit : rest).push(text);
  return {
    viewId: scene.viewId,
    sceneId: scene.sceneId,
    productId: scene.productId ?? (typeof fields.productID === 'string' ? fields.productID : null),
    dataset: scene.dataset,
    date: String(fields.date),
    cloud: typeof fields.cloudCoverage === 'number' ? fields.cloudCoverage : null,
    version,
    fields: JSON.stringify(fields),
    footprint: toWkb(scene.footprint),
    hit: `{${hit.join(',')},"version":"${version}"}`,
    rest: `{${rest.join(',')}}`,
  };
}

/** Gives records their versions and splits them, without blocking the thread for long; `toRow` shapes the result. */
export async function toSceneRows<Row = SceneRow>(
  scenes: readonly NewScene[],
  toRow: (row: SceneRow) => Row = (row) => row as Row,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  const orders = makeKeyOrders();
  const pause = makePause();
  for (const scene of scenes) {
    await pause();
    rows.push(toRow(toSceneRow(scene, orders)));
  }
  return rows;
}

/** A record as it is stored; `rest` is left out for hits. */
export interface StoredRecord {
  readonly hit: string;
  readonly rest?: string;
}

/** Joins the two pieces of a record. */
export const parseRecord = ({ hit, rest = '{}' }: StoredRecord): Scene =>
  ({ ...(JSON.parse(hit) as object), ...(JSON.parse(withSidecars(rest)) as object) }) as Scene;

/** Older records call an asset's sidecars `beside`. Quotes inside JSON strings are escaped, so only keys match. */
const withSidecars = (rest: string): string => rest.replaceAll('"beside":[', '"sidecars":[');

/** Parses the hit of a record. */
export const parseHit = ({ hit }: StoredRecord): SceneHit => JSON.parse(hit) as SceneHit;

/** Codes of OGC's well-known binary, and PostGIS's flag for a reference system number. */
const POLYGON = 3;
const MULTI_POLYGON = 6;
const HAS_SRID = 0x20000000;
const WGS84 = 4326;
/** First byte of each geometry: numbers are little-endian. */
const LITTLE_ENDIAN = 1;

/** A geometry in hexadecimal digits: PostGIS reads it in a third of the time for GeoJSON. */
export function toWkb(area: AreaGeometry): string {
  const parts = area.type === 'Polygon' ? [area.coordinates] : area.coordinates;
  const isMany = area.type === 'MultiPolygon';
  const bytes = Buffer.alloc((isMany ? 13 : 4) + sum(parts.map((rings) => sizeOf(rings))));
  let at = 0;
  const writeHead = (type: number, srid: boolean): void => {
    at = bytes.writeUInt8(LITTLE_ENDIAN, at);
    at = bytes.writeUInt32LE(srid ? (type | HAS_SRID) >>> 0 : type, at);
    if (srid) at = bytes.writeUInt32LE(WGS84, at);
  };
  if (isMany) {
    writeHead(MULTI_POLYGON, true);
    at = bytes.writeUInt32LE(parts.length, at);
  }
  for (const rings of parts) {
    writeHead(POLYGON, !isMany);
    at = bytes.writeUInt32LE(rings.length, at);
    for (const ring of rings) {
      at = bytes.writeUInt32LE(ring.length, at);
      for (const [lon, lat] of ring) at = bytes.writeDoubleLE(lat, bytes.writeDoubleLE(lon, at));
    }
  }
  return bytes.toString('hex');
}

/** Head and ring count, then for each ring its count and two doubles per position. */
const sizeOf = (rings: readonly Ring[]): number => 9 + sum(rings.map((ring) => 4 + 16 * ring.length));

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

/** Parses the bytes of `toWkb`, which come from our own database; throws for truncated bytes. */
export function fromWkb(bytes: Uint8Array): AreaGeometry {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const readCount = (): number => {
    at += 4;
    return view.getUint32(at - 4, true);
  };
  const readHead = (): number => {
    at += 1;
    const type = readCount();
    if ((type & HAS_SRID) !== 0) at += 4;
    return type & ~HAS_SRID;
  };
  const readRing = (): Ring => {
    const ring: LonLat[] = [];
    for (let left = readCount(); left > 0; left -= 1) {
      ring.push([view.getFloat64(at, true), view.getFloat64(at + 8, true)]);
      at += 16;
    }
    return ring;
  };
  const readRings = (): Ring[] => {
    const rings: Ring[] = [];
    for (let left = readCount(); left > 0; left -= 1) rings.push(readRing());
    return rings;
  };
  if (readHead() === POLYGON) return { type: 'Polygon', coordinates: readRings() };
  const parts: Ring[][] = [];
  for (let left = readCount(); left > 0; left -= 1) {
    readHead();
    parts.push(readRings());
  }
  return { type: 'MultiPolygon', coordinates: parts };
}
