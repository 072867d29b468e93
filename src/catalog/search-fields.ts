import type { FieldValue, NewScene } from './scene.ts';

/** Everything of a scene that a search may filter, sort and return, by the dataset's field names. */
export function toSearchFields(
  scene: Pick<NewScene, 'fields' | 'sceneId' | 'acquiredAt'>,
): Readonly<Record<string, FieldValue>> {
  return { ...scene.fields, sceneID: scene.sceneId, date: scene.acquiredAt.slice(0, 10) };
}
