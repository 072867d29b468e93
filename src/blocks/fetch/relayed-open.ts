import type { MessagePort } from 'node:worker_threads';
import { retry, throwIfCancelled } from '../../async/index.ts';
import { internal } from '../../errors.ts';
import type { ByteRange, ByteSource, OpenSource } from '../../sources/index.ts';
import type { OpenedThere } from './file-there.ts';
import { makeFileThere } from './file-there.ts';
import type { Offers } from './offers.ts';
import type { RelayConnection } from './relay-connection.ts';
import { isNetworkGone, makeRelayConnection } from './relay-connection.ts';
import { isInState } from './source-state.ts';

/** Opens remote files through the network thread. */
export interface RelayedOpen {
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

/** One for the read that ends the thread by chance, and two for a port that was given to the thread that had ended. */
const MAX_TRIES = 3;
/** The main thread hears of the end of a thread later than those whose ports close; until then it connects to it. */
const PAUSE_MS = 50;

/** Asks the network thread again if it stopped before it answered: another one takes over. */
const tryAgain = <Answer>(ask: () => Promise<Answer>): Promise<Answer> =>
  retry(ask, { toWaitMs: (error, tries) => (isNetworkGone(error) && tries < MAX_TRIES ? PAUSE_MS : null) });

/** How far a source that others have opened will do; null when it will not. */
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
        // A tile may take more bytes than was guessed when it was fetched: only the rest is asked for.
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
