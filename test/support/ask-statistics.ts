import { SERVICE_KEY } from './start-swath.ts';

/** The two addresses of tasks. */
export type TaskAddress = '/api' | '/api/gdw/api';

/** A scene of an answer, or of its errors. */
export type AnsweredScene = Readonly<Record<string, unknown>> & { readonly view_id: string };

/** What the service answered to an order. */
export interface AnsweredStatistics {
  readonly taskId: string;
  readonly result: readonly AnsweredScene[];
  readonly errors: readonly AnsweredScene[];
}

const headers = { 'x-api-key': SERVICE_KEY, 'content-type': 'application/json' };

/** Posts, and waits as long as the service says where that is too often. */
async function post(url: string, body: string): Promise<Response> {
  for (;;) {
    const answer = await fetch(url, { method: 'POST', headers, body });
    if (answer.status !== 429) return answer;
    const seconds = Number(answer.headers.get('retry-after') ?? 1);
    await new Promise((resolve) => setTimeout(resolve, 1_000 * Math.max(1, seconds)));
  }
}

/** How often it is asked whether they are there. */
const POLL_MS = 20;

/** Orders statistics as a client does, and polls until they are there. */
export async function askStatistics(
  url: string,
  address: TaskAddress,
  params: Readonly<Record<string, unknown>>,
  pollMs = POLL_MS,
): Promise<AnsweredStatistics> {
  const body = JSON.stringify({ type: 'mt_stats', params });
  const created = await post(`${url}${address}`, body);
  if (created.status !== 202) throw new Error(`${created.status} ${await created.text()}`);
  const { task_id: taskId } = (await created.json()) as { task_id: string };
  for (;;) {
    const polled = await fetch(`${url}${address}/${taskId}`, { headers });
    const answer = (await polled.json()) as Readonly<Record<string, unknown>>;
    if (answer.error_message != null) throw new Error(`${JSON.stringify(params)}: ${answer.error_message}`);
    const own = address === '/api' ? answer.result : answer;
    const isFinished = answer.task_type === 'finish' || answer.status === 'finished';
    if (isFinished) return { taskId, ...(own as Omit<AnsweredStatistics, 'taskId'>) };
    if (!polled.ok) throw new Error(`${polled.status}: ${JSON.stringify(answer)}`);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
