import type { LonLatBounds } from '../geo/index.ts';
import type { Share } from '../library/index.ts';
import type { Field, FieldProperties, FieldSelection, ListedField, MeasuredField } from './field.ts';

/** The outline of a field, checked, with what the stores index. */
export interface Outline {
  /** The normal form of `areas` as JSON. */
  readonly geometry: string;
  readonly hectares: number;
  readonly bounds: LonLatBounds;
}

/** A field as work on its outline needs it. */
export type OutlinedField = Pick<Field, 'id' | 'geometry'>;

/** What can be written about a field; what is left out stays as it is. */
export interface FieldChanges {
  readonly externalId?: string | null;
  readonly name?: string;
  readonly group?: string | null;
  readonly crop?: string | null;
  readonly sownOn?: string | null;
  readonly properties?: FieldProperties;
  readonly outline?: Outline;
}

/**
 * A field on its way into the store. It is the stored field of the same `externalId`, or without one of the same `id`;
 * else it is new. A new field without a name is called by its external id, or else by its id.
 */
export interface FieldDraft extends FieldChanges {
  /** The id of a new field. */
  readonly id: string;
  readonly externalId: string | null;
  readonly outline: Outline;
}

/** What one owner has stored. */
export interface FieldUsage {
  readonly fields: number;
  /** The size of geometries and properties as JSON. */
  readonly bytes: number;
}

/** What became of one draft; `exists` and `full` stored nothing. */
export interface FieldPut {
  readonly status: 'created' | 'updated' | 'unchanged' | 'exists' | 'full';
  /** Of the stored field; of the draft if nothing was stored. */
  readonly id: string;
}

/** How drafts are put. */
export interface PutOptions {
  readonly limit: FieldUsage;
  /** What happens to a draft whose field is stored already. */
  readonly ifStored: 'update' | 'refuse';
  /** ISO 8601 in UTC. */
  readonly now: string;
}

/** The result of a change: the field, or why it stays as it is. */
export type FieldChange =
  | { readonly kind: 'changed'; readonly field: Field }
  | { readonly kind: 'absent' }
  /** The field has another version than the caller has seen. */
  | { readonly kind: 'stale'; readonly version: number }
  /** Another field of the owner has this external id. */
  | { readonly kind: 'taken' }
  | { readonly kind: 'full'; readonly used: FieldUsage };

/** By what a list is sorted; fields that are equal in it follow in the order of ids. */
export interface FieldOrder {
  readonly by: 'name' | 'updatedAt' | 'hectares';
  readonly descending: boolean;
}

/** Where a page begins: behind this field. */
export interface FieldPosition {
  /** Of what the list is sorted by. */
  readonly value: string | number;
  readonly id: string;
}

/** One page of a list. */
export interface FieldQuery extends FieldSelection {
  readonly crop?: string;
  /** Lower case; fields with this text in their name or external id. */
  readonly text?: string;
  readonly order: FieldOrder;
  readonly after: FieldPosition | null;
  readonly limit: number;
}

/** Where a page of shapes begins: behind this field on the curve. */
export interface ShapePosition {
  readonly hilbert: number;
  readonly id: string;
}

/** A field as a page of shapes has it. */
export interface StoredShape
  extends ShapePosition,
    Pick<Field, 'externalId' | 'name' | 'group' | 'crop' | 'sownOn' | 'hectares'> {
  /** JSON. */
  readonly properties: string;
  /** JSON. */
  readonly geometry: string;
}

/** How much a page of shapes holds: it ends with the field that reaches one of these. */
export interface ShapePage {
  readonly after: ShapePosition | null;
  readonly limit: number;
  /** Of geometries. */
  readonly bytes: number;
}

/** A group and the number of fields in it. */
export interface FieldGroup {
  readonly group: string;
  readonly fields: number;
  /** Null for a group that only its owner can read. */
  readonly share: Share | null;
}

/** Where fields are stored, each for one owner. Texts compare by code point. Nothing is found of another owner. */
export interface FieldStore {
  /**
   * Puts drafts of different fields, all in one transaction, and resolves when they have reached the disk. Usage is
   * counted in it, so that many writers at once cannot exceed the limit together: drafts beyond it are `full`.
   */
  put(owner: string, drafts: readonly FieldDraft[], options: PutOptions): Promise<readonly FieldPut[]>;
  /** Changes a field, if it still has this version (null: any); resolves when the change has reached the disk. */
  change(
    owner: string,
    id: string,
    changes: FieldChanges,
    options: { readonly version: number | null; readonly limit: FieldUsage; readonly now: string },
  ): Promise<FieldChange>;
  find(owner: string, id: string): Promise<Field | null>;
  /** The reference of a field's outline. */
  findRef(owner: string, id: string): Promise<string | null>;
  /** The field that has this outline, of any owner; null for an unknown reference. */
  findByRef(areaRef: string): Promise<OutlinedField | null>;
  list(query: FieldQuery): Promise<readonly ListedField[]>;
  count(selection: FieldSelection): Promise<number>;
  /** Fields in the order of a Hilbert curve over the middles of their bounds, then of ids. */
  listShapes(selection: FieldSelection, page: ShapePage): Promise<readonly StoredShape[]>;
  /** In the order of their names; from the beginning if `after` is null. Fields without a group are in none. */
  listGroups(
    owner: string,
    page: { readonly after: string | null; readonly limit: number },
  ): Promise<readonly FieldGroup[]>;
  /** False when the owner has no such field. */
  remove(owner: string, id: string): Promise<boolean>;
  /** Removes the fields of a group; resolves to their number. */
  removeGroup(owner: string, group: string): Promise<number>;
  /** Removes all fields of an owner, and what it shares; resolves to the number of fields. */
  removeAll(owner: string): Promise<number>;
  /** Usage by owner. */
  usage(): Promise<ReadonlyMap<string, FieldUsage>>;
  /** Keeps the value of the latest date for each field and expression; fields that are gone are left out. */
  putLastValues(owner: string, rows: readonly MeasuredField[]): Promise<void>;
  /**
   * Shares a group, or ends its share with null. A share that exists keeps its id, and gets new terms. Resolves to the
   * share as it is stored.
   */
  putShare(owner: string, group: string, share: Share | null): Promise<Share | null>;
  findShared(shareId: string): Promise<SharedGroup | null>;
}

/** A group that can be read without a key. */
export interface SharedGroup {
  readonly owner: string;
  readonly group: string;
  readonly share: Share;
}
