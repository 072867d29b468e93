export { makePointReader, type ReadPoint } from './point-reader.ts';
export { makeReadPoint } from './read-point.ts';
