import type { Areas } from '../areas/index.ts';
import type { SceneStore } from '../catalog/index.ts';
import type { Colormaps } from '../colormaps/index.ts';
import type { DrawColorbar, FindIntensity, ReadPoint, Renderer } from '../render/index.ts';
import { apiDocs } from './api-docs.ts';
import { createArea, readArea } from './area.ts';
import { colorbar } from './colorbar.ts';
import { colormapList, createColormap, readColormap } from './colormap.ts';
import type { Route } from './endpoint.ts';
import type { Readiness } from './health.ts';
import { healthz, metricsText, readyz } from './health.ts';
import { intensityRange } from './intensity-range.ts';
import { legend } from './legend.ts';
import type { Metrics } from './metrics.ts';
import { toOpenApi } from './openapi.ts';
import { parseVb } from './parse-vb.ts';
import { picture } from './picture.ts';
import { pictureLegend } from './picture-legend.ts';
import { pointValue } from './point.ts';
import { preview } from './preview.ts';
import { searchDataset, searchDatasets } from './search.ts';
import { thumb } from './thumb.ts';
import type { ViewerFiles } from './viewer.ts';
import { viewerAsset, viewerPage } from './viewer.ts';

/** What the routes are made of. */
export interface RouteDeps {
  readonly version: string;
  readonly scenes: SceneStore;
  readonly areas: Areas;
  readonly colormaps: Colormaps;
  readonly renderer: Renderer;
  readonly drawColorbar: DrawColorbar;
  readonly readPoint: ReadPoint;
  readonly findIntensity: FindIntensity;
  readonly metrics: Metrics;
  readonly showMetrics: boolean;
  readonly viewer: ViewerFiles;
  readonly maxAgeS: number;
  /** What is written over previews. */
  readonly watermark: string;
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
    {
      method: 'POST',
      path: '/api/render/colormap',
      access: 'write',
      endpoint: createColormap(deps.colormaps),
    },
    {
      method: 'GET',
      path: '/api/render/colormap/:all{[Aa][Ll][Ll]}',
      shownPath: '/api/render/colormap/all',
      access: 'read',
      endpoint: colormapList,
    },
    {
      method: 'GET',
      path: '/api/render/colormap/:colormap_id',
      access: 'read',
      endpoint: readColormap(deps.colormaps),
    },
    {
      method: 'GET',
      path: '/api/render/colorbar/:colormap_name',
      access: 'read',
      endpoint: colorbar(deps),
    },
    {
      method: 'GET',
      path: '/api/render/legend/:colormap',
      access: 'read',
      endpoint: legend(deps.colormaps),
    },
    {
      method: 'GET',
      path: '/api/render/:sensor/ir/*',
      shownPath: '/api/render/{sensor}/ir/{scene_id}/{bands}',
      access: 'read',
      endpoint: intensityRange(deps),
    },
    {
      method: 'GET',
      path: '/api/render/:sensor/point/*',
      shownPath: '/api/render/{sensor}/point/{scene_id}/{bands}/{lat}/{lon}',
      access: 'read',
      endpoint: pointValue(deps),
    },
    {
      method: 'GET',
      path: '/api/render/legend/:sensor/*',
      shownPath: `/api/render/legend${PICTURE.slice('/api/render'.length)}`,
      access: 'read',
      endpoint: pictureLegend(deps),
    },
    {
      method: 'GET',
      path: '/api/render/:sensor/preview/*',
      shownPath: '/api/render/{sensor}/preview/{scene_id}/{bands}/{zoom}/{lat}/{lon}',
      access: 'read',
      endpoint: preview(deps),
    },
    {
      method: 'GET',
      path: '/api/render/:sensor/thumb/*',
      shownPath: '/api/render/{sensor}/thumb/{scene_id}',
      access: 'read',
      endpoint: thumb(deps),
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
