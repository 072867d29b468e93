import { listUploads, readLastPartAgeMs } from '../bucket/list-uploads.ts';
import type { S3Bucket } from '../bucket/s3-bucket.ts';
import { abortUpload } from '../bucket/upload-object.ts';
import { isBlobKey } from './blob-store.ts';

/** Aborts the uploads below a prefix that have got no part for so long; gives their number. */
export async function sweepUploads(
  bucket: S3Bucket,
  { prefix, olderThanMs }: { readonly prefix: string; readonly olderThanMs: number },
  signal: AbortSignal = new AbortController().signal,
): Promise<number> {
  let aborted = 0;
  for await (const upload of listUploads(bucket, prefix, signal)) {
    const { key, uploadId, ageMs } = upload;
    if (!key.startsWith(prefix) || !isBlobKey(key.slice(prefix.length)) || ageMs < olderThanMs) continue;
    const lastPartMs = (await readLastPartAgeMs(bucket, upload, signal)) ?? ageMs;
    if (lastPartMs < olderThanMs) continue;
    await abortUpload(bucket, key, uploadId, signal);
    aborted += 1;
  }
  return aborted;
}
