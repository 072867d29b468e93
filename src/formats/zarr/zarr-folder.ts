import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { AbsolutePath, AsyncReadable, RangeQuery } from 'zarrita';
import { sourceBroken, tooLarge } from '../../errors.ts';
import { isGone } from '../../files/index.ts';

/** A stored chunk or a document of metadata. */
const MAX_FILE_BYTES = 2 ** 28;

/** The files below a folder, as zarrita reads them; links that lead out of the folder are refused. */
export function makeZarrFolder(folder: string): AsyncReadable {
  const withFile = async <T>(
    key: AbsolutePath,
    use: (file: FileHandle) => Promise<T>,
  ): Promise<T | undefined> => {
    const path = join(folder, key);
    let file: FileHandle;
    try {
      const [root, real] = await Promise.all([realpath(folder), realpath(path)]);
      if (!real.startsWith(root + sep))
        throw sourceBroken('zarr-link', 'A file of the Zarr folder is a link that leads out of it.');
      file = await open(real, constants.O_RDONLY | constants.O_NONBLOCK);
    } catch (error) {
      // A chunk that is absent holds the fill value.
      if (isGone(error)) return undefined;
      throw error;
    }
    try {
      return await use(file);
    } finally {
      await file.close();
    }
  };
  return {
    get: (key) => withFile(key, (file) => readRange(file, { offset: 0, length: null })),
    getRange: (key, range) =>
      withFile(key, async (file) => {
        const { size } = await file.stat();
        return readRange(file, toOffsets(range, size));
      }),
  };
}

const toOffsets = (range: RangeQuery, size: number) =>
  'suffixLength' in range
    ? { offset: size - range.suffixLength, length: range.suffixLength }
    : { offset: range.offset, length: range.length };

/** Compared with the file before anything is allocated. */
async function readRange(
  file: FileHandle,
  { offset, length }: { readonly offset: number; readonly length: number | null },
): Promise<Uint8Array> {
  const stats = await file.stat();
  if (!stats.isFile()) throw sourceBroken('zarr-file', 'A file of the Zarr folder is not a plain file.');
  const wanted = length ?? stats.size;
  if (!(offset >= 0 && wanted >= 0 && offset + wanted <= stats.size))
    throw sourceBroken('zarr-truncated', 'A file of the Zarr folder is cut off.');
  if (wanted > MAX_FILE_BYTES)
    throw tooLarge('zarr-file', `A file of the Zarr folder has more than ${MAX_FILE_BYTES} bytes.`);
  const bytes = new Uint8Array(wanted);
  for (let done = 0; done < wanted; ) {
    const { bytesRead } = await file.read(bytes, done, wanted - done, offset + done);
    if (bytesRead === 0) throw sourceBroken('zarr-truncated', 'A file of the Zarr folder became shorter.');
    done += bytesRead;
  }
  return bytes;
}
