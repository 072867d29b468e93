export type { KnownScene, KnownSceneStore, NewKnownScene } from './known-scene-store.ts';
export type {
  CatalogApi,
  CatalogLimits,
  LiveCatalog,
  LiveCollection,
  LiveProperty,
  LiveTerrain,
} from './live-catalog.ts';
