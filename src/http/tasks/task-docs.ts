import type { Endpoint } from '../kit/endpoint.ts';
import { json } from '../kit/json-schema.ts';
import { rejectedSchema } from '../statistics/fields-orders.ts';
import { taskBody } from './task-orders.ts';

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
      'The order is malformed or cannot be carried out: too large, outside of the scene, an unknown band. The message says which.',
  },
  402: {
    description:
      'The key has reached its storage limit for orders and results (task-storage-full) or for areas of tasks (task-areas-full); delete some.',
  },
  404: { description: 'No such scene, area or colormap.' },
  413: { description: 'The body is too large.' },
  429: { description: 'The key has reached its limit of open tasks (too-many-tasks).' },
};

/** A scene with its statistics, or with the reason why it has none. */
const item = json.object({ 'error?': json.string(), 'scene_id?': json.string() }, { isOpen: true });
/** The 429 of the two operations whose requests are counted across all nodes. */
const rateReached =
  'The limit of requests per minute to this endpoint for one key is reached, 10 unless the operator has set another (statistics-rate-limited); Retry-After says when the next one is taken.';

const toResult = {
  description: 'The file is ready: Location is a link to it that works without a key until it expires.',
};

const remove: OperationDoc = {
  summary: 'Cancel a task, or delete its result',
  description:
    'A running or queued task is cancelled and stops within a second. A finished one is removed with its file.',
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
    'Orders a file of a scene: its bands (lbe), an index (bandmath) or a picture (jpeg); or statistics of an area over time (mt_stats). An order that cannot be carried out is refused at once. The answer is sent after the order is stored: it survives a restart.',
} as const;

const callback = json.object(
  {
    state: json.choice(['waiting', 'retrying', 'delivered', 'failed', 'cancelled']),
    attempts: json.number(),
    last_status: json.nullable(json.number(), { description: 'What the receiver answered last.' }),
    last_error: json.nullable(json.string(), { description: 'Why it has not answered, if it has not.' }),
    next_attempt_at: json.nullable(json.string()),
    delivered_at: json.nullable(json.string()),
  },
  { description: 'How far the callback is; absent without a callback_url.' },
);

const created = {
  status: json.string(),
  task_id: json.string(),
  reference: json.string(),
  estimated_bytes: json.number({ description: 'What the file will take at most, roughly.' }),
  ...rejectedSchema,
};

const progress = json.number({ min: 0, max: 1 });
const secondsLeft = json.number({
  min: 0,
  description: 'Of statistics of many fields: an estimate, while they are measured.',
});

/** Documentation of `{download_url}/api`. */
export const downloadDocs: TaskDocs = {
  create: {
    ...create,
    summary: 'Order a download',
    answers: {
      202: { description: 'The task is stored.', content: { 'application/json': json.object(created) } },
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
          'application/json': json.object({
            task_type: json.choice(['started', 'finish', 'error']),
            'result?': json.object(
              { errors: json.list(item), result: json.list(item) },
              { description: 'Of statistics.' },
            ),
            'hash_id?': json.null(),
            type: json.string(),
            reference: json.string(),
            token: json.string(),
            client_id: json.number(),
            download_id: json.number(),
            'result_url?': json.null(),
            'progress?': progress,
            'seconds_left?': secondsLeft,
            'queued?': json.boolean(),
            'error_status?': json.nullable(json.string()),
            'error_message?': json.string(),
            'callback?': callback,
          }),
        },
      },
      303: toResult,
      404: { description: 'This key has no such task.' },
    },
  },
  remove,
};

/** Documentation of `{connect_url}/api/gdw/api`. */
export const statisticsDocs: TaskDocs = {
  create: {
    ...create,
    summary: 'Order a task',
    answers: {
      202: {
        description: 'The task is stored.',
        content: {
          'application/json': json.object({ ...created, req_id: json.string(), task_timeout: json.number() }),
        },
      },
      ...failures,
      429: { description: `${failures[429].description} ${rateReached}` },
    },
  },
  read: {
    summary: 'Poll a task',
    description: 'A poll is held for up to 10 seconds, or until the task ends.',
    tag: 'Tasks',
    answers: {
      200: {
        description: 'status is created, started or finished; a task that has failed has a task_type error.',
        content: {
          'application/json': json.object({
            status: json.choice(['created', 'started', 'finished']),
            task_id: json.string(),
            reference: json.string(),
            'progress?': progress,
            'seconds_left?': secondsLeft,
            'task_type?': json.literal('error'),
            'error_status?': json.nullable(json.string()),
            'error_message?': json.string(),
            'errors?': json.list(item, { description: 'Scenes without statistics, or the failure.' }),
            'result?': json.list(item, { description: 'Of statistics: one item for each scene.' }),
            'callback?': callback,
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
