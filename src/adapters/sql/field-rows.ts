/** Fields as rows, and what a write makes of them: the same for both databases. */

import { hash, randomBytes } from 'node:crypto';
import type {
  Field,
  FieldChanges,
  FieldDraft,
  FieldGroup,
  FieldProperties,
  FieldPut,
  FieldUsage,
  ListedField,
  PutOptions,
  StoredShape,
} from '../../fields/index.ts';
import type { LonLatBounds } from '../../geo/index.ts';
import type { Share } from '../../library/index.ts';
import type { SqlValue } from './sql.ts';

/** What is known of a stored field before it is written again. */
export interface KnownField {
  readonly id: string;
  readonly external_id: string | null;
  readonly name: string;
  readonly grp: string | null;
  readonly crop: string | null;
  readonly sown_on: string | null;
  readonly version: number;
  readonly digest: string;
  readonly bytes: number;
  readonly properties: string;
}

/** The columns of it. */
export const KNOWN_COLUMNS =
  'id, external_id, name, grp, crop, sown_on, version, digest, bytes, properties' as const;

/** The row of a field in a list. */
export interface FieldRow extends LonLatBounds {
  readonly id: string;
  readonly external_id: string | null;
  readonly name: string;
  readonly grp: string | null;
  readonly crop: string | null;
  readonly sown_on: string | null;
  readonly ref: string;
  readonly hectares: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly version: number;
  readonly properties: string;
  /** JSON: lists of expression, value and date; null for none. */
  readonly last_values: string | null;
}

/** The columns of it, except for the last values. */
export const FIELD_COLUMNS =
  `f.id, f.external_id, f.name, f.grp, f.crop, f.sown_on, f.ref, f.hectares, f.west, f.south,
  f.east, f.north, f.created_at, f.updated_at, f.version, f.properties` as const;

/** The field of a row; its properties were checked before they were stored. */
export const toListedField = (owner: string, row: FieldRow): ListedField => ({
  owner,
  id: row.id,
  externalId: row.external_id,
  name: row.name,
  group: row.grp,
  crop: row.crop,
  sownOn: row.sown_on,
  properties: JSON.parse(row.properties) as FieldProperties,
  areaRef: row.ref,
  hectares: row.hectares,
  bounds: { west: row.west, south: row.south, east: row.east, north: row.north },
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  version: row.version,
  lastValues: toLastValues(row.last_values),
});

/** The field of a row with its geometry. */
export const toField = (owner: string, row: FieldRow & { readonly geometry: string }): Field => ({
  ...toListedField(owner, row),
  geometry: row.geometry,
});

const toLastValues = (text: string | null): Field['lastValues'] =>
  ((text === null ? [] : JSON.parse(text)) as [string, number | null, string][]).map(
    ([expression, value, date]) => ({ expression, value, date }),
  );

/** The row of a field in a page of shapes. */
export interface ShapeRow {
  readonly id: string;
  readonly external_id: string | null;
  readonly name: string;
  readonly grp: string | null;
  readonly crop: string | null;
  readonly sown_on: string | null;
  readonly hectares: number;
  readonly properties: string;
  readonly geometry: string;
  /** PostgreSQL returns bigint as a string. */
  readonly hilbert: number | string;
}

/** The shape of a row. */
export const toStoredShape = (row: ShapeRow): StoredShape => ({
  id: row.id,
  externalId: row.external_id,
  name: row.name,
  group: row.grp,
  crop: row.crop,
  sownOn: row.sown_on,
  hectares: row.hectares,
  properties: row.properties,
  geometry: row.geometry,
  hilbert: Number(row.hilbert),
});

/** The columns of it. */
export const SHAPE_COLUMNS = `f.id, f.external_id, f.name, f.grp, f.crop, f.sown_on, f.hectares, f.properties,
  f.geometry, f.hilbert` as const;

/** The terms of a share, as columns. */
export interface ShareRow {
  readonly share_id: string | null;
  readonly expires_at: string | null;
  readonly rate_per_minute: number | null;
}

/** A group as a row. */
export interface GroupRow extends ShareRow {
  readonly grp: string;
  /** PostgreSQL returns bigint as a string. */
  readonly fields: number | string;
}

/** The share of a row; null if it has none. */
export const toShare = (row: ShareRow): Share | null =>
  row.share_id === null
    ? null
    : { id: row.share_id, expiresAt: row.expires_at, ratePerMinute: row.rate_per_minute ?? 0 };

/** The group of a row. */
export const toFieldGroup = (row: GroupRow): FieldGroup => ({
  group: row.grp,
  fields: Number(row.fields),
  share: toShare(row),
});

/** The columns that a write sets, without geometry and bounds, which only a new outline sets. */
export const WRITTEN_COLUMNS = [
  ...['id', 'external_id', 'name', 'grp', 'crop', 'sown_on'],
  ...['folded', 'updated_at', 'version', 'bytes', 'properties'],
] as const;
/** The columns that a new outline sets. */
export const OUTLINE_COLUMNS = [
  ...['hectares', 'west', 'south', 'east', 'north', 'hilbert', 'digest', 'ref', 'geometry'],
] as const;

/** A row that is to be written. */
export interface WrittenField {
  readonly values: Readonly<Record<(typeof WRITTEN_COLUMNS)[number], SqlValue>>;
  /** Null if the outline stays. */
  readonly outline: Readonly<Record<(typeof OUTLINE_COLUMNS)[number], SqlValue>> | null;
  /** By how much the bytes of the owner grow. */
  readonly moreBytes: number;
}

/** Makes the row of a field from what is stored of it and what changes; null if nothing does. */
export function toWrittenField(
  known: KnownField | null,
  changes: FieldChanges & { readonly id: string },
  now: string,
): WrittenField | null {
  const { id, outline } = changes;
  const digest = outline === undefined ? null : hash('sha256', outline.geometry, 'hex').slice(0, 32);
  const isOutlined = digest !== null && digest !== known?.digest;
  const external = pick(changes.externalId, known?.external_id ?? null);
  const name = pick(changes.name, known?.name ?? external ?? id);
  const properties = changes.properties === undefined ? undefined : JSON.stringify(changes.properties);
  const next = {
    id: known?.id ?? id,
    external_id: external,
    name,
    grp: pick(changes.group, known?.grp ?? null),
    crop: pick(changes.crop, known?.crop ?? null),
    sown_on: pick(changes.sownOn, known?.sown_on ?? null),
    properties: pick(properties, known?.properties ?? '{}'),
  };
  const isSame = known !== null && Object.entries(next).every(([k, v]) => known[k as keyof KnownField] === v);
  if (isSame && !isOutlined) return null;
  const oldGeometryBytes = known === null ? 0 : known.bytes - Buffer.byteLength(known.properties);
  const geometryBytes = isOutlined ? (outline as { geometry: string }).geometry.length : oldGeometryBytes;
  const bytes = geometryBytes + Buffer.byteLength(next.properties);
  return {
    values: {
      ...next,
      folded: fold(name, external),
      updated_at: now,
      version: (known?.version ?? 0) + 1,
      bytes,
    },
    outline: isOutlined ? toOutlineValues(outline as NonNullable<typeof outline>, digest) : null,
    moreBytes: bytes - (known?.bytes ?? 0),
  };
}

const pick = <Value>(wanted: Value | undefined, stored: Value): Value =>
  wanted === undefined ? stored : wanted;

/** What a search for text looks at. */
const fold = (name: string, externalId: string | null): string =>
  `${name}\n${externalId ?? ''}`.toLowerCase();

function toOutlineValues({ geometry, hectares, bounds }: FieldDraft['outline'], digest: string) {
  const { west, south, east, north } = bounds;
  const hilbert = hilbertKey((west + east) / 2, (south + north) / 2);
  const ref = randomBytes(16).toString('hex');
  return { hectares, west, south, east, north, hilbert, digest, ref, geometry };
}

/** True if a write takes more than its owner may have; one that makes a field smaller is always stored. */
export const isOverLimit = (used: FieldUsage, { moreBytes }: WrittenField, limit: FieldUsage): boolean =>
  moreBytes > 0 && used.bytes + moreBytes > limit.bytes;

/** What is to be done for a draft. */
export interface PlannedPut {
  readonly put: FieldPut;
  /** Null if nothing is written. */
  readonly written: WrittenField | null;
  readonly isNew: boolean;
}

/** Decides what becomes of drafts one after the other, and counts what their owner then has. */
export function makePutPlanner(start: FieldUsage, { limit, ifStored, now }: PutOptions) {
  let used = start;
  return {
    plan(draft: FieldDraft, known: KnownField | null): PlannedPut {
      const nothing = (status: FieldPut['status'], id: string): PlannedPut => ({
        put: { status, id },
        written: null,
        isNew: false,
      });
      if (known !== null && ifStored === 'refuse') return nothing('exists', known.id);
      const written = toWrittenField(known, draft, now);
      if (written === null) return nothing('unchanged', known?.id ?? draft.id);
      if (known === null && used.fields + 1 > limit.fields) return nothing('full', draft.id);
      if (isOverLimit(used, written, limit)) return nothing('full', known?.id ?? draft.id);
      used = {
        fields: used.fields + (known === null ? 1 : 0),
        bytes: used.bytes + written.moreBytes,
      };
      const id = written.values.id as string;
      return { put: { status: known === null ? 'created' : 'updated', id }, written, isNew: known === null };
    },
    used: (): FieldUsage => used,
  };
}

/** Cells along each side of the world: 2 metres wide at the equator, and 48 bits for both together. */
const LEVELS = 24;
const SIDE = 2 ** LEVELS;

/**
 * The place of a position on a Hilbert curve over the world, from 0 to 2^48: positions that follow each other on the
 * curve lie close together, so that work in this order touches the same blocks of a scene one after the other.
 */
export function hilbertKey(lon: number, lat: number): number {
  let x = toCell((lon + 180) / 360 - Math.floor((lon + 180) / 360));
  let y = toCell((lat + 90) / 180);
  let key = 0;
  for (let half = SIDE / 2; half >= 1; half /= 2) {
    const isEast = x >= half;
    const isNorth = y >= half;
    // The quarters of a square in the order of the curve; two of them are drawn turned.
    key = 4 * key + (isEast ? (isNorth ? 2 : 3) : isNorth ? 1 : 0);
    if (isEast) x -= half;
    if (isNorth) y -= half;
    if (isNorth) continue;
    const [oldX, oldY] = [x, y];
    x = isEast ? half - 1 - oldY : oldY;
    y = isEast ? half - 1 - oldX : oldX;
  }
  return key;
}

const toCell = (part: number): number => Math.max(0, Math.min(SIDE - 1, Math.floor(part * SIDE)));
