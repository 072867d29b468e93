export { fieldLimits, type GivenAttributes, parseAttributes } from './attributes.ts';
export type {
  Field,
  FieldProperties,
  FieldSelection,
  FieldShape,
  LastValue,
  ListedField,
  MeasuredField,
} from './field.ts';
export type {
  FieldChange,
  FieldChanges,
  FieldDraft,
  FieldGroup,
  FieldOrder,
  FieldPosition,
  FieldPut,
  FieldQuery,
  FieldStore,
  FieldUsage,
  Outline,
  OutlinedField,
  PutOptions,
  ShapePage,
  SharedGroup,
  StoredShape,
} from './field-store.ts';
export { type Fields, makeFields, type NewField, toFieldOutline, withFieldOutlines } from './fields.ts';
