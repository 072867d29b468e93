import { randomBytes } from 'node:crypto';
import type { CheckedArea } from '../areas/index.ts';
import type { MultiPolygonGeometry } from '../geo/index.ts';
import { outlineBounds } from '../geo/index.ts';
import type { AreaStore, Share, ShareTerms } from '../library/index.ts';
import { toMib } from '../units.ts';
import { conflict } from './errors.ts';
import type { Field, FieldSelection, FieldShape } from './field.ts';
import type {
  FieldChanges,
  FieldDraft,
  FieldPut,
  FieldStore,
  FieldUsage,
  Outline,
  ShapePosition,
  SharedGroup,
} from './field-store.ts';

/** A field that is to be created. */
export interface NewField extends FieldChanges {
  readonly outline: Outline;
}

/** Stores fields and finds them. Only its owner finds a field. */
export interface Fields
  extends Pick<FieldStore, 'list' | 'count' | 'listGroups' | 'removeGroup' | 'putLastValues'> {
  /**
   * Stores a new field. Throws `field-exists` when the owner has one of this external id, and `too-many-fields` or
   * `field-storage-full` when it has reached its limit.
   */
  create(owner: string, field: NewField): Promise<Field>;
  /** Puts the drafts of an import, which are of different fields; drafts beyond the limit are `full`. */
  putMany(owner: string, drafts: readonly FieldDraft[]): Promise<readonly FieldPut[]>;
  /** Null for an invalid id, an unknown one and one of another owner. */
  find(owner: string, id: string): Promise<Field | null>;
  /** The reference of a field's outline; null as for `find`. */
  findRef(owner: string, id: string): Promise<string | null>;
  /**
   * Changes a field; null as for `find`. Throws `field-version` if a version is given and the field has another one, and
   * as `create` does.
   */
  change(owner: string, id: string, changes: FieldChanges, version: number | null): Promise<Field | null>;
  /** False as for `find`. */
  remove(owner: string, id: string): Promise<boolean>;
  /**
   * Fields in the order of a space-filling curve, page by page, for work on many of them. A page is small enough to be
   * parsed at once. Changes in the meantime may or may not be seen.
   */
  listShapes(selection: FieldSelection): AsyncIterable<readonly FieldShape[]>;
  /** Shares a group under terms, or ends its share with null. */
  share(owner: string, group: string, terms: ShareTerms | null): Promise<Share | null>;
  /** The group of a share, expired or not; null when there is none, or no more. */
  findShared(shareId: string): Promise<SharedGroup | null>;
  /** How much an owner may store. */
  findLimit(owner: string): Promise<FieldUsage>;
}

interface FieldsDeps {
  readonly store: FieldStore;
  /** The max number of fields of one owner, or how to find it. */
  readonly maxPerOwner: number | ((owner: string) => Promise<number>);
  readonly now: () => Date;
}

/**
 * Room for each field, on average: an outline of a hundred positions. Few fields may take more together, so that a small
 * limit does not refuse a large field.
 */
const FIELD_BYTES = 4_096;
const MIN_BYTES = 64 * 2 ** 20;

/** A page of shapes: parsing a quarter of a mebibyte of JSON takes some milliseconds. */
const SHAPES = { limit: 500, bytes: 2 ** 18 } as const;

/** Builds the service over a store. */
export function makeFields({ store, maxPerOwner, now }: FieldsDeps): Fields {
  async function findLimit(owner: string): Promise<FieldUsage> {
    const fields = typeof maxPerOwner === 'number' ? maxPerOwner : await maxPerOwner(owner);
    return { fields, bytes: Math.max(MIN_BYTES, fields * FIELD_BYTES) };
  }
  const putMany: Fields['putMany'] = async (owner, drafts) => {
    const limit = await findLimit(owner);
    return store.put(owner, drafts, { limit, ifStored: 'update', now: now().toISOString() });
  };

  async function refuseFull(owner: string, limit: FieldUsage): Promise<Error> {
    const used = (await store.usage()).get(owner) ?? { fields: 0, bytes: 0 };
    if (used.fields + 1 > limit.fields) {
      return conflict(
        'too-many-fields',
        `This key has ${used.fields} stored fields, and may have ${limit.fields}. DELETE fields that are no longer needed to make room.`,
      );
    }
    return conflict(
      'field-storage-full',
      `The fields of this key take ${toMib(used.bytes)} MiB, and may take ${toMib(limit.bytes)} MiB. DELETE fields that are no longer needed to make room.`,
    );
  }

  return {
    findLimit,
    list: store.list,
    count: store.count,
    listGroups: store.listGroups,
    removeGroup: store.removeGroup,
    putLastValues: store.putLastValues,
    putMany,
    async create(owner, field) {
      const draft: FieldDraft = { ...field, id: toFieldId(), externalId: field.externalId ?? null };
      const limit = await findLimit(owner);
      const options = { limit, ifStored: 'refuse', now: now().toISOString() } as const;
      const [put] = await store.put(owner, [draft], options);
      if (put?.status === 'full') throw await refuseFull(owner, limit);
      if (put?.status === 'exists') throw refuseTaken(draft.externalId);
      return (await store.find(owner, draft.id)) as Field;
    },
    find: async (owner, id) => (isFieldId(id) ? store.find(owner, id) : null),
    findRef: async (owner, id) => (isFieldId(id) ? store.findRef(owner, id) : null),
    async change(owner, id, changes, version) {
      if (!isFieldId(id)) return null;
      const limit = await findLimit(owner);
      const change = await store.change(owner, id, changes, { version, limit, now: now().toISOString() });
      switch (change.kind) {
        case 'changed':
          return change.field;
        case 'absent':
          return null;
        case 'stale':
          throw conflict(
            'field-version',
            `The field has version ${change.version}, not ${version}: someone changed it. Read it again, and repeat the change.`,
          );
        case 'taken':
          throw refuseTaken(changes.externalId ?? null);
        case 'full':
          throw await refuseFull(owner, limit);
      }
    },
    remove: async (owner, id) => isFieldId(id) && store.remove(owner, id),
    async *listShapes(selection) {
      let after: ShapePosition | null = null;
      for (;;) {
        const page: Awaited<ReturnType<FieldStore['listShapes']>> = await store.listShapes(selection, {
          ...SHAPES,
          after,
        });
        const last = page.at(-1);
        if (last === undefined) return;
        after = { hilbert: last.hilbert, id: last.id };
        yield page.map(({ id, externalId, name, sownOn, geometry }) => ({
          id,
          externalId,
          name,
          sownOn,
          geometry: JSON.parse(geometry) as MultiPolygonGeometry,
        }));
      }
    },
    share: (owner, group, terms) =>
      store.putShare(owner, group, terms === null ? null : { ...terms, id: randomBytes(16).toString('hex') }),
    findShared: async (shareId) => (/^[0-9a-f]{32}$/.test(shareId) ? store.findShared(shareId) : null),
  };
}

/** The outline of a field from an area that was checked. */
export const toFieldOutline = ({ geometry, km2, outline }: CheckedArea): Outline => ({
  geometry,
  hectares: 100 * km2,
  bounds: outlineBounds(outline),
});

/**
 * A store of areas in which the outlines of fields are found too, by their references: whatever takes a stored area takes
 * a field.
 */
export const withFieldOutlines = (areas: AreaStore, fields: Pick<FieldStore, 'findByRef'>): AreaStore => ({
  ...areas,
  async find(ref) {
    const area = await areas.find(ref);
    if (area !== null) return area;
    const field = await fields.findByRef(ref);
    if (field === null) return null;
    const { id, geometry } = field;
    const feature = `{"type":"Feature","properties":{"field":"${id}"},"geometry":${geometry}}`;
    return { feature, geometry };
  },
});

const toFieldId = (): string => randomBytes(8).toString('hex');

/** Whether a text is an id, as this room gives them out. */
const isFieldId = (id: string): boolean => /^[0-9a-f]{16}$/.test(id);

const refuseTaken = (externalId: string | null): Error =>
  conflict(
    'field-exists',
    `This key already has a field with the external id "${externalId}". PATCH that one, or import the field: an import updates what is stored.`,
  );
