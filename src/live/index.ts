export { makeCatalogFetch, toUserAgent } from './catalog-door.ts';
export { examineCatalog } from './examine-catalog.ts';
export type { KnownScene, KnownSceneStore, NewKnownScene, PutBounds } from './known-scene-store.ts';
export { type KnownScenes, makeKnownScenes } from './known-scenes.ts';
export type {
  CatalogApi,
  CatalogLimits,
  LiveCatalog,
  LiveCollection,
  LiveProperty,
  LiveTerrain,
} from './live-catalog.ts';
export { withLiveCatalogs } from './live-scenes.ts';
export { inSlices } from './live-search.ts';
export { toLiveModel } from './live-terrain.ts';
export { listPictureOrigins } from './picture-origins.ts';
export { type LiveCalls, type LiveSettings, makeLiveHandlers } from './serve-live.ts';
export { type SyncProgress, type SyncReport, syncCatalog } from './sync/sync-catalog.ts';
export type { SyncNoteStore } from './sync/sync-note-store.ts';
export { type SyncPlan, toSyncId } from './sync/sync-plan.ts';
