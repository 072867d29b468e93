export { type Document, type DocumentShape, makeDocumentShape } from './documents/document-shape.ts';
export { type FoundDocument, readDocuments } from './documents/read-documents.ts';
export { streamDocuments, toGeoDocument } from './documents/write-documents.ts';
export { type ReadShapesOptions, readShapes } from './read-shapes.ts';
export {
  defaultVectorLimits,
  type Place,
  type PropertyValue,
  type ShapeFormat,
  type ShapeGeometry,
  type ShapeRow,
  type VectorLimits,
} from './shapes.ts';
export {
  type Column,
  type ColumnType,
  type ColumnValues,
  STREAM_FORMATS,
  type StreamFormat,
  TABLE_FORMATS,
  type TableBatch,
  type TableFormat,
  type TableWriter,
} from './tables.ts';
export { streamTable, type WriteTableOptions, writeTable } from './write-table.ts';
