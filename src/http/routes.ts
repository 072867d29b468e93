import { areaRoutes } from './areas/routes.ts';
import type { ColorbarDeps } from './colors/colormap-views.ts';
import { colorRoutes } from './colors/routes.ts';
import type { Route } from './kit/endpoint.ts';
import type { MonitoringRouteDeps } from './monitoring/routes.ts';
import { monitoringRoutes } from './monitoring/routes.ts';
import type { PageRouteDeps } from './pages/routes.ts';
import { pageRoutes } from './pages/routes.ts';
import type { PictureRouteDeps } from './pictures/routes.ts';
import { pictureRoutes } from './pictures/routes.ts';
import { referenceRoutes } from './reference/routes.ts';
import type { ResultDeps } from './results/result.ts';
import { resultRoutes } from './results/routes.ts';
import { searchRoutes } from './search/routes.ts';
import type { SearchDeps } from './search/search.ts';
import { statisticsRoutes } from './statistics/routes.ts';
import { taskRoutes } from './tasks/routes.ts';
import type { TaskDeps } from './tasks/task.ts';
import type { TerrainRouteDeps } from './terrain/routes.ts';
import { terrainRoutes } from './terrain/routes.ts';
import type { ValueRouteDeps } from './values/routes.ts';
import { valueRoutes } from './values/routes.ts';
import type { WeatherDeps } from './weather/answer-weather.ts';
import { weatherRoutes } from './weather/routes.ts';

/** What the routes are made of. */
export interface RouteDeps
  extends SearchDeps,
    PictureRouteDeps,
    ValueRouteDeps,
    TerrainRouteDeps,
    WeatherDeps,
    TaskDeps,
    ColorbarDeps,
    PageRouteDeps,
    MonitoringRouteDeps {
  readonly results: ResultDeps;
}

/** The table of contents of the product: one group a product, in any order. */
export function makeRoutes(deps: RouteDeps): readonly Route[] {
  const routes: readonly Route[] = [
    ...searchRoutes(deps),
    ...pictureRoutes(deps),
    ...valueRoutes(deps),
    ...terrainRoutes(deps),
    ...weatherRoutes(deps),
    ...taskRoutes(deps),
    ...statisticsRoutes(deps),
    ...areaRoutes(deps),
    ...colorRoutes(deps),
    ...referenceRoutes,
    ...resultRoutes(deps.results),
    ...pageRoutes(deps, () => routes),
    ...monitoringRoutes(deps),
  ];
  return routes;
}

/** What a process answers that only works on tasks. */
export const makeWorkerRoutes = (deps: MonitoringRouteDeps): readonly Route[] => monitoringRoutes(deps);
