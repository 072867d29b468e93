import type { Store } from '../adapters/store/index.ts';
import type { ItemWriter, Log } from '../http/index.ts';
import { makeCallThread } from '../pool/index.ts';
import type { Config } from '../settings/index.ts';
import type { CatalogCalls, ItemCalls, ItemSettings } from './item-worker.ts';

/** Metadata of some scenes at a time, with the tables of Sentinel-1. */
const HEAP_LIMIT_MB = 512;

interface ItemDeps {
  readonly config: Config;
  readonly store: Pick<Store, 'scenes'>;
  readonly log: Log;
  readonly parts: AsyncDisposableStack;
}

/** Builds the writer of items; the first one starts its thread. */
export function startItems({ config, store: { scenes }, log, parts }: ItemDeps): ItemWriter {
  const { dataDir, sources } = config;
  const settings: ItemSettings = { dataDir, sources };
  const thread = makeCallThread<CatalogCalls, ItemCalls>({
    script: new URL('./item-worker.ts', import.meta.url),
    settings,
    heapLimitMb: HEAP_LIMIT_MB,
    handlers: {
      find: (viewId) => scenes.findByViewId(viewId),
      put: (records) => scenes.putMany(records),
      remove: (viewId) => scenes.remove(viewId),
      async 'note-bug'(text) {
        log.error({ reason: text }, 'an item that was sent could not be ingested');
        return null;
      },
    },
    onDeath: (error) =>
      log.error({ err: error }, 'the thread of items has died; the next request starts another one'),
  });
  parts.defer(() => thread.close());
  return { ingest: (order, signal) => thread.call('ingest', order, signal) };
}
