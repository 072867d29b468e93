/** The type of a dataset's field, which decides how text in a filter is read and compared. */
export type FieldType = 'string' | 'number' | 'boolean' | 'date';

/** A field of a search hit, by its name on the wire. */
export interface HitField<
  Name extends string = string,
  Type extends FieldType | 'geometry' = FieldType | 'geometry',
> {
  readonly name: Name;
  readonly type: Type;
  /**
   * The filters it supports: `ordered` range, one of and exact; `value` one of and exact; `none` for fields built for
   * each answer and for geometries, which `shape` filters.
   */
  readonly filter: 'ordered' | 'value' | 'none';
  /** The values are words, which are compared without case. */
  readonly isWord?: true;
}

/** A field that can be compared: a number, text or day. */
const ordered =
  <Type extends 'number' | 'string' | 'date'>(type: Type) =>
  <Name extends string>(...names: readonly Name[]): readonly HitField<Name, Type>[] =>
    names.map((name) => ({ name, type, filter: 'ordered' }));

/** Fields that hold numbers. */
export const numbers = ordered('number');
/** Fields that hold text. */
export const texts = ordered('string');
/** Fields that hold a word out of a few, such as `ASCENDING`; clients write them in any case. */
export const words = <Name extends string>(...names: readonly Name[]): readonly HitField<Name, 'string'>[] =>
  texts(...names).map((field) => ({ ...field, isWord: true }));
/** Fields that are true or false. */
export const flags = <Name extends string>(...names: readonly Name[]): readonly HitField<Name, 'boolean'>[] =>
  names.map((name) => ({ name, type: 'boolean', filter: 'value' }));
/** Fields that hold a GeoJSON geometry. */
export const geometries = <Name extends string>(
  ...names: readonly Name[]
): readonly HitField<Name, 'geometry'>[] => names.map((name) => ({ name, type: 'geometry', filter: 'none' }));

/** The first fields of every hit; `view_id` and `tms` are built for each answer and cannot be filtered. */
export const commonFields = [
  ...texts('sceneID'),
  { name: 'view_id', type: 'string', filter: 'none' },
  { name: 'tms', type: 'string', filter: 'none' },
  ...ordered('date')('date'),
] as const;

type CommonName = (typeof commonFields)[number]['name'];

interface ValueTypes {
  readonly string: string;
  readonly date: string;
  readonly number: number;
  readonly boolean: boolean;
}

/**
 * The values of a hit's own fields, by name: an unknown name or a value of another type does not compile. Common fields
 * and geometries come from the record itself.
 */
export type HitValues<Hit extends readonly HitField[]> = {
  readonly [Field in Exclude<
    Hit[number],
    HitField<string, 'geometry'> | { readonly name: CommonName }
  > as Field['name']]?: ValueTypes[Exclude<Field['type'], 'geometry'>] | null | undefined;
};

/** The fields that can be filtered, with their types, by name. */
export const toFilterTypes = (fields: readonly HitField[]): Readonly<Record<string, FieldType>> =>
  Object.fromEntries(
    fields.flatMap(({ name, type, filter }) =>
      filter === 'none' || type === 'geometry' ? [] : [[name, type]],
    ),
  );

/** The fields whose values are words, by name. */
export const toWordFields = (fields: readonly HitField[]): ReadonlySet<string> =>
  new Set(fields.flatMap(({ name, isWord }) => (isWord === true ? [name] : [])));
