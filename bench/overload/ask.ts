import type { Agent } from 'undici';
import { request } from 'undici';

/** One answer as a client sees it; status 0 for a broken connection. */
export interface Answer {
  readonly status: number;
  readonly ms: number;
}

/** Builds a client of one key. undici takes half the time of node:http: the sender must not be what is overloaded. */
export const makeAsk =
  (agent: Agent, url: string, key: string) =>
  async (path: string): Promise<Answer> => {
    const startedAt = performance.now();
    const since = (): number => performance.now() - startedAt;
    try {
      const { statusCode, body } = await request(url + path, {
        dispatcher: agent,
        headers: { 'x-api-key': key },
      });
      await body.dump({ limit: 2 ** 20 });
      return { status: statusCode, ms: since() };
    } catch {
      return { status: 0, ms: since() };
    }
  };

/** A percentile of the times, in milliseconds. */
export function toPercentile(answers: readonly Answer[], share: number): number {
  const sorted = answers.map(({ ms }) => ms).sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** The answers with a status. */
export const withStatus = (answers: readonly Answer[], status: number): readonly Answer[] =>
  answers.filter((answer) => answer.status === status);
