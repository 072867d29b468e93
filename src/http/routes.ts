import type { Areas } from '../areas/index.ts';
import type { SceneStore } from '../catalog/index.ts';
import type { Renderer } from '../render/index.ts';
import { apiDocs } from './api-docs.ts';
import { createArea, readArea } from './area.ts';
import type { Route } from './endpoint.ts';
import type { Readiness } from './health.ts';
import { healthz, metricsText, readyz } from './health.ts';
import type { Metrics } from './metrics.ts';
import { toOpenApi } from './openapi.ts';
import { parseVb } from './parse-vb.ts';
import { picture } from './picture.ts';
import { searchDataset, searchDatasets } from './search.ts';
import type { ViewerFiles } from './viewer.ts';
import { viewerAsset, viewerPage } from './viewer.ts';

/** What the routes are made of. */
export interface RouteDeps {
  readonly version: string;
  readonly scenes: SceneStore;
  readonly areas: Areas;
  readonly renderer: Renderer;
  readonly metrics: Metrics;
  readonly showMetrics: boolean;
  readonly viewer: ViewerFiles;
  readonly maxAgeS: number;
  readonly readReadiness: () => Promise<Readiness>;
}

const PICTURE = '/api/render/{view_id}/{bands}/{z}/{x}/{y}';

/** The table of contents of the product: one line a route. */
export function makeRoutes(deps: RouteDeps): readonly Route[] {
  const docs = apiDocs(() => toOpenApi(routes, deps.version));
  const routes: Route[] = [
    { method: 'POST', path: '/api/lms/search/v2', access: 'read', endpoint: searchDatasets(deps.scenes) },
    {
      method: 'POST',
      path: '/api/lms/search/v2/:dataset_id',
      access: 'read',
      endpoint: searchDataset(deps.scenes),
    },
    {
      method: 'GET',
      path: '/api/render/:sensor/parse_vb/*',
      shownPath: '/api/render/{sensor}/parse_vb/{bands}',
      access: 'read',
      endpoint: parseVb(deps.scenes),
    },
    { method: 'POST', path: '/api/render/cropper', access: 'write', endpoint: createArea(deps.areas) },
    {
      method: 'GET',
      path: '/api/render/cropper/:cropper_ref',
      access: 'read',
      endpoint: readArea(deps.areas),
    },
    // Last: its path takes everything below /api/render.
    { method: 'GET', path: '/api/render/*', shownPath: PICTURE, access: 'read', endpoint: picture(deps) },

    { method: 'GET', path: '/', access: 'open', endpoint: viewerPage(deps.viewer) },
    { method: 'GET', path: '/assets/*', access: 'open', endpoint: viewerAsset(deps.viewer) },
    { method: 'GET', path: '/docs', access: 'open', endpoint: docs.page },
    { method: 'GET', path: '/docs/style.css', access: 'open', endpoint: docs.style },
    { method: 'GET', path: '/openapi.json', access: 'open', endpoint: docs.json },

    { method: 'GET', path: '/healthz', access: 'open', endpoint: healthz },
    { method: 'GET', path: '/readyz', access: 'open', endpoint: readyz(deps.readReadiness) },
  ];
  if (deps.showMetrics) {
    routes.push({ method: 'GET', path: '/metrics', access: 'open', endpoint: metricsText(deps.metrics) });
  }
  return routes;
}
