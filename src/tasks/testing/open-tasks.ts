import { openTestStore } from '../../adapters/sqlite/testing/test-store.ts';
import type { NewTask, Task } from '../task.ts';
import type { TaskLimits, TaskStore } from '../task-store.ts';
import { isOver } from '../tasks.ts';

/** More than a test stores. */
export const ROOM: TaskLimits = {
  openPerOwner: 1_000,
  open: 1_000,
  bytesPerOwner: 1e12,
  areaBytesPerOwner: 1e12,
};

/** A store of tasks on a disk, for one test. */
export async function openTasks() {
  const { store, close } = openTestStore();
  return {
    store: store.tasks,
    callbacks: store.callbacks,
    [Symbol.asyncDispose]: close,
  };
}

/** Resolves with a task once `isIt`; by default once it is over. */
export async function until(
  store: TaskStore,
  id: string,
  isIt: (task: Task) => boolean = isOver,
): Promise<Task> {
  const { promise, resolve } = Promise.withResolvers<Task>();
  const look = async (): Promise<void> => {
    const task = await store.find(id);
    if (task !== null && isIt(task)) resolve(task);
  };
  const unwatch = store.watch(() => void look());
  const timer = setInterval(() => void look(), 20);
  await look();
  return promise.finally(() => {
    unwatch();
    clearInterval(timer);
  });
}

/** A task like no other. */
export const newTask = (more: Partial<NewTask> = {}): NewTask => ({
  id: crypto.randomUUID(),
  owner: 'key 1',
  kind: 'index',
  reference: crypto.randomUUID(),
  digest: 'digest',
  order: {},
  viewId: null,
  area: null,
  priority: 0,
  estimatedBytes: 100,
  timeoutS: 3_600,
  ...more,
});
