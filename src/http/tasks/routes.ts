import type { Admission, Route } from '../kit/endpoint.ts';
import { DOWNLOAD_DEFAULTS, STATISTICS_DEFAULTS } from './statistics-params.ts';
import type { TaskDeps, TaskHost } from './task.ts';
import { createTask, deleteTask, estimateTask, readTask } from './task.ts';
import { downloadDocs, statisticsDocs } from './task-docs.ts';
import { listTasks } from './task-list.ts';

/** How long a poll is held on the statistics address (shared decision: programs poll every second or two). */
const HOLD_MS = 10_000;

/** An address of tasks. The names under which its requests are counted are stored: nodes of two versions share them. */
interface HostRoutes extends TaskHost {
  readonly path: string;
  readonly counted: { readonly orders?: string; readonly polls?: string };
}

const HOSTS: readonly HostRoutes[] = [
  {
    path: '/api',
    form: 'download',
    holdMs: 0,
    docs: downloadDocs,
    statistics: DOWNLOAD_DEFAULTS,
    counted: {},
  },
  {
    path: '/api/gdw/api',
    form: 'statistics',
    holdMs: HOLD_MS,
    docs: statisticsDocs,
    statistics: STATISTICS_DEFAULTS,
    counted: { orders: 'statistics orders', polls: 'statistics polls' },
  },
];

const read: Admission = { access: 'read', door: 'free', lane: 'tile', answersWhileDraining: false };
const write: Admission = { ...read, access: 'write' };

/** Tasks, at both of their addresses, and what is the same for both. */
export const taskRoutes = (deps: TaskDeps): readonly Route[] => [
  { ...read, method: 'GET', path: '/api/tasks', cost: 5, endpoint: listTasks(deps) },
  { ...read, method: 'POST', path: '/api/tasks/estimate', cost: 10, endpoint: estimateTask(deps) },
  ...HOSTS.flatMap(({ path, counted, ...host }): readonly Route[] => [
    { ...write, method: 'POST', path, countedAs: counted.orders, cost: 10, endpoint: createTask(deps, host) },
    {
      ...read,
      method: 'GET',
      path: `${path}/:task_id`,
      countedAs: counted.polls,
      cost: 5,
      endpoint: readTask(deps, host),
    },
    { ...write, method: 'DELETE', path: `${path}/:task_id`, endpoint: deleteTask(deps, host) },
  ]),
];
