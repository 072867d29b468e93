import type { AreaParser, Areas } from '../areas/index.ts';
import type { SceneStore } from '../catalog/index.ts';
import type { Colormaps } from '../colormaps/index.ts';
import type { DrawColorbar, FindIntensity, ReadPoint, Renderer } from '../render/index.ts';
import { createArea, deleteArea, readArea } from './areas/area.ts';
import { colorbar } from './colors/colorbar.ts';
import { colormapLegend } from './colors/colormap-legend.ts';
import { colormapList } from './colors/colormap-list.ts';
import { createColormap, deleteColormap, readColormap } from './colors/custom-colormap.ts';
import type { Endpoint, Route } from './endpoint/endpoint.ts';
import type { Readiness } from './monitoring/health.ts';
import { healthz, readyz } from './monitoring/health.ts';
import type { Metrics } from './monitoring/metrics.ts';
import { metricsText } from './monitoring/metrics-text.ts';
import { apiDocs } from './pages/docs.ts';
import { toOpenApi } from './pages/openapi.ts';
import { viewerAsset, viewerPage } from './pages/viewer.ts';
import type { ViewerFiles } from './pages/viewer-files.ts';
import { pictureLegend } from './pictures/legend.ts';
import { picture } from './pictures/picture.ts';
import { preview } from './pictures/preview.ts';
import { thumb } from './pictures/thumb.ts';
import { searchDataset, searchDatasets } from './search/search.ts';
import { intensityRange } from './values/intensity-range.ts';
import { parseVb } from './values/parse-vb.ts';
import { pointValue } from './values/point.ts';

/** What the routes are made of. */
export interface RouteDeps {
  readonly version: string;
  readonly scenes: SceneStore;
  readonly areas: Areas;
  readonly areaParser: Pick<AreaParser, 'parse'>;
  readonly colormaps: Colormaps;
  readonly renderer: Renderer;
  readonly drawColorbar: DrawColorbar;
  readonly readPoint: ReadPoint;
  readonly findIntensity: FindIntensity;
  readonly metrics: Metrics;
  /** Who may read the metrics. */
  readonly metricsAccess: 'open' | 'read' | 'none';
  readonly viewer: ViewerFiles;
  readonly maxAgeS: number;
  /** What is written over previews. */
  readonly watermark: string;
  readonly readReadiness: () => Promise<Readiness>;
}

const PICTURE = '{view_id}/{bands}/{z}/{x}/{y}';

/** The table of contents of the product: one line a route. */
export function makeRoutes(deps: RouteDeps): readonly Route[] {
  const { areas, colormaps, viewer } = deps;
  const docs = apiDocs(() => toOpenApi(routes, deps.version));
  const routes: readonly Route[] = [
    post('/api/lms/search/v2', 'read', searchDatasets(deps)),
    post('/api/lms/search/v2/:dataset_id', 'read', searchDataset(deps)),

    get('/api/render/:sensor/parse_vb/*', parseVb(deps), '/api/render/{sensor}/parse_vb/{bands}'),
    post('/api/render/cropper', 'write', createArea(areas)),
    get('/api/render/cropper/:cropper_ref', readArea(areas)),
    remove('/api/render/cropper/:cropper_ref', deleteArea(areas)),
    post('/api/render/colormap', 'write', createColormap(colormaps)),
    get('/api/render/colormap/:all{[Aa][Ll][Ll]}', colormapList, '/api/render/colormap/all'),
    get('/api/render/colormap/:colormap_id', readColormap(colormaps)),
    remove('/api/render/colormap/:colormap_id', deleteColormap(colormaps)),
    get('/api/render/colorbar/:colormap_name', colorbar(deps)),
    get('/api/render/legend/:colormap', colormapLegend(colormaps)),
    get('/api/render/:sensor/ir/*', intensityRange(deps), '/api/render/{sensor}/ir/{scene_id}/{bands}'),
    get(
      '/api/render/:sensor/point/*',
      pointValue(deps),
      '/api/render/{sensor}/point/{scene_id}/{bands}/{lat}/{lon}',
    ),
    get('/api/render/legend/:sensor/*', pictureLegend(deps), `/api/render/legend/${PICTURE}`),
    get(
      '/api/render/:sensor/preview/*',
      preview(deps),
      '/api/render/{sensor}/preview/{scene_id}/{bands}/{zoom}/{lat}/{lon}',
    ),
    get('/api/render/:sensor/thumb/*', thumb(deps), '/api/render/{sensor}/thumb/{scene_id}'),
    // Last: its path takes everything below /api/render.
    get('/api/render/*', picture(deps), `/api/render/${PICTURE}`),

    open('/', viewerPage(viewer)),
    open('/assets/*', viewerAsset(viewer)),
    open('/docs', docs.page),
    open('/docs/style.css', docs.style),
    open('/openapi.json', docs.json),

    open('/healthz', healthz),
    open('/readyz', readyz(deps.readReadiness)),
    ...toMetricsRoutes(deps),
  ];
  return routes;
}

function toMetricsRoutes({ metricsAccess, metrics }: RouteDeps): readonly Route[] {
  const endpoint = metricsText(metrics);
  if (metricsAccess === 'none') return [];
  return [metricsAccess === 'open' ? open('/metrics', endpoint) : get('/metrics', endpoint)];
}

/** Read with any key. */
const get = (path: string, endpoint: Endpoint, shownPath: string = path): Route => ({
  method: 'GET',
  access: 'read',
  path,
  shownPath,
  endpoint,
});

/** Asked with a body, by keys that may read or that may change things. */
const post = (path: string, access: 'read' | 'write', endpoint: Endpoint): Route => ({
  method: 'POST',
  access,
  path,
  shownPath: path,
  endpoint,
});

/** Deleted by keys that may change things. */
const remove = (path: string, endpoint: Endpoint): Route => ({
  method: 'DELETE',
  access: 'write',
  path,
  shownPath: path,
  endpoint,
});

/** Read by anyone, without a key. */
const open = (path: string, endpoint: Endpoint): Route => ({
  method: 'GET',
  access: 'open',
  path,
  shownPath: path,
  endpoint,
});
