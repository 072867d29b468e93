import { makeSingleFlight } from '../../async/index.ts';
import type { ByteSource } from './byte-source.ts';

/** Makes equal reads in flight one read. Nothing is remembered afterwards: neither bytes nor a failure. */
export function withSharedReads(source: ByteSource): ByteSource {
  const flights = makeSingleFlight<Uint8Array>();

  const read: ByteSource['read'] = async (offset, length, signal) => {
    const key = `${offset}+${length}`;
    const start = (shared: { readonly signal: AbortSignal }) => source.read(offset, length, shared.signal);
    const { value, isFirst } = await flights.run({ key, signal, start });
    // The first caller may write into its bytes (undoing a predictor in place), so the others get their own.
    return isFirst ? value : value.slice();
  };
  return { ...source, read };
}
