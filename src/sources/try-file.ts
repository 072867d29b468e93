import type { GuardedResponse } from '../net/index.ts';
import { parseS3Href, toS3Url, toStoreHeaders } from '../net/s3.ts';
import type { NetworkSources, OpenSourceOptions } from './network-sources.ts';
import { makeHttpDoor, makeS3Doors } from './network-sources.ts';

/** What came of a try: whatever the store answered, or why there was no answer. */
type FileTry =
  | { readonly kind: 'answered'; readonly answer: GuardedResponse; readonly isSigned: boolean }
  /** `token`: the service that gives tokens for it failed, so the store was not asked. */
  | { readonly kind: 'failed'; readonly step: 'token' | 'file'; readonly error: unknown };

/** Asks once for the first bytes of a file; refusals are answers like any other. */
export type TryFile = (href: string, signal: AbortSignal) => Promise<FileTry>;

const RANGE = { range: 'bytes=0-1023' };
/** Enough for the first bytes, and for the text of a refusal. */
const MAX_BYTES = 4_096;

/**
 * Builds the try, for `swath doctor`. Opening a file would hide what a person needs to know: the text of a refusal, the
 * region of a bucket, which of two servers failed.
 */
export function makeTryFile(
  network: NetworkSources,
  options: Pick<OpenSourceOptions, 'resolveName'> = {},
): TryFile {
  const all: OpenSourceOptions = { dataDir: '', ...options };
  const { fetch, addresses } = makeHttpDoor(all, network);
  const findDoor = makeS3Doors(all, network);
  // Longer bodies are those of stores that do not answer ranges: nothing of them is read.
  const limitBody = (head: { header(name: string): string | null }): number =>
    Number(head.header('content-length') ?? 0) > MAX_BYTES ? 0 : MAX_BYTES;

  return async (href, signal) => {
    let step: 'token' | 'file' = 'token';
    try {
      if (/^s3:/.test(href)) {
        step = 'file';
        const address = parseS3Href(href);
        const { store, fetch: fetchObject } = findDoor(address.bucket);
        const url = toS3Url(address, store);
        const signed = toStoreHeaders(store, { url, headers: RANGE, date: new Date() });
        const answer = await fetchObject({
          url: url.href,
          headers: { ...RANGE, ...signed },
          limitBody,
          signal,
        });
        return { kind: 'answered', answer, isSigned: store.credentials !== undefined };
      }
      const url = (await addresses?.sign(href, signal)) ?? href;
      step = 'file';
      const answer = await fetch({ url, headers: RANGE, limitBody, signal });
      return { kind: 'answered', answer, isSigned: url !== href };
    } catch (error) {
      return { kind: 'failed', step, error };
    }
  };
}
