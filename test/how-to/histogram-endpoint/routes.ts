import type { Route } from '../../../src/http/kit/endpoint.ts';
import { drawn } from '../../../src/http/kit/endpoint.ts';
import type { HistogramDeps } from './histogram.ts';
import { histogram } from './histogram.ts';

/** Histograms of scenes. */
export const histogramRoutes = (deps: HistogramDeps): readonly Route[] => [
  drawn.get('/api/render/:sensor/histogram/*', 'getHistogram', histogram(deps), {
    shownPath: '/api/render/{sensor}/histogram/{scene_id}/{bands}',
  }),
];
