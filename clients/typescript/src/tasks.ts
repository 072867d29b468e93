/** Tasks: work that takes longer than a request, and its files. */
import { asNumber, asRecord, asText } from './read-json.ts';
import type { Transport } from './transport.ts';
import { ask, SwathError } from './transport.ts';

/** An order as the service takes it. */
export interface TaskOrder {
  readonly type: 'lbe' | 'bandmath' | 'jpeg' | 'mt_stats';
  readonly params: Readonly<Record<string, unknown>>;
}

/** States of a task. */
const TASK_STATES = ['queued', 'running', 'finished', 'failed', 'cancelled'] as const;

/** A task of the key. */
export interface Task {
  readonly id: string;
  readonly type: string;
  readonly state: (typeof TASK_STATES)[number];
  readonly reference: string;
  readonly viewId: string | null;
  /** 0 to 1. */
  readonly progress: number;
  readonly createdAt: string;
  readonly endedAt: string | null;
  readonly expiresAt: string | null;
  /** Of the file, or estimated while there is none. */
  readonly bytes: number;
  readonly fileName: string | null;
  /** The link to the file, from the address of the service on; it works without a key. */
  readonly href: string | null;
  readonly failure: string | null;
}

/** A page of tasks. */
export interface TaskPage {
  readonly tasks: readonly Task[];
  readonly next: string | null;
}

/** How a task is followed. */
export interface Following {
  readonly signal?: AbortSignal | undefined;
  /** 0 to 1. */
  onProgress?(progress: number): void;
}

/** The calls. */
export interface TaskCalls {
  /** The id of the new task. */
  createTask(order: TaskOrder, signal?: AbortSignal): Promise<string>;
  /** How large the file of an order will be; throws the refusal that the order would get. */
  estimateTask(
    order: TaskOrder,
    signal?: AbortSignal,
  ): Promise<{ readonly bytes: number; readonly fileName: string }>;
  /** Tasks, newest first; `types` chooses some. */
  listTasks(
    query?: { readonly limit?: number; readonly after?: string | null; readonly types?: readonly string[] },
    signal?: AbortSignal,
  ): Promise<TaskPage>;
  /** Cancels a task that is not over; removes one that is, with its file. */
  endTask(id: string): Promise<void>;
}

/** Polls answer at once; the first come quickly, because most orders need a moment longer than a request may. */
const POLL_MS = [500, 1_000, 2_000] as const;

/** A good answer that is not what it should be, as from a service of another version. */
const unknownForm = (): SwathError =>
  new SwathError(200, 'unknown-form', 'The service answered in a form that this client does not know.');

const toPath = (id: string): string => `api/${encodeURIComponent(id)}`;

/** Builds the calls. */
export const makeTaskCalls = ({ call }: Pick<Transport, 'call'>): TaskCalls => ({
  async createTask(order, signal) {
    const id = asText(asRecord(await call('api', { method: 'POST', body: order }, signal)).task_id);
    if (id === null) throw unknownForm();
    return id;
  },
  async estimateTask(order, signal) {
    const answer = asRecord(await call('api/tasks/estimate', { method: 'POST', body: order }, signal));
    return { bytes: asNumber(answer.estimated_bytes) ?? 0, fileName: asText(answer.file_name) ?? '' };
  },
  async listTasks({ limit = 20, after = null, types = [] } = {}, signal) {
    const from = after === null ? '' : `&after=${encodeURIComponent(after)}`;
    const ofTypes = types.length === 0 ? '' : `type=${types.join(',')}&`;
    const answer = asRecord(await call(`api/tasks?${ofTypes}limit=${limit}${from}`, {}, signal));
    if (!Array.isArray(answer.tasks)) throw unknownForm();
    return { tasks: answer.tasks.map(parseTask).filter((task) => task !== null), next: asText(answer.next) };
  },
  async endTask(id) {
    await call(toPath(id), { method: 'DELETE' });
  },
});

/** Waits until a task is over. One that is given up is cancelled on the service, too. */
export async function followTask(
  transport: Pick<Transport, 'send' | 'toError' | 'wait'>,
  id: string,
  { signal, onProgress = () => {} }: Following = {},
): Promise<void> {
  try {
    for (let polls = 0; ; polls++) {
      await transport.wait(POLL_MS[polls] ?? POLL_MS[2], signal);
      const response = await ask(transport, { path: toPath(id), signal });
      // The task has a file, and the answer leads there.
      if (!response.ok) return;
      const body = asRecord(JSON.parse(await response.text()));
      if (body.task_type === 'finish') return;
      if (body.task_type === 'error') {
        throw transport.toError(200, JSON.stringify({ error: body.error_message, code: body.error_status }));
      }
      onProgress(asNumber(body.progress) ?? 0);
    }
  } catch (error) {
    // Not waited for, and allowed to fail: the task is of no use to anyone, and ends by itself.
    if (signal?.aborted) void transport.send(toPath(id), { method: 'DELETE' }).catch(() => undefined);
    throw error;
  }
}

const RESULTS = '/api/results/';

/** The link from the service on: its public name may be another than the one it was reached by. */
function toHref(url: string | null): string | null {
  const start = url?.lastIndexOf(RESULTS) ?? -1;
  return url === null || start < 0 ? null : url.slice(start + 1);
}

/** Reads one task of the list; null for what is none. */
function parseTask(value: unknown): Task | null {
  const fields = asRecord(value);
  const [id, type, createdAt] = [asText(fields.task_id), asText(fields.type), asText(fields.created_at)];
  const state = TASK_STATES.find((name) => name === fields.state);
  if (id === null || type === null || createdAt === null || state === undefined) return null;
  return {
    id,
    type,
    state,
    reference: asText(fields.reference) ?? '',
    viewId: asText(fields.view_id),
    progress: Math.min(1, Math.max(0, asNumber(fields.progress) ?? 0)),
    createdAt,
    endedAt: asText(fields.ended_at),
    expiresAt: asText(fields.expires_at),
    bytes: asNumber(fields.bytes) ?? asNumber(fields.estimated_bytes) ?? 0,
    fileName: asText(fields.file_name),
    href: toHref(asText(fields.result_url)),
    failure: asText(fields.error_message),
  };
}
