import { isSwathError } from '../../errors.ts';
import { makeLru } from '../../lru.ts';
import type { ByteSource, OpenSource } from '../ranges/byte-source.ts';
import type { RangeMemory } from '../ranges/range-memory.ts';
import type { SharedRun } from '../ranges/shared-run.ts';
import { startSharedRun } from '../ranges/shared-run.ts';
import { isInState } from './source-state.ts';

/** Remote files that are open on the network thread, for all threads. */
export interface SharedSources {
  /** Opens a file anew: its state is that of this moment. */
  open: OpenSource;
  /** A source that is open already if it is in the state that the catalog knows (null: in any); otherwise opens it anew. */
  openKnown(href: string, stamp: string | null, signal?: AbortSignal): Promise<ByteSource>;
  /** The address that one of these was opened by. */
  hrefOf(source: ByteSource): string | undefined;
}

/** Sources remembered: each holds the first bytes of its file, 64 KiB. */
const MAX_SOURCES = 256;
/** Larger reads are of files that are read once, from end to end. */
const MAX_REMEMBERED_BYTES = 2 ** 20;

/** Builds the table of open files; they read through the memory of ranges. */
export function makeSharedSources(open: OpenSource, memory: RangeMemory): SharedSources {
  const sources = makeLru<ByteSource>({ max: MAX_SOURCES });
  const opening = new Map<string, SharedRun<ByteSource>>();
  const hrefs = new WeakMap<ByteSource, string>();

  async function openNow(href: string, signal?: AbortSignal, stamp?: string): Promise<ByteSource> {
    const source = await open(href, signal, { stamp });
    const shared: ByteSource = {
      ...source,
      async read(offset, length, readSignal) {
        const range = { offset, length };
        const known = memory.find(shared, range);
        if (known !== undefined) return known;
        try {
          const bytes = await source.read(offset, length, readSignal);
          if (length <= MAX_REMEMBERED_BYTES) memory.remember(shared, range, bytes);
          return bytes;
        } catch (error) {
          // The file may be fixed or replaced under its name: the next reader opens it again.
          const isLeft = isSwathError(error) && error.tag === 'cancelled';
          if (!isLeft && sources.get(href) === shared) sources.delete(href);
          throw error;
        }
      },
    };
    sources.set(href, shared);
    hrefs.set(shared, href);
    return shared;
  }

  return {
    open: (href, signal) => openNow(href, signal),
    hrefOf: (source) => hrefs.get(source),
    async openKnown(href, stamp, signal) {
      const known = sources.get(href);
      if (known !== undefined && isInState(known.version, stamp) && known.isLost?.() !== true) return known;
      // A stored header of another state than the one that is wanted is of no use.
      const key = `${stamp} ${href}`;
      const underWay = opening.get(key);
      if (underWay !== undefined && !underWay.isAbandoned()) return underWay.join(signal);
      const run = startSharedRun(
        (shared) => openNow(href, shared, stamp ?? undefined),
        () => {
          if (opening.get(key) === run) opening.delete(key);
        },
      );
      opening.set(key, run);
      return run.join(signal);
    },
  };
}
