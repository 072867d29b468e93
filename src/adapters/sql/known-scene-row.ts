import type { KnownScene, NewKnownScene } from '../../live/index.ts';
import type { SceneRow, StoredRecord } from './scenes.ts';
import { parseRecord, toSceneRow } from './scenes.ts';

/** A known scene on its way to its tables: what it is looked up by, what is known of its item, and its record. */
export interface KnownSceneRow
  extends Pick<SceneRow, 'viewId' | 'sceneId' | 'productId' | 'dataset' | 'version' | 'hit' | 'rest'> {
  readonly catalog: string;
  readonly itemUrl: string;
  readonly itemState: string | null;
  readonly checkedAt: string;
}

/** Gives the scene its version, as that of the catalog. */
export function toKnownSceneRow(known: NewKnownScene): KnownSceneRow {
  const { viewId, sceneId, productId, dataset, version, hit, rest } = toSceneRow(known.scene);
  const { catalog, itemUrl, itemState, checkedAt } = known;
  return { viewId, sceneId, productId, dataset, version, hit, rest, catalog, itemUrl, itemState, checkedAt };
}

/** What is known of the item of a scene, as it is selected. */
export interface ItemRow {
  readonly catalog: string;
  readonly item_url: string;
  readonly item_state: string | null;
  readonly checked_at: string;
}

/** The columns of `ItemRow`, of the table `s`. */
export const ITEM_COLUMNS = 's.catalog, s.item_url, s.item_state, s.checked_at';

/** A scene together with what is known of its item. */
export const toKnownScene = (scene: KnownScene['scene'], row: ItemRow): KnownScene => ({
  scene,
  catalog: row.catalog,
  itemUrl: row.item_url,
  itemState: row.item_state,
  checkedAt: row.checked_at,
});

/** Reads a whole known scene. */
export const parseKnownScene = (row: ItemRow & StoredRecord): KnownScene =>
  toKnownScene(parseRecord(row), row);

/** Expired claims that a new claim removes: more than it adds, and few enough not to hold it up. */
export const MAX_EXPIRED_CLAIMS = 20;
