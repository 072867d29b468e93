import type { Jp2Decoder } from '../../../src/formats/index.ts';
import { makeJp2Decoder, openBlockFile } from '../../../src/formats/index.ts';
import { makeMemorySource } from '../../../src/formats/tiff/testing/memory-source.ts';
import type { FuzzTarget } from '../target.ts';
import { readGolden } from './golden-seeds.ts';
import { readBlocks } from './read-blocks.ts';

/** Larger files only make fewer runs. */
const MAX_SEED_BYTES = 20 * 1024;

/** One for the thread, as in the service: what one file does to it must not harm the next. */
let jp2Decoder: Jp2Decoder | null = null;

/** JPEG 2000 files: boxes, codestream, tile-parts, and what OpenJPEG makes of them. */
export const jp2: FuzzTarget = {
  name: 'jp2',
  maxBytes: 64 * 1024,
  tokens: [],
  readSeeds: () => readGolden('jp2/*.j*', MAX_SEED_BYTES),
  async run(input) {
    jp2Decoder ??= makeJp2Decoder();
    await readBlocks(await openBlockFile(makeMemorySource(input), { jp2Decoder }));
  },
};
