export { fieldLimits, type GivenAttributes, parseAttributes } from './attributes.ts';
export { type ExportFields, makeExportFields } from './export-fields.ts';
export type {
  Field,
  FieldProperties,
  FieldSelection,
  ListedField,
  MeasuredField,
} from './field.ts';
export type {
  FieldChange,
  FieldChanges,
  FieldDraft,
  FieldGroup,
  FieldOrder,
  FieldPut,
  FieldQuery,
  FieldStore,
  FieldUsage,
  PutOptions,
  ShapePage,
  SharedGroup,
  StoredShape,
} from './field-store.ts';
export { type Fields, makeFields, toFieldOutline, withFieldOutlines } from './fields.ts';
export { type FieldFileJobs, type FieldFormat, fieldFileJobs } from './file-jobs.ts';
export { type GroupOutlines, makeGroupOutlines, toGroupsOwner } from './group-outlines.ts';
export {
  type ImportedRow,
  type ImportFields,
  type ImportOrder,
  importWithReport,
  listCheckedShapes,
  makeCheckFile,
  makeImportFields,
} from './import/import-fields.ts';
