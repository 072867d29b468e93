/** The types of tasks: what the wire calls them, and what they are inside. */
import type { DownloadKind } from '../../exports/index.ts';

/** A kind of task. */
export type TaskKind = DownloadKind | 'statistics';

const TASK_KINDS = {
  lbe: 'bands',
  bandmath: 'index',
  jpeg: 'picture',
  mt_stats: 'statistics',
} as const satisfies Readonly<Record<string, TaskKind>>;

/** A type of task on the wire. */
export type TaskType = keyof typeof TASK_KINDS;

/** All types. */
export const TASK_TYPES = Object.keys(TASK_KINDS) as readonly TaskType[];

/** The kind of a type; null for what is not one. */
export const toTaskKind = (type: unknown): TaskKind | null =>
  typeof type === 'string' && Object.hasOwn(TASK_KINDS, type) ? TASK_KINDS[type as TaskType] : null;

/** The type of a stored task; one that a newer version has stored is called by its kind. */
export const toTaskType = (kind: string): string =>
  TASK_TYPES.find((type) => TASK_KINDS[type] === kind) ?? kind;
