export { makeFairQueue } from './admission.ts';
export {
  type Caller,
  type CallHandlers,
  type CallThread,
  connectCalls,
  makeCallThread,
} from './call-thread.ts';
export {
  type JobFigures,
  type JobReport,
  type JobResult,
  type JobRunner,
  type JobTable,
  type JobTicket,
  type JobType,
  type Lane,
  runPatiently,
  type Ticket,
} from './job.ts';
export { makeLazyPool, makePool, type Pool } from './pool.ts';
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
