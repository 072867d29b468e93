import type { MessagePort } from 'node:worker_threads';
import { cancelled, internal, sourceBroken } from '../../errors.ts';
import type { ByteSource, OpenSource } from '../ranges/byte-source.ts';
import type { Offers } from './offers.ts';
import type { RelayConnection } from './relay-connection.ts';
import { makeRelayConnection } from './relay-connection.ts';
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
  readonly offers: Pick<Offers, 'find' | 'has' | 'read' | 'readInto'>;
}

/** How far a source that others have opened will do; null when it will not. */
type Known = { readonly stamp: string | null } | null;

/** A file that the network thread has open for this one. */
interface OpenedThere {
  readonly connection: RelayConnection;
  readonly file: number;
  readonly source: Pick<ByteSource, 'id' | 'version' | 'size'>;
  readonly head: Uint8Array;
}

/** Builds the opening of remote files. */
export function makeRelayedOpen({ connect, offers }: RelayDeps): RelayedOpen {
  let current: RelayConnection | null = null;

  const join = (): RelayConnection => {
    if (current === null || current.isGone()) current = makeRelayConnection(connect());
    return current;
  };

  async function ask(href: string, known: Known, signal: AbortSignal | undefined): Promise<OpenedThere> {
    const connection = join();
    const answer = await connection.ask({ type: 'open', href, known }, signal);
    if (answer.type !== 'opened') throw wrongAnswer();
    return { connection, file: answer.id, source: answer.source, head: answer.head };
  }

  async function openOn(href: string, known: Known, signal: AbortSignal | undefined): Promise<ByteSource> {
    const offered = known === null ? null : offers.find(href);
    const isEnough = known !== null && offered !== null && isInState(offered.version, known.stamp);
    let there = isEnough ? null : await ask(href, known, signal);
    const source = there?.source ?? offered;
    if (source === null) throw wrongAnswer();

    /** Opened when the first bytes are needed that were not fetched, and again if the network thread was replaced. */
    const joinThere = async (readSignal: AbortSignal | undefined): Promise<OpenedThere> => {
      if (there !== null && !there.connection.isGone()) return there;
      there = await ask(href, { stamp: source.version }, readSignal);
      // The same state of the file, or none of it.
      if (there.source.version !== source.version)
        throw sourceBroken('source-changed', 'A file of this scene changed while it was read.');
      return there;
    };

    const relayed: ByteSource = {
      id: source.id,
      version: source.version,
      size: source.size,
      isKnown: (offset, length) => offers.has(href, source.version, { offset, length }),
      async read(offset, length, readSignal) {
        if (readSignal?.aborted) throw cancelled('cancelled', 'The read was cancelled.');
        const fetched = offers.read(href, source.version, { offset, length });
        if (fetched !== null) return fetched;
        const { connection, file, head } = await joinThere(readSignal);
        // Copied, because a caller may write into what it was given.
        if (offset >= 0 && length >= 0 && offset + length <= head.length)
          return head.slice(offset, offset + length);
        const answer = await connection.ask({ type: 'read', file, offset, length }, readSignal);
        if (answer.type !== 'bytes') throw wrongAnswer();
        return answer.bytes;
      },
      async readInto(target, offset, readSignal) {
        if (readSignal?.aborted) throw cancelled('cancelled', 'The read was cancelled.');
        if (offers.readInto(href, source.version, offset, target)) return;
        target.set(await relayed.read(offset, target.length, readSignal));
      },
      close: async () => there?.connection.close(there.file),
    };
    return relayed;
  }

  return {
    open: (href, signal) => openOn(href, null, signal),
    openKnown: (href, stamp, signal) => openOn(href, { stamp: stamp ?? null }, signal),
  };
}

const wrongAnswer = () => internal('wrong-answer', 'The network thread answered another question.');
