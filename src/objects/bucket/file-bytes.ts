import { open } from 'node:fs/promises';
import { unavailable } from '../../errors.ts';
import type { UploadedBytes } from './upload-object.ts';

/** Opens a file for an upload; it must not change meanwhile. */
export async function withFileBytes<Result>(
  path: string,
  work: (bytes: UploadedBytes) => Promise<Result>,
): Promise<Result> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    throw unavailable('staged-file-gone', 'The file was removed before it was finished.', { cause: error });
  });
  try {
    const { size } = await file.stat();
    return await work({
      size,
      async readInto(target, offset) {
        for (let done = 0; done < target.length; ) {
          const { bytesRead } = await file.read(target, done, target.length - done, offset + done);
          if (bytesRead === 0) throw new Error(`the staged file ends before byte ${offset + target.length}`);
          done += bytesRead;
        }
      },
    });
  } finally {
    await file.close();
  }
}
