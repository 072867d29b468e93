import { z } from 'zod';
import { badInput } from '../../errors.ts';
import type { Task } from '../../tasks/index.ts';
import { isOver } from '../../tasks/index.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import type { Query } from '../request/query.ts';
import { parseWhole } from '../request/strict-number.ts';
import type { TaskDeps } from './task.ts';
import { noStore, unknownTask } from './task.ts';
import { toError, toErrorStatus, toProgress, WIRE_TYPES } from './task-answers.ts';

/** Tasks of a page: two screens of a phone, and the most that one answer holds. */
const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

const KINDS = new Map(Object.entries(WIRE_TYPES).map(([kind, type]) => [type as string, kind]));

const listed = z.object({
  task_id: z.string(),
  type: z.string().describe('lbe, bandmath, jpeg or mt_stats.'),
  state: z.enum(['queued', 'running', 'finished', 'failed', 'cancelled']),
  reference: z.string(),
  view_id: z.string().nullable().describe('The scene; null for statistics.'),
  progress: z.number().min(0).max(1),
  created_at: z.string(),
  started_at: z.string().nullable(),
  ended_at: z.string().nullable(),
  expires_at: z
    .string()
    .nullable()
    .describe('When it is removed, together with its file; null while it is open.'),
  estimated_bytes: z.number(),
  file_name: z.string().nullable(),
  bytes: z.number().nullable().describe('What the file takes.'),
  result_url: z
    .string()
    .nullable()
    .describe('A link to the file, which works without a key until it expires.'),
  error_status: z.string().nullable(),
  error_message: z.string().nullable(),
});

/** `GET /api/tasks`: the tasks of the key, page by page. */
export const listTasks = (deps: Pick<TaskDeps, 'tasks' | 'toResultLink' | 'retentionMs'>): Endpoint => ({
  summary: 'List tasks',
  description:
    'The tasks of the key that are stored, newest first. One request tells how far all of them are.',
  tag: 'Tasks',
  query: {
    type: {
      description: 'Types to list, separated by commas; all by default.',
      schema: z.string().regex(/^(lbe|bandmath|jpeg|mt_stats)(,(lbe|bandmath|jpeg|mt_stats)){0,3}$/),
      example: 'lbe,bandmath,jpeg',
    },
    limit: {
      description: `Tasks of a page, 1 to ${MAX_LIMIT}; ${DEFAULT_LIMIT} by default.`,
      schema: z.string().regex(/^0{0,12}([1-9]\d?|100)$/),
      example: '50',
    },
    after: { description: 'The `next` of the page before.', schema: z.uuid() },
  },
  answers: {
    200: {
      description: 'A page of tasks.',
      content: {
        'application/json': z.object({
          tasks: z.array(listed),
          next: z
            .string()
            .nullable()
            .describe('What to give as `after` for the next page; null on the last.'),
        }),
      },
    },
    400: { description: 'The query is malformed.' },
    404: { description: 'This key has no task with the id of `after`.' },
  },
  async handle({ query, ticket, publicUrl }) {
    const kinds = parseTypes(query);
    const limit = parseLimit(query);
    const after = query.get('after');
    if (after !== undefined && (await deps.tasks.find(after, ticket.owner)) === null) throw unknownTask();
    // One more than the page tells whether there is another.
    const found = await deps.tasks.list(ticket.owner, {
      limit: limit + 1,
      ...(kinds === null ? {} : { kinds }),
      ...(after === undefined ? {} : { after }),
    });
    const page = found.slice(0, limit);
    const tasks = await Promise.all(page.map((task) => toListed(task, publicUrl, deps)));
    const next = found.length > limit ? (page.at(-1)?.id ?? null) : null;
    return Response.json({ tasks, next }, { headers: noStore });
  },
});

function parseTypes(query: Query): readonly string[] | null {
  const text = query.get('type');
  if (text === undefined) return null;
  const types = text.split(',');
  const kinds = types.flatMap((type) => KINDS.get(type) ?? []);
  if (kinds.length === types.length && kinds.length <= KINDS.size) return kinds;
  throw badInput(
    'bad-type',
    `type must be one or more of ${[...KINDS.keys()].join(', ')}, separated by commas.`,
  );
}

function parseLimit(query: Query): number {
  const text = query.get('limit');
  const limit = text === undefined ? DEFAULT_LIMIT : parseWhole(text);
  if (limit !== null && limit >= 1 && limit <= MAX_LIMIT) return limit;
  throw badInput('bad-limit', `limit must be a whole number from 1 to ${MAX_LIMIT}.`);
}

async function toListed(
  task: Task,
  publicUrl: string,
  { toResultLink, retentionMs }: Pick<TaskDeps, 'toResultLink' | 'retentionMs'>,
): Promise<z.infer<typeof listed>> {
  const { id, kind, state, reference, viewId, createdAt, startedAt, endedAt, estimatedBytes, result } = task;
  const file = state === 'finished' && result?.kind === 'file' ? result : null;
  const error = state === 'failed' || state === 'cancelled' ? toError(task) : null;
  return {
    task_id: id,
    type: WIRE_TYPES[kind as keyof typeof WIRE_TYPES] ?? kind,
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
