import type { Admission, Route } from '../endpoint/route.ts';
import { DOWNLOAD_DEFAULTS, STATISTICS_DEFAULTS } from './statistics-params.ts';
import type { TaskDeps, TaskHost } from './task.ts';
import { createTask, deleteTask, readTask } from './task.ts';
import { downloadDocs, statisticsDocs } from './task-docs.ts';

/** How long a poll is held on the statistics address (shared decision: programs poll every second or two). */
const HOLD_MS = 10_000;

const HOSTS: readonly (TaskHost & { readonly path: string })[] = [
  { path: '/api', form: 'download', holdMs: 0, docs: downloadDocs, statistics: DOWNLOAD_DEFAULTS },
  {
    path: '/api/gdw/api',
    form: 'statistics',
    holdMs: HOLD_MS,
    docs: statisticsDocs,
    statistics: STATISTICS_DEFAULTS,
  },
];

const read: Admission = { access: 'read', door: 'free', lane: 'tile', answersWhileDraining: false };
const write: Admission = { ...read, access: 'write' };

/** Tasks, at both of their addresses. */
export const taskRoutes = (deps: TaskDeps): readonly Route[] =>
  HOSTS.flatMap(({ path, ...host }): readonly Route[] => [
    { ...write, method: 'POST', path, endpoint: createTask(deps, host) },
    { ...read, method: 'GET', path: `${path}/:task_id`, endpoint: readTask(deps, host) },
    { ...write, method: 'DELETE', path: `${path}/:task_id`, endpoint: deleteTask(deps, host) },
  ]);
