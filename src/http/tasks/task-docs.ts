import { z } from 'zod';
import type { Endpoint } from '../endpoint/endpoint.ts';
import { taskBody } from './task-body.ts';

/** What the documentation says of an operation. */
type OperationDoc = Omit<Endpoint, 'handle' | 'params'>;

/** What the documentation says of the tasks of one address. */
export interface TaskDocs {
  readonly create: OperationDoc;
  readonly read: OperationDoc;
  readonly remove: OperationDoc;
}

const failures = {
  400: {
    description:
      'The order is malformed or cannot be carried out: too large, outside of the scene, an unknown band; the text says which.',
  },
  402: {
    description:
      'The orders and results of the key take as much room as they may (task-storage-full), or the areas of its tasks do (task-areas-full); DELETE makes room.',
  },
  404: { description: 'No such scene, area or colormap.' },
  413: { description: 'The body is too large.' },
  429: { description: 'The key has as many open tasks as it may (too-many-tasks).' },
};

/** Of statistics: a scene with its numbers, or why it has none. */
const item = z.looseObject({ error: z.string().optional(), scene_id: z.string().optional() });
/** Of the two operations whose requests are counted for all nodes together. */
const rateReached =
  'The limit of requests per minute to this endpoint for one key is reached, 10 unless the operator has set another (statistics-rate-limited); Retry-After says when the next one is taken.';

const toResult = {
  description: 'The file is ready: Location is a link to it that works without a key until it expires.',
};

const remove: OperationDoc = {
  summary: 'Cancel a task, or delete its result',
  description:
    'A task that is not over is cancelled and stops within a second. One that is over is removed together with its file.',
  tag: 'Tasks',
  answers: {
    204: { description: 'The task is cancelled or removed.' },
    404: { description: 'This key has no such task.' },
  },
};

const create = {
  tag: 'Tasks',
  body: taskBody,
  description:
    'Orders a file of a scene: its bands (lbe), an index (bandmath) or a picture (jpeg); or statistics of an area over time (mt_stats). What cannot be done is refused at once. The answer comes when the order is stored: it survives a restart.',
} as const;

const callback = z
  .object({
    state: z.enum(['waiting', 'retrying', 'delivered', 'failed', 'cancelled']),
    attempts: z.number(),
    last_status: z.number().nullable().describe('What the receiver answered last.'),
    last_error: z.string().nullable().describe('Why it has not answered, if it has not.'),
    next_attempt_at: z.string().nullable(),
    delivered_at: z.string().nullable(),
  })
  .optional()
  .describe('How far the callback is; absent without a callback_url.');

const created = z.object({
  status: z.string(),
  task_id: z.string(),
  reference: z.string(),
  estimated_bytes: z.number().describe('What the file will take at most, roughly.'),
});

/** Of `{download_url}/api`. */
export const downloadDocs: TaskDocs = {
  create: {
    ...create,
    summary: 'Order a download',
    answers: {
      202: { description: 'The task is stored.', content: { 'application/json': created } },
      ...failures,
    },
  },
  read: {
    summary: 'Poll a download',
    tag: 'Tasks',
    answers: {
      200: {
        description: 'task_type is started while it waits or is worked on, and error when it has failed.',
        content: {
          'application/json': z.object({
            task_type: z.enum(['started', 'finish', 'error']),
            result: z
              .object({ errors: z.array(item), result: z.array(item) })
              .optional()
              .describe('Of statistics.'),
            hash_id: z.null().optional(),
            type: z.string(),
            reference: z.string(),
            token: z.string(),
            client_id: z.number(),
            download_id: z.number(),
            result_url: z.null().optional(),
            progress: z.number().min(0).max(1).optional(),
            queued: z.boolean().optional(),
            error_status: z.string().nullable().optional(),
            error_message: z.string().optional(),
            callback,
          }),
        },
      },
      303: toResult,
      404: { description: 'This key has no such task.' },
    },
  },
  remove,
};

/** Of `{connect_url}/api/gdw/api`. */
export const statisticsDocs: TaskDocs = {
  create: {
    ...create,
    summary: 'Order a task',
    answers: {
      202: {
        description: 'The task is stored.',
        content: {
          'application/json': created.extend({ req_id: z.string(), task_timeout: z.number() }),
        },
      },
      ...failures,
      429: { description: `${failures[429].description} ${rateReached}` },
    },
  },
  read: {
    summary: 'Poll a task',
    description: 'A poll of a task that is not over is held for up to 10 seconds, and answered when it ends.',
    tag: 'Tasks',
    answers: {
      200: {
        description: 'status is created, started or finished; a task that has failed has a task_type error.',
        content: {
          'application/json': z.object({
            status: z.enum(['created', 'started', 'finished']),
            task_id: z.string(),
            reference: z.string(),
            progress: z.number().min(0).max(1).optional(),
            task_type: z.literal('error').optional(),
            error_status: z.string().nullable().optional(),
            error_message: z.string().optional(),
            errors: z.array(item).optional().describe('Scenes without statistics, or the failure.'),
            result: z.array(item).optional().describe('Of statistics: one item for each scene.'),
            callback,
          }),
        },
      },
      303: toResult,
      404: { description: 'This key has no such task.' },
      429: { description: rateReached },
    },
  },
  remove,
};
