import type { MessagePort } from 'node:worker_threads';
import { cancelled, internal, sourceBroken } from '../../errors.ts';
import type { ByteSource, OpenSource } from '../ranges/byte-source.ts';
import type { RelayConnection } from './relay-connection.ts';
import { makeRelayConnection } from './relay-connection.ts';

/** Opens remote files through the network thread. */
export interface RelayedOpen {
  readonly open: OpenSource;
  /**
   * The same for a file that is read in blocks: what others have opened will do if it is in the state that the catalog
   * knows, or if it knows none.
   */
  openKnown(href: string, stamp: string | undefined, signal?: AbortSignal): Promise<ByteSource>;
}

/** How far a source that others have opened will do; null when it will not. */
type Known = { readonly stamp: string | null } | null;

/** Builds the opening of remote files; `connect` gives a new port to the network thread. */
export function makeRelayedOpen(connect: () => MessagePort): RelayedOpen {
  let current: RelayConnection | null = null;

  const join = (): RelayConnection => {
    if (current === null || current.isGone()) current = makeRelayConnection(connect());
    return current;
  };

  async function ask(href: string, known: Known, signal: AbortSignal | undefined) {
    const connection = join();
    const answer = await connection.ask({ type: 'open', href, known }, signal);
    if (answer.type !== 'opened') throw wrongAnswer();
    return { connection, file: answer.id, source: answer.source, head: answer.head };
  }

  async function openOn(href: string, known: Known, signal: AbortSignal | undefined): Promise<ByteSource> {
    let at = await ask(href, known, signal);
    const { source, head } = at;
    return {
      ...source,
      async read(offset, length, readSignal) {
        if (readSignal?.aborted) throw cancelled('cancelled', 'The read was cancelled.');
        // Copied, because a caller may write into what it was given.
        if (offset >= 0 && length >= 0 && offset + length <= head.length)
          return head.slice(offset, offset + length);
        if (at.connection.isGone()) {
          // The network thread was replaced: the file is opened there once more, in the same state or not at all.
          at = await ask(href, { stamp: source.version }, readSignal);
          if (at.source.version !== source.version)
            throw sourceBroken('source-changed', 'A file of this scene changed while it was read.');
        }
        const answer = await at.connection.ask({ type: 'read', file: at.file, offset, length }, readSignal);
        if (answer.type !== 'bytes') throw wrongAnswer();
        return answer.bytes;
      },
      close: async () => at.connection.close(at.file),
    };
  }

  return {
    open: (href, signal) => openOn(href, null, signal),
    openKnown: (href, stamp, signal) => openOn(href, { stamp: stamp ?? null }, signal),
  };
}

const wrongAnswer = () => internal('wrong-answer', 'The network thread answered another question.');
