export type {
  Callback,
  CallbackFailure,
  CallbackState,
  CallbackStore,
  NewCallback,
} from './callback.ts';
export { type CallbackEnd, startCallbackSender } from './callback-sender.ts';
export {
  makeDownloadKind,
  makeFieldsKinds,
  makeReportKind,
  makeStatisticsKind,
  type StatisticsDocument,
  type StoredStatistics,
} from './kinds.ts';
export {
  PLACE_EXPIRES_MS,
  type ResultPlace,
  type ResultPlaceStore,
  watchResultPlaces,
} from './result-places.ts';
export {
  type Lease,
  type NewTask,
  OPEN_STATES,
  type OrderedTask,
  type Task,
  type TaskError,
  type TaskOutput,
  type TaskResult,
  type TaskState,
} from './task.ts';
export { isRefusal, type RunEnd, startTaskRunner } from './task-runner.ts';
export type {
  SweepRule,
  TaskCount,
  TaskCreated,
  TaskEvent,
  TaskLimits,
  TaskStore,
} from './task-store.ts';
export { type CreatedTask, cleanUp, isOver, makeTasks, type Tasks } from './tasks.ts';
