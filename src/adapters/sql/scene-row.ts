import { makePause } from '../../async/index.ts';
import type { NewScene, Scene, SceneHit } from '../../catalog/index.ts';
import { makeKeyOrders, toCanonicalEntries, toSearchFields, toVersion } from '../../catalog/index.ts';
import { toWkb } from './well-known-binary.ts';

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
