/** Tasks of the key: ordering, estimating, listing, ending. */
import { asNumber, asRecord, asText } from '../scenes/read-json.ts';
import type { DownloadOrder, DownloadTask } from '../state/downloads.ts';
import { TASK_STATES } from '../state/downloads.ts';
import type { Api } from './api.ts';
import { unknownForm } from './failure.ts';

/** A page of tasks. */
export interface TaskPage {
  readonly tasks: readonly DownloadTask[];
  readonly next: string | null;
}

/** The calls; failures are those of `Api`. */
export interface TaskApi {
  /** The id of the new task. */
  createTask(order: DownloadOrder, signal?: AbortSignal): Promise<string>;
  estimateTask(
    order: DownloadOrder,
    signal?: AbortSignal,
  ): Promise<{ readonly bytes: number; readonly fileName: string }>;
  /** Tasks, newest first: those that make files of a scene, or of all types. */
  listTasks(
    query: { readonly limit: number; readonly after: string | null; readonly isOfAll?: boolean },
    signal?: AbortSignal,
  ): Promise<TaskPage>;
  /** Cancels a task that is not over; removes one that is, with its file. */
  endTask(id: string): Promise<void>;
}

const RESULTS = '/api/results/';

/** The link from the page on: the server's public name may be another than the one the page was opened by. */
const toHref = (url: string | null): string | null => {
  const start = url?.lastIndexOf(RESULTS) ?? -1;
  return url === null || start < 0 ? null : url.slice(start + 1);
};

/** Reads one task of the list; `null` for what is none. */
const parseTask = (value: unknown): DownloadTask | null => {
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
};

/** Builds the calls. */
export const makeTaskApi = ({ call }: Pick<Api, 'call'>): TaskApi => ({
  async createTask(order, signal) {
    const id = asText(asRecord(await call('api', { method: 'POST', body: order }, signal)).task_id);
    if (id === null) throw unknownForm();
    return id;
  },
  async estimateTask(order, signal) {
    const answer = asRecord(await call('api/tasks/estimate', { method: 'POST', body: order }, signal));
    return { bytes: asNumber(answer.estimated_bytes) ?? 0, fileName: asText(answer.file_name) ?? '' };
  },
  async listTasks({ limit, after, isOfAll = false }, signal) {
    const from = after === null ? '' : `&after=${encodeURIComponent(after)}`;
    const types = isOfAll ? '' : 'type=lbe,bandmath,jpeg&';
    const answer = asRecord(await call(`api/tasks?${types}limit=${limit}${from}`, {}, signal));
    if (!Array.isArray(answer.tasks)) throw unknownForm();
    return { tasks: answer.tasks.map(parseTask).filter((task) => task !== null), next: asText(answer.next) };
  },
  async endTask(id) {
    await call(`api/${encodeURIComponent(id)}`, { method: 'DELETE' });
  },
});
