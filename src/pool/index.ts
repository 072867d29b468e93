export { makeFairQueue } from './admission.ts';
export {
  type CallContext,
  type Caller,
  type CallHandlers,
  type CallThread,
  connectCalls,
  makeCallThread,
} from './call-thread.ts';
export type {
  JobFigures,
  JobReport,
  JobResult,
  JobRunner,
  JobTable,
  JobTicket,
  JobType,
  Lane,
  RanJob,
  Ticket,
} from './job.ts';
export { makePool, type Pool, runPatiently } from './pool.ts';
export type { PoolOptions } from './pool-options.ts';
export {
  type JobContext,
  type JobHandlers,
  lowerPriority,
  type PoolLink,
  serveJobs,
  withTransfer,
} from './serve-jobs.ts';
export { limitHeap } from './thread.ts';
