import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sourceBroken } from '../../errors.ts';
import { isGone, toInodeStamp, writeWholeFile } from '../../files/index.ts';
import type { ChunkRange } from './chunk.ts';
import type { CubeFiles } from './cube-files.ts';
import { MANIFEST } from './cube-files.ts';

/** Begins with a character that no name of a cube has. */
const REMOVED = '.removed-';

/** Builds the files of cubes in a folder, which is made with the first one. */
export function makeFolderCubeFiles(root: string): CubeFiles {
  const toPath = (cube: string, path = MANIFEST): string => join(root, cube, path);
  return {
    freshMs: 0,
    async listNames() {
      const entries = await readdir(root, { withFileTypes: true }).catch(() => []);
      return entries
        .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
        .map(({ name }) => name);
    },
    async readManifest(cube, knownStamp) {
      try {
        const stamp = await readStamp(toPath(cube));
        return stamp === knownStamp ? 'same' : { stamp, text: await readFile(toPath(cube), 'utf8') };
      } catch (error) {
        if (isGone(error)) return null;
        throw error;
      }
    },
    readRange: (cube, range) =>
      readRange(toPath(cube, range.path), range).catch((cause: unknown) => {
        const code = isGone(cause) ? 'cube-chunk-gone' : 'cube-unreadable';
        throw sourceBroken(code, 'A chunk of a data cube cannot be read.', { cause });
      }),
    async writeFile(cube, path, write) {
      const target = toPath(cube, path);
      await mkdir(dirname(target), { recursive: true });
      const isWanted = await writeWholeFile(target, write);
      if (!isWanted) await rm(target, { force: true });
    },
    async replaceManifest(cube, text) {
      const bytes = Buffer.from(text);
      await mkdir(join(root, cube), { recursive: true });
      await writeWholeFile(toPath(cube), (file) => file.write(bytes, 0));
      return readStamp(toPath(cube));
    },
    async removeFiles(cube, paths) {
      for (const path of paths) await rm(toPath(cube, path), { force: true });
    },
    async sweep(cube, named) {
      const folder = join(root, cube);
      const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
        (error: unknown) => {
          if (isGone(error)) return [];
          throw error;
        },
      );
      for (const entry of entries) {
        const path = join(entry.parentPath, entry.name);
        const inside = path.slice(folder.length + 1).replaceAll('\\', '/');
        if (entry.isFile() && inside !== MANIFEST && !named.has(inside)) await rm(path, { force: true });
      }
    },
    async remove(cube) {
      // Renamed first, so that a reader sees the cube or does not, but no half of it.
      const leftover = join(root, `${REMOVED}${cube}-${process.pid}`);
      try {
        await rename(join(root, cube), leftover);
      } catch (error) {
        if (isGone(error)) return;
        throw error;
      }
      await rm(leftover, { recursive: true, force: true });
    },
  };
}

/** A manifest is replaced whole, so that inode, time and size tell one from another. */
async function readStamp(path: string): Promise<string> {
  return toInodeStamp(await stat(path));
}

async function readRange(path: string, { offset, length }: ChunkRange): Promise<Uint8Array> {
  const file = await open(path, 'r');
  try {
    const bytes = new Uint8Array(length);
    for (let done = 0; done < length; ) {
      const { bytesRead } = await file.read(bytes, done, length - done, offset + done);
      if (bytesRead === 0) throw new Error('the file is too short');
      done += bytesRead;
    }
    return bytes;
  } finally {
    await file.close();
  }
}
