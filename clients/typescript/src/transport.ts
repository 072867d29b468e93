/** How calls reach the service: requests, patience with a busy service, and errors. */
import { asRecord, asText } from './read-json.ts';

/** What all calls are made of. Programs use `makeTransport`; the viewer has one with its own patience and language. */
export interface Transport {
  /** Any request; paths begin behind the address of the service. The answer may be an error. */
  send(path: string, init: RequestInit, signal?: AbortSignal): Promise<Response>;
  /** The JSON of an answer, `undefined` where it has none; throws when it is refused. */
  call(path: string, request: CallRequest, signal?: AbortSignal): Promise<unknown>;
  /** What is thrown for an answer that is an error; 200 is a failed task, and 202 one that is never ready. */
  toError(status: number, text: string): Error;
  /** Waits; throws the reason of the signal as soon as that is used. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
}

/** A request with JSON. */
export interface CallRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly body?: unknown;
}

/** A refusal or a failure, as the service explains it. */
export class SwathError extends Error {
  /** HTTP status; 0 when there was no answer at all. */
  readonly status: number;
  /** What programs can compare, such as `unknown-scene`. */
  readonly code: string;

  constructor(status: number, code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SwathError';
    this.status = status;
    this.code = code;
  }
}

/** Where a service is, and how it is asked. */
export interface TransportOptions {
  /** Such as `http://localhost:8080`. */
  readonly url: string;
  readonly key?: string;
  /** For tests, or for a fetch with a proxy. */
  readonly fetch?: typeof globalThis.fetch;
}

/** The transport of programs. The key travels in a header, and to this service alone. */
export function makeTransport({ url, key, fetch = globalThis.fetch }: TransportOptions): Transport {
  const base = `${url.replace(/\/+$/, '')}/`;
  const transport: Transport = {
    async send(path, init, signal) {
      const address = new URL(path, base);
      const headers = new Headers(init.headers);
      if (key !== undefined && address.href.startsWith(base)) headers.set('x-api-key', key);
      try {
        return await fetch(address, { ...init, headers, redirect: 'manual', signal: signal ?? null });
      } catch (error) {
        if (signal?.aborted) throw error;
        throw new SwathError(0, 'no-answer', `${base} does not answer.`, { cause: error });
      }
    },
    async call(path, { method = 'GET', body }, signal) {
      const init = body === undefined ? { method } : { ...toPost(body), method };
      const response = await ask(transport, { path, init, signal });
      const text = await response.text();
      return text === '' ? undefined : (JSON.parse(text) as unknown);
    },
    toError,
    wait,
  };
  return transport;
}

/** Good answers that are failures for the caller. */
const SENTENCES: Readonly<Record<number, string>> = {
  200: 'The task has failed.',
  202: 'The task is never ready.',
};

function toError(status: number, text: string): SwathError {
  let body: Readonly<Record<string, unknown>> = {};
  try {
    body = asRecord(JSON.parse(text));
  } catch {
    // A page of a proxy in between.
  }
  const message = asText(body.error) ?? asText(body.description) ?? asText(body.detail);
  return new SwathError(
    status,
    asText(body.code) ?? asText(body.title) ?? 'http-error',
    message ?? SENTENCES[status] ?? `The service answered ${status}.`,
  );
}

/** Resolves after some time; throws the reason of the signal as soon as that is used. */
export const wait = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });

/** A request, with its signal. */
export interface Asked {
  readonly path: string;
  readonly init?: RequestInit;
  readonly signal?: AbortSignal | undefined;
}

/** After so many refusals in a row the caller gets the last one. */
const MAX_REFUSALS = 4;
/** The rate of a minute is renewed by then, whatever the header says. */
const MAX_WAIT_S = 60;

/** The answer; one that says 429 is waited for, any other error is thrown. A redirect is an answer. */
export async function ask(
  transport: Pick<Transport, 'send' | 'toError' | 'wait'>,
  { path, init = {}, signal }: Asked,
): Promise<Response> {
  for (let refusals = 0; ; refusals++) {
    const response = await transport.send(path, init, signal);
    // A browser hides where a redirect leads: its status is 0.
    if (response.ok || response.status === 303 || response.type === 'opaqueredirect') return response;
    const text = await response.text();
    if (response.status !== 429 || refusals === MAX_REFUSALS) throw transport.toError(response.status, text);
    const seconds = Number(response.headers.get('retry-after') ?? 1);
    await transport.wait(1_000 * Math.min(MAX_WAIT_S, Math.max(1, seconds || 1)), signal);
  }
}

/** A posted value, as `init` of a request. */
export const toPost = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
