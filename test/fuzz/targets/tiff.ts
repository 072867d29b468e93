import { openBlockFile } from '../../../src/formats/block-file/index.ts';
import { makeJp2Decoder } from '../../../src/formats/jp2/index.ts';
import { makeMemorySource } from '../../../src/formats/testing/memory-source.ts';
import { openTiff } from '../../../src/formats/tiff/index.ts';
import { makeProjection } from '../../../src/proj/index.ts';
import type { FuzzTarget } from '../target.ts';
import { readGolden } from './golden-seeds.ts';
import { readBlocks } from './read-blocks.ts';

/** TIFF files: header, directories, reference system, block index, codecs, masks. */
export const tiff: FuzzTarget = {
  name: 'tiff',
  maxBytes: 64 * 1024,
  tokens: [],
  readSeeds() {
    // JPEG and WebP blocks are decoded by sharp, which would take all cores
    return readGolden('tiff/**/*.tif');
  },
  async run(input) {
    const source = makeMemorySource(input);
    const { proj } = await openTiff(source);
    // the georeference of the file becomes a text that the next room must accept or refuse
    if (proj !== null) makeProjection(proj, 4326).forward(500_000, 5_000_000);
    await readBlocks(await openBlockFile(source, { jp2Decoder: makeJp2Decoder() }));
  },
};
