import type { LonLat, LonLatBounds, MultiPolygonGeometry } from '../geo/index.ts';

/** Free values of a field, as its owner gave them. */
export type FieldProperties = Readonly<Record<string, string | number | boolean | null>>;

/** The last value of an expression in a field. */
export interface LastValue {
  readonly expression: string;
  /** Null where nothing was seen. */
  readonly value: number | null;
  /** YYYY-MM-DD. */
  readonly date: string;
}

/** A field of one owner. */
export interface Field {
  /** The id of an API key. */
  readonly owner: string;
  /** Ours: 16 hexadecimal digits. */
  readonly id: string;
  /** Theirs: one owner has no two fields with the same. Imports find by it what is stored already. */
  readonly externalId: string | null;
  readonly name: string;
  readonly group: string | null;
  readonly crop: string | null;
  /** YYYY-MM-DD. */
  readonly sownOn: string | null;
  readonly properties: FieldProperties;
  /** The normal form of `areas` as JSON, a MultiPolygon: text, because the largest take long to parse. */
  readonly geometry: string;
  /** Names the outline wherever a stored area can be named: 128 random bits, and others after a change of the outline. */
  readonly areaRef: string;
  readonly hectares: number;
  /** An area on both sides of the antimeridian has its eastern edge beyond 180. */
  readonly bounds: LonLatBounds;
  /** ISO 8601 in UTC. */
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Counts changes, of the geometry and of everything else; 1 for a new field. */
  readonly version: number;
  /** One for each expression, in the order of the expressions. */
  readonly lastValues: readonly LastValue[];
}

/** A field in a list: without its geometry. */
export type ListedField = Omit<Field, 'geometry'>;

/** Which fields of an owner: those for which every given condition is true. */
export interface FieldSelection {
  readonly owner: string;
  readonly group?: string;
  readonly ids?: readonly string[];
  /** Fields whose bounds meet these. */
  readonly within?: LonLatBounds;
  /** Fields that hold this position, edges included. */
  readonly at?: LonLat;
}

/** What work on many fields needs of each. */
export interface FieldShape {
  readonly id: string;
  readonly externalId: string | null;
  readonly name: string;
  readonly sownOn: string | null;
  readonly geometry: MultiPolygonGeometry;
}

/** The numbers of one field that were measured last. */
export interface MeasuredField extends LastValue {
  readonly id: string;
}
