import { sensorByDataset } from '../sensors/index.ts';
import type { FieldValue, NewScene } from './scene.ts';

/**
 * Everything of a scene that a search may filter, sort and return, by the dataset's field names. A thumbnail that the
 * provider does not offer is ours, and stands here without the address of the service: `L8/thumb/{scene_id}.png`.
 */
export function toSearchFields(
  scene: Pick<NewScene, 'fields' | 'sceneId' | 'acquiredAt' | 'viewId' | 'dataset' | 'indexedAt'>,
): Readonly<Record<string, FieldValue>> {
  const { fields, sceneId, acquiredAt, viewId, dataset, indexedAt } = scene;
  const isWithout = fields.thumbnail == null && sensorByDataset(dataset)?.hitFields.thumbnail !== undefined;
  return {
    ...fields,
    ...(isWithout ? { thumbnail: `${viewId.replace('/', '/thumb/')}.png` } : {}),
    // As a recorded answer writes it, without a zone.
    ...(indexedAt === undefined ? {} : { IndexingTime: indexedAt.replace(/Z$/, '') }),
    sceneID: sceneId,
    date: acquiredAt.slice(0, 10),
  };
}
