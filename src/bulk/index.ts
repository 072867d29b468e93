export { type BulkJobs, bulkReads, makeBulkJobs } from './measure-window.ts';
