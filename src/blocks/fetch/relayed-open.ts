import type { MessagePort } from 'node:worker_threads';
import { makeSingleFlight, retry, throwIfCancelled, toCancelled } from '../../async/index.ts';
import { fromWire, isSwathError } from '../../errors.ts';
import type { ByteRange, ByteSource, OpenSource } from '../../sources/index.ts';
import { SCENE_FILES } from '../../sources/index.ts';
import { internal, sourceBroken } from '../errors.ts';
import { isInState } from '../image-files.ts';
import type { Offers } from './offers.ts';
import type { FromNetwork, ToNetwork } from './protocol.ts';

/** Opens remote files through the network thread. */
interface RelayedOpen {
  readonly open: OpenSource;
  /**
   * The same for a file that is read in blocks: what others have opened will do if it is in the state that the catalog
   * knows, or if it knows none.
   */
  openKnown(href: string, stamp: string | undefined, signal?: AbortSignal): Promise<ByteSource>;
}

interface RelayDeps {
  /** Gives a new port to the network thread. */
  readonly connect: () => MessagePort;
  /** What was fetched before: it is read without asking. */
  readonly offers: Pick<Offers, 'find' | 'has' | 'read' | 'readInto' | 'readStart'>;
}

/** One for the read during which the thread ends, and two for ports that were given to the thread that had ended. */
const MAX_TRIES = 3;
/** The main thread learns of the end of a thread later than those whose ports close; until then it connects to it. */
const PAUSE_MS = 50;

/** Asks the network thread again if it stopped before it answered: another one takes over. */
const tryAgain = <Answer>(ask: () => Promise<Answer>): Promise<Answer> =>
  retry(ask, { toWaitMs: (error, tries) => (isNetworkGone(error) && tries < MAX_TRIES ? PAUSE_MS : null) });

/** The state in which a source that others have opened is acceptable (a null stamp: any); null when none is. */
type Known = { readonly stamp: string | null } | null;

/** Builds the opening of remote files. */
export function makeRelayedOpen({ connect, offers }: RelayDeps): RelayedOpen {
  let current: RelayConnection | null = null;

  const connectOnce = (): RelayConnection => {
    if (current === null || current.isGone()) current = makeRelayConnection(connect());
    return current;
  };

  async function ask(href: string, known: Known, signal: AbortSignal | undefined): Promise<OpenedThere> {
    const connection = connectOnce();
    const answer = await connection.ask({ type: 'open', href, known }, signal);
    if (answer.type !== 'opened') throw wrongAnswer();
    return { connection, file: answer.id, source: answer.source, head: answer.head };
  }

  async function openOn(href: string, known: Known, signal: AbortSignal | undefined): Promise<ByteSource> {
    const offered = known === null ? null : offers.find(href);
    const isEnough = known !== null && offered !== null && isInState(offered.version, known.stamp);
    const opened = isEnough ? null : await tryAgain(() => ask(href, known, signal));
    const source = opened?.source ?? offered;
    if (source === null) throw wrongAnswer();
    const { version } = source;
    const there = makeFileThere({
      open: (openSignal) => ask(href, { stamp: version }, openSignal),
      version,
      opened,
    });

    const readThere = async (
      { offset, length }: ByteRange,
      readSignal?: AbortSignal,
    ): Promise<Uint8Array> => {
      const { connection, file, head } = await there.join(readSignal);
      // Copied, because a caller may write into what it was given.
      if (offset >= 0 && length >= 0 && offset + length <= head.length)
        return head.slice(offset, offset + length);
      const answer = await connection.ask({ type: 'read', file, offset, length }, readSignal);
      if (answer.type !== 'bytes') throw wrongAnswer();
      return answer.bytes;
    };

    const relayed: ByteSource = {
      id: source.id,
      version,
      size: source.size,
      isKnown: (offset, length) => offers.has(href, version, { offset, length }),
      async read(offset, length, readSignal) {
        throwIfCancelled(readSignal);
        const fetched = offers.read(href, version, { offset, length });
        if (fetched !== null) return fetched;
        // A tile may need more bytes than the fetch estimated: only the rest is requested.
        const start = offers.readStart(href, version, { offset, length }) ?? new Uint8Array();
        const rest = { offset: offset + start.length, length: length - start.length };
        const bytes = await tryAgain(() => readThere(rest, readSignal));
        return start.length === 0 ? bytes : join(start, bytes);
      },
      async readInto(target, offset, readSignal) {
        throwIfCancelled(readSignal);
        if (offers.readInto(href, version, offset, target)) return;
        target.set(await relayed.read(offset, target.length, readSignal));
      },
      async locate(ranges, locateSignal) {
        const answer = await tryAgain(async () => {
          const { connection, file } = await there.join(locateSignal);
          return connection.ask({ type: 'locate', file, ranges }, locateSignal);
        });
        if (answer.type !== 'located') throw wrongAnswer();
        return answer.located;
      },
      close: async () => there.close(),
    };
    return relayed;
  }

  return {
    open: (href, signal) => openOn(href, null, signal),
    openKnown: (href, stamp, signal) => openOn(href, { stamp: stamp ?? null }, signal),
  };
}

const wrongAnswer = () => internal('wrong-answer', 'The network thread answered another question.');

function join(start: Uint8Array, rest: Uint8Array): Uint8Array {
  const joined = new Uint8Array(start.length + rest.length);
  joined.set(start);
  joined.set(rest, start.length);
  return joined;
}

/** A port to the network thread, as questions and answers. */
interface RelayConnection {
  /** Asks, and takes the question back when the signal is aborted. */
  ask(question: RelayQuestion, signal?: AbortSignal): Promise<RelayAnswer>;
  close(file: number): void;
  /** True once the network thread has ended. */
  isGone(): boolean;
}

/** Each member of a union without one of its properties. */
type Without<Union, Key extends string> = Union extends unknown ? Omit<Union, Key> : never;

/** A question without its id. */
type RelayQuestion = Without<Extract<ToNetwork, { type: 'open' | 'read' | 'locate' }>, 'id'>;
type RelayAnswer = Exclude<FromNetwork, { type: 'failed' }>;

interface Waiting {
  readonly resolve: (answer: RelayAnswer) => void;
  readonly reject: (error: Error) => void;
}

/** Starts to listen at a port. */
function makeRelayConnection(port: MessagePort): RelayConnection {
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let isGone = false;
  const tell = (message: ToNetwork): void => port.postMessage(message);

  port.on('message', (message: FromNetwork) => {
    const caller = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.type === 'failed') caller?.reject(fromWire(message.error));
    else if (caller !== undefined) caller.resolve(message);
    // The caller has gone and would not close it.
    else if (message.type === 'opened') tell({ type: 'close', file: message.id });
  });
  port.on('close', () => {
    isGone = true;
    for (const { reject } of waiting.values()) reject(networkGone());
    waiting.clear();
  });

  return {
    isGone: () => isGone,
    close: (file) => tell({ type: 'close', file }),
    ask(question, signal) {
      if (signal?.aborted) return Promise.reject(toCancelled());
      if (isGone) return Promise.reject(networkGone());
      lastId += 1;
      const id = lastId;
      const { promise, resolve, reject } = Promise.withResolvers<RelayAnswer>();
      const onAbort = (): void => {
        waiting.delete(id);
        tell({ type: 'cancel', id });
        reject(toCancelled());
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      waiting.set(id, { resolve, reject });
      tell({ ...question, id });
      return promise.finally(() => signal?.removeEventListener('abort', onAbort));
    },
  };
}

const GONE = 'network-thread-gone';

/** Whether the network thread ended before it answered. */
const isNetworkGone = (error: unknown): boolean => isSwathError(error) && error.code === GONE;

const networkGone = () =>
  internal(GONE, 'The thread that reads remote files stopped in the middle of a read.');

/** A file that the network thread has open for this one. */
interface OpenedThere {
  readonly connection: RelayConnection;
  readonly file: number;
  readonly source: Pick<ByteSource, 'id' | 'version' | 'size'>;
  readonly head: Uint8Array;
}

/** The network thread's end of one source. */
interface FileThere {
  /** Opens the file if it is not open there: when bytes are needed first, and after that thread was replaced. */
  join(signal?: AbortSignal): Promise<OpenedThere>;
  close(): void;
}

interface FileThereDeps {
  readonly open: (signal: AbortSignal) => Promise<OpenedThere>;
  /** The only acceptable state of the file. */
  readonly version: string;
  /** Null if the file is not open there yet. */
  readonly opened: OpenedThere | null;
}

/** Builds it. Concurrent reads open the file once, and a file that was opened and not used is closed. */
function makeFileThere({ open, version, opened }: FileThereDeps): FileThere {
  let there = opened;
  const opening = makeSingleFlight<OpenedThere>();
  let isClosed = false;

  async function openAgain(signal: AbortSignal): Promise<OpenedThere> {
    const found = await open(signal);
    const isSame = found.source.version === version;
    if (isSame && !isClosed && !signal.aborted) {
      there = found;
      return found;
    }
    found.connection.close(found.file);
    throw isSame
      ? closedError()
      : sourceBroken.about('source-changed', '{file} changed while it was read.', { subject: SCENE_FILES });
  }

  return {
    async join(signal) {
      if (isClosed) throw closedError();
      if (there !== null && !there.connection.isGone()) return there;
      return (await opening.run({ key: '', signal, start: (shared) => openAgain(shared.signal) })).value;
    },
    close() {
      isClosed = true;
      there?.connection.close(there.file);
      there = null;
    },
  };
}

/** The error of a read after `close`, as for a local file. */
const closedError = () =>
  sourceBroken.about('source-unreadable', '{file} cannot be read.', { subject: SCENE_FILES });
