import { parentPort, threadId } from 'node:worker_threads';
import { toCancelled } from '../../async/index.ts';
import { toWire } from '../../errors.ts';
import { makeJp2Decoder } from '../../formats/jp2/index.ts';
import type { CallContext } from '../../pool/index.ts';
import type { ArenaHandle, OpenSourceOptions } from '../../sources/index.ts';
import { makeOpenSource, makeRangeMemory, warmUpHttp } from '../../sources/index.ts';
import { joinBlockCache } from '../cache/block-cache.ts';
import type { SharedHandle } from '../cache/layout.ts';
import { internal } from '../errors.ts';
import type { OpenImage } from '../image-files.ts';
import { makeOpenFiles } from '../image-files.ts';
import { makeFetch } from './make-fetch.ts';
import { makeFetchAhead } from './make-fetch-ahead.ts';
import type { Offer } from './offers.ts';
import type { FromFetcher, RemoteFile, ToFetcher } from './protocol.ts';
import { makeReadingTurns } from './reading-turns.ts';
import { makeSharedSources, serveSources } from './shared-sources.ts';

/** What the network thread is started with. */
export interface NetworkSettings {
  readonly files: OpenSourceOptions;
  /** Decoded blocks of all threads: those are not fetched. */
  readonly blocks: SharedHandle;
  /** Memory for stored bytes, which pixel threads read too. */
  readonly arena: ArenaHandle;
  /** Bytes of one origin that are read for jobs at once, at least; a job that needs more is read alone. */
  readonly readingBytes: number;
  /** From `makeCountersMemory`. */
  readonly counters: SharedArrayBuffer;
}

/** Headers held: a scene has some dozen files, and all clients share them. */
const MAX_OPEN_FILES = 256;

/** The share of the memory that reads from an origin with a large bandwidth-delay product may take. */
const READING_SHARE = 0.25;

/** Connections that are opened before they are needed: the bands of a tile, some of them in two rows of blocks. */
const CONNECTIONS = 6;

/** The whole of the network thread: fetches what jobs will read, and reads remote files for all other threads. */
export function serveFetches(settings: NetworkSettings, context?: CallContext): void {
  const { files: options, blocks: handle, arena, counters, readingBytes } = settings;
  if (parentPort === null) throw internal('not-a-worker', 'serveFetches() runs only in a thread.');
  const port = parentPort;
  const post = (message: FromFetcher): void => port.postMessage(message);
  const counts = makeFetchCounters(counters);
  const memory = makeRangeMemory(arena, {
    onUseful: (bytes) => counts.add('aheadUsefulBytes', bytes),
    onWasted: (bytes) => counts.add('aheadWastedBytes', bytes),
  });
  const events = {
    onCall: () => counts.add('calls'),
    onRetry: () => counts.add('retries'),
    onHedge: () => counts.add('hedged'),
    onHedgeWon: () => counts.add('hedgesWon'),
  };
  const sources = makeSharedSources(makeOpenSource({ ...options, events }), memory);
  const open: OpenImage = (href, signal, known) =>
    known === undefined ? sources.open(href, signal) : sources.openKnown(href, known.stamp ?? null, signal);
  const files = makeOpenFiles({ open, jp2Decoder: makeJp2Decoder(), maxFiles: MAX_OPEN_FILES });
  const blocks = joinBlockCache(handle, threadId);
  const turns = makeReadingTurns({
    leastBytes: readingBytes,
    mostBytes: Math.max(readingBytes, READING_SHARE * memory.budgetBytes),
  });
  const fetch = makeFetch({ files, blocks, memory, turns, sources });
  /** Fetches and reads of other threads that wait for bytes. */
  let running = 0;
  const ahead = makeFetchAhead({ files, blocks, memory, sources, isBusy: () => running > 0 });
  /** Ends each fetch by its id. */
  const ends = new Map<number, (isFailed: boolean) => void>();

  port.on('message', (message: ToFetcher) => {
    if (message.type === 'connect')
      serveSources(message.port, sources, { use: message.use, onRunning: (change) => (running += change) });
    // A failure only makes the first read slower.
    else if (message.type === 'warm-up') void warmUpHttp().catch(() => {});
    else if (message.type === 'open-connections') void openConnections(message.files);
    else if (message.type === 'close') void sources.close().finally(() => post({ type: 'closed' }));
    else if (message.type === 'release') {
      ends.get(message.id)?.(message.isFailed);
      ends.delete(message.id);
    } else if (message.type === 'ahead') void readAhead(message);
    else if (context === undefined) void run(message);
    else void context.enter(message.context, () => run(message));
  });
  post({ type: 'ready' });

  async function run({ id, ...request }: Extract<ToFetcher, { type: 'fetch' }>): Promise<void> {
    const controller = new AbortController();
    running += 1;
    ends.set(id, () => controller.abort(toCancelled()));
    try {
      const onPart = (offer: Offer): void => {
        if (!controller.signal.aborted) post({ type: 'fetched-part', id, offer });
      };
      const { offer, release } = await fetch(
        request,
        controller.signal,
        request.isInParts === true ? onPart : undefined,
      );
      // Released while the last bytes came.
      if (controller.signal.aborted) return release(false);
      ends.set(id, release);
      post({ type: 'fetched', id, offer });
      const bytes = offer.files.flatMap(({ ranges }) => ranges).reduce((sum, { length }) => sum + length, 0);
      ahead.earn(bytes);
      counts.add('fetches');
      counts.add('fetchedBytes', bytes);
    } catch (error) {
      ends.delete(id);
      post({ type: 'failed', id, error: toWire(error) });
    } finally {
      running -= 1;
      counts.set('usedBytes', memory.usedBytes());
    }
  }

  /** Ignores failures: a read of the store meets them again. */
  async function openConnections(wanted: readonly RemoteFile[]): Promise<void> {
    for (const { href, stamp } of wanted) {
      const source = await sources.openKnown(href, stamp).catch(() => null);
      const asked = Array.from({ length: CONNECTIONS }, () => source?.confirm?.().catch(() => {}));
      await Promise.all(asked);
    }
  }

  async function readAhead({ id, windows }: Extract<ToFetcher, { type: 'ahead' }>): Promise<void> {
    // No one waits for the bytes: a request for them meets the failure again.
    const bytes = await ahead.run(windows, new AbortController().signal).catch(() => 0);
    counts.add('aheadBytes', bytes);
    post({ type: 'fetched-ahead', id });
  }
}

const names = [
  /** Requests to stores; the tries of one read count as one. */
  'calls',
  'retries',
  /** Requests repeated because the answer was late, and repetitions that were answered first. */
  'hedged',
  'hedgesWon',
  /** Jobs whose bytes were fetched, and those bytes. */
  'fetches',
  'fetchedBytes',
  /** Prefetched bytes; those requested later, and those never used. */
  'aheadBytes',
  'aheadUsefulBytes',
  'aheadWastedBytes',
  /** Memory that fetched bytes occupy now. */
  'usedBytes',
] as const;

type FetchCounter = (typeof names)[number];

/** Figures of the network thread since the start. */
export type FetchCounts = Readonly<Record<FetchCounter, number>>;

/** Counters that the network thread writes and the main thread reads. */
interface FetchCounters {
  add(name: FetchCounter, by?: number): void;
  set(name: FetchCounter, value: number): void;
  read(): FetchCounts;
}

/** Memory for the counters: they outlive a network thread that dies. */
export const makeCountersMemory = (): SharedArrayBuffer => new SharedArrayBuffer(8 * names.length);

/** The counters in shared memory, in 64 bits: bytes pass 2³² within a day. */
export function makeFetchCounters(memory: SharedArrayBuffer): FetchCounters {
  const cells = new BigInt64Array(memory);
  return {
    add: (name, by = 1) => void Atomics.add(cells, names.indexOf(name), BigInt(by)),
    set: (name, value) => void Atomics.store(cells, names.indexOf(name), BigInt(value)),
    read: () =>
      Object.fromEntries(names.map((name, i) => [name, Number(Atomics.load(cells, i))])) as Record<
        FetchCounter,
        number
      >,
  };
}
