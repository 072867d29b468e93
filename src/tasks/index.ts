export type {
  NewTask,
  Task,
  TaskDocument,
  TaskError,
  TaskFile,
  TaskProgress,
  TaskResult,
  TaskState,
} from './task.ts';
export { isOver, OPEN_STATES } from './task.ts';
export type {
  Lease,
  LeasedTask,
  LeaseState,
  SweptTasks,
  TaskCount,
  TaskCreated,
  TaskEvent,
  TaskLimits,
  TaskQuery,
  TaskStore,
  TaskUsage,
} from './task-store.ts';
