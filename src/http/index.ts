export { type AppDeps, type Log, makeApp } from './app.ts';
export { makeAuth } from './auth.ts';
export { makeFrontDoor } from './front-door.ts';
export type { Readiness } from './health.ts';
export { limits as httpLimits } from './limits.ts';
export { makeMetrics } from './metrics.ts';
export { makeRoutes } from './routes.ts';
export { type HttpServer, listen } from './server.ts';
export { readViewer, toViewerFile } from './viewer.ts';
