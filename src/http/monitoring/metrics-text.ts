import { Answer } from '../kit/answer.ts';
import type { Endpoint } from '../kit/endpoint.ts';
import type { Metrics } from './metrics.ts';

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
