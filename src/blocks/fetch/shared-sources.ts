import type { MessagePort } from 'node:worker_threads';
import type { SingleFlight } from '../../async/index.ts';
import { makeSingleFlight } from '../../async/index.ts';
import { isSwathError, toWire } from '../../errors.ts';
import { makeLru } from '../../lru.ts';
import type { ByteRange, ByteSource, OpenSource, RangeMemory } from '../../sources/index.ts';
import { HEAD_BYTES } from '../../sources/index.ts';
import { internal } from '../errors.ts';
import { isInState } from '../image-files.ts';
import type { FromNetwork, ReadUse, ToNetwork } from './protocol.ts';

/** Remote files that are open on the network thread, for all threads. */
export interface SharedSources {
  /** Opens a file anew: its state is that of this moment. */
  open: OpenSource;
  /** A source that is open already if it is in the state that the catalog knows (null: in any); otherwise opens it anew. */
  openKnown(href: string, stamp: string | null, signal?: AbortSignal): Promise<ByteSource>;
  /**
   * Reads a range and shows it to `use`, which retains nothing of the bytes. Calls for the same range at the same time are
   * one read: the `use` of the first sees it, and all others resolve after that.
   */
  bring(
    source: ByteSource,
    range: ByteRange,
    use: (bytes: Uint8Array) => void,
    options?: BringOptions,
  ): Promise<void>;
  /** Closes all of them after writing pending data to disk. */
  close(): Promise<void>;
  /** The address that one of these was opened by. */
  hrefOf(source: ByteSource): string | undefined;
}

/** How a range is read. */
interface BringOptions {
  /** Whether the bytes are stored on disk for later reads; `stored` by default. */
  readonly storing?: ReadUse;
  readonly signal?: AbortSignal;
}

/** Sources remembered: each holds the first bytes of its file, 64 KiB. */
const MAX_SOURCES = 256;
/** Larger reads are of files that are read once, from end to end. */
const MAX_REMEMBERED_BYTES = 2 ** 20;

/** Builds the table of open files; they read through the memory of ranges. */
export function makeSharedSources(open: OpenSource, memory: RangeMemory): SharedSources {
  const sources = makeLru<ByteSource>({ max: MAX_SOURCES });
  const opening = makeSingleFlight<ByteSource>();
  const hrefs = new WeakMap<ByteSource, string>();
  const bringing = new WeakMap<ByteSource, SingleFlight<void>>();

  async function openNow(href: string, signal?: AbortSignal, stamp?: string): Promise<ByteSource> {
    const source = await open(href, signal, { stamp });
    const shared: ByteSource = {
      ...source,
      async read(offset, length, readSignal) {
        const range = { offset, length };
        const known = memory.find(shared, range);
        if (known !== undefined) return known;
        const bytes = await source.read(offset, length, readSignal).catch(forget);
        if (length <= MAX_REMEMBERED_BYTES) memory.remember(shared, range, bytes);
        return bytes;
      },
      async readOnce(offset, length, readSignal) {
        const read = source.readOnce ?? source.read;
        return (
          memory.find(shared, { offset, length }) ?? (await read(offset, length, readSignal).catch(forget))
        );
      },
      async locate(ranges) {
        const elsewhere = ranges.filter((range) => !memory.has(shared, range));
        const sum = (some: readonly ByteRange[]): number =>
          some.reduce((total, { length }) => total + length, 0);
        const there = (await source.locate?.(elsewhere)) ?? { memory: 0, disk: 0 };
        return { ...there, memory: there.memory + sum(ranges) - sum(elsewhere) };
      },
      async withBytes(range, use, readSignal) {
        if (source.withBytes !== undefined) return source.withBytes(range, use, readSignal).catch(forget);
        return use(await source.read(range.offset, range.length, readSignal).catch(forget));
      },
      async withBytesOnce(range, use, readSignal) {
        const read = source.withBytesOnce ?? source.withBytes;
        if (read !== undefined) return read(range, use, readSignal).catch(forget);
        return use(await source.read(range.offset, range.length, readSignal).catch(forget));
      },
    };
    /** The file may be fixed or replaced under its name: the next reader opens it again. */
    const forget = (error: unknown): never => {
      const isLeft = isSwathError(error) && error.tag === 'cancelled';
      if (!isLeft && sources.get(href) === shared) sources.delete(href);
      throw error;
    };
    sources.set(href, shared);
    hrefs.set(shared, href);
    return shared;
  }

  return {
    open: (href, signal) => openNow(href, signal),
    hrefOf: (source) => hrefs.get(source),
    async close() {
      await Promise.all([...sources.values()].map((source) => source.close()));
    },
    async bring(source, range, use, { storing = 'stored', signal } = {}) {
      const flights = bringing.get(source) ?? makeSingleFlight<void>();
      bringing.set(source, flights);
      const read = (storing === 'once' ? source.withBytesOnce : undefined) ?? source.withBytes;
      const start = async (shared: { readonly signal: AbortSignal }): Promise<void> => {
        if (read !== undefined) await read(range, use, shared.signal);
        else use(await source.read(range.offset, range.length, shared.signal));
      };
      await flights.run({ key: `${range.offset} ${range.length}`, signal, start });
    },
    async openKnown(href, stamp, signal) {
      const known = sources.get(href);
      if (known !== undefined && isInState(known.version, stamp) && known.isLost?.() !== true) return known;
      // A stored header of another state is useless.
      const start = (shared: { readonly signal: AbortSignal }): Promise<ByteSource> =>
        openNow(href, shared.signal, stamp ?? undefined);
      return (await opening.run({ key: `${stamp} ${href}`, signal, start })).value;
    },
  };
}

interface ServeOptions {
  readonly use: ReadUse;
  /** Called when a request begins and when it ends. */
  readonly onRunning?: (change: 1 | -1) => void;
}

/** Answers one thread on the network thread: opens and reads remote files for it, until its port closes. */
export function serveSources(
  port: MessagePort,
  sources: SharedSources,
  { use, onRunning = () => {} }: ServeOptions,
): void {
  const files = new Map<number, ByteSource>();
  const running = new Map<number, AbortController>();

  port.on('message', (message: ToNetwork) => {
    if (message.type === 'cancel') running.get(message.id)?.abort();
    else if (message.type === 'close') files.delete(message.file);
    else void answer(message);
  });
  port.on('close', () => {
    for (const controller of running.values()) controller.abort();
    files.clear();
  });

  async function answer(message: Extract<ToNetwork, { type: 'open' | 'read' | 'locate' }>): Promise<void> {
    const controller = new AbortController();
    running.set(message.id, controller);
    onRunning(1);
    try {
      const { signal } = controller;
      if (message.type === 'open') await openFile(message, signal);
      else if (message.type === 'locate') await locate(message);
      else await readFile(message, signal);
    } catch (error) {
      post({ type: 'failed', id: message.id, error: toWire(error) });
    } finally {
      running.delete(message.id);
      onRunning(-1);
    }
  }

  async function openFile(
    { id, href, known }: Extract<ToNetwork, { type: 'open' }>,
    signal: AbortSignal,
  ): Promise<void> {
    const source = await (known === null
      ? sources.open(href, signal)
      : sources.openKnown(href, known.stamp, signal));
    const head = (await source.read(0, Math.min(HEAD_BYTES, source.size), signal)).slice();
    files.set(id, source);
    const { id: name, version, size } = source;
    post({ type: 'opened', id, source: { id: name, version, size }, head }, head.buffer);
  }

  async function readFile(
    { id, file, offset, length }: Extract<ToNetwork, { type: 'read' }>,
    signal: AbortSignal,
  ): Promise<void> {
    const source = findFile(file);
    // Copied: the bytes may be in memory for others.
    const read = use === 'once' ? (source.readOnce ?? source.read) : source.read;
    const bytes = (await read(offset, length, signal)).slice();
    post({ type: 'bytes', id, bytes }, bytes.buffer);
  }

  async function locate({ id, file, ranges }: Extract<ToNetwork, { type: 'locate' }>): Promise<void> {
    const located = (await findFile(file).locate?.(ranges)) ?? { memory: 0, disk: 0 };
    post({ type: 'located', id, located });
  }

  function findFile(file: number): ByteSource {
    const source = files.get(file);
    if (source === undefined) throw internal('no-such-file', 'A thread reads a file that it has not opened.');
    return source;
  }

  function post(message: FromNetwork, ...transfer: ArrayBuffer[]): void {
    port.postMessage(message, transfer);
  }
}
