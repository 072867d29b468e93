import { listUploads, readLastPartAgeMs } from './list-uploads.ts';
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
