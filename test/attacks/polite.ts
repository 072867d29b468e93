import type { IncomingHttpHeaders } from 'node:http';
import { Agent, request } from 'node:http';
import type { Pace } from './patience.ts';
import { toLimitMs } from './patience.ts';

/** An answer to a client that follows the rules; status 0 when there was none. */
export interface PoliteAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly ms: number;
  /** Why there was no answer. */
  readonly failure?: string;
}

/** What to ask, and as whom. */
export interface AskOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  readonly key?: string;
  readonly localAddress?: string | undefined;
  /** Where time is judged; elsewhere an answer takes as long as it takes. */
  readonly timeoutMs?: number;
  readonly agent?: Agent;
}

/** Asks once, on a connection of its own unless an agent is given; never throws. */
export function ask(
  server: { readonly port: number } & Partial<Pace>,
  path: string,
  options: AskOptions = {},
): Promise<PoliteAnswer> {
  const { port, isTimed = true } = server;
  const { method = 'GET', headers = {}, body, key, localAddress, timeoutMs = 15_000, agent } = options;
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const fail = (error: Error): void =>
      resolve({
        status: 0,
        headers: {},
        body: Buffer.alloc(0),
        ms: performance.now() - startedAt,
        failure: (error as NodeJS.ErrnoException).code ?? error.message,
      });
    const sent = request({
      host: '127.0.0.1',
      port,
      path,
      method,
      agent: agent ?? false,
      headers: { ...(key === undefined ? {} : { 'x-api-key': key }), ...headers },
      ...(localAddress === undefined ? {} : { localAddress }),
      signal: AbortSignal.timeout(toLimitMs(timeoutMs, { isTimed })),
    });
    sent.on('error', (error: NodeJS.ErrnoException) => {
      // The server had closed a kept connection that nobody used for some seconds: it has not read the request.
      if (sent.reusedSocket && error.code === 'ECONNRESET') resolve(ask(server, path, options));
      else fail(error);
    });
    sent.on('response', (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => void parts.push(part));
      response.on('error', fail);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(parts),
          ms: performance.now() - startedAt,
        }),
      );
    });
    sent.end(body);
  });
}

/** An agent that keeps a few connections, from one loopback address. */
export const makeAgent = (localAddress: string | undefined, maxSockets: number): Agent =>
  new Agent({ keepAlive: true, maxSockets, ...(localAddress === undefined ? {} : { localAddress }) });

/** A share of numbers in order: 0.5 the median, 0.95 the p95. */
export function toPercentile(numbers: readonly number[], share: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** How often each status came, such as `200 ×41, 503 ×2`. */
export function countStatuses(statuses: readonly (number | string)[]): string {
  const counts = new Map<number | string, number>();
  for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1);
  return (
    [...counts].map(([status, count]) => `${status === 0 ? 'no answer' : status} ×${count}`).join(', ') ||
    'nothing'
  );
}

/** Whether bytes begin as a picture does. */
export const isPicture = (body: Buffer): boolean =>
  body.subarray(0, 4).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47])) ||
  body.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]));
