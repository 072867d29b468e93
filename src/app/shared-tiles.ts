import type { Store } from '../adapters/store/index.ts';
import type { Log } from '../http/index.ts';
import { makeLinkSigner, makeReadLinks } from '../keys/index.ts';
import type { ObjectStore } from '../objects/index.ts';
import { makeFolderObjects, makeSharedResults, openObjects } from '../objects/index.ts';
import type { Config } from '../settings/index.ts';

/** Finished pictures that nodes share. */
export type SharedTiles = ReturnType<typeof makeSharedResults>;

interface SharedTilesDeps {
  readonly config: Config;
  readonly store: Pick<Store, 'secrets'>;
  readonly log: Log;
  readonly parts: AsyncDisposableStack;
  readonly version: string;
}

/** A failing place is logged once in this time. */
const LOG_EVERY_MS = 60_000;

/**
 * Opens the pictures that nodes share; null without a place in the settings. A picture is stored under a signature of its
 * ETag, which clients see, and of the version of Swath: nobody can find a picture by its ETag without the secret of the
 * service, and no version serves what another has drawn.
 */
export function openSharedTiles({ config, store, log, parts, version }: SharedTilesDeps): SharedTiles | null {
  if (config.sharedTiles === null) return null;
  const readSigner = makeReadLinks(store.secrets, 'shared-tiles', makeLinkSigner);
  const nowMs = (): number => performance.now();
  let loggedMs = -Infinity;
  const shared = makeSharedResults({
    objects: openServiceObjects(config.sharedTiles, config),
    async toKey(name) {
      const signature = (await readSigner()).sign([version, name]);
      const key = Buffer.from(signature, 'base64url').toString('hex');
      return `${key.slice(0, 2)}/${key}`;
    },
    nowMs,
    onFailure(error) {
      if (nowMs() - loggedMs < LOG_EVERY_MS) return;
      loggedMs = nowMs();
      log.warn({ err: error }, 'finished pictures cannot be shared; they are drawn on this node');
    },
  });
  parts.defer(shared.settled);
  return shared;
}

/** Opens a place of the settings: `s3://bucket/prefix`, or the absolute path of a folder. */
function openServiceObjects(place: string, { sources: { network } }: Pick<Config, 'sources'>): ObjectStore {
  if (place.startsWith('/')) return makeFolderObjects({ folder: place });
  return openObjects({ bucketHref: place, ...(network === undefined ? {} : { network }) });
}
