/** Whether the process lives, and whether it can do its work. */

import { Answer } from './kit/answers.ts';
import type { Endpoint } from './kit/endpoint.ts';
import { json } from './kit/json-schema.ts';

/** Whether the service can do its work now. */
export interface Readiness {
  readonly ready: boolean;
  /** Ready, but not for everything: the checks say what fails. */
  readonly degraded: boolean;
  /** What we wait for, in words; null when ready. */
  readonly waiting: string | null;
  readonly checks: Readonly<Record<string, 'ok' | 'failed'>>;
  /**
   * How many places of scenes this node cannot read; null where nobody has looked. Their names are for operators, in the log
   * and `swath doctor`: this answer is open to everyone.
   */
  readonly unreached_places: number | null;
}

const readinessSchema = json.object({
  ready: json.boolean(),
  degraded: json.boolean(),
  waiting: json.nullable(json.string()),
  checks: json.map(json.choice(['ok', 'failed'])),
  unreached_places: json.nullable(json.integer()),
});

const toJson = (body: unknown, status = 200): Answer =>
  Answer.json(body, { status, headers: { 'cache-control': 'no-store' } });

/** `GET /healthz`: the process lives; restart it when this does not answer. */
export const healthz: Endpoint = {
  summary: 'Is the process alive?',
  tag: 'Service',
  answers: {
    200: {
      description: 'It is.',
      content: { 'application/json': json.object({ status: json.literal('ok') }) },
    },
  },
  handle: async () => toJson({ status: 'ok' }),
};

/** `GET /readyz`: send traffic here, or not yet, or no longer. */
export const readyz = (read: () => Promise<Readiness>): Endpoint => ({
  summary: 'Is the service ready for traffic?',
  description:
    'False while the first scene is generated, when the store does not answer or the pixel threads fail, and during shutdown. Ready but degraded when nothing can be stored, and during the first minute of a store outage: reads still work. Places of scenes that this node cannot read are counted, and leave it ready.',
  tag: 'Service',
  answers: {
    200: {
      description: 'Ready; degraded says whether for reading only.',
      content: { 'application/json': readinessSchema },
    },
    503: { description: 'Not now.', content: { 'application/json': readinessSchema } },
  },
  async handle() {
    const readiness = await read();
    return toJson(readiness, readiness.ready ? 200 : 503);
  },
});

interface ReadinessDeps {
  readonly readStore: () => Promise<{
    readonly reads: 'ok' | 'failed';
    readonly writes: 'ok' | 'failed';
  }>;
  readonly arePixelsWell: () => boolean;
  /** Places of scenes that cannot be read here; null if nobody has looked. */
  readonly countUnreached: () => number | null;
  /** Aborts when the service shuts down. */
  readonly stopping: AbortSignal;
  /** Monotonic. */
  readonly nowMs: () => number;
  /** How long recent answers stay in use while the store does not respond. */
  readonly outageMs: number;
}

/** Watches whether the service can do its work. */
export function makeReadiness({
  readStore,
  arePixelsWell,
  countUnreached,
  stopping,
  nowMs,
  outageMs,
}: ReadinessDeps) {
  let waiting: string | null = null;
  /** Since when the store cannot be read; null while it can. */
  let unreadableMs: number | null = null;
  return {
    /** What the service is waiting for, in words; null for nothing. */
    waitFor(what: string | null): void {
      waiting = what;
    },
    async read(): Promise<Readiness> {
      const { reads, writes } = await readStore();
      unreadableMs = reads === 'ok' ? null : (unreadableMs ?? nowMs());
      const pool = arePixelsWell() ? ('ok' as const) : ('failed' as const);
      const reason = stopping.aborted ? 'shutting down' : waiting;
      // Readers can go on: without this rule all nodes of a shared database would be taken out of service at once.
      const canRead = unreadableMs === null || nowMs() - unreadableMs < outageMs;
      const ready = canRead && pool === 'ok' && reason === null;
      const degraded = ready && (reads === 'failed' || writes === 'failed');
      const unreached = countUnreached();
      // Other nodes have the same scenes to show: a balancer must not lose all of them for one missing place.
      const files =
        unreached === null ? {} : { files: unreached === 0 ? ('ok' as const) : ('failed' as const) };
      const checks = { store: reads, writes, pool, ...files };
      return { ready, degraded, waiting: reason, checks, unreached_places: unreached };
    },
  };
}
