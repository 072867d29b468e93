import type { ByteSource } from './byte-source.ts';
import type { SharedRun } from './shared-run.ts';
import { startSharedRun } from './shared-run.ts';

/** Makes equal reads in flight one read. Nothing is remembered afterwards: neither bytes nor a failure. */
export function withSharedReads(source: ByteSource): ByteSource {
  const inFlight = new Map<string, SharedRun<Uint8Array>>();

  const read: ByteSource['read'] = async (offset, length, signal) => {
    const key = `${offset}+${length}`;
    const known = inFlight.get(key);
    if (known !== undefined && !known.isAbandoned()) {
      // The first caller may write into its bytes (undoing a predictor in place), so the others get their own.
      return (await known.join(signal)).slice();
    }
    const started = startSharedRun(
      (shared) => source.read(offset, length, shared),
      () => {
        if (inFlight.get(key) === started) inFlight.delete(key);
      },
    );
    inFlight.set(key, started);
    return started.join(signal);
  };
  return { ...source, read };
}
