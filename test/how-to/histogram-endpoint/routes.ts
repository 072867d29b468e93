import type { Admission, Route } from '../../../src/http/kit/endpoint.ts';
import type { HistogramDeps } from './histogram.ts';
import { histogram } from './histogram.ts';

const measured: Admission = { access: 'read', door: 'render', lane: 'tile', answersWhileDraining: false };

/** Histograms of scenes. */
export const histogramRoutes = (deps: HistogramDeps): readonly Route[] => [
  {
    ...measured,
    method: 'GET',
    path: '/api/render/:sensor/histogram/*',
    shownPath: '/api/render/{sensor}/histogram/{scene_id}/{bands}',
    endpoint: histogram(deps),
  },
];
