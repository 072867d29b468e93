import { randomUUID } from 'node:crypto';
import type { NewTask, TaskError, TaskFile, TaskLimits } from '../../src/tasks/index.ts';

/** More than a test stores. */
export const ROOM: TaskLimits = { openPerOwner: 1_000, open: 1_000, bytesPerOwner: 1e12 };

/** Longer than a test takes. */
export const LEASE_MS = 60_000;

export const DEATH: TaskError = { code: 'worker-died', message: 'Its worker died.' };
export const TIMEOUT: TaskError = { code: 'task-timeout', message: 'It took too long.' };
export const SWEEP = { maxDeaths: 3, death: DEATH, timeout: TIMEOUT };

/** A task like no other. */
export const newTask = (more: Partial<NewTask> = {}): NewTask => ({
  id: randomUUID(),
  owner: 'key 1',
  kind: 'index',
  reference: randomUUID(),
  digest: 'digest',
  order: { viewId: 'S2/1', bands: ['B04'] },
  priority: 0,
  estimatedBytes: 100,
  timeoutS: 3_600,
  ...more,
});

/** A result of so many bytes. */
export const fileOf = (bytes: number): TaskFile => ({
  kind: 'file',
  blobKey: 'blob.1',
  fileName: 'a.TIF',
  contentType: 'image/tiff',
  bytes,
  etag: '"e"',
});
