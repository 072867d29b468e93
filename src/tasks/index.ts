export type { Callback, CallbackFailure, CallbackState, NewCallback } from './callback.ts';
export { type CallbackEnd, type CallbackSender, startCallbackSender } from './callback-sender.ts';
export type { CallbackQuery, CallbackStore, LeasedCallback } from './callback-store.ts';
export { cleanUp } from './clean-up.ts';
export { makeDownloadKind } from './download-kind.ts';
export {
  PLACE_EXPIRES_MS,
  type ResultPlace,
  type ResultPlaceStore,
  watchResultPlaces,
} from './result-places.ts';
export { isRefusal } from './retry-rule.ts';
export type { RunEnd } from './running-task.ts';
export {
  makeStatisticsKind,
  type StatisticsDocument,
  type StoredStatistics,
} from './statistics-kind.ts';
export type {
  NewTask,
  OrderedTask,
  Task,
  TaskArea,
  TaskDocument,
  TaskError,
  TaskFile,
  TaskOutput,
  TaskProgress,
  TaskResult,
  TaskState,
} from './task.ts';
export { isOver, OPEN_STATES } from './task.ts';
export type { TaskKind, TaskKinds, TaskWork } from './task-kind.ts';
export { type RunnerEvents, startTaskRunner, type TaskRunner } from './task-runner.ts';
export type {
  Lease,
  LeasedTask,
  LeaseState,
  SweepRule,
  SweptTasks,
  TaskCount,
  TaskCreated,
  TaskEvent,
  TaskLimits,
  TaskQuery,
  TaskStore,
  TaskUsage,
} from './task-store.ts';
export { type CreatedTask, makeTasks, type TaskOrder, type Tasks } from './tasks.ts';
