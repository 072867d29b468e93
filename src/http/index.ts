export { makeReadiness } from './health.ts';
export { limits as httpLimits } from './kit/limits.ts';
export { makeMetrics } from './metrics.ts';
export { makeTileTokens } from './ogc/tile-tokens.ts';
export { readViewer, toViewerFile } from './pages/viewer.ts';
export { makeThumbnailLinks } from './pictures/thumbnails.ts';
export { makeShareLinks } from './recipes/public-recipes.ts';
export type { SearchedCatalog } from './reference.ts';
export { makeRoutes, makeWorkerRoutes } from './routes.ts';
export { makeApp } from './server/app.ts';
export { makeConnections } from './server/connections.ts';
export type { Log } from './server/error-answer.ts';
export { LENT_PER_SLOT, makeFrontDoor } from './server/front-door.ts';
export {
  makeAuth,
  makeKnownCallers,
  makeOpenRate,
  makeRedactKeys,
  makeWorkBudget,
  makeWriteRate,
} from './server/guard.ts';
export { makePublicAuth } from './server/public-guard.ts';
export { makeRouteTable } from './server/routing.ts';
export { listen } from './server/server.ts';
export { makeStatisticsRate } from './server/statistics-rate.ts';
export { makeFileLinks } from './stac/files.ts';
export type { ItemWriter } from './stac/transactions.ts';
export { makeWriteDocument, writeDocument } from './statistics/statistics-formats.ts';
export { makeResultLinks } from './tasks/result.ts';
export { type DocumentQuestion, toCallbackBody, type WriteDocument } from './tasks/task-answers.ts';
export { toDryRunReport, toEventMessage } from './watch/event-wire.ts';
export {
  makeReadWeatherDocument,
  type ReadWeatherDocument,
  type WeatherDocument,
  type WeatherQuestion,
} from './weather/weather-documents.ts';
