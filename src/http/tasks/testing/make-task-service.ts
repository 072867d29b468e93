import assert from 'node:assert/strict';
import type { Downloads } from '../../../exports/index.ts';
import { makeDownloads } from '../../../exports/index.ts';
import { makeAreas } from '../../../library/index.ts';
import { makeMemoryAreas, unlimitedAreas } from '../../../library/testing/memory-library.ts';
import type { TaskLimits } from '../../../tasks/index.ts';
import { makeTasks } from '../../../tasks/index.ts';
import { openTasks, ROOM } from '../../../tasks/testing/open-tasks.ts';
import { makeTestApp, otherRecord, readerRecord } from '../../testing/make-test-app.ts';

/** The scene of the orders. */
export const VIEW_ID = 'S2/31/T/DH/2026/6/21/0';
/** An order of an index. */
export const indexOrder = {
  type: 'bandmath',
  params: { view_id: VIEW_ID, bm_type: 'NDVI', reference: 'r1' },
};

interface TaskServiceOptions {
  readonly limits?: Partial<TaskLimits>;
  readonly plan?: Downloads['plan'] | undefined;
  readonly stopping?: AbortSignal;
}

/** A real store of tasks and what routes need to order them; files are planned by a fake that notes the orders. */
export async function openTaskServices({ limits = {}, plan, stopping }: TaskServiceOptions = {}) {
  const opened = await openTasks();
  const orders: { kind: string; order: Record<string, unknown> }[] = [];
  const none = () => Promise.reject(new Error('not planned here'));
  const downloads: Downloads = {
    ...makeDownloads(
      { bands: none, index: none, picture: none, mosaic: none },
      { findByViewId: async () => null },
    ),
    plan:
      plan ??
      (async (kind, order) => {
        orders.push({ kind, order: { ...order } });
        return {
          fileName: 'a.TIF',
          contentType: 'image/tiff',
          estimatedBytes: 1_000,
          blocks: 4,
          describe: none,
          write: none,
        };
      }),
  };
  const tasks = makeTasks({
    store: opened.store,
    kinds: {},
    timeoutS: 172_800,
    limits: { ...ROOM, ...limits },
    endedPerOwner: 1e6,
  });
  return {
    services: {
      downloads,
      tasks,
      callbacks: opened.callbacks,
      toResultLink: async (id: string, name: string) => `/api/results/${id}/${name}?signature=s`,
      stopping: stopping ?? new AbortController().signal,
    },
    orders,
    store: opened.store,
    callbacks: opened.callbacks,
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

/** Routes over them. */
export async function makeTaskService(
  limits: Partial<TaskLimits> = {},
  plan?: Downloads['plan'],
  stopping = new AbortController().signal,
) {
  const { services, ...opened } = await openTaskServices({ limits, plan, stopping });
  const areas = makeAreas({ ...unlimitedAreas, store: makeMemoryAreas().store });
  const app = makeTestApp({ areas, records: [readerRecord, otherRecord], tasks: services });
  return { ...app, ...opened, areas };
}

/** What `makeTaskService` makes. */
export type TaskService = Awaited<ReturnType<typeof makeTaskService>>;

/** Orders a task that must be accepted; the answer. */
export async function createTask(
  { post }: TaskService,
  body: unknown = indexOrder,
  path = '/api',
): Promise<Record<string, unknown>> {
  const response = await post(path, body);
  assert.equal(response.status, 202, await response.clone().text());
  return (await response.json()) as Record<string, unknown>;
}

/** A result. */
export const FILE = {
  kind: 'file',
  blobKey: 'b.1',
  fileName: 'S2_NDVI.TIF',
  contentType: 'image/tiff',
  bytes: 9,
  etag: 'e',
} as const;

/** Leases the next task. */
export async function leaseTask({ store }: TaskService) {
  const [leased] = await store.lease({ worker: 'w', max: 1, leaseMs: 60_000 });
  return leased?.lease ?? assert.fail('nothing is queued');
}
