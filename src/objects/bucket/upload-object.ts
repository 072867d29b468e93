import { createHash } from 'node:crypto';
import { makeGate } from '../../async/index.ts';
import type { GuardedResponse, ResponseHead } from '../../net/index.ts';
import { contradictsEtag, parseEtag, toObjectEtag, toPartsEtag } from '../../net/s3.ts';
import { escapeXml, localName, textAt, tryParseXml } from '../../xml/index.ts';
import { sourceBroken } from '../errors.ts';
import type { S3Bucket } from './s3-bucket.ts';

/** What is uploaded: bytes that do not change meanwhile. */
export interface UploadedBytes {
  readonly size: number;
  /** Fills all of `target` from the offset, or throws. */
  readInto(target: Uint8Array, offset: number): Promise<void>;
}

/** Where an object goes, and as what. */
interface UploadTarget {
  readonly bucket: S3Bucket;
  readonly key: string;
  readonly contentType: string;
  readonly slots: PartSlots;
  readonly partBytes?: number | undefined;
}

/** The size of a part: 4 of them in memory are 32 MiB, and a file of 4 GiB has 512. */
const PART_BYTES = 8 * 2 ** 20;
/** Amazon's limit. */
const MAX_PARTS = 10_000;
/** Parts of one upload on their way at once. */
export const PARTS_IN_FLIGHT = 4;
/** Read and hashed in pieces, so that the event loop never waits for the hash of a whole part: 1 ms a piece. */
const PIECE_BYTES = 256 * 1024;
const MAX_ANSWER_BYTES = 64 * 1024;
/** How long the clean-up after a failed upload may take; what it does not reach is left to the sweep. */
const ABORT_MS = 10_000;

/**
 * Uploads an object, which is there when it is whole and not before: small ones in one request, others in parts. Each
 * part is verified by the store (Content-MD5, and the SHA-256 that is signed) and by us (ETag), and sent again when that
 * may help. After a failure the parts are removed from the bucket.
 */
export async function uploadObject(
  target: UploadTarget,
  bytes: UploadedBytes,
  signal: AbortSignal,
): Promise<void> {
  const partBytes = Math.max(target.partBytes ?? PART_BYTES, Math.ceil(bytes.size / MAX_PARTS));
  if (bytes.size <= partBytes) await putWhole(target, bytes, signal);
  else await putParts(target, planParts(bytes.size, partBytes), { bytes, signal });
}

interface Part {
  /** From 1. */
  readonly number: number;
  readonly offset: number;
  readonly length: number;
}

const planParts = (size: number, partBytes: number): readonly Part[] =>
  Array.from({ length: Math.ceil(size / partBytes) }, (_, i) => ({
    number: i + 1,
    offset: i * partBytes,
    length: Math.min(partBytes, size - i * partBytes),
  }));

async function putWhole(target: UploadTarget, bytes: UploadedBytes, signal: AbortSignal): Promise<void> {
  const { bucket, key, contentType } = target;
  const part = { number: 1, offset: 0, length: bytes.size };
  await withHashedPart(target.slots, { bytes, part, signal }, async ({ body, md5, bodyHash }) => {
    const headers = { 'content-type': contentType, 'content-md5': md5.toString('base64') };
    const answer = await bucket.ask({ method: 'PUT', key, headers, body, bodyHash }, signal);
    if (contradictsEtag(answer, toObjectEtag(md5))) throw otherBytes();
  });
}

async function putParts(
  target: UploadTarget,
  parts: readonly Part[],
  { bytes, signal }: { readonly bytes: UploadedBytes; readonly signal: AbortSignal },
): Promise<void> {
  const uploadId = await startUploadOrGiveUp(target, signal);
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  try {
    const stored: StoredPart[] = [];
    const waiting = parts.values();
    const work = async (): Promise<void> => {
      for (const part of waiting)
        stored[part.number - 1] = await putPart(target, { part, uploadId, bytes }, either);
    };
    const workers = Array.from({ length: Math.min(PARTS_IN_FLIGHT, parts.length) }, () =>
      work().catch((error: unknown) => {
        failed.abort(error);
        throw error;
      }),
    );
    // All of them: a part that arrives after the upload was given up would stay on the bucket.
    const [firstFailure] = (await Promise.allSettled(workers)).filter(({ status }) => status === 'rejected');
    if (firstFailure !== undefined) throw failed.signal.reason;
    await completeUpload(target, { uploadId, stored, size: bytes.size }, signal);
  } catch (error) {
    await cleanUp(target, uploadId);
    throw error;
  }
}

/** Never throws: the sweep removes what is left. */
const cleanUp = ({ bucket, key }: UploadTarget, uploadId: string): Promise<void> =>
  abortUpload(bucket, key, uploadId, AbortSignal.timeout(ABORT_MS)).catch(() => {});

/** Starts an upload. A question that is already on its way is not taken back, or no one would know what it has begun. */
async function startUploadOrGiveUp(target: UploadTarget, signal: AbortSignal): Promise<string> {
  signal.throwIfAborted();
  const starting = startUpload(target);
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const giveUp = (): void => {
    reject(signal.reason);
    starting.then((uploadId) => cleanUp(target, uploadId)).catch(() => {});
  };
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    return await Promise.race([starting, aborted]);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

async function startUpload({ bucket, key, contentType }: UploadTarget): Promise<string> {
  const answer = await bucket.ask({
    method: 'POST',
    key,
    query: [['uploads', '']],
    headers: { 'content-type': contentType },
    maxBytes: MAX_ANSWER_BYTES,
  });
  const root = parseAnswer(answer);
  const uploadId = root === null ? null : textAt(root, 'UploadId');
  if (uploadId === null)
    throw sourceBroken('bad-upload', 'A store of objects starts an upload without a name.');
  return uploadId;
}

/** A part that the store has. */
interface StoredPart {
  /** As the store wrote it. */
  readonly etag: string;
  readonly md5: Buffer;
}

function putPart(
  { bucket, key, slots }: UploadTarget,
  {
    part,
    uploadId,
    bytes,
  }: { readonly part: Part; readonly uploadId: string; readonly bytes: UploadedBytes },
  signal: AbortSignal,
): Promise<StoredPart> {
  return withHashedPart(slots, { bytes, part, signal }, async ({ body, md5, bodyHash }) => {
    const query = [
      ['partNumber', String(part.number)],
      ['uploadId', uploadId],
    ] as const;
    const headers = { 'content-md5': md5.toString('base64') };
    const answer = await bucket.ask({ method: 'PUT', key, query, headers, body, bodyHash }, signal);
    const etag = answer.header('etag');
    if (etag === null || contradictsEtag(answer, toObjectEtag(md5))) throw otherBytes();
    return { etag, md5 };
  });
}

/** The code of an upload whose object, if there is one, must not be used. */
export const OTHER_BYTES = 'other-bytes-stored';
const otherBytes = () =>
  sourceBroken(OTHER_BYTES, 'A store of objects has stored other bytes than were sent.');

/** A part in memory, with its hashes. */
interface HashedPart {
  readonly body: Uint8Array;
  readonly md5: Buffer;
  /** SHA-256 in hexadecimal. */
  readonly bodyHash: string;
}

/** Reads a part when there is a slot for it, and holds the slot until it has been sent. */
async function withHashedPart<Result>(
  slots: PartSlots,
  {
    bytes,
    part,
    signal,
  }: { readonly bytes: UploadedBytes; readonly part: Part; readonly signal: AbortSignal },
  send: (part: HashedPart) => Promise<Result>,
): Promise<Result> {
  const { memory, leave } = await slots.enter(part.length, signal);
  try {
    const body = memory.subarray(0, part.length);
    const [md5, sha256] = [createHash('md5'), createHash('sha256')];
    for (let done = 0; done < body.length; done += PIECE_BYTES) {
      signal.throwIfAborted();
      const piece = body.subarray(done, done + PIECE_BYTES);
      await bytes.readInto(piece, part.offset + done);
      md5.update(piece);
      sha256.update(piece);
    }
    const result = await send({ body, md5: md5.digest(), bodyHash: sha256.digest('hex') });
    leave('well');
    return result;
  } catch (error) {
    leave('failed');
    throw error;
  }
}

/** An upload whose parts are all stored. */
interface WholeUpload {
  readonly uploadId: string;
  readonly stored: readonly StoredPart[];
  readonly size: number;
}

async function completeUpload(
  { bucket, key }: UploadTarget,
  { uploadId, stored, size }: WholeUpload,
  signal: AbortSignal,
): Promise<void> {
  const list = stored.map(
    ({ etag }, i) => `<Part><PartNumber>${i + 1}</PartNumber><ETag>${escapeXml(etag)}</ETag></Part>`,
  );
  const text = `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${list.join('')}</CompleteMultipartUpload>`;
  const expected = toPartsEtag(stored.map(({ md5 }) => md5));
  const isWhole = (head: ResponseHead): boolean =>
    head.header('content-length') === String(size) && !contradictsEtag(head, expected);
  try {
    const answer = await bucket.ask(
      {
        method: 'POST',
        key,
        query: [['uploadId', uploadId]],
        headers: { 'content-type': 'application/xml' },
        body: new TextEncoder().encode(text),
        maxBytes: MAX_ANSWER_BYTES,
        findRefusal: findLateError,
      },
      signal,
    );
    const root = parseAnswer(answer);
    const etag = root === null ? null : parseEtag(textAt(root, 'ETag'));
    if (etag !== null && contradictsEtag({ ...answer, header: headerWithEtag(answer, etag) }, expected)) {
      throw otherBytes();
    }
  } catch (error) {
    signal.throwIfAborted();
    // An answer that was lost on its way: the object is there all the same, and the upload no longer is.
    const found = await bucket.ask({ method: 'HEAD', key, expected: [404] }, signal).catch(() => null);
    if (found === null || found.status === 404 || !isWhole(found)) throw error;
  }
}

/** Putting parts together takes time, so stores begin to answer with 200 before they know how it ends. */
function findLateError(answer: GuardedResponse): string | null {
  const root = parseAnswer(answer);
  if (root === null) return 'no answer';
  return localName(root) === 'CompleteMultipartUploadResult' ? null : (textAt(root, 'Code') ?? 'no result');
}

/** The ETag of a whole object stands in the body of the answer. */
const headerWithEtag =
  ({ header }: ResponseHead, etag: string) =>
  (name: string): string | null =>
    name === 'etag' ? `"${etag}"` : header(name);

const parseAnswer = ({ body }: GuardedResponse) =>
  tryParseXml(new TextDecoder().decode(body), 'of an upload', MAX_ANSWER_BYTES);

/** Removes the parts of an upload that will not be completed; not an error if the upload is already gone. */
export async function abortUpload(
  bucket: S3Bucket,
  key: string,
  uploadId: string,
  signal: AbortSignal,
): Promise<void> {
  await bucket.ask({ method: 'DELETE', key, query: [['uploadId', uploadId]], expected: [404] }, signal);
}

/** A slot, with memory for one part. */
interface PartSlot {
  readonly memory: Uint8Array;
  /** Gives it back; memory that a broken request may still hold is not used again. */
  leave(outcome: 'well' | 'failed'): void;
}

/** The parts that all uploads together may have in memory and on their way. */
interface PartSlots {
  /** Waits for a slot; rejects with the signal's reason if it is aborted before. */
  enter(bytes: number, signal: AbortSignal): Promise<PartSlot>;
}

/** Builds that many slots. Their memory is used again, because new memory for each part would pile up until it is collected. */
export function makePartSlots(slots: number): PartSlots {
  const gate = makeGate(slots);
  const free: Uint8Array[] = [];
  let inUse = 0;
  return {
    async enter(bytes, signal) {
      const leave = await gate.enter(signal);
      inUse += 1;
      const known = free.pop();
      const memory = known !== undefined && known.length >= bytes ? known : new Uint8Array(bytes);
      return {
        memory,
        leave(outcome) {
          inUse -= 1;
          if (outcome === 'well') free.push(memory);
          // A service that uploads nothing holds nothing.
          if (inUse === 0) free.length = 0;
          leave();
        },
      };
    },
  };
}
