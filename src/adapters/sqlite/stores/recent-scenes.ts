import type { Scene } from '../../../catalog/index.ts';
import { makeLru } from '../../../lru.ts';
import type { Lookups } from '../database/lookups.ts';

/** Max scenes remembered; a map shows a handful at a time. */
const MAX_RECENT = 256;

/** Parsed records of the last scenes asked for: a map asks for one scene hundreds of times. */
export function makeRecentScenes(database: Lookups) {
  const scenes = makeLru<Scene>({ max: MAX_RECENT });
  // SQLite raises this number when another connection has changed the file, and this one never does.
  const readVersion = database.prepare<{ data_version: number }>('PRAGMA data_version');
  let version: number | undefined;
  return {
    get(viewId: string): Scene | undefined {
      const current = readVersion.get()?.data_version;
      if (current !== version) scenes.clear();
      version = current;
      return scenes.get(viewId);
    },
    set: (viewId: string, scene: Scene): void => scenes.set(viewId, scene),
  };
}
