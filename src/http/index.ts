export { limits as httpLimits } from './kit/limits.ts';
export { makeMetrics } from './monitoring/metrics.ts';
export { makeReadiness } from './monitoring/readiness.ts';
export { readViewer, toViewerFile } from './pages/viewer.ts';
export { makeThumbnailLinks, type ThumbnailLinks } from './pictures/thumbnail-links.ts';
export type { ResultDeps, StoredResult } from './results/result.ts';
export { makeResultLinks, type ResultLinks } from './results/result-links.ts';
export { makeRoutes, makeWorkerRoutes } from './routes.ts';
export { type AppDeps, makeApp } from './server/app.ts';
export { makeAuth } from './server/auth.ts';
export { makeConnections } from './server/connections.ts';
export { LENT_PER_SLOT, makeFrontDoor } from './server/front-door.ts';
export { makeOpenRate, makeWriteRate } from './server/rates.ts';
export type { Log } from './server/request-log.ts';
export { makeRedactKeys } from './server/request-log.ts';
export { makeRouteTable } from './server/route-table.ts';
export { type HttpServer, listen } from './server/server.ts';
export { makeStatisticsRate } from './server/statistics-rate.ts';
export { makeWorkBudget } from './server/work-budget.ts';
export { makeWriteDocument, writeDocument } from './statistics/statistics-formats.ts';
export type { DocumentQuestion, WriteDocument } from './tasks/task-poll.ts';
export { toCallbackBody } from './tasks/task-poll.ts';
export {
  makeReadWeatherDocument,
  type ReadWeatherDocument,
  type WeatherDocument,
  type WeatherQuestion,
} from './weather/weather-documents.ts';
