import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeZip } from '../../formats/zip.ts';
import { withFolder } from './read-rows.ts';

/** The bytes of a zip archive with these files. */
export const makeArchive = (
  files: Readonly<Record<string, string | Uint8Array>>,
  deflate = true,
): Promise<Buffer> =>
  withFolder(async (folder) => {
    const path = join(folder, 'a.zip');
    const entries = Object.entries(files).map(([name, content]) => ({
      name,
      source: { bytes: Buffer.from(content), deflate },
    }));
    await writeZip(path, entries);
    return readFile(path);
  });
