export type {
  Callback,
  CallbackFailure,
  CallbackState,
  CallbackStore,
  NewCallback,
} from './callback.ts';
export { type CallbackEnd, startCallbackSender } from './callback-sender.ts';
export { cleanUp } from './clean-up.ts';
export { makeDownloadKind, makeFieldsKinds, makeReportKind } from './file-kinds.ts';
export {
  PLACE_EXPIRES_MS,
  type ResultPlace,
  type ResultPlaceStore,
  watchResultPlaces,
} from './result-places.ts';
export { makeStatisticsKind, type StatisticsDocument, type StoredStatistics } from './statistics-kind.ts';
export type {
  Lease,
  NewTask,
  OrderedTask,
  Task,
  TaskError,
  TaskOutput,
  TaskResult,
  TaskState,
} from './task.ts';
export { isOver, OPEN_STATES } from './task.ts';
export { isRefusal, type RunEnd, startTaskRunner } from './task-runner.ts';
export type {
  SweepRule,
  TaskCount,
  TaskCreated,
  TaskEvent,
  TaskLimits,
  TaskStore,
} from './task-store.ts';
export { type CreatedTask, makeTasks, type Tasks } from './tasks.ts';
