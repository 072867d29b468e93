import { randomUUID } from 'node:crypto';
import { waitFor } from '../../src/testing/wait-for.ts';
import type { Balancer } from './balancer.ts';

/** What clients do. */
export type RequestKind = 'picture' | 'search' | 'task';

/** What came of the requests of one kind. */
export interface KindCount {
  sent: number;
  answered: number;
  /** Failed requests by their cause. */
  readonly failed: Map<string, number>;
}

/** The cause of every request that was on a node when that was killed: the only one that is expected. */
export const ON_A_KILLED_NODE = 'on a killed node';

/** Sends the requests of all clients through the balancer, and counts what came of each. */
export interface Ledger {
  /** As `fetch`, for requests of a kind; whole bodies, so that an answer that breaks off is a failure too. */
  send(kind: RequestKind): typeof fetch;
  readonly counts: ReadonlyMap<RequestKind, KindCount>;
  /** Waits for so many more answers. */
  moreAnswers(count: number): Promise<void>;
  /** Failed requests, without those on killed nodes: cause and number. */
  unexpected(): readonly string[];
}

/** Makes a ledger over a balancer. */
export function makeLedger(balancer: Balancer): Ledger {
  const counts = new Map<RequestKind, KindCount>();
  const countOf = (kind: RequestKind): KindCount => {
    const count = counts.get(kind) ?? { sent: 0, answered: 0, failed: new Map() };
    counts.set(kind, count);
    return count;
  };
  const fail = (kind: RequestKind, cause: string): void => {
    const { failed } = countOf(kind);
    failed.set(cause, (failed.get(cause) ?? 0) + 1);
  };

  /** Why the balancer could not bring an answer. */
  function toCause(id: string): string | null {
    const failure = balancer.failures.get(id);
    if (failure === undefined) return null;
    const { target, text } = failure;
    if (target?.ending === 'killed') return ON_A_KILLED_NODE;
    return `${target === null ? '' : `on a ${target.ending ?? 'running'} node: `}${text}`;
  }

  return {
    counts,
    send: (kind) => async (address, init) => {
      const id = randomUUID();
      countOf(kind).sent += 1;
      try {
        const headers = { ...(init?.headers as Record<string, string>), 'x-request-id': id };
        const response = await fetch(address, { ...init, headers });
        const body = await response.arrayBuffer();
        const cause = toCause(id);
        if (cause !== null) fail(kind, cause);
        else if (response.status >= 429) fail(kind, `${response.status} ${readCode(body)}`);
        else countOf(kind).answered += 1;
        const { status, headers: answered } = response;
        return new Response(status === 204 || status === 304 ? null : body, { status, headers: answered });
      } catch (error) {
        fail(kind, toCause(id) ?? String((error as Error).cause ?? error));
        throw error;
      }
    },
    async moreAnswers(count) {
      const answered = (): number => [...counts.values()].reduce((sum, one) => sum + one.answered, 0);
      const enough = answered() + count;
      await waitFor(() => answered() >= enough);
    },
    unexpected: () =>
      [...counts].flatMap(([kind, { failed }]) =>
        [...failed]
          .filter(([cause]) => cause !== ON_A_KILLED_NODE)
          .map(([cause, count]) => `${count} × ${kind} failed: ${cause}`),
      ),
  };
}

function readCode(body: ArrayBuffer): string {
  try {
    return String((JSON.parse(new TextDecoder().decode(body)) as { code: string }).code);
  } catch {
    return 'without a code';
  }
}
