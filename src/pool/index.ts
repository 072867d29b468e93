export type { PoolHealth } from './crew.ts';
export type { JobResult, JobRunner, JobTable, JobTicket, JobType, Lane, Ticket } from './job.ts';
export type { Pool, PoolStats } from './pool.ts';
export { makePool } from './pool.ts';
export type { PoolOptions } from './pool-options.ts';
export type { JobContext, JobHandlers } from './serve-jobs.ts';
export { serveJobs, withTransfer } from './serve-jobs.ts';
export { makeSingleFlight } from './single-flight.ts';
