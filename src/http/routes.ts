/** Every address of the service. The order of lines does not matter. */
import { about } from './about.ts';
import { healthz, readyz } from './health.ts';
import type { Route } from './kit/endpoint.ts';
import { open } from './kit/endpoint.ts';
import { metricsText } from './metrics.ts';
import { apiDocs } from './pages/docs.ts';
import { toOpenApi } from './pages/openapi.ts';
import { viewerAsset, viewerPage } from './pages/viewer.ts';
import { colormapStops, functionList, sensorList } from './reference.ts';
import { imageryRoutes } from './routes/imagery-routes.ts';
import { libraryRoutes } from './routes/library-routes.ts';
import { orderRoutes } from './routes/order-routes.ts';
import { peopleRoutes } from './routes/people-routes.ts';
import type { MonitoringDeps, RouteDeps } from './routes/services.ts';
import { wireServices } from './routes/services.ts';
import { standardRoutes } from './routes/standard-routes.ts';

/** All routes. Each table lists the addresses of its subjects, who may ask for them, and what answers. */
export function makeRoutes(deps: RouteDeps): readonly Route[] {
  const { monitoring, pages } = deps;
  const services = wireServices(deps);
  const docs = apiDocs(() => toOpenApi(routes, pages.version), pages.viewer);
  const routes: readonly Route[] = [
    ...imageryRoutes(services),
    ...orderRoutes(services),
    ...libraryRoutes(services),
    ...standardRoutes(services),
    ...peopleRoutes(deps.people),

    open.get('/api/sensors', 'listSensors', sensorList(pages.origins)),
    open.get('/api/colormaps', 'listColormapStops', colormapStops),
    open.get('/api/functions', 'listFunctions', functionList),

    open.get('/api/about', 'getAbout', about(pages.about)),
    open.get(
      '/',
      'getViewer',
      viewerPage(
        pages.viewer,
        [...new Set(pages.origins.pictureOrigins)],
        pages.about.baseMap === null ? [] : [pages.about.baseMap.origin],
      ),
    ),
    open.get('/assets/*', 'getViewerFile', viewerAsset(pages.viewer)),
    open.get('/docs', 'getDocsPage', docs.page),
    open.get('/docs/style.css', 'getDocsStyle', docs.style),
    open.get('/docs/interface', 'getInterfaceText', docs.text),
    open.get('/openapi.json', 'getOpenApi', docs.json),

    ...makeWorkerRoutes(monitoring),
  ];
  return routes;
}

/** What a process answers that only works on tasks. */
export const makeWorkerRoutes = ({
  readReadiness,
  metrics,
  metricsAccess: access,
}: MonitoringDeps): readonly Route[] => [
  open.get('/healthz', 'getHealth', healthz),
  open.get('/readyz', 'getReadiness', readyz(readReadiness)),
  ...(access === 'none' ? [] : [open.get('/metrics', 'getMetrics', metricsText(metrics), { access })]),
];
