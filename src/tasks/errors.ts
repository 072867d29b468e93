/** The codes of this room's errors, by kind. */
import { errorsOf } from '../errors.ts';

export const { conflict, tooBusy, internal } = errorsOf({
  conflict: ['task-areas-full', 'task-storage-full'],
  tooBusy: ['task-queue-full', 'too-many-tasks'],
  internal: ['task-lost'],
});
