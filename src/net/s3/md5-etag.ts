import { createHash } from 'node:crypto';
import type { ResponseHead } from '../response.ts';

/** The ETag of an object that was put in one request: the MD5 of its bytes. Without quotes. */
export const toObjectEtag = (md5: Uint8Array): string => Buffer.from(md5).toString('hex');

/** The ETag of an object of several parts: the MD5 of their MD5s, and their number. */
export const toPartsEtag = (md5s: readonly Uint8Array[]): string =>
  `${createHash('md5').update(Buffer.concat(md5s)).digest('hex')}-${md5s.length}`;

/** An ETag without its quotes. */
export const parseEtag = (text: string | null): string | null =>
  text === null ? null : (/^(?:W\/)?"(.*)"$/.exec(text)?.[1] ?? text);

/** What an ETag looks like that is made of MD5s. */
const MD5_ETAG = /^[0-9a-f]{32}(?:-\d{1,5})?$/;

/**
 * Whether the ETag of an answer contradicts the bytes that were sent. Stores that encrypt with keys of a service, and
 * some that are not Amazon's, have ETags of another kind: those tell nothing.
 */
export function contradictsEtag(head: ResponseHead, expected: string): boolean {
  const encryption = head.header('x-amz-server-side-encryption');
  if (encryption !== null && encryption !== 'AES256') return false;
  if (head.header('x-amz-server-side-encryption-customer-algorithm') !== null) return false;
  const etag = parseEtag(head.header('etag'));
  return etag !== null && MD5_ETAG.test(etag) && etag !== expected;
}
