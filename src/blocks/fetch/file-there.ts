import { makeSingleFlight } from '../../async/index.ts';
import { sourceBroken } from '../../errors.ts';
import type { ByteSource } from '../../sources/index.ts';
import { SCENE_FILES } from '../../sources/index.ts';
import type { RelayConnection } from './relay-connection.ts';

/** A file that the network thread has open for this one. */
export interface OpenedThere {
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
  /** The only state of the file that will do. */
  readonly version: string;
  /** Null if the file is not open there yet. */
  readonly opened: OpenedThere | null;
}

/** Builds it. Reads that come together open the file once, and what is opened and not used is closed. */
export function makeFileThere({ open, version, opened }: FileThereDeps): FileThere {
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

/** As a local file that was closed is read. */
const closedError = () =>
  sourceBroken.about('source-unreadable', '{file} cannot be read.', { subject: SCENE_FILES });
