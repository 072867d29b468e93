import { resolve } from 'node:path';
import type { Store } from '../adapters/store/index.ts';
import type { IngestCommand, Terminal } from '../cli/index.ts';
import { makeNoteBug, runIngest } from '../cli/index.ts';
import type { IngestReport } from '../ingest/index.ts';
import { convertScenes, ingestFolder, ingestStac, makeIsAllowedHref } from '../ingest/index.ts';
import { makeCatalogFetch, toUserAgent } from '../live/index.ts';
import type { GuardedFetch } from '../net/index.ts';
import { openOwnFiles } from '../objects/index.ts';
import type { Config } from '../settings/index.ts';
import { toProxy } from '../settings/index.ts';
import { makeOpenSource, toFileHref } from '../sources/index.ts';
import { checkFolder, toHeaderCache } from './files.ts';
import { openStore } from './open-store.ts';
import { withStopSignal } from './stop-signals.ts';
import { readVersion } from './version.ts';

interface IngestDeps {
  readonly config: Config;
  readonly terminal: Terminal;
  /** Mode of the report's file. */
  readonly outputMode: number;
}

/** `swath ingest …`, put together; true when nothing was broken. Ctrl-C ends it after what is at hand. */
export async function ingestScenes(
  command: IngestCommand,
  { config, terminal, outputMode }: IngestDeps,
): Promise<boolean> {
  if (command.name === 'ingest folder') checkFolder(resolve(command.path), config, 'Scenes');
  const store = await openStore(config);
  const files = { dataDir: config.dataDir, ...config.sources };
  // Files that are converted are read once: their ranges are not worth storing.
  const open = makeOpenSource({ ...files, ...toHeaderCache(config) });
  const onBug = makeNoteBug(terminal);
  const run = (signal: AbortSignal): Promise<boolean> =>
    runIngest(command, {
      terminal,
      outputMode,
      ingest: (onProgress) =>
        command.name === 'ingest folder'
          ? ingestFolder({
              path: resolve(command.path),
              store: store.scenes,
              open,
              toHref: (path) => toFileHref(path, files),
              onProgress,
              onBug,
              signal,
            })
          : ingestItems(command, { config, store, signal, onProgress, onBug }),
      convert: (viewIds, onProgress) =>
        convertScenes({
          viewIds,
          store: store.scenes,
          open,
          files: openOwnFiles(config),
          signal,
          onProgress,
        }),
    });
  try {
    return await withStopSignal(run);
  } finally {
    await store.close();
  }
}

interface ItemDeps {
  readonly config: Config;
  readonly store: Store;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: { done: number; total: number | null; product: string }) => void;
  readonly onBug: (error: unknown, product: string) => void;
}

function ingestItems(
  { from, filters }: Extract<IngestCommand, { name: 'ingest stac' }>,
  { config, store, signal, onProgress, onBug }: ItemDeps,
): Promise<IngestReport> {
  const files = { dataDir: config.dataDir, ...config.sources };
  // Schemes other than http and https are refused by name, not taken for a folder.
  const isAddress = /^[a-z][a-z0-9+.-]+:\/\//i.test(from);
  return ingestStac({
    from: isAddress ? from : resolve(from),
    filters,
    store: store.scenes,
    open: makeOpenSource({ ...files, ...toHeaderCache(config) }),
    fetch: isAddress ? openCatalog(from, config) : null,
    isAllowedHref: makeIsAllowedHref(files),
    toHref: (path) => toFileHref(path, files),
    onProgress,
    onBug,
    signal,
  });
}

/** The way to the catalog that a person has named: only that host, and in a private network only where allowed. */
function openCatalog(address: string, config: Config): GuardedFetch | null {
  if (!URL.canParse(address)) return null;
  const { privateNetworks = [] } = config.sources.network ?? {};
  const sources = { privateNetworks, proxy: toProxy(config) };
  const userAgent = toUserAgent(readVersion(), config.catalogContact);
  return makeCatalogFetch({ url: address, sources }, { userAgent });
}
