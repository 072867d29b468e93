import type { GuardedResponse } from '../../net/index.ts';
import { parseTime } from '../../sources/index.ts';
import type { XmlElement } from '../../xml/index.ts';
import { childrenOf, localName, parseXml, textAt } from '../../xml/index.ts';
import { sourceBroken } from '../errors.ts';
import type { S3Bucket } from './s3-bucket.ts';
import { abortUpload } from './upload-object.ts';

/** Aborts the uploads right below a prefix that have got no part for so long; gives their number. */
export async function sweepUploads(
  bucket: S3Bucket,
  { prefix, olderThanMs }: { readonly prefix: string; readonly olderThanMs: number },
  signal: AbortSignal = new AbortController().signal,
): Promise<number> {
  let aborted = 0;
  for await (const upload of listUploads(bucket, prefix, signal)) {
    const { key, uploadId, ageMs } = upload;
    if (!key.startsWith(prefix) || key.includes('/', prefix.length) || ageMs < olderThanMs) continue;
    const lastPartMs = (await readLastPartAgeMs(bucket, upload, signal)) ?? ageMs;
    if (lastPartMs < olderThanMs) continue;
    await abortUpload(bucket, key, uploadId, signal);
    aborted += 1;
  }
  return aborted;
}

/** An upload in parts that was neither completed nor aborted. */
interface OpenUpload {
  readonly key: string;
  readonly uploadId: string;
  /** How long ago it was begun, by the clock of the store. */
  readonly ageMs: number;
}

/** A page has up to 1,000 entries of a kilobyte or two. */
const MAX_PAGE_BYTES = 8 * 2 ** 20;
/** Of a thousand each; what is beyond waits for the next time. */
const MAX_PAGES = 100;

/** Lists the open uploads of keys that begin with a prefix (ListMultipartUploads). */
async function* listUploads(
  bucket: S3Bucket,
  prefix: string,
  signal?: AbortSignal,
): AsyncGenerator<OpenUpload> {
  let marker: readonly (readonly [string, string])[] = [];
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = [['uploads', ''], ['prefix', prefix], ...marker] as const;
    const answer = await bucket.ask({ method: 'GET', key: '', query, maxBytes: MAX_PAGE_BYTES }, signal);
    const root = parseList(answer, 'ListMultipartUploadsResult');
    const nowMs = clockOf(answer);
    for (const entry of childrenOf(root, 'Upload')) {
      const [key, uploadId] = [textAt(entry, 'Key'), textAt(entry, 'UploadId')];
      const startedMs = parseTime(textAt(entry, 'Initiated'));
      if (key === null || uploadId === null || startedMs === null) continue;
      yield { key, uploadId, ageMs: Math.max(0, nowMs - startedMs) };
    }
    const next = textAt(root, 'NextKeyMarker');
    if (textAt(root, 'IsTruncated') !== 'true' || next === null) return;
    marker = [
      ['key-marker', next],
      ['upload-id-marker', textAt(root, 'NextUploadIdMarker') ?? ''],
    ];
  }
}

/**
 * How long ago the last part of an upload arrived, by the clock of the store (ListParts); null if it has none, or is gone.
 * An upload that is alive gets a part every few minutes.
 */
async function readLastPartAgeMs(
  bucket: S3Bucket,
  { key, uploadId }: Pick<OpenUpload, 'key' | 'uploadId'>,
  signal?: AbortSignal,
): Promise<number | null> {
  let youngestMs: number | null = null;
  let marker: readonly (readonly [string, string])[] = [];
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = [['uploadId', uploadId], ...marker] as const;
    const answer = await bucket.ask(
      { method: 'GET', key, query, expected: [404], maxBytes: MAX_PAGE_BYTES },
      signal,
    );
    if (answer.status === 404) return null;
    const root = parseList(answer, 'ListPartsResult');
    const nowMs = clockOf(answer);
    for (const entry of childrenOf(root, 'Part')) {
      const storedMs = parseTime(textAt(entry, 'LastModified'));
      if (storedMs !== null) youngestMs = Math.max(0, Math.min(youngestMs ?? Infinity, nowMs - storedMs));
    }
    const next = textAt(root, 'NextPartNumberMarker');
    if (textAt(root, 'IsTruncated') !== 'true' || next === null) return youngestMs;
    marker = [['part-number-marker', next]];
  }
  return youngestMs;
}

function parseList({ body }: GuardedResponse, name: string): XmlElement {
  const root = parseXml(new TextDecoder().decode(body), 'of the listing');
  if (localName(root) !== name) {
    throw sourceBroken('bad-listing', 'A store of objects answers with something other than a list.');
  }
  return root;
}

/** The clock of the store, which has written the times of the list too, to the second; ours if it does not tell. */
const clockOf = (answer: GuardedResponse): number => parseTime(answer.header('date')) ?? Date.now();
