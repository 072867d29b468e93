/** Whole items that were written before: searches of one area list the same scenes again and again. */
import type { FiledHit, Scene, SceneHit } from '../../catalog/index.ts';
import type { Lru } from '../../lru.ts';
import { makeLru } from '../../lru.ts';
import type { ItemTools } from './item.ts';
import { makeWriteItem } from './item.ts';
import { toInner } from './json-template.ts';

/** Some three thousand items. */
const MAX_CHARS = 32 * 2 ** 20;

/**
 * The text between the addresses of an item's files. These addresses belong to a key and an hour; all else is the same for
 * everyone.
 */
export type KnownItems = Lru<readonly string[]>;

/** Makes the memory. */
export const makeKnownItems = (): KnownItems =>
  makeLru<readonly string[]>({ name: 'stac-items', max: MAX_CHARS });

/** Builds the function that writes whole items as JSON. An item is as `makeWriteItem` writes it. */
export function makeWriteKnownItem(
  tools: ItemTools,
  known: KnownItems,
): (scene: FiledHit | Scene | SceneHit) => string {
  const write = makeWriteItem(tools);
  // Addresses of thumbnails change with their secret, for all scenes at once.
  const oneThumbnail = tools.toThumbnail({ stored: '', viewId: '', isLive: false });
  return (scene) => {
    // Without its files a hit is short, and that of a live catalog may change under one version.
    if (!('files' in scene) || scene.provenance === 'live') return write(scene);
    const { viewId, version, indexedAt } = scene;
    const folder = toInner(tools.toFolder(viewId));
    // The version is that of all a scene says, except when it was stored.
    const key = `${version} ${indexedAt} ${tools.publicUrl} ${oneThumbnail} ${viewId}`;
    const parts = known.get(key);
    if (parts !== undefined) return parts.join(folder);
    const text = write(scene);
    known.set(key, text.split(folder), text.length);
    return text;
  };
}
