import type { Task } from '../../tasks/index.ts';
import { isOver } from '../../tasks/index.ts';
import { Answer } from '../kit/answers.ts';
import type { Endpoint } from '../kit/endpoint.ts';
import { json } from '../kit/json-schema.ts';
import { custom, defineParameters, whole } from '../kit/parameters.ts';
import type { TaskDeps } from './task.ts';
import { noStore, unknownTask } from './task.ts';
import {
  TASK_TYPES,
  toError,
  toErrorStatus,
  toProgress,
  toTaskKind,
  toTaskKinds,
  toTaskType,
} from './task-answers.ts';

/** Tasks of a page: two screens of a phone, and the most that one answer holds. */
const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

const types = TASK_TYPES.join('|');

const parameters = defineParameters({
  type: custom({
    description: 'Types to list, separated by commas; all by default.',
    example: 'lbe,bandmath,jpeg',
    schema: json.string({ pattern: `^(${types})(,(${types})){0,${TASK_TYPES.length - 1}}$` }),
    fallback: null,
    rule: `must be one or more of ${TASK_TYPES.join(', ')}, separated by commas.`,
    read(text): readonly string[] | null {
      const named = text.split(',');
      if (named.length > TASK_TYPES.length || named.some((type) => toTaskKind(type) === null)) return null;
      return named.flatMap(toTaskKinds);
    },
  }),
  limit: whole({
    description: `Tasks of a page, 1 to ${MAX_LIMIT}; ${DEFAULT_LIMIT} by default.`,
    example: '50',
    min: 1,
    max: MAX_LIMIT,
    schema: json.string({ pattern: /^0{0,12}([1-9]\d?|100)$/ }),
    fallback: DEFAULT_LIMIT,
  }),
  after: custom({
    description: 'The `next` of the page before.',
    schema: json.string({ format: 'uuid' }),
    fallback: null,
    read: (id) => id,
  }),
});

const time = json.nullable(json.string());
const listed = json.object({
  task_id: json.string(),
  type: json.string({ description: 'lbe, bandmath, jpeg or mt_stats.' }),
  state: json.choice(['queued', 'running', 'finished', 'failed', 'cancelled']),
  reference: json.string(),
  view_id: json.nullable(json.string(), { description: 'The scene; null for statistics.' }),
  progress: json.number({ min: 0, max: 1 }),
  created_at: json.string(),
  started_at: time,
  ended_at: time,
  expires_at: json.nullable(json.string(), {
    description: 'When it is removed, together with its file; null while it is open.',
  }),
  estimated_bytes: json.number(),
  file_name: json.nullable(json.string()),
  bytes: json.nullable(json.number(), { description: 'What the file takes.' }),
  result_url: json.nullable(json.string(), {
    description: 'A link to the file, which works without a key until it expires.',
  }),
  error_status: json.nullable(json.string()),
  error_message: json.nullable(json.string()),
});

/** `GET /api/tasks`: the tasks of the key, page by page. */
export const listTasks = (deps: Pick<TaskDeps, 'tasks' | 'toResultLink' | 'retentionMs'>): Endpoint => ({
  summary: 'List tasks',
  description: 'The stored tasks of the key, newest first, with the progress of each.',
  tag: 'Tasks',
  query: parameters,
  answers: {
    200: {
      description: 'A page of tasks.',
      content: {
        'application/json': json.object({
          tasks: json.list(listed),
          next: json.nullable(json.string(), {
            description: 'The `after` of the next page; null on the last page.',
          }),
        }),
      },
    },
    400: { description: 'The query is malformed.' },
    404: { description: 'This key has no task with the id of `after`.' },
  },
  async handle({ query, ticket, publicUrl }) {
    const kinds = parameters.type.read(query);
    const limit = parameters.limit.read(query);
    const after = parameters.after.read(query);
    if (after !== null && (await deps.tasks.find(after, ticket.owner)) === null) throw unknownTask();
    // One more than a page shows whether there is another page.
    const found = await deps.tasks.list(ticket.owner, {
      limit: limit + 1,
      kinds: kinds ?? undefined,
      after: after ?? undefined,
    });
    const page = found.slice(0, limit);
    const tasks = await Promise.all(page.map((task) => toListed(task, publicUrl, deps)));
    const next = found.length > limit ? (page.at(-1)?.id ?? null) : null;
    return Answer.json({ tasks, next }, { headers: noStore });
  },
});

async function toListed(
  task: Task,
  publicUrl: string,
  { toResultLink, retentionMs }: Pick<TaskDeps, 'toResultLink' | 'retentionMs'>,
): Promise<object> {
  const { id, kind, state, reference, viewId, createdAt, startedAt, endedAt, estimatedBytes, result } = task;
  const file = state === 'finished' && result?.kind === 'file' ? result : null;
  const error = state === 'failed' || state === 'cancelled' ? toError(task) : null;
  return {
    task_id: id,
    type: toTaskType(kind),
    state,
    reference,
    view_id: viewId,
    progress: state === 'finished' ? 1 : toProgress(task),
    created_at: createdAt,
    started_at: startedAt,
    ended_at: endedAt,
    expires_at:
      isOver(task) && endedAt !== null ? new Date(Date.parse(endedAt) + retentionMs).toISOString() : null,
    estimated_bytes: estimatedBytes,
    file_name: file?.fileName ?? null,
    bytes: file?.bytes ?? null,
    result_url: file === null ? null : `${publicUrl}${await toResultLink(id, file.fileName)}`,
    error_status: error === null ? null : toErrorStatus(task, error),
    error_message: error?.message ?? null,
  };
}
