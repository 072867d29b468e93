import { FIELD_COLUMNS } from '../../sql/field-rows.ts';

/** The last values of a field as JSON. */
export const LAST_VALUES = `(SELECT json_group_array(json_array(expression, value, date) ORDER BY expression)
  FROM field_values v WHERE v.field = f.number)`;

/** A field with its geometry, by its owner and id. */
export const FIELD_BY_ID = `SELECT ${FIELD_COLUMNS}, ${LAST_VALUES} AS last_values, f.geometry
  FROM field_owners o JOIN fields f ON f.owner = o.number WHERE o.owner = ? AND f.id = ?`;
