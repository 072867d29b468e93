import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { HANG_MS } from '../../../src/testing/wait-for.ts';
import { SERVICE_KEY } from '../../support/start-swath.ts';
import type { SmallOrder } from './orders.ts';

/** What a client has seen of one task. */
export interface TaskHistory {
  readonly order: SmallOrder;
  readonly reference: string;
  /** Every id that was acknowledged for it: never more than one. */
  readonly ids: ReadonlySet<string>;
  /** What polls said, without repetition: `started`, `finished`, an error code, `gone`. */
  readonly states: readonly string[];
  readonly isDeleted: boolean;
  /** Of each file that was downloaded. */
  readonly digests: readonly string[];
  /** What a client must never see. */
  readonly faults: readonly string[];
}

interface ClientOptions {
  readonly url: string;
  readonly random: () => number;
  readonly order: SmallOrder;
  readonly reference: string;
  /** Aborts when the run has to end at once. */
  readonly signal: AbortSignal;
  /** Who is told of the end of the task. */
  readonly callbackUrl?: string;
  /** Sends requests in place of `fetch`. */
  readonly send?: typeof fetch;
}

/** One answer; null when the service could not be reached or refused for the moment. */
async function ask(send: typeof fetch, url: string, init: RequestInit): Promise<Response | null> {
  try {
    const response = await send(url, {
      redirect: 'manual',
      ...init,
      headers: { 'x-api-key': SERVICE_KEY },
      signal: AbortSignal.timeout(HANG_MS),
    });
    return response.status === 503 || response.status === 429 ? null : response;
  } catch {
    return null;
  }
}

/** The code of a failure; statistics have codes only for what is wrong with an order. */
function toCode({ error_status: code, error_message: message }: Readonly<Record<string, unknown>>): string {
  if (typeof code === 'string') return code;
  return /worker died/.test(String(message))
    ? 'worker-died'
    : /cancelled/.test(String(message))
      ? 'cancelled'
      : 'null';
}

/** Creates a task, polls it, perhaps deletes it, downloads the file, and looks again whether anything has changed. */
export async function followTask({
  url,
  random,
  order,
  reference,
  signal,
  callbackUrl,
  send = fetch,
}: ClientOptions): Promise<TaskHistory> {
  const ids = new Set<string>();
  const states: string[] = [];
  const digests: string[] = [];
  const faults: string[] = [];
  let isDeleted = false;
  const params = { ...order.params, reference };
  const body = JSON.stringify({ type: order.type, params, callback_url: callbackUrl });
  const pause = (): Promise<void> => sleep(20 + 150 * random());

  async function create(): Promise<string | null> {
    while (!signal.aborted) {
      const response = await ask(send, `${url}/api`, { method: 'POST', body });
      const text = response === null ? '' : await response.text().catch(() => '');
      if (response?.status === 202 && text !== '') {
        const { task_id: id } = JSON.parse(text) as { task_id: string };
        ids.add(id);
        return id;
      }
      if (response !== null && response.status !== 202) {
        faults.push(`POST answered ${response.status} ${text.slice(0, 200)}`);
        return null;
      }
      await pause();
    }
    return null;
  }

  /** One look; null when there was no answer. */
  async function look(id: string): Promise<string | null> {
    const response = await ask(send, `${url}/api/${id}`, {});
    if (response === null) return null;
    const text = await response.text().catch(() => null);
    if (text === null) return null;
    if (response.status === 404) return 'gone';
    if (response.status === 303) {
      await download(response.headers.get('location') ?? '');
      return 'finished';
    }
    if (response.status !== 200) {
      faults.push(`GET answered ${response.status} ${text.slice(0, 200)}`);
      return 'broken';
    }
    const { task_type: type, ...answer } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    if (type === 'finish') {
      digests.push(createHash('sha256').update(JSON.stringify(answer.result)).digest('hex'));
      return 'finished';
    }
    return type === 'error' ? `error ${toCode(answer)}` : String(type);
  }

  /** The whole file, or nothing: what breaks off says so by its length. */
  async function download(link: string): Promise<void> {
    try {
      const response = await send(link, { signal: AbortSignal.timeout(HANG_MS) });
      const bytes = new Uint8Array(await response.arrayBuffer());
      if (response.status === 503) return;
      if (response.status !== 200) {
        faults.push(`the link answered ${response.status}`);
        return;
      }
      if (bytes.length !== Number(response.headers.get('content-length')))
        faults.push('a file of another length');
      digests.push(createHash('sha256').update(bytes).digest('hex'));
    } catch {
      // The server was killed meanwhile.
    }
  }

  function note(state: string): void {
    if (states.at(-1) !== state) states.push(state);
  }

  const id = await create();
  const willDelete = random() < 0.1;
  for (let after = 0; id !== null && !signal.aborted; ) {
    const state = await look(id);
    if (state !== null) note(state);
    // A few looks more: what is over stays as it is.
    if (state !== null && state !== 'started') after += 1;
    if (after > 3) break;
    if (willDelete && !isDeleted && random() < 0.3) {
      isDeleted = true;
      await ask(send, `${url}/api/${id}`, { method: 'DELETE' });
    }
    // The same order again is the same task, unless it has ended without a result.
    else if (!willDelete && state !== null && !state.startsWith('error') && random() < 0.1) await create();
    await pause();
  }
  return { order, reference, ids, states, isDeleted, digests, faults };
}
