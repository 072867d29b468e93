export { makePointReader, type ReadPoint } from './point-reader.ts';
export { makeReadPoint, type PointJobs } from './read-point.ts';
