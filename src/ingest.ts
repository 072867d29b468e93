import { resolve } from 'node:path';
import type { IngestReport } from './catalog/index.ts';
import { convertScenes, ingestFolder, ingestStac, makeIsAllowedHref } from './catalog/index.ts';
import type { IngestCommand, Terminal } from './cli/index.ts';
import { runIngest } from './cli/index.ts';
import type { Config } from './config.ts';
import { badInput, isSwathError, SwathError } from './errors.ts';
import type { Store } from './open-store.ts';
import { openStore } from './open-store.ts';
import type { AddressPolicy, GuardedFetch } from './storage/index.ts';
import { makeGuardedFetch, makeOpenSource, toFileHref } from './storage/index.ts';

interface IngestDeps {
  readonly config: Config;
  readonly terminal: Terminal;
}

/** `swath ingest …`, put together; true when nothing was broken. Ctrl-C ends it after what is at hand. */
export async function ingest(command: IngestCommand, { config, terminal }: IngestDeps): Promise<boolean> {
  const store = await openStore(config);
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const { signal } = stopping;
  const files = { dataDir: config.dataDir, ...config.sources };
  const open = makeOpenSource(files);
  const onBug = (error: unknown, product: string): void =>
    terminal.note(`${product}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  try {
    return await runIngest(command, {
      terminal,
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
        convertScenes({ viewIds, store: store.scenes, open, dataDir: config.dataDir, signal, onProgress }),
    });
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
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

async function ingestItems(
  { from, filters }: Extract<IngestCommand, { name: 'ingest stac' }>,
  { config, store, signal, onProgress, onBug }: ItemDeps,
): Promise<IngestReport> {
  const files = { dataDir: config.dataDir, ...config.sources };
  const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(from)?.[1]?.toLowerCase() ?? null;
  if (scheme !== null && scheme !== 'http' && scheme !== 'https') {
    throw badInput(
      'stac-bad-address',
      `${toPlainAddress(from)} cannot be read: catalogs are read by https and http, not by ${scheme}.`,
    );
  }
  return ingestStac({
    from: scheme === null ? resolve(from) : from,
    filters,
    store: store.scenes,
    open: makeOpenSource(files),
    fetch: scheme === null ? null : makeCatalogFetch(from, config),
    isAllowedHref: makeIsAllowedHref(files),
    toHref: (path) => toFileHref(path, files),
    onProgress,
    onBug,
    signal,
  }).catch((error: unknown) => {
    if (!isSwathError(error) || error.code !== 'address-not-allowed') throw error;
    throw new SwathError(error.tag, error.code, toRefusal(from), { cause: error });
  });
}

/** An address without what may be secret in it: credentials and query. */
function toPlainAddress(address: string): string {
  const url = URL.parse(address);
  return url === null ? 'The address' : `${url.protocol}//${url.host}${url.pathname}`.slice(0, 200);
}

/** The guarded door says the same to everybody; whoever has typed the address may know what to do about it. */
function toRefusal(address: string): string {
  const url = URL.parse(address);
  if (url !== null && (url.username !== '' || url.password !== '')) {
    return `${toPlainAddress(address)} is not asked, because the address holds a user name or password.`;
  }
  return (
    `${toPlainAddress(address)} is not allowed: it leads into a private network. ` +
    'Name that network in "privateNetworks" of the JSON form of SWATH_SOURCES to allow it.'
  );
}

/** The door to the catalog a person has named: that host and no other, and inside a private network only where allowed. */
function makeCatalogFetch(address: string, { sources }: Config): GuardedFetch | null {
  const url = URL.parse(address);
  if (url === null) return null;
  const { privateNetworks } = sources.network ?? {};
  const isPlain = url.protocol === 'http:';
  const policy: AddressPolicy = {
    hosts: [url.hostname],
    allowHttp: isPlain,
    ports: [url.port === '' ? (isPlain ? 80 : 443) : Number(url.port)],
    ...(privateNetworks ? { privateNetworks } : {}),
  };
  return makeGuardedFetch({ policy });
}
