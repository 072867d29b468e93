import { throwIfCancelled } from '../../../async/index.ts';
import type { OutputFiles } from '../../../files/index.ts';
import { nodeFiles, writeWholeFile } from '../../../files/index.ts';
import { makeJp2Assembly } from './jp2-assembly.ts';
import type { Jp2Options } from './jp2-options.ts';
import { checkOptions } from './jp2-options.ts';
import type { EncodedTile } from './written-codestream.ts';

/** Options of `writeJp2`. */
interface WriteOptions {
  readonly signal?: AbortSignal | undefined;
  readonly files?: OutputFiles;
}

/** Writes a JP2 file of tiles that are encoded elsewhere, row by row; durably, and whole or not at all. */
export function writeJp2(
  path: string,
  options: Jp2Options,
  tiles: AsyncIterable<EncodedTile>,
  { signal, files = nodeFiles }: WriteOptions = {},
): Promise<{ readonly size: number }> {
  checkOptions(options);
  return writeWholeFile(
    path,
    async (file) => {
      const assembly = makeJp2Assembly(file, options);
      for await (const tile of tiles) {
        throwIfCancelled(signal);
        await assembly.add(tile);
      }
      return { size: await assembly.finish() };
    },
    { files, signal },
  );
}
