import type { OutputFiles } from './output-files.ts';
import { nodeFiles } from './output-files.ts';
import { checkWanted, writeWholeFile } from './write-whole-file.ts';

interface ChunkOptions {
  readonly signal?: AbortSignal;
  readonly files?: OutputFiles;
}

/** Writes chunks one after the other to a path, durably and whole or not at all. */
export function writeChunks(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  { signal, files = nodeFiles }: ChunkOptions = {},
): Promise<{ readonly size: number }> {
  const given = signal ?? null;
  return writeWholeFile(
    path,
    async (file) => {
      let size = 0;
      for await (const chunk of chunks) {
        checkWanted(given);
        await file.write(chunk, size);
        size += chunk.length;
      }
      return { size };
    },
    { files, signal: given },
  );
}
