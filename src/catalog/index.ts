export { DEMO_FOLDER, ensureDemo } from './ensure-demo.ts';
export { makeDemoScene } from './make-demo-scene.ts';
export type { Asset, FieldValue, NewScene, Scene } from './scene.ts';
export type { FieldFilter, ScenePage, SceneQuery, SceneStore } from './scene-store.ts';
export { toScene } from './scene-version.ts';
export { toSearchFields } from './search-fields.ts';
export { relates, type ShapeRelation } from './shape-relation.ts';
