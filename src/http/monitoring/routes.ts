import type { Admission, Route } from '../kit/endpoint.ts';
import type { Readiness } from './health.ts';
import { healthz, readyz } from './health.ts';
import type { Metrics } from './metrics.ts';
import { metricsText } from './metrics-text.ts';

/** What monitoring reads. */
export interface MonitoringRouteDeps {
  readonly readReadiness: () => Promise<Readiness>;
  readonly metrics: Metrics;
  /** Who may read the metrics. */
  readonly metricsAccess: 'open' | 'read' | 'none';
}

/** Monitoring must see the service shut down. */
const watched: Admission = { access: 'open', door: 'free', lane: 'tile', answersWhileDraining: true };

/** Health, readiness and metrics. */
export const monitoringRoutes = (deps: MonitoringRouteDeps): readonly Route[] => [
  { ...watched, method: 'GET', path: '/healthz', endpoint: healthz },
  { ...watched, method: 'GET', path: '/readyz', endpoint: readyz(deps.readReadiness) },
  ...toMetricsRoutes(deps),
];

function toMetricsRoutes({ metricsAccess: access, metrics }: MonitoringRouteDeps): readonly Route[] {
  if (access === 'none') return [];
  return [{ ...watched, access, method: 'GET', path: '/metrics', endpoint: metricsText(metrics) }];
}
