import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { BlobStore } from '../objects/index.ts';

/** What a task has stored of its work, by name: another attempt continues from there. */
export interface TaskBlobs {
  has(name: string): Promise<boolean>;
  /** Bytes of all that this attempt has put or found. */
  readonly storedBytes: number;
  /** Stores bytes durably, all of them or none. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  read(name: string): Promise<Uint8Array>;
  /** Writes the bytes to a file of this machine. */
  copyTo(name: string, path: string): Promise<void>;
}

interface TaskBlobsDeps {
  readonly blobs: Pick<BlobStore, 'stage' | 'stat' | 'read'>;
  /** The id of the task: the sweep of orphaned blobs finds the task by what is in front of the last dot. */
  readonly id: string;
  readonly signal: AbortSignal;
}

const META = { contentType: 'application/octet-stream' };

/** Builds it. */
export function makeTaskBlobs({ blobs, id, signal }: TaskBlobsDeps): TaskBlobs {
  const toKey = (name: string): string => `${id}.${name}`;
  const sizes = new Map<string, number>();
  let storedBytes = 0;
  const count = (name: string, bytes: number): void => {
    storedBytes += bytes - (sizes.get(name) ?? 0);
    sizes.set(name, bytes);
  };
  return {
    get storedBytes() {
      return storedBytes;
    },
    async has(name) {
      const found = await blobs.stat(toKey(name), signal);
      if (found !== null) count(name, found.bytes);
      return found !== null;
    },
    async put(name, bytes) {
      const staged = await blobs.stage(toKey(name));
      try {
        await writeFile(staged.path, bytes);
        await staged.publish(META, signal);
        count(name, bytes.length);
      } finally {
        await staged.discard();
      }
    },
    async read(name) {
      const chunks: Uint8Array[] = [];
      for await (const chunk of await blobs.read(toKey(name), null, signal)) chunks.push(chunk);
      return Buffer.concat(chunks);
    },
    async copyTo(name, path) {
      const stream = Readable.fromWeb(await blobs.read(toKey(name), null, signal));
      const file = createWriteStream(path);
      await pipeline(stream, file, { signal });
      count(name, file.bytesWritten);
    },
  };
}
