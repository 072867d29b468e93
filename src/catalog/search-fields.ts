import { sensorByDataset } from '../sensors/index.ts';
import type { FieldValue, NewScene } from './scene.ts';

/**
 * All fields of a scene that a search may filter, sort and return, by the dataset's field names. Where the provider has
 * no thumbnail, ours is given, relative to the URL of the service: `L8/thumb/{scene_id}.png`.
 */
export function toSearchFields(
  scene: Pick<NewScene, 'fields' | 'sceneId' | 'acquiredAt' | 'viewId' | 'dataset' | 'indexedAt'>,
): Readonly<Record<string, FieldValue>> {
  const { fields, sceneId, acquiredAt, viewId, dataset, indexedAt } = scene;
  const isWithout = fields.thumbnail == null && sensorByDataset(dataset)?.hitFields.thumbnail !== undefined;
  return {
    ...fields,
    ...(isWithout ? { thumbnail: `${viewId.replace('/', '/thumb/')}.png` } : {}),
    // Without a zone, as clients expect it.
    ...(indexedAt === undefined ? {} : { IndexingTime: indexedAt.replace(/Z$/, '') }),
    sceneID: sceneId,
    date: acquiredAt.slice(0, 10),
  };
}
