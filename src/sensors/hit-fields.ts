/** The type of a dataset's field, which decides how text in a filter is read and compared. */
export type FieldType = 'string' | 'number' | 'boolean' | 'date';

/** A field of a search hit, by its name on the wire. */
export interface HitField {
  readonly name: string;
  readonly type: FieldType | 'geometry';
  /**
   * Which forms of filter it takes: `ordered` range, one of and exact; `value` one of and exact; `none`
   * for what is built for each answer or is a geometry: `shape` filters those.
   */
  readonly filter: 'ordered' | 'value' | 'none';
}

/** A number, text or day that can be compared. */
const ordered =
  (type: 'number' | 'string' | 'date') =>
  (...names: readonly string[]): readonly HitField[] =>
    names.map((name) => ({ name, type, filter: 'ordered' }));

/** Fields that hold numbers. */
export const numbers = ordered('number');
/** Fields that hold text. */
export const texts = ordered('string');
/** Fields that are true or false. */
export const flags = (...names: readonly string[]): readonly HitField[] =>
  names.map((name) => ({ name, type: 'boolean', filter: 'value' }));
/** Fields that hold a GeoJSON geometry. */
export const geometries = (...names: readonly string[]): readonly HitField[] =>
  names.map((name) => ({ name, type: 'geometry', filter: 'none' }));

/** What every hit begins with; `view_id` and `tms` are built for each answer and cannot be filtered. */
export const commonFields: readonly HitField[] = [
  ...texts('sceneID'),
  { name: 'view_id', type: 'string', filter: 'none' },
  { name: 'tms', type: 'string', filter: 'none' },
  ...ordered('date')('date'),
];

/** The fields that can be filtered, with their types, by name. */
export const toFilterTypes = (fields: readonly HitField[]): Readonly<Record<string, FieldType>> =>
  Object.fromEntries(
    fields.flatMap(({ name, type, filter }) =>
      filter === 'none' || type === 'geometry' ? [] : [[name, type]],
    ),
  );
