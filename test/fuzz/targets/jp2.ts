import { openBlockFile } from '../../../src/formats/block-file/index.ts';
import type { Jp2Decoder } from '../../../src/formats/jp2/index.ts';
import { makeJp2Decoder } from '../../../src/formats/jp2/index.ts';
import type { Jp2 } from '../../../src/formats/jp2/reader/jp2-reader.ts';
import { openJp2 } from '../../../src/formats/jp2/reader/jp2-reader.ts';
import { makeTileHabits } from '../../../src/formats/jp2/reader/read-tile-data.ts';
import { readJp2Tile } from '../../../src/formats/jp2/reader/tile-reader.ts';
import { makeMemorySource } from '../../../src/formats/testing/memory-source.ts';
import type { FuzzTarget } from '../target.ts';
import { readGolden } from './golden-seeds.ts';
import { readBlocks } from './read-blocks.ts';

/** Larger files only make fewer runs. */
const MAX_SEED_BYTES = 20 * 1024;

/** More take longer and show nothing new. */
const MAX_LEVELS = 6;
const MAX_PIXELS = 2 ** 20;

/** One for the thread, as in the service: what one file does to it must not harm the next. */
let jp2Decoder: Jp2Decoder | null = null;

/** Reads the packets of each smaller level of the first tile, found by lengths that the file states or by their headers. */
async function readParts(file: Jp2, decoder: Jp2Decoder): Promise<void> {
  const habits = makeTileHabits({ atOnce: 0, inTwo: 0 });
  const levels = Math.min(file.resolutions, MAX_LEVELS);
  for (let level = 1; level < levels; level++) {
    if (file.levels[level]!.width * file.levels[level]!.height > MAX_PIXELS) continue;
    await readJp2Tile(file, { level, column: 0, row: 0 }, { decoder, habits });
  }
}

/** JPEG 2000 files: boxes, codestream, tile-parts, and what OpenJPEG makes of them. */
export const jp2: FuzzTarget = {
  name: 'jp2',
  maxBytes: 64 * 1024,
  tokens: [],
  readSeeds: () => readGolden('jp2/*.j*', MAX_SEED_BYTES),
  async run(input) {
    jp2Decoder ??= makeJp2Decoder();
    const source = makeMemorySource(input);
    // Tiles of seeds are too short to be read in part without this.
    await readParts(await openJp2(source), jp2Decoder);
    await readBlocks(await openBlockFile(source, { jp2Decoder }));
  },
};
