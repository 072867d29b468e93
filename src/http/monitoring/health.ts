/** What monitoring asks: whether the process lives, whether it can work, and its metrics. */
import { Answer } from '../kit/answers.ts';
import type { Endpoint } from '../kit/endpoint.ts';
import { json } from '../kit/json-schema.ts';
import type { Metrics } from './metrics.ts';

/** Whether the service can do its work now. */
export interface Readiness {
  readonly ready: boolean;
  /** Ready, but not for everything: the checks say what fails. */
  readonly degraded: boolean;
  /** What we wait for, in words; null when ready. */
  readonly waiting: string | null;
  readonly checks: Readonly<Record<string, 'ok' | 'failed'>>;
}

const readinessSchema = json.object({
  ready: json.boolean(),
  degraded: json.boolean(),
  waiting: json.nullable(json.string()),
  checks: json.map(json.choice(['ok', 'failed'])),
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
    'False while the first scene is generated, when the store does not answer or the pixel threads fail, and during shutdown. Ready but degraded when nothing can be stored, and during the first minute of a store outage: reads still work.',
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

/** `GET /metrics` in the text format of Prometheus. */
export const metricsText = (metrics: Metrics): Endpoint => ({
  summary: 'Metrics for Prometheus',
  tag: 'Service',
  answers: { 200: { description: 'Metrics.', content: { 'text/plain': null } } },
  async handle() {
    const { text, contentType } = await metrics.render();
    return new Answer(text, { headers: { 'content-type': contentType, 'cache-control': 'no-store' } });
  },
});
